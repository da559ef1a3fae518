"""Attempts at passwords, counted before they are examined: in the database, so that guesses at once all count.

Whoever guesses makes his own place wait, never an account: a place is an address, or a browser that has logged in with
the account before. From one address three guesses at an account are free, and twenty at all accounts; then each waits
twice as long as the one before, from a minute up to an hour. What is counted does not depend on whether there is such
an account. Wrong codes beside the right password are counted for the account, wherever they come from: nobody but its
owner, or a thief of the password, can make it wait, and a browser that the owner has logged in with does not.
"""

from __future__ import annotations

from collections.abc import Callable
from hashlib import sha256

from twentyone.service.records import Records

__all__ = ["CODES", "DEVICE", "DEVICE_LIFE", "TRIES", "Attempts", "count_try", "digest", "seconds_left"]

TRIES = 3
"""Wrong passwords for one account before its guesser waits."""
CODES = "codes"
"""How the places begin under which wrong codes are counted."""
ALL_TRIES = 20
"""Wrong passwords for all accounts together before an address waits."""
FIRST, DOUBLINGS = 60, 6
"""Seconds of the first wait; how often it doubles: the longest is a bit over an hour."""
FORGOTTEN = 24 * 60 * 60
"""Seconds after which wrong passwords are forgotten."""
DEVICE_LIFE = 180 * 24 * 60 * 60
"""Seconds for which a browser is known."""
DEVICE = "device "
"""How the place of a browser that is known begins."""
ALL = ""
"""Stands for all accounts together; no account is called so."""

COUNT = """
INSERT INTO people_tries (name, place, failed, until) VALUES (?, ?, 1, ?)
ON CONFLICT (name, place) DO UPDATE SET failed = people_tries.failed + 1, until = ? + CASE
    WHEN people_tries.failed + 1 < ? THEN 0
    WHEN people_tries.failed + 1 > ? THEN ?
    ELSE ? << (people_tries.failed + 1 - ?) END
WHERE people_tries.until <= ?
"""
"""Counts an attempt and sets the next wait, unless the place still waits: in one statement, so that all count."""


def count_try(records: Records, name: str, place: str, free: int, now: int) -> bool:
    """Count an attempt, of which some are free; false, and it is not counted, while the place waits."""
    waits = (now, free, free + DOUBLINGS, FIRST << DOUBLINGS, FIRST, free)
    return records.run(COUNT, (name, place, now, *waits, now)) > 0


def seconds_left(records: Records, name: str, place: str, now: int) -> int:
    """Seconds for which a place still waits, one at least."""
    rows = records.rows("SELECT until FROM people_tries WHERE name = ? AND place = ?", (name, place))
    return max(1, rows[0][0] - now) if rows else 1


GUEST, GUEST_TIME = "(guest)", 10 * 60
"""Stands for new guests, who have no account; the seconds in which they are counted."""
COUNT_GUEST = """
INSERT INTO people_tries (name, place, failed, until) VALUES (?, ?, 1, ?)
ON CONFLICT (name, place) DO UPDATE SET
    failed = CASE WHEN people_tries.until <= ? THEN 1 ELSE people_tries.failed + 1 END,
    until = CASE WHEN people_tries.until <= ? THEN ? ELSE people_tries.until END
WHERE people_tries.until <= ? OR people_tries.failed < ?
"""


class Attempts:
    """Who has guessed, from where, how often."""

    def __init__(self, records: Records, clock: Callable[[], int]) -> None:
        self._records, self._clock = records, clock

    def place(self, name: str, address: str, device: str | None) -> str:
        """Where an attempt comes from: a browser that has logged in with this account, or an address."""
        known = self._names(device)
        return f"{DEVICE}{digest(device)}" if device and name in known else f"address {address}"

    def knows(self, device: str | None) -> bool:
        """Whether a browser has logged in before."""
        return bool(self._names(device))

    def _names(self, device: str | None) -> set[str]:
        """The accounts that a browser has logged in with."""
        query = "SELECT name FROM people_devices WHERE id = ? AND until > ?"
        return {name for (name,) in self._records.rows(query, (digest(device), self._clock()))} if device else set()

    def begin(self, name: str, place: str) -> int:
        """Count an attempt before it is examined; the seconds to wait if it may not be examined now, else 0."""
        now = self._clock()
        self._records.run("DELETE FROM people_tries WHERE until < ?", (now - FORGOTTEN,))
        if not self._count(name, place, TRIES, now):
            return self._wait(name, place, now)
        if place.startswith("address ") and not self._count(ALL, place, ALL_TRIES, now):
            self._undo(name, place, now)
            return self._wait(ALL, place, now)
        return 0

    def _count(self, name: str, place: str, free: int, now: int) -> bool:
        return count_try(self._records, name, place, free, now)

    def _wait(self, name: str, place: str, now: int) -> int:
        return seconds_left(self._records, name, place, now)

    def waits(self, name: str, place: str) -> int:
        """The seconds that a place has to wait now before another attempt at an account; 0: none."""
        query = "SELECT MAX(until) FROM people_tries WHERE place = ? AND name IN (?, ?)"
        until = self._records.rows(query, (place, name, ALL))[0][0]
        return max(0, (until or 0) - self._clock())

    def _undo(self, name: str, place: str, now: int) -> None:
        undo = "UPDATE people_tries SET failed = failed - 1, until = ? WHERE name = ? AND place = ?"
        self._records.run(undo, (now, name, place))

    def right(self, name: str, place: str) -> None:
        """The password was right: what was wrong before it is forgotten, for this account and place."""
        self._records.run("DELETE FROM people_tries WHERE name = ? AND place = ?", (name, place))
        self._undo(ALL, place, self._clock())

    def waiting(self) -> set[str]:
        """The accounts that somebody, somewhere, has to wait for."""
        rows = self._records.rows("SELECT name FROM people_tries WHERE until > ?", (self._clock(),))
        return {name for (name,) in rows}

    def wrong(self) -> list[tuple[str, str, int, int]]:
        """Wrong passwords for accounts that there are: which, from where, how many, and until when he waits."""
        query = (
            "SELECT t.name, t.place, t.failed, t.until FROM people_tries AS t "
            "JOIN people_accounts AS a ON a.name = t.name WHERE t.failed > 0 "
            "ORDER BY t.until DESC, t.name, t.place LIMIT 100"
        )
        return [(name, _where(place), failed, until) for name, place, failed, until in self._records.rows(query)]

    def forgive(self, name: str) -> None:
        """Forget all wrong passwords for an account."""
        self._records.run("DELETE FROM people_tries WHERE name = ?", (name,))

    def guest(self, address: str, most: int) -> int:
        """Count a new guest from an address; the seconds to wait if there were as many as may come, else 0."""
        now, place = self._clock(), f"address {address}"
        end = now + GUEST_TIME
        counted = self._records.run(COUNT_GUEST, (GUEST, place, end, now, now, end, now, most))
        return 0 if counted else self._wait(GUEST, place, now)

    def no_guest(self, address: str) -> None:
        """A guest who was counted did not find a seat, and is gone."""
        undo = "UPDATE people_tries SET failed = failed - 1 WHERE name = ? AND place = ? AND failed > 0"
        self._records.run(undo, (GUEST, f"address {address}"))

    # -- browsers

    def know(self, name: str, device: str | None, fresh: str) -> str:
        """The secret by which a browser is known after a login: the one it has, or a fresh one."""
        secret, now = device if device and self.knows(device) else fresh, self._clock()
        self._records.run("DELETE FROM people_devices WHERE until < ?", (now,))
        add = (
            "INSERT INTO people_devices (id, name, until) VALUES (?, ?, ?) "
            "ON CONFLICT (id, name) DO UPDATE SET until = excluded.until"
        )
        self._records.run(add, (digest(secret), name, now + DEVICE_LIFE))
        return secret

    def forget_devices(self, name: str) -> None:
        """Forget the browsers of an account."""
        self._records.run("DELETE FROM people_devices WHERE name = ?", (name,))


def _where(place: str) -> str:
    """A place as a person may read it: what is stored of a browser's secret is not shown."""
    if place.startswith(CODES):
        return "with the right password and wrong codes"
    kind, _, address = place.partition(" ")
    return address if kind == "address" else "a browser that is known"


def digest(secret: str) -> str:
    """What is stored of a secret."""
    return sha256(secret.encode()).hexdigest()
