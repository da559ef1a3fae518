"""Wrong codes beside the right password, counted before they are examined: for the account, wherever they come from.

Nobody but its owner, or a thief of the password, can make an account wait; a browser that the owner has logged in with
counts for itself.
"""

from __future__ import annotations

from collections.abc import Callable

from twentyone.service.attempts import CODES, DEVICE, count_try, seconds_left
from twentyone.service.records import Records

__all__ = ["CODE_TRIES", "CodeTries"]

CODE_TRIES = 5
"""Wrong codes, from anywhere, before the account waits."""
BEFORE = f"{CODES} before"
"""Stands for what was wrong before a right one."""
NOT_COUNTED = "UPDATE people_tries SET failed = failed - 1, until = ? WHERE name = ? AND place = ? AND failed > 0"
REMEMBER = (
    "INSERT INTO people_tries (name, place, failed, until) VALUES (?, ?, ?, ?) ON CONFLICT (name, place) "
    "DO UPDATE SET failed = people_tries.failed + excluded.failed, until = excluded.until"
)


class CodeTries:
    """Who has guessed at second factors."""

    def __init__(self, records: Records, clock: Callable[[], int]) -> None:
        self._records, self._clock = records, clock

    def begin(self, name: str, place: str = "") -> int:
        """Count a code before it is examined; the seconds to wait if it may not be examined now, else 0."""
        now, counted = self._clock(), _counted_at(place)
        if count_try(self._records, name, counted, CODE_TRIES, now):
            return 0
        return seconds_left(self._records, name, counted, now)

    def right(self, name: str, place: str = "") -> None:
        """The code was right: it is not counted, and what was wrong before is remembered for the owner to see."""
        counted = _counted_at(place)
        wrong = self._failed(name, CODES) - (1 if counted == CODES else 0)
        if wrong > 0:
            self._records.run(REMEMBER, (name, BEFORE, wrong, self._clock()))
        self._records.run("DELETE FROM people_tries WHERE name = ? AND place IN (?, ?)", (name, CODES, counted))

    def used(self, name: str, place: str = "") -> None:
        """The code was right, and somebody had used it: nobody is let in, nobody guessed, nobody waits for it."""
        self._records.run(NOT_COUNTED, (self._clock(), name, _counted_at(place)))

    def wrong(self, name: str) -> int:
        """How many wrong codes came with the right password of an account, in the last day or so."""
        return self._failed(name, CODES) + self._failed(name, BEFORE)

    def _failed(self, name: str, place: str) -> int:
        rows = self._records.rows("SELECT failed FROM people_tries WHERE name = ? AND place = ?", (name, place))
        return int(rows[0][0]) if rows else 0


def _counted_at(place: str) -> str:
    """Where a wrong code is counted: a browser that is known for itself, everything else together."""
    return f"{CODES} {place}" if place.startswith(DEVICE) else CODES
