"""Timestamps and shifts: seconds UTC to and from text as people write it. No clock is read here."""

from __future__ import annotations

import re
from typing import NamedTuple

from twentyone.errors import TwentyoneError

__all__ = ["SECONDS_PER_DAY", "NotAPeriod", "Period", "moment", "seconds_of"]

SECONDS_PER_DAY, SECONDS_PER_HOUR, SECONDS_PER_MINUTE = 86_400, 3_600, 60
EPOCH = 719_468
"""Days from 1 March of the year 0 to 1 January 1970: years are counted from March, so that leap days come last."""
ERA_DAYS, ERA_YEARS = 146_097, 400
"""After so many days and years the Gregorian calendar repeats itself."""
_MOMENT = re.compile(r"(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d))?Z?)?", re.ASCII)


def moment(ts: int) -> str:
    """A moment as a person writes it, in UTC.

    >>> moment(1767254400), moment(951782399)
    ('2026-01-01 08:00:00', '2000-02-28 23:59:59')
    """
    days, seconds = divmod(ts, SECONDS_PER_DAY)
    year, month, day = _date(days)
    hour, seconds = divmod(seconds, SECONDS_PER_HOUR)
    minute, second = divmod(seconds, SECONDS_PER_MINUTE)
    return f"{year:04d}-{month:02d}-{day:02d} {hour:02d}:{minute:02d}:{second:02d}"


def _date(days: int) -> tuple[int, int, int]:
    era, day = divmod(days + EPOCH, ERA_DAYS)
    year = (day - day // 1460 + day // 36524 - day // 146096) // 365
    day -= 365 * year + year // 4 - year // 100
    month = (5 * day + 2) // 153
    return era * ERA_YEARS + year + (month >= 10), (month + 2) % 12 + 1, day - (153 * month + 2) // 5 + 1


def _days(year: int, month: int, day: int) -> int:
    era, year = divmod(year - (month <= 2), ERA_YEARS)
    since_march = (153 * ((month + 9) % 12) + 2) // 5 + day - 1
    return era * ERA_DAYS + year * 365 + year // 4 - year // 100 + since_march - EPOCH


def seconds_of(text: str) -> int | None:
    """The moment that a text names (`2026-01-31`, `2026-01-31T08:00`), in seconds UTC; none where it names none.

    >>> seconds_of("2026-01-01T08:00"), seconds_of("2026-02-30")
    (1767254400, None)
    """
    match = _MOMENT.fullmatch(text)
    if match is None:
        return None
    year, month, day, hour, minute, second = (int(part or 0) for part in match.groups())
    if not (1 <= month <= 12 and hour < 24 and minute < 60 and second < 60):
        return None
    days = _days(year, month, day)
    if _date(days) != (year, month, day):
        return None
    return days * SECONDS_PER_DAY + hour * SECONDS_PER_HOUR + minute * SECONDS_PER_MINUTE + second


class NotAPeriod(TwentyoneError):
    """A text that names no shift."""


class Period(NamedTuple):
    """A shift: from its first second up to, but not including, its end; open where one of them is none."""

    start: int | None = None
    """Its first second."""
    end: int | None = None
    """The first second after it."""

    @classmethod
    def parse(cls, text: str) -> Period:
        """`all`, a gaming day (`2026-01-31`), or `FROM/TO` with moments in UTC (`2026-01-31T08:00/2026-01-31T16:00`).

        >>> Period.parse("2026-01-01"), Period.parse("/2026-01-01T08:00").start
        (Period(start=1767225600, end=1767312000), None)
        """
        if text == "all":
            return cls()
        first, slash, then = text.partition("/")
        start, end = (_named(part, text) if part else None for part in (first, then))
        if not slash:
            if start is None or len(first) > len("2026-01-31"):
                raise NotAPeriod(f"{text!r} names no shift: all, a day such as 2026-01-31, or FROM/TO")
            end = start + SECONDS_PER_DAY
        if start is not None and end is not None and start >= end:
            raise NotAPeriod(f"the shift {text!r} ends before it begins")
        return cls(start, end)

    def holds(self, ts: int) -> bool:
        """Whether a moment lies in it."""
        return (self.start is None or self.start <= ts) and (self.end is None or ts < self.end)


def _named(part: str, text: str) -> int:
    seconds = seconds_of(part)
    if seconds is None:
        raise NotAPeriod(f"{text!r} names no shift: {part!r} is not a time such as 2026-01-31T08:00")
    return seconds
