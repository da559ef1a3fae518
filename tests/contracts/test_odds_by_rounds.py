"""The analysis against `round`: every round of small shoes dealt, by the analysis's own decisions."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from tests.contracts.odds_by_rounds import value_by_analysis, value_by_rounds

from twentyone.cards import parse_cards
from twentyone.odds.core import Core
from twentyone.odds.settlement_mass import SettlementMass
from twentyone.odds.tables import Tables
from twentyone.rulebook import Rulebook

#        A  2  3  4  5  6  7  8  9  10
SHOES: list[tuple[str, dict[str, Any], list[int]]] = [
    ("classic-blackjack", {}, [0, 0, 0, 0, 0, 4, 0, 0, 0, 10]),
    ("classic-blackjack", {"hole_card": "none", "surrender": "late"}, [2, 0, 0, 0, 0, 4, 0, 0, 0, 8]),
    ("classic-blackjack", {"hole_card": "none", "dealer_blackjack_takes": "all"}, [2, 0, 0, 0, 0, 4, 0, 0, 0, 8]),
    ("pa-spanish-21", {"max_split_hands": 2}, [3, 0, 0, 0, 4, 0, 0, 0, 0, 9]),
    ("pa-spanish-21", {"max_split_hands": 3}, [0, 0, 0, 0, 5, 0, 0, 0, 4, 9]),
    ("md-spanish-21", {"readings": {"both-bust": "equal-totals-push"}}, [0, 0, 0, 0, 4, 0, 0, 0, 3, 6]),
    ("s13-spanish-21", {"hole_card": "none"}, [2, 0, 0, 0, 0, 0, 0, 0, 4, 10]),
    ("pa-double-back-jack", {}, [0, 0, 0, 0, 0, 4, 0, 0, 0, 8]),
    ("pa-double-back-jack", {}, [2, 0, 0, 0, 0, 0, 4, 0, 0, 8]),
    ("pa-double-back-jack", {"readings": {"dbj-bust-on-22": "returned"}}, [0, 0, 0, 0, 0, 5, 0, 0, 0, 7]),
    ("pa-double-back-jack", {"readings": {"dbj-current-wager": "original"}}, [0, 0, 0, 0, 4, 0, 0, 0, 0, 8]),
    ("pa-down-under-blackjack", {}, [3, 0, 0, 0, 0, 4, 0, 0, 0, 7]),
    ("pa-down-under-blackjack", {}, [0, 0, 0, 3, 0, 0, 4, 0, 0, 6]),
    ("pa-down-under-blackjack", {"readings": {"dub-two-large": "any"}}, [4, 0, 0, 0, 0, 3, 0, 0, 0, 6]),
]


def analysed(book: str, submission: dict[str, Any], shoe: list[int]) -> Core:
    """A game with a small shoe."""
    return Core(Tables(Rulebook.load(book).under(submission), shoe=np.array(shoe)))


@pytest.mark.parametrize(("book", "submission", "shoe"), SHOES)
def test_whole_games(book: str, submission: dict[str, Any], shoe: list[int]) -> None:
    """The value of a game is the mean over all its rounds."""
    core = analysed(book, submission, shoe)
    assert float(SettlementMass(core).value) == pytest.approx(float(value_by_rounds(core)), abs=1e-12)


@pytest.mark.parametrize("dealt", ["6S KS 7S", "6S KS 7H", "7H KS 8H", "8C KS 7D"])
def test_special_hands(dealt: str) -> None:
    """With suits: hands that can become 6-7-8 of one suit, of spades, or of several."""
    core = analysed("pa-spanish-21", {}, [0, 0, 0, 0, 0, 4, 4, 4, 0, 8])
    cards = parse_cards(dealt)
    assert value_by_analysis(core, cards) == pytest.approx(float(value_by_rounds(core, cards)), abs=1e-12)


def test_suits_matter() -> None:
    """6-7 of spades is worth more than 6-7 mixed: suits are carried where a special hand is possible."""
    core = analysed("pa-spanish-21", {}, [0, 0, 0, 0, 0, 4, 4, 4, 0, 8])
    suited, mixed = (value_by_analysis(core, parse_cards(dealt)) for dealt in ("6S KS 7S", "6S KS 7H"))
    assert suited > mixed


def test_a_wrong_pay_is_caught() -> None:
    """One row of pay changed is seen by the comparison."""
    core = analysed(*SHOES[0])
    core.game.rows[core.blackjack_rows[-1]] += 0.01
    core.game.rows[core.groups[()].pays.played[0]] += 0.01
    assert abs(float(SettlementMass(core).value) - float(value_by_rounds(core))) > 1e-3


def test_a_missing_removal_is_caught() -> None:
    """A dealer who draws from a shoe with the player's cards still in it is seen by the comparison."""
    core = analysed(*SHOES[0])
    dealer_odds = core.game.dealer_odds
    dealer_odds.chances = lambda out: type(dealer_odds).chances(dealer_odds, out * 0)  # type: ignore[method-assign]
    assert abs(float(SettlementMass(core).value) - float(value_by_rounds(core))) > 1e-3
