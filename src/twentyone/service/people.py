"""Who is who: guests under a name, accounts with a password, sessions that the server can end."""

from __future__ import annotations

import hmac
import re
import secrets
import threading
from collections.abc import Callable
from hashlib import sha256
from typing import NamedTuple

from argon2 import PasswordHasher
from argon2.exceptions import VerificationError

from twentyone.errors import TwentyoneError
from twentyone.service.records import Records

__all__ = ["ROLES", "NotAllowed", "People", "Person", "Session"]

ROLES = ("player", "dealer", "floorperson", "auditor", "administrator")
"""Who may use the service; the administrator acts as operator, the auditor only reads."""

IDLE = 30 * 60
"""Seconds after which a session that says nothing is over."""
GUEST_IDLE = 24 * 60 * 60
LINK_LIFE = 24 * 60 * 60
TRIES = 3
"""Wrong passwords before an account is locked ..."""
LOCKED = 15 * 60
"""... for so many seconds."""
NAME = re.compile(r"[^\W_][\w .'-]{0,30}", re.UNICODE)
HASHING = threading.BoundedSemaphore(2)
"""Two passwords are hashed at once, no more: else logging in is a way to stop the house."""


class NotAllowed(TwentyoneError):
    """A person may not do this; `status` is the answer of a web server."""

    def __init__(self, why: str, status: int = 403) -> None:
        super().__init__(why)
        self.status = status
        """401 not known, 403 known and not allowed, 409 taken, 423 locked."""


class Person(NamedTuple):
    """Somebody at the service."""

    name: str
    """As others see it."""
    role: str
    """One of `ROLES`."""

    @property
    def at_table(self) -> str:
        """The role at a table."""
        return {"administrator": "operator"}.get(self.role, self.role)


class Session(NamedTuple):
    """A session just begun: the only moment its secrets are known."""

    id: str
    """What the browser keeps in its cookie."""
    csrf: str
    """What every unsafe request has to bring."""
    person: Person
    """Whose it is."""


class People:
    """The service's people."""

    def __init__(self, records: Records, clock: Callable[[], int]) -> None:
        self._records, self._clock = records, clock
        self._hasher = PasswordHasher()
        self._nobody = self._hasher.hash(secrets.token_hex())

    # -- sessions

    def begin(self, person: Person) -> Session:
        """A session with secrets of its own."""
        session, csrf = secrets.token_urlsafe(32), secrets.token_urlsafe(32)
        row = (_digest(session), person.name, person.role, csrf, self._clock())
        self._records.run("INSERT INTO people_sessions (id, name, role, csrf, seen) VALUES (?, ?, ?, ?, ?)", row)
        return Session(session, csrf, person)

    def whose(self, session: str | None) -> tuple[Person, str] | None:
        """Whose session this is, and its token; nothing where it is over."""
        if not session:
            return None
        query = "SELECT name, role, csrf, seen FROM people_sessions WHERE id = ?"
        rows = self._records.rows(query, (_digest(session),))
        if not rows:
            return None
        name, role, csrf, seen = rows[0]
        now, guest = self._clock(), not self._known(name)
        if now - seen > (GUEST_IDLE if guest else IDLE):
            self.end(session)
            return None
        if now - seen > IDLE // 30:
            self._records.run("UPDATE people_sessions SET seen = ? WHERE id = ?", (now, _digest(session)))
        return Person(name, role), csrf

    def end(self, session: str) -> None:
        """The session is over, whoever still has its cookie."""
        self._records.run("DELETE FROM people_sessions WHERE id = ?", (_digest(session),))

    def right_token(self, session: str | None, token: str | None) -> bool:
        """Whether a request brings its own session's token."""
        found = self.whose(session)
        return found is not None and token is not None and hmac.compare_digest(found[1], token)

    # -- guests and accounts

    def guest(self, name: str) -> Session:
        """A guest with play money; a name that is taken gets a number."""
        name = _checked(name)
        taken = {row[0] for row in self._records.rows("SELECT name FROM people_sessions")}
        taken |= {row[0] for row in self._records.rows("SELECT name FROM people_accounts")}
        free = next(other for other in (name, *(f"{name} {n}" for n in range(2, 10_000))) if other not in taken)
        return self.begin(Person(free, "player"))

    def add(self, name: str, role: str, password: str) -> Person:
        """A new account."""
        if role not in ROLES:
            raise NotAllowed(f"there is no role {role!r}; there are {', '.join(ROLES)}", 422)
        if len(password) < 10:
            raise NotAllowed("a password has ten characters or more", 422)
        name = _checked(name)
        if self._known(name) or self._records.rows("SELECT 1 FROM people_sessions WHERE name = ?", (name,)):
            raise NotAllowed(f"the name {name!r} is taken", 409)
        row = (name, role, self._hash(password))
        self._records.run("INSERT INTO people_accounts (name, role, password) VALUES (?, ?, ?)", row)
        return Person(name, role)

    def login(self, name: str, password: str) -> Session:
        """A session for an account; after three wrong passwords it is locked for a while."""
        query = "SELECT role, password, failed, locked_until FROM people_accounts WHERE name = ?"
        rows = self._records.rows(query, (name,))
        role, known, failed, locked = rows[0] if rows else ("", self._nobody, 0, 0)
        if locked > self._clock():
            raise NotAllowed("this account is locked after wrong passwords; try again later", 423)
        if not self._right(known, password) or not rows:
            self._failed(name, failed + 1)
            raise NotAllowed("no such name, or a wrong password", 401)
        self._records.run("UPDATE people_accounts SET failed = 0, locked_until = 0 WHERE name = ?", (name,))
        return self.begin(Person(name, role))

    def _failed(self, name: str, count: int) -> None:
        until = self._clock() + LOCKED if count >= TRIES else 0
        values = (0 if until else count, until, name)
        self._records.run("UPDATE people_accounts SET failed = ?, locked_until = ? WHERE name = ?", values)

    def _known(self, name: str) -> bool:
        return bool(self._records.rows("SELECT 1 FROM people_accounts WHERE name = ?", (name,)))

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
        """The secret of a link that begins one session in a role."""
        secret = secrets.token_urlsafe(32)
        row = (_digest(secret), role, self._clock() + LINK_LIFE)
        self._records.run("INSERT INTO people_links (id, role, until) VALUES (?, ?, ?)", row)
        return secret

    def follow(self, secret: str) -> Session:
        """Use a link, once."""
        rows = self._records.rows("SELECT role, until FROM people_links WHERE id = ?", (_digest(secret),))
        used = self._records.run("DELETE FROM people_links WHERE id = ?", (_digest(secret),))
        if not rows or not used or rows[0][1] < self._clock():
            raise NotAllowed("this link was used already, or is too old", 401)
        return self.begin(Person(rows[0][0], rows[0][0]))


def _digest(secret: str) -> str:
    return sha256(secret.encode()).hexdigest()


def _checked(name: str) -> str:
    name = " ".join(name.split())
    if not NAME.fullmatch(name) or name.lower() in ROLES:
        raise NotAllowed(
            "a name begins with a letter or figure and has at most 31 letters, figures, blanks, . ' -", 422
        )
    return name
