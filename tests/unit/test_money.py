"""Money is exact or refused."""

from __future__ import annotations

import json
import pickle
from collections.abc import Callable
from copy import copy, deepcopy
from fractions import Fraction
from math import sqrt
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from twentyone.money import Amount, Odds, dollars


@pytest.mark.parametrize("text", ["", "1.", ".5", "1.0005", "1e3", "NaN", "+1", "1,000", " 1", "１", "9" * 19])
def test_what_is_no_amount(text: str) -> None:
    with pytest.raises(ValueError, match="not an amount"):
        Amount(text)


@pytest.mark.parametrize("text", ["3", "3:", ":2", "3:0", "a:b", "3:2:1", "-3:2"])
def test_what_is_no_odds(text: str) -> None:
    with pytest.raises(ValueError, match="not odds"):
        Odds.parse(text)


@given(st.integers(min_value=-(10**14), max_value=10**14))
@settings(derandomize=True)
def test_amount_there_and_back(thousandths: int) -> None:
    assert int(Amount(str(Amount.from_thousandths(thousandths)))) == thousandths


@given(st.integers(min_value=1, max_value=10**9), st.sampled_from([(3, 2), (6, 5), (2, 1), (1, 1), (9, 1)]))
@settings(derandomize=True)
def test_odds_pay_cents_exactly(cents: int, odds: tuple[int, int]) -> None:
    """3:2, 6:5 and one half of any whole cents are whole thousandths."""
    amount = Amount.from_thousandths(cents * 10)
    assert Odds(*odds).pays(amount) == Fraction(odds[0], odds[1]) * amount
    assert amount.part(Fraction(1, 2)) * 2 == amount


def test_no_rounding() -> None:
    with pytest.raises(ValueError, match="not a whole number"):
        Odds(1, 3).pays(Amount("1"))


def test_dollars() -> None:
    assert dollars(Amount("1234.5")) == "$1,234.50"
    assert dollars(Amount("0.005")) == "$0.005"
    assert dollars(Amount("-1")) == "-$1.00"


# -- dollars, for whoever computes


def test_an_amount_is_dollars_as_a_float_and_as_text() -> None:
    amount = Amount("12.5")
    assert (float(amount), sqrt(Amount("4"))) == (12.5, 2.0)
    assert [f"{amount}", f"{amount:>8}", f"{amount:<6}|", f"{amount:.2f}", f"{amount:10,.2f}", f"{amount:+.1f}"] == [
        "12.5", "    12.5", "12.5  |", "12.50", "     12.50", "+12.5",
    ]  # fmt: skip


def test_multiples_and_parts_are_amounts() -> None:
    assert [Amount("10") * 2, 2 * Amount("10"), Amount("10") * Fraction(3, 2), Fraction(3, 2) * Amount("10")] == [
        Amount("20"), Amount("20"), Amount("15"), Amount("15"),
    ]  # fmt: skip
    assert [Amount("10") / 4, Amount("10") / Fraction(1, 2)] == [Amount("2.5"), Amount("20")]
    assert (Amount("15") / Amount("10"), Amount("15") // Amount("10"), Amount("15") % Amount("10")) == (
        Fraction(3, 2), 1, Amount("5"),
    )  # fmt: skip
    assert isinstance(Amount("10") * 2, Amount)
    with pytest.raises(ValueError, match="not a whole number"):
        Amount("1") / 3


DOLLAR = Amount("1")
FLOATS: list[Callable[[Any], Any]] = [
    lambda amount: amount + 0.5, lambda amount: 0.5 + amount, lambda amount: amount - 0.5, lambda amount: 0.5 - amount,
    lambda amount: amount * 0.5, lambda amount: 0.5 * amount, lambda amount: amount / 0.5, lambda amount: 0.5 / amount,
    lambda amount: amount < 0.5, lambda amount: amount >= 0.5, lambda amount: 0.0 + amount,
    lambda amount: sum([amount], 0.0), lambda amount: np.float64(0.5) * amount, lambda amount: amount * np.float64(0.5),
    lambda amount: np.ones(2) * amount, lambda amount: np.ones(2) + amount,
]  # fmt: skip
"""What a learner writes first of all: each once gave thousandths, a thousand times too much."""


@pytest.mark.parametrize("computed", FLOATS)
def test_a_float_never_takes_an_amount_for_a_number(computed: Callable[[Any], Any]) -> None:
    with pytest.raises(TypeError):
        computed(DOLLAR)


@pytest.mark.parametrize(
    "computed", [lambda a: a + 1, lambda a: 1 - a, lambda a: a < 1, lambda a: a >= 1, lambda a: a % 2]
)
def test_a_bare_number_is_no_money(computed: Callable[[Any], Any]) -> None:
    """Nobody can tell whether it means dollars; zero needs no unit."""
    with pytest.raises(TypeError, match="of what"):
        computed(DOLLAR)
    assert sum([DOLLAR, DOLLAR]) == Amount("2")
    assert -DOLLAR < 0 <= DOLLAR > 0


def test_what_libraries_make_of_amounts_is_dollars_or_refused() -> None:
    assert np.array([Amount("2.5"), DOLLAR], dtype=float).tolist() == [2.5, 1.0]
    with pytest.raises(TypeError):
        json.dumps(DOLLAR)
    with pytest.raises(TypeError, match="an amount times an amount"):
        DOLLAR * DOLLAR  # type: ignore[operator]


def test_an_amount_is_frozen_and_travels() -> None:
    with pytest.raises(AttributeError, match="frozen"):
        DOLLAR._thousandths = 5
    assert [copy(DOLLAR), deepcopy(DOLLAR), pickle.loads(pickle.dumps(DOLLAR))] == [DOLLAR] * 3
    assert len({DOLLAR, Amount("1.00"), Amount(1), Amount.from_thousandths(1000)}) == 1


def test_a_float_is_no_amount() -> None:
    with pytest.raises(TypeError, match="not an amount"):
        Amount(7.5)  # type: ignore[arg-type]


@pytest.mark.parametrize("text", [f"{'9' * 4_000}:1", f"1:{'9' * 4_000}", f"{'9' * 5_000}:1", "1234567890:1"])
def test_odds_of_more_digits_than_any_law_has_are_refused_in_words(text: str) -> None:
    """Not by an overflow later on, in whatever is worked out from them."""
    with pytest.raises(ValueError, match="is not odds like '3:2': each side has at most 9 digits") as refused:
        Odds.parse(text)
    assert len(str(refused.value)) < 100
    assert Odds.parse("123456789:1").win == 123_456_789


def test_a_whole_number_is_dollars_everywhere() -> None:
    """A wager of 10 in a round, a simulation and an amount is the same ten dollars."""
    assert Amount(10) == Amount("10.00") == Amount.from_thousandths(10_000)
    for wrong in ("10", Amount(10), 10.0):
        with pytest.raises(TypeError):
            Amount.from_thousandths(wrong)  # type: ignore[arg-type]
