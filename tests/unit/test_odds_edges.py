"""House edges that the package brings along: of every rulebook's own games, and what the analysis says today."""

from __future__ import annotations

import pytest

from twentyone.odds.edges import edge_of, game_key, known_edge, own_games
from twentyone.rulebook import Rulebook

QUICK = ("pa-spanish-21", "pa-down-under-blackjack", "s13-spanish-21")
"""Games whose analysis takes about a second."""


def test_every_own_game_is_known() -> None:
    """Written by `python -m twentyone.odds.edges`: run it again when the rules of a book have changed."""
    assert [rules for rules in own_games() if known_edge(rules) is None] == []


@pytest.mark.parametrize("name", QUICK)
def test_what_is_known_is_what_the_analysis_says(name: str) -> None:
    rules = Rulebook.load(name).under()
    assert known_edge(rules) == pytest.approx(edge_of(rules), abs=1e-12)


def test_a_game_is_known_by_what_a_round_reads() -> None:
    """Limits change nothing; decks, readings and other choices of play make another game."""
    book = Rulebook.load("pa-spanish-21")
    plain = book.under()
    assert game_key(book.under({"table_minimum": "5", "table_maximum": "500"})) == game_key(plain)
    reading = next(reading for reading in book.readings if reading.name == "split-aces")
    others = [{"decks": 8}, {"readings": {reading.name: reading.values[1]}}]
    assert {known_edge(book.under(other)) for other in others} == {None}
