"""Accounts held against the stream of access: one that is not what the ledger says is closed, and that is noted.

Nothing else stops: the house plays on, and an administrator sets right what differs as he changes any account.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Protocol

from twentyone.ledger.access import access_event
from twentyone.ledger.access_book import MARKED, NO_MARK, AccessBook, AccountMark, differences, mark_of
from twentyone.ledger.canonical import fingerprint
from twentyone.ledger.rows import ACCESS
from twentyone.ledger.store import Store
from twentyone.service.access_log import Note
from twentyone.service.records import Records, RecordsFailed, Row
from twentyone.service.refusals import NotAllowed
from twentyone.service.sealed_factors import opened

__all__ = ["AGAIN", "HeldAccounts", "Reader", "account_marks", "mark_accounts"]

ONCE = f"{ACCESS} marked"
"""The key of the command that takes over the accounts that there are: it is stored once."""
AGAIN = 0.2
"""Seconds after which an account that differs is read again: another process may be changing it."""
UNKNOWN = AccountMark(NO_MARK, NO_MARK, NO_MARK)


class Reader(Protocol):
    """Records that are only read."""

    def rows(self, statement: str, values: Sequence[Any] = ()) -> list[Row]:
        """The rows of a query."""
        ...


def account_marks(records: Reader, key: bytes, name: str | None = None) -> dict[str, AccountMark]:
    """What the accounts are, or one of them."""
    which, values = ("", ()) if name is None else (" AND name = ?", (name,))
    rows = records.rows(f"SELECT name, role, password FROM people_accounts WHERE name <> ''{which}", values)
    stored = records.rows(f"SELECT name, secret FROM people_factors WHERE since > 0{which}", values)
    secrets = {whose: opened(key, whose, secret) for whose, secret in stored}
    codes: dict[str, list[str]] = {}
    for whose, code in records.rows(f"SELECT name, code FROM people_codes WHERE name <> ''{which}", values):
        codes.setdefault(whose, []).append(code)
    return {
        whose: AccountMark(
            role,
            mark_of(key, "password", whose, password),
            _factor_mark(key, whose, secrets.get(whose, ""), codes.get(whose, [])),
        )
        for whose, role, password in rows
    }


def _factor_mark(key: bytes, name: str, secret: str, codes: Sequence[str]) -> str:
    """The mark of a second factor; without a secret there is none."""
    return mark_of(key, "factor", name, secret, *sorted(codes)) if secret else NO_MARK


def mark_accounts(store: Store, records: Reader, key: bytes, at: int) -> None:
    """Take over the accounts as they stand, all in one command, once for a ledger."""
    taken = sorted(account_marks(records, key).items())
    events = [
        access_event("account_marked", at, {"name": name, "role": mark.role, "mark": mark.text}) for name, mark in taken
    ]
    events.append(access_event(MARKED, at, {"count": len(taken)}))
    store.append(ACCESS, 0, events, ONCE, fingerprint([ONCE]))


class HeldAccounts:
    """The accounts of a service beside what the ledger says of them."""

    def __init__(self, records: Records, key: bytes, book: AccessBook, note: Note) -> None:
        self._records, self._key, self._book, self._note = records, key, book, note
        self.closed: dict[str, str] = {}
        """Accounts that are not what the ledger says, each with what differs."""
        self.tell: Callable[[str], None] = lambda _: None
        """Told in a sentence what was found."""

    # -- changes

    def after(self, name: str, **changed: str) -> str:
        """The mark of an account after a change; what is not changed stays what the ledger says, whatever is stored."""
        self._book.read_on()
        if "password" in changed:
            changed["password"] = mark_of(self._key, "password", name, changed["password"])
        return self._book.accounts.get(name, UNKNOWN)._replace(**changed).text

    def factor(self, name: str, secret: str, codes: Sequence[str]) -> str:
        """The mark of a second factor."""
        return _factor_mark(self._key, name, secret, codes)

    @contextmanager
    def changing(self, kind: str, name: str, mark: str, **fields: str | int) -> Iterator[None]:
        """Note a change of an account, then store it; where that fails, the ledger says so, too."""
        self._book.read_on()
        before = self._book.accounts.get(name)
        self._note(kind, name=name, mark=mark, **fields)
        self._book.read_on()
        try:
            yield
        except RecordsFailed:
            self._note("change_undone", name=name, mark=before.text if before else "")
            raise

    # -- comparing

    def is_gone(self, name: str) -> bool:
        """Whether the ledger has an account that is not stored any more."""
        self._book.read_on()
        return name in self._book.accounts and not account_marks(self._records, self._key, name)

    def administrators(self) -> int | None:
        """How many administrators have accounts, as the ledger says; none: it does not say."""
        self._book.read_on()
        roles = [mark.role for mark in self._book.accounts.values()]
        return roles.count("administrator") if self._book.marked else None

    def check(self, name: str) -> None:
        """Refuse an account that is not what the ledger says."""
        self.look(name)
        if what := self.closed.get(name):
            why = f"the account of {name} was changed behind the program ({what}): an administrator has to look at it"
            raise NotAllowed(why)

    def look(self, name: str | None = None) -> list[str]:
        """Compare all accounts, or one, with the ledger; those that are found to differ now and were not before."""
        found = self._differing(name)
        if found:
            time.sleep(AGAIN)
            found = self._differing(name)
        for whose in [each for each in self.closed if each not in found and name in (None, each)]:
            del self.closed[whose]
            self._note("account_agrees", name=whose)
        fresh = [each for each in found if each not in self.closed]
        self.closed |= found
        for whose in fresh:
            self._tell(whose, found[whose])
        return fresh

    def _differing(self, name: str | None) -> dict[str, str]:
        stored = account_marks(self._records, self._key, name)
        self._book.read_on()
        said = {each: mark for each, mark in self._book.accounts.items() if name in (None, each)}
        return dict(differences(said, stored)) if self._book.marked else {}

    def _tell(self, name: str, what: str) -> None:
        """Note an account that differs, once for what it is found to be."""
        mark = account_marks(self._records, self._key, name).get(name)
        found = mark.text if mark else NO_MARK
        if self._book.told.get(name) != found:
            self._note("account_differs", name=name, what=what, found=found)
        self.tell(f"the account of {name}: {what}")
