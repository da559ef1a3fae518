"""People: guests under a name, accounts with a password, sessions that the server can end."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterator

from twentyone.ledger.access_book import AccessBook
from twentyone.ledger.store import Store
from twentyone.service.access_log import Note, unnoted
from twentyone.service.accounts import PeopleAccounts
from twentyone.service.approvals import Approvals
from twentyone.service.attempts import Attempts
from twentyone.service.code_tries import CodeTries
from twentyone.service.entering import Entering
from twentyone.service.factor_changes import FactorChanges
from twentyone.service.factors import Factors
from twentyone.service.hashing import Hashing
from twentyone.service.held_accounts import HeldAccounts, mark_accounts
from twentyone.service.marks import Marks
from twentyone.service.names import Names, checked_name, folded
from twentyone.service.persons import ROLES, Account, Person, Session
from twentyone.service.policy import AccessPolicy
from twentyone.service.purses import Purses
from twentyone.service.records import Records
from twentyone.service.refusals import NotAllowed
from twentyone.service.sealed_factors import seal_factors
from twentyone.service.sessions import Sessions

__all__ = ["ROLES", "Account", "NotAllowed", "People", "Person", "Session", "walk_in"]

OPERATOR = "the operator"
"""Who does what nobody logged in for."""
BEHIND = "the account was changed behind the program"
NUMBERED, FIRST_NUMBER, TRIED = 10_000, 1_000, 50
"""Guests' numbers are below the first; those given by chance begin with the second, and so many are tried."""


class People:
    """The service's people."""

    def __init__(
        self,
        records: Records,
        clock: Callable[[], int],
        purses: Purses,
        is_seated: Callable[[str], bool],
        note: Note = unnoted,
        store: Store | None = None,
        key: bytes = b"",
    ) -> None:
        """Accounts are held against the ledger in `store`; `key` marks what else lets somebody in."""
        self._records, self._clock, self._is_seated, self._store, self._key = records, clock, is_seated, store, key
        self._book = AccessBook(store)
        self.held, self.marks = HeldAccounts(records, key, self._book, self._note), Marks(key, self._book)
        """Accounts beside what the ledger says of them; marks on sessions, links and approvals."""
        self.note = note
        """Notes an event of access in the ledger."""
        self.purses = purses
        """What players have away from the tables."""
        self.names = Names(records, clock)
        """Since when each name is whose."""
        self.attempts, self.code_tries = Attempts(records, clock), CodeTries(records, clock)
        """Attempts at passwords, and at second factors beside the right one."""
        self.sessions = Sessions(records, clock, self.free, self.marks, note)
        """Who is logged in, and who was."""
        self.hashing = Hashing()
        """Hashes passwords beside everything else."""
        self.factors = Factors(records, clock, key)
        """Second factors."""
        self.factor_changes = FactorChanges(self)
        """Sets them up and removes them."""
        self.approvals = Approvals(self, records, clock)
        """What waits for a second person."""
        self.accounts = PeopleAccounts(self, records)
        """Accounts."""
        self.entering = Entering(self, records, clock)
        """How whoever has an account comes in."""
        self.policy = AccessPolicy()
        """What the operator decided."""

    def _note(self, kind: str, **fields: str | int) -> None:
        self.note(kind, **fields)

    # -- what the ledger says of them

    def hold(self) -> None:
        """Hold accounts against the ledger from now on; those that an earlier version left are taken over, once."""
        self._book.read_on()
        seal_factors(self._records, self._key)
        if self._store is not None and not self._book.marked:
            self.marks.take_over(self._records)
            mark_accounts(self._store, self._records, self._key, self._clock())
        self.look()

    def look(self) -> None:
        """Compare all accounts with the ledger; the sessions of one that was changed behind us end."""
        for name in self.held.look():
            self.sessions.end_all(name, BEHIND)

    def version_of(self, name: str) -> int:
        """The version of the ledger at which an account was changed last, as far as it was read."""
        return self._book.since.get(name, 0)

    # -- sessions

    def begin(self, person: Person, address: str = "", stored: str | None = None) -> Session:
        """Begin a session with new secrets, from an address; `stored`: of the password that was examined."""
        return Session(*self.sessions.begin(person.name, person.role, address, stored), person)

    def whose(self, session: str | None, watches: bool = False) -> tuple[Person, str] | None:
        """The person and the token of a session; none if it is over. Whoever only `watches` does not keep it alive."""
        known = self.sessions.whose(session, watches) if session else None
        return (Person(*known[:2]), known[2]) if known is not None else None

    def end(self, session: str) -> None:
        """End a session, even if a browser still has its cookie; a guest's name becomes free."""
        self.sessions.end(session)

    def free(self, name: str) -> None:
        """Free a name, unless an account or another session has it."""
        used = "SELECT 1 FROM people_accounts WHERE name = ? UNION ALL SELECT 1 FROM people_sessions WHERE name = ?"
        if not self._records.rows(used, (name, name)):
            self._records.run("DELETE FROM people_names WHERE name = ?", (folded(name),))

    # -- guests and accounts

    def guest(self, name: str, address: str = "", most: int = 0) -> Session:
        """A new guest; his name gets a number. `most`: new ones from an address."""
        name = checked_name(name)
        if most and (wait := self.attempts.guest(address, most)):
            raise NotAllowed(f"too many new guests from here: try again in {wait} s", 429, wait)
        self.sessions.forget()
        for other in self._numbered(name):
            if self.take(other):
                return self.begin(Person(other, "player"), address)
        raise NotAllowed(f"there are too many guests called {name!r}: take another name", 409)

    def _numbered(self, name: str) -> Iterator[str]:
        """Names for a guest: with a number by chance, whether or not anybody has the name; or with the next one."""
        if self.policy.numbered_guests:
            yield from (f"{name} {FIRST_NUMBER + secrets.randbelow(NUMBERED - FIRST_NUMBER)}" for _ in range(TRIED))
        else:
            yield from (name, *(f"{name} {number}" for number in range(2, NUMBERED)))

    def take(self, name: str) -> bool:
        """Take a name, across all processes, with an empty purse; false if it is taken, or is at a table."""
        if self._is_seated(name):
            return False
        taken = self._records.run("INSERT INTO people_names VALUES (?) ON CONFLICT DO NOTHING", (folded(name),)) > 0
        if taken:
            self.purses.empty(name)
            self.names.given(name)
        return taken

    def add(self, name: str, role: str, password: str) -> Person:
        """The operator opens an account."""
        return self.accounts.add(name, role, password, OPERATOR)

    def has_account(self, person: Person) -> bool:
        """Whether somebody has an account; a guest and a session of the printed link have none."""
        return bool(self._records.rows("SELECT 1 FROM people_accounts WHERE name = ?", (person.name,)))

    def needs_factor(self, person: Person) -> bool:
        """Whether somebody must set up a second factor before he does anything else."""
        return person.role in self.policy.factor_roles and not self.factors.has(person.name)


def walk_in(people: People, name: str, here: bool) -> str:
    """The name of a guest without a device; refused if an account, a browser or, unless `here`, a table has it."""
    name = checked_name(name)
    query = "SELECT name FROM people_accounts UNION SELECT name FROM people_sessions"
    others = [folded(other) for (other,) in people._records.rows(query)]
    if folded(name) in others or (not here and people._is_seated(name)):
        raise NotAllowed(f"the name {name!r} is taken: add a number to it", 409)
    people.take(name)
    return name
