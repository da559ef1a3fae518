"""The key's mark on whatever lets somebody in beside his account: sessions, one-time links, approvals.

Whoever writes such a row behind the program, without the key, has opened no door.
"""

from __future__ import annotations

from functools import lru_cache, partial

from twentyone.ledger.access_book import AccessBook, mark_of
from twentyone.service.records import Records

__all__ = ["Marks"]

SESSIONS = (
    "SELECT s.id, s.name, s.role, s.csrf, (SELECT l.begun FROM people_logins AS l WHERE l.session = s.id) "
    "FROM people_sessions AS s"
)
APPROVALS = "SELECT number, act, given, what, asker, asked FROM people_approvals"
LONGEST = 20
"""Digits of a version."""
REMEMBERED = 4_096
"""Sessions whose mark is remembered: it is the same for the same row, and every request asks for one."""


class Marks:
    """Makes and compares the marks."""

    def __init__(self, key: bytes, book: AccessBook) -> None:
        self._key, self._book = key, book
        self._mark_of_session = lru_cache(REMEMBERED)(partial(mark_of, key, "session"))

    def take_over(self, records: Records) -> None:
        """Mark what an earlier version left; may be done again."""
        for number, act, given, *said in records.rows(APPROVALS):
            marked = self.approval(number, act, given[given.find("{") :], *said)
            records.run("UPDATE people_approvals SET given = ? WHERE number = ?", (marked, number))
        for session, name, role, csrf, begun in records.rows(SESSIONS):
            marked = self.session(session, name, role, csrf.partition(" ")[0], begun)
            records.run("UPDATE people_sessions SET csrf = ? WHERE id = ?", (marked, session))

    def session(self, session: str, name: str, role: str, csrf: str, begun: int) -> str:
        """The token of a new session as it is stored: with the version of its account, and the mark."""
        self._book.read_on()
        since = self._book.since.get(name, 0)
        return f"{csrf} {since} {self._mark_of_session(session, name, role, csrf, begun, since)}"

    def token(self, session: str, name: str, role: str, stored: str, begun: int | None) -> tuple[str, bool]:
        """The token of a stored session, empty without the key's mark; whether its account is still what it was."""
        csrf, _, rest = stored.partition(" ")
        since, _, mark = rest.partition(" ")
        number = int(since) if since.isdecimal() and len(since) < LONGEST else -1
        if begun is None or self._mark_of_session(session, name, role, csrf, begun, number) != mark:
            return "", False
        if number > self._book.since.get(name, 0):
            self._book.read_on()
        return csrf, number == self._book.since.get(name, 0)

    def link(self, link: str, role: str, until: int) -> str:
        """The role of a new link as it is stored."""
        return f"{role} {mark_of(self._key, 'link', link, role, until)}"

    def role_of_link(self, link: str, stored: str, until: int) -> str:
        """The role of a stored link; empty without the key's mark."""
        role = stored.partition(" ")[0]
        return role if self.link(link, role, until) == stored else ""

    def approval(self, number: str, act: str, given: str, what: str, asker: str, asked: int) -> str:
        """What somebody asks for, as it is stored."""
        return f"{mark_of(self._key, 'approval', number, act, given, what, asker, asked)} {given}"

    def given(self, number: str, act: str, stored: str, what: str, asker: str, asked: int) -> str:
        """What somebody asked for; empty without the key's mark."""
        given = stored.partition(" ")[2]
        return given if self.approval(number, act, given, what, asker, asked) == stored else ""
