"""What others have published of the classic game's variations, ours beside it; see docs/odds-method.md."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest

from twentyone.cards import Card, parse_cards
from twentyone.odds.analysis import analyse
from twentyone.odds.effects import house_edge
from twentyone.odds.side_wagers import side_wagers
from twentyone.rulebook import Rulebook

AGREE: dict[str, tuple[dict[str, Any], float]] = {
    "Blackjack 7:5": ({"blackjack_pays": "7:5"}, -0.45),
    "Blackjack 6:5": ({"blackjack_pays": "6:5"}, -1.36),
    "double on 9 to 11": ({"double_totals": "9-11"}, -0.09),
    "late surrender": ({"surrender": "late"}, 0.08),
    "early surrender against ace and ten": ({"surrender": "early"}, 0.39 + 0.24),
    "seven-card Charlie": ({"charlie": "7"}, 0.01),
    "no hole card, all is lost": ({"hole_card": "none", "dealer_blackjack_takes": "all"}, -0.11),
}
"""Wizard of Odds, rule variations: the effect on the player's return in per cent, eight decks, S17, DAS, four hands."""

DIFFER: dict[str, tuple[dict[str, Any], float, float]] = {
    "Blackjack 2:1": ({"blackjack_pays": "2:1"}, 2.27, 2.2633),
    "Blackjack 1:1": ({"blackjack_pays": "1:1"}, -2.27, -2.2633),
    "double on 10 and 11": ({"double_totals": "10-11"}, -0.18, -0.1878),
    "six-card Charlie": ({"charlie": "6"}, 0.16, 0.1488),
    "five-card Charlie": ({"charlie": "5"}, 1.46, 1.5218),
}
"""The same list, where our figure is outside its rounding: published, ours."""


@cache
def edge(**submission: Any) -> float:
    """The house edge in per cent."""
    return 100 * house_edge(Rulebook.load("classic-blackjack").under({"decks": 8, **submission}))


@pytest.mark.parametrize("name", AGREE)
def test_rule_variations(name: str) -> None:
    submission, published = AGREE[name]
    assert edge() - edge(**submission) == pytest.approx(published, abs=0.0051)


@pytest.mark.parametrize("name", DIFFER)
def test_rule_variations_that_differ_are_as_told(name: str) -> None:
    submission, published, ours = DIFFER[name]
    effect = edge() - edge(**submission)
    assert effect == pytest.approx(ours, abs=5e-5)
    assert 0.005 < abs(effect - published) < 0.07


def test_originals_only_cost_what_a_reader_costs() -> None:
    """Where a late Blackjack takes one wager only, no hole card is as good as one that is read (Grochowski)."""
    originals = edge(hole_card="none", dealer_blackjack_takes="original-only")
    assert originals == pytest.approx(edge(), abs=1e-9)
    assert edge(hole_card="none") - edge() > 0.005


def test_an_unread_ten_costs_nothing_where_one_wager_is_lost() -> None:
    """Reading under an ace only, by the same argument (Grochowski, on a casino that did not look under tens)."""
    assert edge(reader_reads="ace", dealer_blackjack_takes="original-only") == pytest.approx(edge(), abs=1e-9)


def test_ties_that_lose() -> None:
    """A charity game that keeps ties: 8.8 per cent (betfirm.com)."""
    assert edge(ties_lose=True) - edge() == pytest.approx(8.8, abs=0.05)


def test_an_infinite_deck() -> None:
    """0.511734 per cent; 8-8 against a ten (Wizard of Odds, blackjack appendix 1)."""
    found = analyse(Rulebook.load("classic-blackjack").under({"infinite_deck": True}))
    assert 100 * found.figures.house_edge == pytest.approx(0.511734, abs=5e-7)
    published = {"stand": -0.5404, "hit": -0.5398, "double": -1.0797, "split": -0.4807}
    assert found.decisions(parse_cards("8S 8H"), Card("KD")) == pytest.approx(published, abs=5e-5)


def test_a_six_card_charlie_from_an_infinite_deck() -> None:
    """0.16 per cent, which is an infinite deck's figure: eight decks give 0.15 (Wizard of Odds, Charlie)."""
    gained = edge(infinite_deck=True) - edge(infinite_deck=True, charlie="6")
    assert gained == pytest.approx(0.16, abs=0.005)


# -- side wagers


@pytest.mark.parametrize(("decks", "published"), [(2, 22.33), (4, 10.14), (6, 6.11), (8, 4.10)])
def test_perfect_pairs(decks: int, published: float) -> None:
    """25, 12 and 6 to 1 (Wizard of Odds, Perfect Pairs)."""
    assert side_edge("perfect_pairs", decks=decks, perfect_pairs=True) == pytest.approx(published, abs=0.005)


@pytest.mark.parametrize(("decks", "published"), [(1, 13.30), (2, 7.26), (4, 4.24), (6, 3.2386), (8, 2.74)])
def test_twenty_one_plus_three(decks: int, published: float) -> None:
    """9 to 1 for every winning hand (Wizard of Odds, 21+3, version 1)."""
    found = side_edge("twenty_one_plus_three", decks=decks, twenty_one_plus_three="flat")
    assert found == pytest.approx(published, abs=0.005)


def test_twenty_one_plus_three_graded() -> None:
    """100, 35, 33, 10 and 5 to 1 on six decks (Wizard of Odds, 21+3, version 3)."""
    published = 0.020745 + 0.166352 + 0.072383 + 0.310214 + 0.292118 - 0.903239
    found = side_edge("twenty_one_plus_three", decks=6, twenty_one_plus_three="graded")
    assert found == pytest.approx(-100 * published, abs=2e-4)


@pytest.mark.parametrize(("decks", "published"), [(2, 3.3124), (4, 4.8403)])
def test_match_the_dealer(decks: int, published: float) -> None:
    """19 and 4 to 1 on two decks, 12 and 4 to 1 on four (Wizard of Odds, Match the Dealer)."""
    assert side_edge("match_the_dealer", decks=decks, match_the_dealer=True) == pytest.approx(published, abs=2e-4)


def side_edge(name: str, **submission: Any) -> float:
    """The edge of a side wager in per cent."""
    found = side_wagers(Rulebook.load("classic-blackjack").under(submission))[name].edge
    assert found is not None
    return float(100 * found)
