"""Coming in: with a password and, where there is one, a second factor; or by a one-time link."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from twentyone.errors import TwentyoneError
from twentyone.service.attempts import digest
from twentyone.service.persons import Person, Session
from twentyone.service.records import Records
from twentyone.service.refusals import NotAllowed

if TYPE_CHECKING:
    from twentyone.service.people import People

__all__ = ["LINK_LIFE", "Entering"]

LINK_LIFE = 15 * 60
"""Seconds for which a one-time link works."""
WRONG = (
    "no such name, or a wrong password or code (after several wrong codes beside the right password an account takes "
    "none for a minute to an hour, but in a browser that it has logged in with)"
)
"""Told whatever is wrong, so that nobody learns which part was right."""


class Trial(NamedTuple):
    """An attempt to log in, counted and not examined yet."""

    name: str
    """The account that it is for."""
    role: str
    """Its role; empty where there is no such account."""
    stored: str
    """What is stored of its password; empty where there is no such account."""
    place: str
    """Where the attempt is counted."""
    address: str
    """Where it comes from."""
    device: str | None
    """The secret of a browser that is known."""
    code: str = ""
    """The code of an authenticator, or a recovery code."""


class Entering:
    """The door for whoever has an account."""

    def __init__(self, people: People, records: Records, clock: Callable[[], int]) -> None:
        self._people, self._records, self._clock = people, records, clock

    def login(self, name: str, password: str, address: str = "", device: str | None = None, code: str = "") -> Session:
        """A session for an account; who guesses from an address (or a browser that is known) soon has to wait."""
        trial = self._admit(name, address, device, code)
        return self._enter(trial, self._people.hashing.compared(trial.stored, password).result())

    async def log_in(self, name: str, password: str, address: str, device: str | None, code: str = "") -> Session:
        """The same, while everything else goes on; refused at once when too many log in."""
        hashing = self._people.hashing
        with hashing.place(self._people.attempts.knows(device)):
            trial = await asyncio.to_thread(self._admit, name, address, device, code)
            right = await asyncio.wrap_future(hashing.compared(trial.stored, password))
            return await asyncio.to_thread(self._enter, trial, right)

    def _admit(self, name: str, address: str, device: str | None, code: str) -> Trial:
        """Count an attempt before it is examined; refused if its place has to wait."""
        attempts = self._people.attempts
        place = attempts.place(name, address, device)
        wait = attempts.begin(name, place)
        if wait:
            raise NotAllowed(f"too many wrong passwords from here: try again in {wait} s", 429, wait)
        rows = self._records.rows("SELECT role, password FROM people_accounts WHERE name = ?", (name,))
        role, stored = rows[0] if rows else ("", "")
        return Trial(name, role, stored, place, address, device, code)

    def _enter(self, trial: Trial, right: bool) -> Session:
        people, right = self._people, right and self._is_current(trial)
        if right:
            people.held.check(trial.name)
        how = self._factor(trial) if right else ""
        if not how:
            self._failed(trial)
            raise NotAllowed(WRONG, 401)
        people.attempts.right(trial.name, trial.place)
        people.sessions.make_room(trial.name)
        people.note("logged_in", name=trial.name, role=trial.role, how=how, address=trial.address)
        session = people.begin(Person(trial.name, trial.role), trial.address, trial.stored)
        return session._replace(device=people.attempts.know(trial.name, trial.device, secrets.token_urlsafe(32)))

    def _is_current(self, trial: Trial) -> bool:
        """Whether the account is still what it was when its password was read: to compare it takes a while."""
        query = "SELECT 1 FROM people_accounts WHERE name = ? AND role = ? AND password = ?"
        return bool(self._records.rows(query, (trial.name, trial.role, trial.stored)))

    def _factor(self, trial: Trial) -> str:
        """With what somebody whose password is right comes in; empty: his code is wrong, or missing."""
        factors, name = self._people.factors, trial.name
        if not factors.has(name):
            return "a password"
        if not trial.code or self._people.code_tries.begin(name, trial.place):
            return ""
        if factors.passes(name, trial.code):
            self._people.code_tries.right(name, trial.place)
            return "a password and a code"
        left = factors.recovers(name, trial.code)
        if left is None:
            if factors.shows(name, trial.code):
                self._people.code_tries.used(name, trial.place)
            return ""
        self._people.code_tries.right(name, trial.place)
        try:
            self._people.note("recovery_code_used", name=name, left=left, mark=self._people.factor_changes.mark(name))
        except TwentyoneError:
            factors.give_back(name, trial.code)
            raise
        return "a password and a recovery code"

    def _failed(self, trial: Trial) -> None:
        """Note what failed; a name without an account is not written down, for it may be a password."""
        name, seconds = trial.name if trial.role else "", self._people.attempts.waits(trial.name, trial.place)
        self._people.note("log_in_failed", name=name, address=trial.address)
        if seconds:
            self._people.note("locked_out", name=name, seconds=seconds, address=trial.address)

    def is_own(self, name: str, password: str) -> bool:
        """Whether this is the password of an account."""
        rows = self._records.rows("SELECT password FROM people_accounts WHERE name = ?", (name,))
        return self._people.hashing.compared(rows[0][0] if rows else "", password).result()

    # -- one-time links

    def link(self, role: str) -> str:
        """The secret of a one-time link that begins a session in a role."""
        secret = secrets.token_urlsafe(32)
        until = self._clock() + LINK_LIFE
        row = (digest(secret), self._people.marks.link(digest(secret), role, until), until)
        self._records.run("INSERT INTO people_links (id, role, until) VALUES (?, ?, ?)", row)
        self._people.note("link_made", role=role)
        return secret

    def follow(self, secret: str, address: str = "") -> Session:
        """Use a link, once."""
        rows = self._records.rows("SELECT role, until FROM people_links WHERE id = ?", (digest(secret),))
        used = self._records.run("DELETE FROM people_links WHERE id = ?", (digest(secret),))
        role = self._people.marks.role_of_link(digest(secret), *rows[0]) if rows and used else ""
        if not role or rows[0][1] < self._clock():
            raise NotAllowed("this link has been used already, or is too old", 401)
        self._people.sessions.make_room(role)
        self._people.note("logged_in", name=role, role=role, how="a one-time link", address=address)
        return self._people.begin(Person(role, role), address)
