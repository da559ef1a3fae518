"""Money and odds, exact: thousandths of a dollar and pairs of whole numbers. No float, no rounding."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Any, NamedTuple

__all__ = ["ALL_MONEY", "THOUSANDTH", "ZERO", "Amount", "Odds", "dollars", "gained"]

_DECIMAL = re.compile(r"(?P<sign>-?)(?P<whole>\d{1,18})(?:\.(?P<part>\d{1,3}))?", re.ASCII)


class Amount(int):
    """A whole number of thousandths of a dollar.

    >>> Amount("7.50") + Amount("0.25")
    Amount('7.75')
    >>> Amount("1.0005")
    Traceback (most recent call last):
    ValueError: '1.0005' is not an amount in dollars with at most three decimals
    """

    __slots__ = ()

    def __new__(cls, value: str | int) -> Amount:
        """A decimal string in dollars, or an integer in thousandths."""
        if isinstance(value, str):
            return super().__new__(cls, _thousandths(value))
        return super().__new__(cls, value)

    def __add__(self, other: int) -> Amount:
        total = int.__add__(self, other)
        return _not_whole(other) if total is NotImplemented else int.__new__(Amount, total)

    __radd__ = __add__

    def __sub__(self, other: int) -> Amount:
        rest = int.__sub__(self, other)
        return _not_whole(other) if rest is NotImplemented else int.__new__(Amount, rest)

    def __neg__(self) -> Amount:
        return int.__new__(Amount, int.__neg__(self))

    def __str__(self) -> str:
        whole, part = divmod(abs(int(self)), 1000)
        decimals = f".{part:03d}".rstrip("0").rstrip(".") if part else ""
        return f"{'-' if self < 0 else ''}{whole}{decimals}"

    def __repr__(self) -> str:
        return f"Amount({str(self)!r})"

    def __format__(self, spec: str) -> str:
        return format(str(self), spec)

    def part(self, share: Fraction) -> Amount:
        """This share of the amount; refuses to round.

        >>> Amount("7.50").part(Fraction(1, 2))
        Amount('3.75')
        """
        whole, rest = divmod(int(self) * share.numerator, share.denominator)
        if rest:
            raise ValueError(f"{share} of {self} is not a whole number of thousandths")
        return Amount(whole)

    def up_to_unit(self, unit: Amount) -> Amount:
        """The next amount that can be laid in chips of this unit.

        >>> Amount("2.75").up_to_unit(Amount("0.50"))
        Amount('3')
        """
        return Amount(-(-int(self) // int(unit)) * int(unit))


ZERO = Amount(0)
THOUSANDTH = Amount(1)
ALL_MONEY = Amount(10**15)
"""A thousand billion dollars: no amount that somebody writes is as large."""


def _not_whole(other: object) -> Any:
    """What an amount makes of another kind of number: a fraction stays exact, a float never touches money."""
    if isinstance(other, float):
        raise TypeError(f"{other!r} is a float, and no float touches money")
    return NotImplemented


def dollars(value: Amount) -> str:
    """An amount as a person writes it.

    >>> dollars(Amount("-12.5"))
    '-$12.50'
    """
    whole, part = divmod(abs(int(value)), 1000)
    cents = f"{part:03d}"
    return f"{'-' if value < 0 else ''}${whole:,}.{cents[:2] if cents.endswith('0') else cents}"


def gained(value: Amount) -> str:
    """A gain or a loss as a person writes it, with its sign.

    >>> gained(Amount("25")), gained(Amount("-12.5"))
    ('+$25.00', '−$12.50')
    """
    return f"{'+' if value > 0 else '−' if value < 0 else ''}{dollars(Amount(abs(value)))}"


def _thousandths(text: str) -> int:
    match = _DECIMAL.fullmatch(text)
    if match is None:
        raise ValueError(f"{text!r} is not an amount in dollars with at most three decimals")
    part = (match["part"] or "").ljust(3, "0")
    value = int(match["whole"]) * 1000 + int(part)
    return -value if match["sign"] else value


class Odds(NamedTuple):
    """What a winning wager earns for each unit laid: 3 to 2 is `Odds(3, 2)`.

    >>> Odds.parse("3:2").pays(Amount("7.50"))
    Amount('11.25')
    """

    win: int
    """Units won ..."""
    lay: int
    """... for this many units laid."""

    @classmethod
    def parse(cls, text: str) -> Odds:
        """Read `"3:2"`."""
        win, colon, lay = text.partition(":")
        if not (colon and win.isascii() and win.isdigit() and lay.isascii() and lay.isdigit() and int(lay)):
            raise ValueError(f"{text!r} is not odds like '3:2'")
        return cls(int(win), int(lay))

    def pays(self, amount: Amount) -> Amount:
        """What a wager of this amount wins at these odds."""
        return amount.part(Fraction(self.win, self.lay))

    def plus(self, other: Odds) -> Odds:
        """The sum of two odds, as when two cards match.

        >>> str(Odds(9, 1).plus(Odds(4, 1)))
        '13:1'
        """
        both = Fraction(self.win, self.lay) + Fraction(other.win, other.lay)
        return Odds(both.numerator, both.denominator)

    def __str__(self) -> str:
        return f"{self.win}:{self.lay}"
