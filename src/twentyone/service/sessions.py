"""Sessions that the server can end, and their record: who logged in from where, when, and how it ended.

No secret is told, and no hash of one: a session is named by a number that has nothing to do with it.
"""

from __future__ import annotations

import secrets
import uuid
from collections.abc import Callable
from typing import NamedTuple

from twentyone.ledger.timestamps import Period
from twentyone.service.access_log import Note, unnoted
from twentyone.service.attempts import digest
from twentyone.service.marks import Marks
from twentyone.service.records import Records
from twentyone.service.refusals import NotAllowed

__all__ = ["SessionRow", "Sessions"]

IDLE = 30 * 60
"""Seconds of inactivity after which a session ends."""
GUEST_IDLE = 24 * 60 * 60
LIFE = 12 * 60 * 60
"""Seconds after which a session ends even if it is used; a guest's, who has no password, goes on."""
AT_ONCE = 3
"""Sessions that one account has at most: another one ends the oldest."""
KEPT = 90 * 24 * 60 * 60
"""Seconds for which a session that ended stays on record."""
FAR = 1 << 62
"""A moment after all others."""
LISTED = 200
"""Sessions in the list."""
UNUSED, TOO_OLD, TOO_MANY = "not used for too long", "log in again after twelve hours", "too many were open"
CHANGED, FORGED = "the account was changed", "nobody has begun it: it was written or edited behind the program"
"""How a session ends that nobody ends."""
ADD = "INSERT INTO people_sessions (id, name, role, csrf, seen)"
SAME = "FROM people_accounts WHERE name = ? AND role = ? AND password = ?"
BEGUN = "(SELECT l.begun FROM people_logins AS l WHERE l.session = people_sessions.id)"
"""When a session began."""
GUESTS = "role = 'player' AND NOT EXISTS (SELECT 1 FROM people_accounts AS a WHERE a.name = people_sessions.name)"
"""The sessions of those who have no account."""


class SessionRow(NamedTuple):
    """A session as the administrator sees it."""

    number: str
    """By which it is named: no part of its secret."""
    name: str
    """Whose it is."""
    role: str
    """His role."""
    address: str
    """Where it was begun from; empty: not known."""
    begun: int
    """When, in seconds UTC."""
    seen: int | None
    """When its browser last asked for something; none: it has ended."""
    ended: int | None
    """When it ended; none: it goes on."""
    why: str
    """How it ended."""


class Sessions:
    """All sessions of a service."""

    def __init__(
        self,
        records: Records,
        clock: Callable[[], int],
        free: Callable[[str], None],
        marks: Marks,
        note: Note = unnoted,
    ) -> None:
        """`free`: called with the name of somebody one of whose sessions has ended."""
        self._records, self._clock, self._free, self._note_access = records, clock, free, note
        self._marks = marks
        unknown = (
            "SELECT s.id, s.name, s.role, s.seen FROM people_sessions AS s "
            "LEFT JOIN people_logins AS l ON l.session = s.id WHERE l.session IS NULL"
        )
        for session, name, role, seen in records.rows(unknown):
            self._note(session, name, role, "", seen)

    def begin(self, name: str, role: str, address: str, stored: str | None = None) -> tuple[str, str]:
        """Begin a session: its secret and its token.

        `stored`: what is stored of the password that was examined. Nothing begins where the account has another
        password or role by now, or is gone: what ended its sessions ended this one, too.
        """
        session, csrf, now = secrets.token_urlsafe(32), secrets.token_urlsafe(32), self._clock()
        self._records.run("DELETE FROM people_logins WHERE ended < ?", (now - KEPT,))
        id_ = digest(session)
        marked = self._marks.session(id_, name, role, csrf, now)
        if stored is None:
            self._records.run(f"{ADD} VALUES (?, ?, ?, ?, ?)", (id_, name, role, marked, now))
        elif not self._records.run(f"{ADD} SELECT ?, name, role, ?, ? {SAME}", (id_, marked, now, name, role, stored)):
            raise NotAllowed("the account was changed at this moment: log in again", 401)
        self._note(id_, name, role, address, now)
        return session, csrf

    def _note(self, session: str, name: str, role: str, address: str, begun: int) -> None:
        note = (
            "INSERT INTO people_logins (number, session, name, role, address, begun, why) VALUES (?, ?, ?, ?, ?, ?, '')"
        )
        self._records.run(note, (str(uuid.uuid4()), session, name, role, address, begun))

    def whose(self, session: str, watches: bool) -> tuple[str, str, str] | None:
        """Name, role and token of a session; none if it is over. Whoever only `watches` does not keep it alive."""
        query = f"SELECT name, role, csrf, seen, {BEGUN}, {GUESTS} FROM people_sessions WHERE id = ?"
        id_ = digest(session)
        rows = self._records.rows(query, (id_,))
        if not rows:
            return None
        name, role, stored, seen, begun, guest = rows[0]
        csrf, current = self._marks.token(id_, name, role, stored, begun)
        if over := self._over(csrf, current, seen, begun, guest):
            self._end("id = ?", (id_,), over)
            return None
        now = self._clock()
        if now - seen > IDLE // 30 and not watches:
            self._records.note("UPDATE people_sessions SET seen = ? WHERE id = ?", (now, id_))
        return name, role, csrf

    def _over(self, csrf: str, current: bool, seen: int, begun: int, guest: bool) -> str:
        """Why a session is over; empty: it is not."""
        if not csrf:
            return FORGED
        now = self._clock()
        if not guest and now - begun > LIFE:
            return TOO_OLD
        if now - seen > (GUEST_IDLE if guest else IDLE):
            return UNUSED
        return "" if current else CHANGED

    def end(self, session: str) -> None:
        """Its owner ends a session, even if a browser still has its cookie."""
        self._end("id = ?", (digest(session),), "logged out")

    def end_all(self, name: str, why: str) -> None:
        """End every session of a name."""
        self._end("name = ?", (name,), why)

    def end_numbered(self, number: str, by: str) -> tuple[str, str] | None:
        """Somebody ends the session of this number; whose it was, and his role; none if there is none."""
        which = "id IN (SELECT session FROM people_logins WHERE number = ?)"
        return next(iter(self._end(which, (number,), f"ended by {by}")), None)

    def forget(self) -> None:
        """End the sessions that were not used for too long."""
        now = self._clock()
        self._end(f"seen < ? AND NOT ({GUESTS})", (now - IDLE,), UNUSED)
        self._end("seen < ?", (now - GUEST_IDLE,), UNUSED)
        self._end(f"{BEGUN} < ? AND NOT ({GUESTS})", (now - LIFE,), TOO_OLD)

    def make_room(self, name: str) -> None:
        """End the oldest sessions of an account that begins another one."""
        newest = f"SELECT id FROM people_sessions WHERE name = ? ORDER BY {BEGUN} DESC, id LIMIT {AT_ONCE - 1}"
        self._end(f"name = ? AND id NOT IN ({newest})", (name, name), TOO_MANY)

    def _end(self, which: str, values: tuple[str | int, ...], why: str) -> list[tuple[str, str]]:
        """End the sessions that match; whose they were."""
        rows = self._records.rows(f"SELECT id, name, role, {GUESTS} FROM people_sessions WHERE {which}", values)
        for session, name, role, guest in rows:
            self._records.run("DELETE FROM people_sessions WHERE id = ?", (session,))
            ended = "UPDATE people_logins SET ended = ?, why = ? WHERE session = ? AND ended IS NULL"
            self._records.run(ended, (self._clock(), why, session))
            self._free(name)
            if not guest or why == FORGED:
                self._note_access("session_ended", name=name, role=role, why=why)
        return [(name, role) for _, name, role, _ in rows]

    def last_before(self, session: str | None) -> tuple[int, str] | None:
        """When and from where whoever has this session logged in before it; none if he never did."""
        query = (
            "SELECT b.begun, b.address FROM people_logins AS l JOIN people_logins AS b ON b.name = l.name "
            "WHERE l.session = ? AND b.session <> l.session AND b.begun <= l.begun ORDER BY b.begun DESC LIMIT 1"
        )
        rows = self._records.rows(query, (digest(session or ""),))
        return (rows[0][0], rows[0][1]) if rows else None

    def number(self, session: str | None) -> str:
        """The number of a session; empty if it is unknown."""
        rows = self._records.rows("SELECT number FROM people_logins WHERE session = ?", (digest(session or ""),))
        return rows[0][0] if rows else ""

    def begun_in(self, period: Period) -> list[SessionRow]:
        """The sessions that were begun in a shift, in order."""
        self.forget()
        query = (
            "SELECT l.number, l.name, l.role, l.address, l.begun, s.seen, l.ended, l.why FROM people_logins AS l "
            "LEFT JOIN people_sessions AS s ON s.id = l.session WHERE l.begun >= ? AND l.begun < ? "
            "ORDER BY l.begun, l.name, l.number"
        )
        limits = (period.start or 0, FAR if period.end is None else period.end)
        return [SessionRow(*row) for row in self._records.rows(query, limits)]

    def listed(self) -> list[SessionRow]:
        """Those that go on, the last one seen first; then those that ended."""
        self.forget()
        query = (
            "SELECT l.number, l.name, l.role, l.address, l.begun, s.seen, l.ended, l.why FROM people_logins AS l "
            "LEFT JOIN people_sessions AS s ON s.id = l.session "
            "ORDER BY l.ended IS NOT NULL, COALESCE(l.ended, s.seen) DESC, l.begun DESC, l.name LIMIT ?"
        )
        return [SessionRow(*row) for row in self._records.rows(query, (LISTED,))]
