"""People: guests under a name, accounts with a password, sessions that the server can end."""

from __future__ import annotations

import asyncio
import re
import secrets
import unicodedata
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from twentyone.service.attempts import Attempts, digest
from twentyone.service.hashing import Hashing
from twentyone.service.names import Names, folded
from twentyone.service.policy import AccessPolicy
from twentyone.service.purses import Purses
from twentyone.service.records import Records
from twentyone.service.refusals import NotAllowed
from twentyone.service.sessions import Sessions

__all__ = ["ROLES", "Account", "NotAllowed", "People", "Person", "Session", "walk_in"]

ROLES = ("player", "dealer", "floorperson", "auditor", "administrator")
"""Who may use the service; the administrator acts as operator, the auditor only reads."""

LINK_LIFE = 15 * 60
"""Seconds for which a one-time link works."""
SHORTEST = 10
"""The least number of characters of a password."""
NAME = re.compile(r"[^\W_][\w .'-]{0,30}", re.UNICODE)
RESERVED = (*ROLES, "operator")
"""Names that nobody may take: those of the roles."""
AUTOMATIC = "auto "
"""The names of the automatic staff begin with this, and no other names may."""
NUMBERED, FIRST_NUMBER, TRIED = 10_000, 1_000, 50
"""Guests' numbers are below the first; those given by chance begin with the second, and so many are tried."""


class Person(NamedTuple):
    """Somebody at the service."""

    name: str
    """The name that others see."""
    role: str
    """One of `ROLES`."""

    @property
    def at_table(self) -> str:
        """The role at a table."""
        return {"administrator": "operator"}.get(self.role, self.role)


class Session(NamedTuple):
    """A new session: the only time its secrets are known."""

    id: str
    """The value of the browser's cookie."""
    csrf: str
    """The token that every unsafe request must bring."""
    person: Person
    """Whose it is."""
    device: str = ""
    """The secret by which the browser is known from now on, after a login."""


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


class Account(NamedTuple):
    """An account as the administrator sees it."""

    name: str
    """Whose it is."""
    role: str
    """One of `ROLES`."""
    locked: bool
    """Whether somebody, somewhere, has to wait after wrong passwords for it."""
    sessions: int
    """How many browsers are logged in with it."""


class People:
    """The service's people."""

    def __init__(
        self, records: Records, clock: Callable[[], int], purses: Purses, seated: Callable[[], Iterable[str]]
    ) -> None:
        self._records, self._clock, self._seated = records, clock, seated
        self.purses = purses
        """What players have away from the tables."""
        self.names = Names(records, clock)
        """Since when each name is whose."""
        self.attempts = Attempts(records, clock)
        """Attempts at passwords."""
        self.sessions = Sessions(records, clock, self._free)
        """Who is logged in, and who was."""
        self.hashing = Hashing()
        """Hashes passwords beside everything else."""
        self.policy = AccessPolicy()
        """What the operator decided."""

    # -- sessions

    def begin(self, person: Person, address: str = "") -> Session:
        """Begin a session with new secrets, from an address."""
        return Session(*self.sessions.begin(person.name, person.role, address), person)

    def whose(self, session: str | None, watches: bool = False) -> tuple[Person, str] | None:
        """The person and the token of a session; none if it is over. Whoever only `watches` does not keep it alive."""
        known = self.sessions.whose(session, watches) if session else None
        return (Person(*known[:2]), known[2]) if known is not None else None

    def end(self, session: str) -> None:
        """End a session, even if a browser still has its cookie; a guest's name becomes free."""
        self.sessions.end(session)

    def _free(self, name: str) -> None:
        """Free a name, unless an account or another session has it."""
        used = "SELECT 1 FROM people_accounts WHERE name = ? UNION ALL SELECT 1 FROM people_sessions WHERE name = ?"
        if not self._records.rows(used, (name, name)):
            self._records.run("DELETE FROM people_names WHERE name = ?", (folded(name),))

    # -- guests and accounts

    def guest(self, name: str, address: str = "", most: int = 0) -> Session:
        """A new guest; his name gets a number. `most`: new ones from an address."""
        name = _checked(name)
        if most and (wait := self.attempts.guest(address, most)):
            raise NotAllowed(f"too many new guests from here: try again in {wait} s", 429, wait)
        self.sessions.forget()
        for other in self._numbered(name):
            if self._take(other):
                return self.begin(Person(other, "player"), address)
        raise NotAllowed(f"there are too many guests called {name!r}: take another name", 409)

    def _numbered(self, name: str) -> Iterator[str]:
        """Names for a guest: with a number by chance, whether or not anybody has the name; or with the next one."""
        if self.policy.numbered_guests:
            yield from (f"{name} {FIRST_NUMBER + secrets.randbelow(NUMBERED - FIRST_NUMBER)}" for _ in range(TRIED))
        else:
            yield from (name, *(f"{name} {number}" for number in range(2, NUMBERED)))

    def _take(self, name: str) -> bool:
        """Take a name, across all processes, with an empty purse; false if it is taken, or is at a table."""
        if folded(name) in map(folded, self._seated()):
            return False
        taken = self._records.run("INSERT INTO people_names VALUES (?) ON CONFLICT DO NOTHING", (folded(name),)) > 0
        if taken:
            self.purses.empty(name)
            self.names.given(name)
        return taken

    def add(self, name: str, role: str, password: str) -> Person:
        """A new account."""
        if role not in ROLES:
            raise NotAllowed(f"there is no role {role!r}; there are {', '.join(ROLES)}", 422)
        _check_password(password)
        name = _checked(name)
        hashed = self.hashing.hashed(password).result()
        if not self._take(name):
            raise NotAllowed(f"the name {name!r} is taken", 409)
        row = (name, role, hashed)
        self._records.run("INSERT INTO people_accounts (name, role, password) VALUES (?, ?, ?)", row)
        return Person(name, role)

    def accounts(self) -> list[Account]:
        """All accounts, by name."""
        query = (
            "SELECT a.name, a.role, COUNT(s.id) FROM people_accounts AS a "
            "LEFT JOIN people_sessions AS s ON s.name = a.name GROUP BY a.name, a.role ORDER BY a.name"
        )
        waiting = self.attempts.waiting()
        return [Account(name, role, name in waiting, count) for name, role, count in self._records.rows(query)]

    def change_password(self, name: str, password: str) -> None:
        """Change the password of an account; sessions begun with the old one end."""
        _check_password(password)
        self._of("UPDATE people_accounts SET password = ? WHERE name = ?", self.hashing.hashed(password).result(), name)
        self.attempts.forgive(name)
        self.attempts.forget_devices(name)
        self.sessions.end_all(name, "the password was changed")

    def unlock(self, name: str) -> None:
        """Let everybody who waits try this account again."""
        self._of("UPDATE people_accounts SET name = name WHERE name = ?", name)
        self.attempts.forgive(name)

    def remove(self, name: str) -> None:
        """Remove an account and its sessions; what its owner did stays in the ledger under the name."""
        self._of("DELETE FROM people_accounts WHERE name = ?", name)
        self.sessions.end_all(name, "the account was removed")
        self.attempts.forget_devices(name)
        self._free(name)

    def _of(self, statement: str, *values: str) -> None:
        """Change the account named by the last value; refused if there is none."""
        if not self._records.run(statement, values):
            raise NotAllowed(f"there is no account {values[-1]!r}", 404)

    def login(self, name: str, password: str, address: str = "", device: str | None = None) -> Session:
        """A session for an account; who guesses from an address (or a browser that is known) soon has to wait."""
        trial = self._admit(name, address, device)
        return self._enter(trial, self.hashing.compared(trial.stored, password).result())

    async def log_in(self, name: str, password: str, address: str, device: str | None) -> Session:
        """The same, while everything else goes on; refused at once when too many log in."""
        with self.hashing.place(self.attempts.knows(device)):
            trial = await asyncio.to_thread(self._admit, name, address, device)
            right = await asyncio.wrap_future(self.hashing.compared(trial.stored, password))
            return await asyncio.to_thread(self._enter, trial, right)

    def _admit(self, name: str, address: str, device: str | None) -> Trial:
        """Count an attempt before it is examined; refused if its place has to wait."""
        place = self.attempts.place(name, address, device)
        wait = self.attempts.begin(name, place)
        if wait:
            raise NotAllowed(f"too many wrong passwords from here: try again in {wait} s", 429, wait)
        rows = self._records.rows("SELECT role, password FROM people_accounts WHERE name = ?", (name,))
        role, stored = rows[0] if rows else ("", "")
        return Trial(name, role, stored, place, address, device)

    def _enter(self, trial: Trial, right: bool) -> Session:
        if not right:
            raise NotAllowed("no such name, or a wrong password", 401)
        self.attempts.right(trial.name, trial.place)
        self.sessions.make_room(trial.name)
        session = self.begin(Person(trial.name, trial.role), trial.address)
        return session._replace(device=self.attempts.know(trial.name, trial.device, secrets.token_urlsafe(32)))

    # -- one-time links

    def link(self, role: str) -> str:
        """The secret of a one-time link that begins a session in a role."""
        secret = secrets.token_urlsafe(32)
        row = (digest(secret), role, self._clock() + LINK_LIFE)
        self._records.run("INSERT INTO people_links (id, role, until) VALUES (?, ?, ?)", row)
        return secret

    def follow(self, secret: str, address: str = "") -> Session:
        """Use a link, once."""
        rows = self._records.rows("SELECT role, until FROM people_links WHERE id = ?", (digest(secret),))
        used = self._records.run("DELETE FROM people_links WHERE id = ?", (digest(secret),))
        if not rows or not used or rows[0][1] < self._clock():
            raise NotAllowed("this link has been used already, or is too old", 401)
        self.sessions.make_room(rows[0][0])
        return self.begin(Person(rows[0][0], rows[0][0]), address)


def walk_in(people: People, name: str, here: bool) -> str:
    """The name of a guest without a device; refused if an account, a browser or, unless `here`, a table has it."""
    name = _checked(name)
    query = "SELECT name FROM people_accounts UNION SELECT name FROM people_sessions"
    others = [other for (other,) in people._records.rows(query)]
    if folded(name) in map(folded, (*others, *(() if here else people._seated()))):
        raise NotAllowed(f"the name {name!r} is taken: add a number to it", 409)
    people._take(name)
    return name


def _check_password(password: str) -> None:
    if len(password) < SHORTEST:
        raise NotAllowed(f"a password has {SHORTEST} characters or more", 422)


def _checked(name: str) -> str:
    name = " ".join(unicodedata.normalize("NFKC", name).split())
    if not NAME.fullmatch(name) or folded(name) in RESERVED or folded(name).startswith(AUTOMATIC):
        raise NotAllowed(
            "a name begins with a letter or figure, is not that of a role, and has at most 31 letters, figures, "
            "blanks, . ' -",
            422,
        )
    return name
