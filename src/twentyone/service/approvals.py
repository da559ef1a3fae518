"""What two persons have to want: one administrator asks, another one approves; both are noted.

Where the operator wants it, and as soon as two administrators have accounts, nothing about accounts, roles and second
factors changes by one person alone; and nobody alone moves more in a day than `coupons.py` and `day_sums.py` allow. A
one-time link, which is nobody's in particular, neither asks nor approves: whoever was given it may have an account.
What somebody asked for is forgotten with role or account.
"""

from __future__ import annotations

import json
import uuid
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from twentyone.ledger.canonical import fingerprint
from twentyone.service.records import Records
from twentyone.service.refusals import NotAllowed

if TYPE_CHECKING:
    from twentyone.service.people import People

__all__ = ["Approval", "Approvals"]

LIFE = 24 * 60 * 60
"""Seconds for which something asked for may be approved."""
ADMINISTRATOR = "administrator"
DIGITS = 32
"""Of the number by which something asked for is named."""


class Approval(NamedTuple):
    """Something that waits for a second person."""

    number: str
    """By which it is named."""
    what: str
    """What is to be done, after "to"."""
    by: str
    """Who asked."""
    at: int
    """When."""


class Approvals:
    """What was asked for and waits."""

    def __init__(self, people: People, records: Records, clock: Callable[[], int]) -> None:
        self._people, self._records, self._clock = people, records, clock
        self.acts: dict[str, Callable[..., Any]] = {}
        """What can be asked for: each is called with what was given and with `by`."""

    @property
    def needed(self) -> bool:
        """Whether one person is not enough now."""
        if not self._people.policy.two_persons:
            return False
        noted, query = self._people.held.administrators(), "SELECT COUNT(*) FROM people_accounts WHERE role = ?"
        stored: int = self._records.rows(query, (ADMINISTRATOR,))[0][0]
        return (stored if noted is None else noted) >= 2

    def do(self, act: str, what: str, by: str, given: Mapping[str, str]) -> Approval | None:
        """Do something at once; or, where it needs a second person, let it wait for him."""
        if not self.needed:
            self.acts[act](**given, by=by)
            return None
        return self.ask(act, what, by, given)

    def ask(self, act: str, what: str, by: str, given: Mapping[str, str]) -> Approval:
        """Let something wait for a second person; what has a key waits once, however often it is sent."""
        if not self._records.rows("SELECT 1 FROM people_accounts WHERE name = ?", (by,)):
            raise NotAllowed("this needs two persons with accounts: log in with yours, and ask again")
        number = fingerprint([act, by, dict(given)])[:DIGITS] if "key" in given else uuid.uuid4().hex
        if (waits := next((asked for asked in self.listed() if asked.number == number), None)) is not None:
            return waits
        asked = Approval(number, what, by, self._clock())
        self._people.note("approval_asked", by=by, what=what)
        marked = self._people.marks.approval(number, act, json.dumps(dict(given)), what, by, asked.at)
        self._records.run("DELETE FROM people_approvals WHERE number = ?", (number,))  # one that is too old
        row = (number, act, marked, what, by, asked.at)
        add = "INSERT INTO people_approvals (number, act, given, what, asker, asked) VALUES (?, ?, ?, ?, ?, ?)"
        self._records.run(add, row)
        return asked

    def forget(self, by: str) -> None:
        """Nobody approves any more what somebody asked for who is not what he was."""
        self._records.run("DELETE FROM people_approvals WHERE asker = ?", (by,))

    def listed(self) -> list[Approval]:
        """What waits, the oldest first."""
        query = "SELECT number, what, asker, asked FROM people_approvals WHERE asked > ? ORDER BY asked, number"
        return [Approval(*row) for row in self._records.rows(query, (self._clock() - LIFE,))]

    def approve(self, number: str, by: str) -> None:
        """A second administrator wants it, too: it is done."""
        asked = self._find(number)
        if by == asked.by:
            raise NotAllowed("whoever asked for it does not approve it: another administrator has to")
        if self._people.accounts.role_of(by) != ADMINISTRATOR:
            raise NotAllowed("it is approved by an administrator with an account")
        act, given = self._take(asked)
        self._people.note("approved", by=by, asked=asked.by, what=asked.what)
        self.acts[act](**given, by=asked.by)

    def decline(self, number: str, by: str) -> None:
        """An administrator does not want it, or whoever asked thinks better of it."""
        asked = self._find(number)
        self._take(asked)
        self._people.note("declined", by=by, asked=asked.by, what=asked.what)

    def _find(self, number: str) -> Approval:
        found = next((asked for asked in self.listed() if asked.number == number), None)
        if found is None:
            raise NotAllowed("nothing of this number waits for approval: it was answered, or is too old", 404)
        return found

    def _take(self, asked: Approval) -> tuple[str, dict[str, str]]:
        """What is to be done; only one of those who answer at the same time gets it."""
        rows = self._records.rows("SELECT act, given FROM people_approvals WHERE number = ?", (asked.number,))
        if not self._records.run("DELETE FROM people_approvals WHERE number = ?", (asked.number,)):
            raise NotAllowed("somebody else has just answered it", 409)
        try:
            act, stored = rows[0]
            given = self._people.marks.given(asked.number, act, stored, asked.what, asked.by, asked.at)
            return act, {name: str(value) for name, value in json.loads(given).items()}
        except (ValueError, AttributeError, RecursionError):
            raise NotAllowed("what was asked for cannot be read any more: ask again", 409) from None
