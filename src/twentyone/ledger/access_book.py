"""What the stream of access says of every account: the last event about it says what it must be.

An event that changes an account carries its mark afterwards: the role, and digests of password and second factor that
only the owner of the key can make. Nobody guesses a password from the ledger, and nobody edits the file of accounts,
or puts an older row of it back, without differing from it.
"""

from __future__ import annotations

import hmac
import json
import threading
from collections.abc import Iterator, Mapping
from hashlib import sha256
from typing import NamedTuple

from twentyone.ledger.access import read_access
from twentyone.ledger.rows import ACCESS, StoredEvent
from twentyone.ledger.store import Store

__all__ = ["MARKED", "NO_MARK", "AccessBook", "AccountMark", "differences", "mark_of"]

MARKED = "accounts_marked"
"""The event from which on accounts are held against the stream."""
ENDS_SESSIONS = ("account_opened", "account_removed", "role_changed", "password_changed")
"""What ends the sessions of an account."""
KINDS = {*ENDS_SESSIONS, MARKED, "account_marked", "account_differs", "account_agrees", "change_undone"}
KINDS |= {"factor_set", "factor_removed", "recovery_code_used"}
DIGITS = 32
"""Hexadecimal digits of a digest."""


class AccountMark(NamedTuple):
    """What an account is, without its secrets."""

    role: str
    """Its role."""
    password: str
    """Digest of what is stored of its password."""
    factor: str
    """Digest of its second factor and recovery codes."""

    @property
    def text(self) -> str:
        """As an event has it."""
        return " ".join(self)


NO_MARK = "-"
"""Stands for a second factor that there is not."""


def mark_of(key: bytes, *said: str | int) -> str:
    """A digest that only the owner of the key can make."""
    return hmac.digest(key, b"people\0" + json.dumps(said).encode(), sha256).hex()[:DIGITS]


class AccessBook:
    """The accounts as the stream of access says, up to where it was read."""

    def __init__(self, store: Store | None) -> None:
        self.marked = False
        """Whether accounts are held against the stream; before that nothing is known of them."""
        self.accounts: dict[str, AccountMark] = {}
        """Every account there must be."""
        self.since: dict[str, int] = {}
        """The version of the last event that ended all sessions of a name."""
        self.told: dict[str, str] = {}
        """As what an account was found that differs, and noted so."""
        self._store, self._version, self._lock = store, 0, threading.Lock()

    def read_on(self) -> None:
        """Follow what was added since the last time, by whichever process."""
        if self._store is not None:
            with self._lock:
                for event in self._store.read(ACCESS, self._version):
                    self._follow(event)
                    self._version = event.ver

    def _follow(self, event: StoredEvent) -> None:
        if event.type not in KINDS:
            return
        body = read_access(event).body
        name = body.get("name", "")
        self.marked = self.marked or event.type == MARKED
        if event.type in ENDS_SESSIONS:
            self.since[name] = event.ver
        if event.type in ("account_differs", "account_agrees"):
            self.told[name] = body.get("found", "")
        elif "mark" in body or event.type == "account_removed":
            self._set(name, body.get("mark", ""))

    def _set(self, name: str, mark: str) -> None:
        self.told.pop(name, None)
        if mark:
            self.accounts[name] = AccountMark(*mark.split())
        else:
            self.accounts.pop(name, None)


def differences(
    said: Mapping[str, AccountMark], found: Mapping[str, AccountMark], keyed: bool = True
) -> Iterator[tuple[str, str]]:
    """The accounts that are not what the stream says, each with what differs; without the key, by name and role."""
    for name in sorted({*said, *found}):
        what = list(_differs(said.get(name), found.get(name), keyed))
        if what:
            yield name, ", ".join(what)


def _differs(said: AccountMark | None, found: AccountMark | None, keyed: bool) -> Iterator[str]:
    if said is None:
        yield "nobody has opened it"
    elif found is None:
        yield "it is gone, and nobody has removed it"
    else:
        if said.role != found.role:
            yield f"its role is {found.role}, and {said.role} was noted"
        if keyed and said.password != found.password:
            yield "its password is another one"
        if keyed and said.factor != found.factor:
            yield "its second factor or a recovery code is another one, or gone"
