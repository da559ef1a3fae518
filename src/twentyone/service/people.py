"""People: guests under a name, accounts with a password, sessions that the server can end."""

from __future__ import annotations

import re
import secrets
import threading
import unicodedata
from collections.abc import Callable, Iterable
from typing import NamedTuple

from argon2 import PasswordHasher
from argon2.exceptions import VerificationError

from twentyone.errors import TwentyoneError
from twentyone.service.attempts import Attempts, digest
from twentyone.service.purses import Purses
from twentyone.service.records import Records

__all__ = ["ROLES", "Account", "NotAllowed", "People", "Person", "Session"]

ROLES = ("player", "dealer", "floorperson", "auditor", "administrator")
"""Who may use the service; the administrator acts as operator, the auditor only reads."""

IDLE = 30 * 60
"""Seconds of inactivity after which a session ends."""
GUEST_IDLE = 24 * 60 * 60
LINK_LIFE = 24 * 60 * 60
SHORTEST = 10
"""The least number of characters of a password."""
NAME = re.compile(r"[^\W_][\w .'-]{0,30}", re.UNICODE)
RESERVED = (*ROLES, "operator")
"""Names that nobody may take: those of the roles."""
AUTOMATIC = "auto "
"""The names of the automatic staff begin with this, and no other names may."""
NAMED = "INSERT INTO people_since (name, since) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET since = excluded.since"
NUMBERED = 10_000
"""The most guests with the same name."""
HASHING = threading.BoundedSemaphore(2)
"""At most two passwords are hashed at once: otherwise logins could stop the service."""


class NotAllowed(TwentyoneError):
    """A person may not do this; `status` is the HTTP status."""

    def __init__(self, why: str, status: int = 403, wait: int = 0) -> None:
        super().__init__(why)
        self.status = status
        """401 unknown, 403 known but not allowed, 404 no such account, 409 taken, 429 too often."""
        self.wait = wait
        """Seconds after which it may be tried again; 0: nothing is said of it."""


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
        self.attempts = Attempts(records, clock)
        """Attempts at passwords."""
        self._hasher = PasswordHasher()
        self._nobody = self._hasher.hash(secrets.token_hex())

    # -- sessions

    def begin(self, person: Person) -> Session:
        """Begin a session with new secrets."""
        session, csrf = secrets.token_urlsafe(32), secrets.token_urlsafe(32)
        row = (digest(session), person.name, person.role, csrf, self._clock())
        self._records.run("INSERT INTO people_sessions (id, name, role, csrf, seen) VALUES (?, ?, ?, ?, ?)", row)
        return Session(session, csrf, person)

    def whose(self, session: str | None) -> tuple[Person, str] | None:
        """The person and the token of a session; none if it is over."""
        if not session:
            return None
        query = (
            "SELECT s.name, s.role, s.csrf, s.seen, a.name IS NULL FROM people_sessions AS s "
            "LEFT JOIN people_accounts AS a ON a.name = s.name WHERE s.id = ?"
        )
        rows = self._records.rows(query, (digest(session),))
        if not rows:
            return None
        name, role, csrf, seen, stranger = rows[0]
        now, guest = self._clock(), stranger and role == "player"
        if now - seen > (GUEST_IDLE if guest else IDLE):
            self.end(session)
            return None
        if now - seen > IDLE // 30:
            self._records.note("UPDATE people_sessions SET seen = ? WHERE id = ?", (now, digest(session)))
        return Person(name, role), csrf

    def end(self, session: str) -> None:
        """End a session, even if a browser still has its cookie; a guest's name becomes free."""
        rows = self._records.rows("SELECT name FROM people_sessions WHERE id = ?", (digest(session),))
        self._records.run("DELETE FROM people_sessions WHERE id = ?", (digest(session),))
        for (name,) in rows:
            self._free(name)

    def _free(self, name: str) -> None:
        """Free a name, unless an account or another session has it."""
        used = "SELECT 1 FROM people_accounts WHERE name = ? UNION ALL SELECT 1 FROM people_sessions WHERE name = ?"
        if not self._records.rows(used, (name, name)):
            self._records.run("DELETE FROM people_names WHERE name = ?", (_folded(name),))

    # -- guests and accounts

    def guest(self, name: str, address: str = "", most: int = 0) -> Session:
        """A new guest; a name that is taken, or is at a table, gets a number. `most`: new ones from an address."""
        name = _checked(name)
        if most and (wait := self.attempts.guest(address, most)):
            raise NotAllowed(f"too many new guests from here: try again in {wait} s", 429, wait)
        self._forget_guests()
        for other in (name, *(f"{name} {number}" for number in range(2, NUMBERED))):
            if self._take(other):
                return self.begin(Person(other, "player"))
        raise NotAllowed(f"there are too many guests called {name!r}: take another name", 409)

    def _take(self, name: str) -> bool:
        """Take a name, across all processes, with an empty purse; false if it is taken, or is at a table."""
        if _folded(name) in map(_folded, self._seated()):
            return False
        taken = self._records.run("INSERT INTO people_names VALUES (?) ON CONFLICT DO NOTHING", (_folded(name),)) > 0
        if taken:
            self.purses.empty(name)
            self._records.run(NAMED, (_folded(name), self._clock()))
        return taken

    def since(self, name: str) -> int:
        """When this name was given to whoever has it: what was done under it before was done by somebody else."""
        rows = self._records.rows("SELECT since FROM people_since WHERE name = ?", (_folded(name),))
        return int(rows[0][0]) if rows else 0

    def _forget_guests(self) -> None:
        """End sessions that were not used for a day, and free the names of their guests."""
        old = self._clock() - GUEST_IDLE
        for (name,) in self._records.rows("SELECT name FROM people_sessions WHERE seen < ?", (old,)):
            self._records.run("DELETE FROM people_sessions WHERE name = ? AND seen < ?", (name, old))
            self._free(name)

    def add(self, name: str, role: str, password: str) -> Person:
        """A new account."""
        if role not in ROLES:
            raise NotAllowed(f"there is no role {role!r}; there are {', '.join(ROLES)}", 422)
        _check_password(password)
        name = _checked(name)
        hashed = self._hash(password)
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
        self._of("UPDATE people_accounts SET password = ? WHERE name = ?", self._hash(password), name)
        self.attempts.forgive(name)
        self.attempts.forget_devices(name)
        self._records.run("DELETE FROM people_sessions WHERE name = ?", (name,))

    def unlock(self, name: str) -> None:
        """Let everybody who waits try this account again."""
        self._of("UPDATE people_accounts SET name = name WHERE name = ?", name)
        self.attempts.forgive(name)

    def remove(self, name: str) -> None:
        """Remove an account and its sessions; what its owner did stays in the ledger under the name."""
        self._of("DELETE FROM people_accounts WHERE name = ?", name)
        self._records.run("DELETE FROM people_sessions WHERE name = ?", (name,))
        self.attempts.forget_devices(name)
        self._free(name)

    def _of(self, statement: str, *values: str) -> None:
        """Change the account named by the last value; refused if there is none."""
        if not self._records.run(statement, values):
            raise NotAllowed(f"there is no account {values[-1]!r}", 404)

    def login(self, name: str, password: str, address: str = "", device: str | None = None) -> Session:
        """A session for an account; who guesses from an address (or a browser that is known) soon has to wait."""
        place = self.attempts.place(name, address, device)
        wait = self.attempts.begin(name, place)
        if wait:
            raise NotAllowed(f"too many wrong passwords from here: try again in {wait} s", 429, wait)
        rows = self._records.rows("SELECT role, password FROM people_accounts WHERE name = ?", (name,))
        role, known = rows[0] if rows else ("", self._nobody)
        if not self._right(known, password) or not rows:
            raise NotAllowed("no such name, or a wrong password", 401)
        self.attempts.right(name, place)
        session = self.begin(Person(name, role))
        return session._replace(device=self.attempts.know(name, device, secrets.token_urlsafe(32)))

    def _hash(self, password: str) -> str:
        with HASHING:
            return self._hasher.hash(password)

    def _right(self, known: str, password: str) -> bool:
        with HASHING:
            try:
                return self._hasher.verify(known, password)
            except VerificationError:
                return False

    # -- one-time links

    def link(self, role: str) -> str:
        """The secret of a one-time link that begins a session in a role."""
        secret = secrets.token_urlsafe(32)
        row = (digest(secret), role, self._clock() + LINK_LIFE)
        self._records.run("INSERT INTO people_links (id, role, until) VALUES (?, ?, ?)", row)
        return secret

    def follow(self, secret: str) -> Session:
        """Use a link, once."""
        rows = self._records.rows("SELECT role, until FROM people_links WHERE id = ?", (digest(secret),))
        used = self._records.run("DELETE FROM people_links WHERE id = ?", (digest(secret),))
        if not rows or not used or rows[0][1] < self._clock():
            raise NotAllowed("this link has been used already, or is too old", 401)
        return self.begin(Person(rows[0][0], rows[0][0]))


def _folded(name: str) -> str:
    """A name in folded case: names that differ only in case are the same."""
    return unicodedata.normalize("NFKC", name).casefold()


def _check_password(password: str) -> None:
    if len(password) < SHORTEST:
        raise NotAllowed(f"a password has {SHORTEST} characters or more", 422)


def _checked(name: str) -> str:
    name = " ".join(unicodedata.normalize("NFKC", name).split())
    if not NAME.fullmatch(name) or _folded(name) in RESERVED or _folded(name).startswith(AUTOMATIC):
        raise NotAllowed(
            "a name begins with a letter or figure, is not that of a role, and has at most 31 letters, figures, "
            "blanks, . ' -",
            422,
        )
    return name
