"""What the analysis cannot represent it refuses with the paragraph; nothing is left out in silence."""

from __future__ import annotations

from typing import Any

import pytest

from twentyone.errors import Refused
from twentyone.money import Odds
from twentyone.odds.core import Core
from twentyone.odds.tables import Tables
from twentyone.rulebook import HandPattern, Rulebook, Rules
from twentyone.rulebook import clauses as c

PLACE: dict[str, Any] = {"paragraph": "9(z)", "cite": "Classic § 9(z)"}


def own_rules() -> Rules:
    """The classic game, for this test alone."""
    shared = Rulebook.load("classic-blackjack").under({})
    return Rules(shared.rulebook, shared.submission)


def with_clause(clause: c.Clause) -> Rules:
    """The classic game with one clause more."""
    rules = own_rules()
    return rules.with_clauses((*rules.clauses, clause))


def bonus(hand: HandPattern, dealer: HandPattern | None = None) -> c.Pay:
    """A row that pays some hands 5 to 1."""
    return c.Pay(wagers=("main",), odds=Odds(5, 1), hand=hand, dealer=dealer or HandPattern(), **PLACE)


@pytest.mark.parametrize(
    "clause",
    [
        bonus(HandPattern(suits="same")),
        bonus(HandPattern(ranks=("6", "7"))),
        bonus(HandPattern(ranks=("2", "2", "2", "2"))),
        bonus(HandPattern(ranks=("J", "J", "A"))),
        bonus(HandPattern(total=20), dealer=HandPattern(ranks=("K", "K"))),
        bonus(HandPattern(total=20), dealer=HandPattern(cards=5)),
        c.MayNot(name="double", hands=2, **PLACE),
    ],
)
def test_a_clause_that_cannot_be_represented(clause: c.Clause) -> None:
    """A row by suit alone, by other than three ranks that count alone, by the dealer's cards; a double by hands."""
    with pytest.raises(Refused) as refused:
        Core(Tables(with_clause(clause)))
    assert refused.value.cite == "Classic § 9(z)"


def test_tens_told_apart() -> None:
    """A reader for some ten-value cards only: cards of equal value are one class here."""
    rules = own_rules()
    steps = tuple(clause for clause in rules.clauses if isinstance(clause, c.Step) and clause.name != "read_hole")
    others = tuple(clause for clause in rules.clauses if not isinstance(clause, c.Step))
    rules.clauses = (*others, *steps, c.Step(name="read_hole", if_up=("A", "K"), **PLACE))
    with pytest.raises(Refused, match="tells cards of equal value apart"):
        Core(Tables(rules))


def test_the_game_itself_is_represented() -> None:
    """Without such a clause the same game is analysed."""
    assert Core(Tables(own_rules())).starts
