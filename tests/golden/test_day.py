"""The gaming day of each rulebook is as it was: inspection, opening, shoes, dealer change, idle hour, malfunction."""

from __future__ import annotations

import pytest
from tests.golden.day import BOOKS, Day, day_log
from tests.golden.transcripts import FOLDER

WANTED = (
    "table_opened", "cards_received", "cards_shuffled", "cut_made", "shoe_loaded", "card_burned", "round_begun",
    "cards_collected", "cover_card_seen", "dealer_changed", "device_reported", "table_idle", "play_resumed",
    "table_closed",
)  # fmt: skip


@pytest.mark.parametrize("book", BOOKS)
def test_day_log(book: str) -> None:
    golden = FOLDER / f"day-{book}.txt"
    assert day_log(book) == golden.read_text(encoding="utf-8"), "`make golden` writes them anew"


@pytest.mark.parametrize("book", BOOKS)
def test_day_has_everything_in_it(book: str) -> None:
    """Every event is cited, and the day holds what a gaming day holds: at least three shoes, two sets of cards."""
    table = Day(book).run()
    kinds = [event.kind for event in table.events]
    assert [kind for kind in WANTED if kind not in kinds] == []
    assert table.state.shoes >= 4
    assert kinds.count("cards_received") >= 2
    known = {table.rules.rulebook.cite(paragraph) for paragraph in table.rules.rulebook.entries}
    assert {event.cite for event in table.events} <= {*known, ""}
    assert sum(table.state.chips.values()) == 0
