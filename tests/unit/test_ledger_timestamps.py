"""Moments in words are those of the calendar; words that name no shift are refused."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from twentyone.ledger.timestamps import NotAPeriod, Period, moment, seconds_of

FIRST = datetime(1600, 1, 1, tzinfo=UTC)


def test_every_day_of_eight_centuries_is_written_and_read_as_the_calendar_has_it() -> None:
    for number in range(0, 800 * 366, 5):
        day = FIRST + timedelta(days=number, seconds=number % 86_400)
        ts = int((day - datetime(1970, 1, 1, tzinfo=UTC)).total_seconds())
        assert moment(ts) == day.strftime("%Y-%m-%d %H:%M:%S")
        assert seconds_of(moment(ts)) == ts


@pytest.mark.parametrize(
    "text",
    [
        "",
        "yesterday",
        "2026-02-30",
        "2026-13-01",
        "2026-01-01T24:00",
        "2026-1-1",
        "2026-01-01T08",
        "٢٠٢٦-01-01",
        "2026-01-00",
    ],
)
def test_what_is_no_moment(text: str) -> None:
    assert seconds_of(text) is None


@pytest.mark.parametrize(
    "text", ["", "x", "2026-01-01T08:00", "2026-01-02/2026-01-01", "2026-01-01/2026-01-01", "a/b", "2026-02-30"]
)
def test_what_names_no_shift(text: str) -> None:
    with pytest.raises(NotAPeriod):
        Period.parse(text)


def test_a_shift_holds_its_first_second_and_not_its_last() -> None:
    shift = Period.parse("2026-01-31T08:00/2026-01-31T16:00")
    assert shift.start is not None
    assert shift.end is not None
    held = [shift.holds(ts) for ts in (shift.start - 1, shift.start, shift.end - 1, shift.end)]
    assert held == [False, True, True, False]
    assert Period.parse("all").holds(0)
    assert Period.parse("2026-01-31") == Period.parse("2026-01-31/2026-02-01")
    assert Period.parse("/2026-01-31").start is None
