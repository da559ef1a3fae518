"""Figures that others have published or computed, ours beside them; docs/odds-method.md explains differences."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from tests.analyses import best

from twentyone.cards import Card, parse_cards
from twentyone.odds.analysis import Analysis, analyse
from twentyone.odds.choosers import AsFirst
from twentyone.odds.core import Core
from twentyone.odds.phase_values import work_out
from twentyone.odds.results import Results
from twentyone.odds.settlement_mass import SettlementMass
from twentyone.odds.tables import Tables
from twentyone.rulebook import Rulebook, Rules

NO_HOLE = {"dealer_hits_soft_17": True, "hole_card": "none", "dealer_blackjack_takes": "all"}
SPANISH_SHOE = {
    "tens": False,
    "dealer_hits_soft_17": True,
    "double_on": "any",
    "max_split_ace_hands": 4,
    "surrender": "late",
}


def classic(submission: dict[str, Any]) -> Rules:
    """The classic game under a submission."""
    return Rulebook.load("classic-blackjack").under(submission)


def as_published(submission: dict[str, Any]) -> tuple[float, Results]:
    """Edge in per cent and results, hands out of a split played like hands that were not split."""
    core = Core(Tables(classic(submission)))
    first = work_out(core.game, core.groups[()], np.zeros(len(core.tables.shoe), dtype=np.int64))
    played = Core(core.tables, AsFirst(first))
    settled = SettlementMass(played)
    return -100 * float(settled.value), Results(played, settled)


@pytest.fixture(scope="module")
def spanish() -> Analysis:
    """Spanish 21 from six decks as Pennsylvania writes it."""
    return best("pa-spanish-21")


def test_six_decks_split_to_four_hands() -> None:
    """S17, DAS, reader, no resplit of aces: 0.402870 % with splits valued by the play of unsplit hands."""
    edge, _ = as_published({})
    assert edge == pytest.approx(0.402870, abs=5e-7)


def test_six_decks_single_split() -> None:
    """The same with one split only: 0.456886 %, standard deviation 1.14654."""
    edge, results = as_published({"max_split_hands": 2})
    assert edge == pytest.approx(0.456886, abs=5e-7)
    assert results.distribution.standard_deviation == pytest.approx(1.14654, abs=5e-7)


@pytest.mark.parametrize(("das", "published"), [(True, 0.72705), (False, 0.86975)])
def test_no_hole_card(das: bool, published: float) -> None:
    """H17 without a hole card, all wagers lost: published with a weaker strategy, so ours is a little lower."""
    edge, _ = as_published({**NO_HOLE, "double_after_split": das})
    assert published - 2e-4 < edge <= published


def test_eleven_against_an_ace_without_a_hole_card() -> None:
    """6-5 against an ace: stand -0.720879, hit -0.235772, double -0.535879."""
    found = analyse(classic(NO_HOLE)).decisions(parse_cards("6S 5H"), Card("AD"))
    assert found == pytest.approx({"stand": -0.720879, "hit": -0.235772, "double": -0.535879}, abs=5e-7)


def test_a_shoe_without_tens_under_ordinary_pays() -> None:
    """Six decks without tens, H17, double on any cards, resplit to four with aces too, late surrender: 2.4556 %."""
    edge, _ = as_published(SPANISH_SHOE)
    assert edge == pytest.approx(2.4556, abs=5e-5)


def test_the_dealer_of_spanish_21(spanish: Analysis) -> None:
    """The dealer's totals before any reader, in per cent."""
    published = {
        "blackjack": 4.1812, "17": 15.6136, "18": 14.8498, "19": 14.1142, "20": 15.9608, "21": 8.1873, "over": 27.0931,
    }  # fmt: skip
    found = {name: 100 * chance for name, chance in spanish.figures.dealer.items()}
    assert found == pytest.approx(published, abs=5e-5)


@pytest.mark.parametrize(("decks", "rounds"), [(6, 668_382), (8, 549_188)])
def test_super_bonus(decks: int, rounds: int) -> None:
    """Once in so many rounds when suited 7-7 against a 7 is always hit."""
    found = analyse(Rulebook.load("pa-spanish-21").under({"decks": decks}))
    assert 1 / found.figures.super_bonus_probability == pytest.approx(rounds, abs=0.5)


def test_spanish_21_is_in_the_published_band_or_explained(spanish: Analysis) -> None:
    """Published 0.34 to 0.40 % for S17 without redoubling; these texts bar bonuses after a split, or pay them."""
    paid = best("s13-spanish-21")
    assert 0.34 < 100 * paid.figures.house_edge < 0.40
    assert 0.40 < 100 * spanish.figures.house_edge < 0.45


def test_a_wrong_pay_is_caught() -> None:
    """The comparison would notice a Blackjack paid 6 to 5."""
    edge, _ = as_published({"blackjack_pays": "6:5"})
    assert abs(edge - 0.402870) > 1
