"""What the others' bonus is worth: only where the text pays it."""

from __future__ import annotations

import numpy as np
import pytest

from twentyone.money import Amount
from twentyone.odds.core import Core
from twentyone.odds.figures import super_bonus_of
from twentyone.odds.tables import Tables
from twentyone.rulebook import Rulebook

#        A  2  3  4  5  6  7  8  9  10
SHOE = [0, 0, 0, 0, 0, 0, 12, 0, 0, 4]


@pytest.mark.parametrize(
    ("reading", "wager", "paid"),
    [
        ("super-bonus-paid", "5", True),
        ("super-bonus-paid", "4.50", False),
        ("any-suited-777", "4.50", True),
    ],
)
def test_a_wager_that_earns_no_super_bonus_earns_the_others_none(reading: str, wager: str, paid: bool) -> None:
    rules = Rulebook.load("pa-spanish-21").under({"readings": {"envy-condition": reading}})
    bonus = super_bonus_of(Core(Tables(rules, shoe=np.array(SHOE))), given=False)
    assert bonus.probability(Amount(wager)) > 0
    assert (bonus.worth(Amount(wager), others=2) > bonus.worth(Amount(wager))) == paid
