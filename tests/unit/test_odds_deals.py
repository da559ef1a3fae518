"""What first deals are worth: by hand where a hand can do it, and all together the value of the game."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.analyses import by_chart

from twentyone.odds.deals import deal_values, deals_of
from twentyone.rulebook import Rulebook
from twentyone.strategy import default_strategy


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))


def test_a_blackjack_by_hand() -> None:
    """Six decks, 3:2: against a five always; against an ace unless the hole card is one of 95 tens in 309."""
    rules = Rulebook.load("classic-blackjack").under()
    body = deals_of(rules, default_strategy(rules))
    ace, five, ten = (body["counts"].index(count) for count in (1, 5, 10))
    assert body["values"][ace][ten][five] == pytest.approx(1.5)
    assert body["values"][ten][ace][ace] == pytest.approx(1.5 * (1 - 95 / 309))
    assert deals_of(rules, default_strategy(rules)) == body


@pytest.mark.parametrize("book", ["md-spanish-21", "pa-down-under-blackjack"])
def test_all_deals_together_are_the_game(book: str) -> None:
    analysis = by_chart(book)
    values, shoe = deal_values(analysis), analysis._core.tables.shoe
    whole, size = 0.0, int(shoe.sum())
    for one, two, up in ((a, b, c) for a in range(len(shoe)) for b in range(len(shoe)) for c in range(len(shoe))):
        deals = int(shoe[one]) * (int(shoe[two]) - (one == two)) * (int(shoe[up]) - (up == one) - (up == two))
        whole += deals * values[one, two, up] / (size * (size - 1) * (size - 2))
    assert whole == pytest.approx(-analysis.figures.house_edge, abs=1e-12)
