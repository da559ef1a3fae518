"""Hints: the exact value of each decision for the cards that a player sees."""

from __future__ import annotations

import pytest

from twentyone.cards import Card, parse_cards
from twentyone.errors import Refused
from twentyone.odds.analysis import analyse
from twentyone.round import Round
from twentyone.rulebook import Rulebook
from twentyone.service.hints import hint

RULES = Rulebook.load("classic-blackjack").under({"decks": 2})


def dealt(cards: str, *players: str) -> Round:
    """A round in which these cards have been dealt to boxes 1, 2 and so on."""
    round_ = Round.start(RULES, [{"box": box, "player": name, "main": "10"} for box, name in enumerate(players, 1)])
    for card in parse_cards(cards):
        round_ = round_.apply(card)
    return round_


def test_alone_at_the_table_a_hint_is_the_value_of_the_hand() -> None:
    """The shoe less the hand and the up card: what `twentyone hand` says of the same cards."""
    found = hint(dealt("8S 7H 6C KD", "Ann"), "Ann")
    expected = analyse(RULES).decisions((Card("8S"), Card("6C")), Card("7H"))
    assert found["decisions"] == pytest.approx(expected, abs=1e-12)
    assert found["best"] == max(expected, key=lambda name: expected[name])
    assert "3 cards" in found["basis"]


def test_cards_of_other_boxes_are_gone_from_the_shoe() -> None:
    """With a pair of sevens on another box a 14 draws a seven less often: hitting is worth less than without it."""
    alone = hint(dealt("8S 9H 6C KD", "Ann"), "Ann")["decisions"]["hit"]
    beside = hint(dealt("8S 7S 9H 6C 7C KD", "Ann", "Bob"), "Ann")["decisions"]["hit"]
    assert beside < alone - 1e-4


def test_the_hole_card_does_not_matter() -> None:
    """Two rounds that differ only in the card face down give the same hint."""
    assert hint(dealt("8S 7H 6C KD", "Ann"), "Ann") == hint(dealt("8S 7H 6C 2D", "Ann"), "Ann")


def test_nobody_else_gets_one() -> None:
    with pytest.raises(Refused, match="your turn") as refused:
        hint(dealt("8S 7H 6C KD", "Ann"), "Bob")
    assert refused.value.cite
