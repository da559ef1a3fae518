"""Money is exact or refused."""

from __future__ import annotations

from fractions import Fraction

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
    assert Amount(str(Amount(thousandths))) == thousandths


@given(st.integers(min_value=1, max_value=10**9), st.sampled_from([(3, 2), (6, 5), (2, 1), (1, 1), (9, 1)]))
@settings(derandomize=True)
def test_odds_pay_cents_exactly(cents: int, odds: tuple[int, int]) -> None:
    """3:2, 6:5 and one half of any whole cents are whole thousandths."""
    amount = Amount(cents * 10)
    assert Odds(*odds).pays(amount) == Fraction(odds[0], odds[1]) * amount
    assert amount.part(Fraction(1, 2)) * 2 == amount


def test_no_rounding() -> None:
    with pytest.raises(ValueError, match="not a whole number"):
        Odds(1, 3).pays(Amount("1"))


def test_dollars() -> None:
    assert dollars(Amount("1234.5")) == "$1,234.50"
    assert dollars(Amount("0.005")) == "$0.005"
    assert dollars(Amount("-1")) == "-$1.00"


def test_an_amount_and_a_fraction_make_an_exact_fraction() -> None:
    half = Fraction(1, 2)
    assert [Amount(5) - half, Amount(5) + half, half + Amount(5)] == [Fraction(9, 2), Fraction(11, 2), Fraction(11, 2)]


def test_no_float_touches_an_amount() -> None:
    with pytest.raises(TypeError, match="no float touches money"):
        Amount(5) + 0.7
    with pytest.raises(TypeError, match="no float touches money"):
        Amount(5) - 0.7
