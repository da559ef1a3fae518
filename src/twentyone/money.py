"""Money and odds, exact: thousandths of a dollar and pairs of whole numbers. No float, no rounding."""

from __future__ import annotations

import re
from decimal import Decimal
from fractions import Fraction
from operator import index
from typing import Any, Literal, NamedTuple, overload

__all__ = ["ALL_MONEY", "THOUSANDTH", "ZERO", "Amount", "Odds", "dollars", "gained"]

_DECIMAL = re.compile(r"(?P<sign>-?)(?P<whole>\d{1,18})(?:\.(?P<part>\d{1,3}))?", re.ASCII)


class Amount:
    """Money: an exact amount of dollars, with at most three decimals.

    Records and arrays hold whole thousandths: `int(amount)` and `Amount.from_thousandths(n)`.

    >>> Amount(10), Amount("7.50"), Amount.from_thousandths(7500)
    (Amount('10'), Amount('7.5'), Amount('7.5'))

    >>> Amount("7.50") + Amount("0.25"), Amount("7.50") * 2, 3 * Amount("0.25"), Amount("7.50") / 2
    (Amount('7.75'), Amount('15'), Amount('0.75'), Amount('3.75'))
    >>> float(Amount("7.50")), f"{Amount('7.50'):.2f}", f"{Amount('7.50'):>8}"
    (7.5, '7.50', '     7.5')
    >>> Amount("15") / Amount("10")
    Fraction(3, 2)
    >>> 0.5 * Amount("7.50")
    Traceback (most recent call last):
    TypeError: 0.5 is a float, and no float touches money: Fraction keeps it exact, float(amount) is dollars
    >>> Amount("1.0005")
    Traceback (most recent call last):
    ValueError: '1.0005' is not an amount in dollars with at most three decimals
    """

    __slots__ = ("_thousandths",)
    __array_ufunc__ = None

    _thousandths: int

    def __init__(self, value: str | int | Amount) -> None:
        """Dollars: decimal text, or a whole number of them."""
        if isinstance(value, str):
            _set(self, _thousandths(value))
        elif isinstance(value, Amount):
            _set(self, value._thousandths)
        elif isinstance(value, int):
            _set(self, value * 1000)
        else:
            raise TypeError(f"{value!r} is not an amount: write dollars as text, like '7.50'")

    @classmethod
    def from_thousandths(cls, value: int) -> Amount:
        """An amount as records and arrays hold it."""
        return _made(index(value))

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError("an amount is frozen")

    def __reduce__(self) -> tuple[type[Amount], tuple[str]]:
        return Amount, (str(self),)

    # -- as another kind of number, or as text

    def __int__(self) -> int:
        """The thousandths, as records hold them."""
        return self._thousandths

    def __float__(self) -> float:
        """Dollars."""
        return self._thousandths / 1000

    def __str__(self) -> str:
        whole, part = divmod(abs(self._thousandths), 1000)
        decimals = f".{part:03d}".rstrip("0").rstrip(".") if part else ""
        return f"{'-' if self._thousandths < 0 else ''}{whole}{decimals}"

    def __repr__(self) -> str:
        return f"Amount({str(self)!r})"

    def __format__(self, spec: str) -> str:
        """Dollars: as a number where the form is one of numbers (`.2f`, `,`), else as text."""
        if _NUMBER.search(spec):
            return format(Decimal(str(self)), spec)
        return format(str(self), spec)

    # -- sums

    def __add__(self, other: Amount | Literal[0]) -> Amount:
        return _made(self._thousandths + _of(other))

    def __radd__(self, other: Amount | int) -> Amount:
        return _made(_of(other) + self._thousandths)

    def __sub__(self, other: Amount | Literal[0]) -> Amount:
        return _made(self._thousandths - _of(other))

    def __rsub__(self, other: Amount | Literal[0]) -> Amount:
        return _made(_of(other) - self._thousandths)

    def __neg__(self) -> Amount:
        return _made(-self._thousandths)

    def __abs__(self) -> Amount:
        return _made(abs(self._thousandths))

    # -- shares and multiples

    def __mul__(self, times: int | Fraction) -> Amount:
        if type(times) is int:
            return _made(self._thousandths * times)
        return self.part(Fraction(_exact(times)))

    __rmul__ = __mul__

    @overload
    def __truediv__(self, other: Amount) -> Fraction: ...
    @overload
    def __truediv__(self, other: int | Fraction) -> Amount: ...
    def __truediv__(self, other: Amount | int | Fraction) -> Fraction | Amount:
        """How many times another amount it is, exactly; or its part by a number."""
        if isinstance(other, Amount):
            return Fraction(self._thousandths, other._thousandths)
        return self.part(1 / Fraction(_exact(other)))

    def __floordiv__(self, other: Amount) -> int:
        return self._thousandths // _of(other)

    def __mod__(self, other: Amount) -> Amount:
        return _made(self._thousandths % _of(other))

    # -- order

    def __bool__(self) -> bool:
        return self._thousandths != 0

    def __eq__(self, other: object) -> bool:
        """Whether it is the same amount; a number of thousandths, as records and exact shares have it, is, too."""
        if isinstance(other, Amount):
            return self._thousandths == other._thousandths
        return self._thousandths == other if isinstance(other, int | Fraction) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._thousandths)

    def __lt__(self, other: Amount | Literal[0]) -> bool:
        return self._thousandths < _of(other)

    def __le__(self, other: Amount | Literal[0]) -> bool:
        return self._thousandths <= _of(other)

    def __gt__(self, other: Amount | Literal[0]) -> bool:
        return self._thousandths > _of(other)

    def __ge__(self, other: Amount | Literal[0]) -> bool:
        return self._thousandths >= _of(other)

    # -- in the words of the texts

    def part(self, share: Fraction) -> Amount:
        """This share of the amount; refuses to round.

        >>> Amount("7.50").part(Fraction(1, 2))
        Amount('3.75')
        """
        whole, rest = divmod(self._thousandths * share.numerator, share.denominator)
        if rest:
            raise ValueError(f"{share} of {self} is not a whole number of thousandths")
        return _made(whole)

    def up_to_unit(self, unit: Amount) -> Amount:
        """The next amount that can be laid in chips of this unit.

        >>> Amount("2.75").up_to_unit(Amount("0.50"))
        Amount('3')
        """
        return _made(-(-self._thousandths // int(unit)) * int(unit))


_set = Amount.__dict__["_thousandths"].__set__
_NUMBER = re.compile(r"[.,_+%]|[eEfFgGn]$")
"""What only a form of numbers has."""


def _made(thousandths: int) -> Amount:
    amount = object.__new__(Amount)
    _set(amount, thousandths)
    return amount


def _of(other: Amount | int) -> int:
    """The thousandths of an amount; zero needs no unit, any other number does."""
    if type(other) is Amount:
        return other._thousandths
    if isinstance(other, int) and other == 0:
        return 0
    _exact(other)
    raise TypeError(f"{other!r} of what? Amount({str(other)!r}) is dollars")


def _exact(number: Any) -> Any:
    """A number that is no money and no float."""
    if isinstance(number, float):
        why = f"{number!r} is a float, and no float touches money: Fraction keeps it exact, float(amount) is dollars"
        raise TypeError(why)
    if isinstance(number, Amount):
        raise TypeError("an amount times an amount is no money")
    return number


ZERO = Amount(0)
THOUSANDTH = Amount.from_thousandths(1)
ALL_MONEY = Amount(10**12)
"""A thousand billion dollars: no amount that somebody writes is as large."""


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
    return f"{'+' if value > 0 else '−' if value < 0 else ''}{dollars(abs(value))}"


def _thousandths(text: str) -> int:
    match = _DECIMAL.fullmatch(text)
    if match is None:
        raise ValueError(f"{text!r} is not an amount in dollars with at most three decimals")
    part = (match["part"] or "").ljust(3, "0")
    value = int(match["whole"]) * 1000 + int(part)
    return -value if match["sign"] else value


LONGEST_ODDS = 9
"""Digits of one side of odds."""


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
        if max(len(win), len(lay)) > LONGEST_ODDS:
            raise ValueError(f"{text[:20]!r}... is not odds like '3:2': each side has at most {LONGEST_ODDS} digits")
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
