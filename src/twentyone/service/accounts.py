"""Accounts: opened, given another role or password, unlocked, removed; each noted with who did it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from twentyone.errors import TwentyoneError
from twentyone.ledger.access_book import NO_MARK
from twentyone.service.names import checked_name
from twentyone.service.passwords import check_password
from twentyone.service.persons import ROLES, Account, Person
from twentyone.service.records import Records
from twentyone.service.refusals import NotAllowed

if TYPE_CHECKING:
    from twentyone.service.people import People

__all__ = ["PeopleAccounts"]


class PeopleAccounts:
    """The accounts of a service."""

    def __init__(self, people: People, records: Records) -> None:
        self._people, self._records = people, records
        people.approvals.acts |= {
            "open": self.add_hashed,
            "remove": self.remove,
            "role": self.change_role,
            "password": self.set_hashed,
            "factor": people.factor_changes.remove,
        }

    def add(self, name: str, role: str, password: str, by: str) -> Person:
        """A new account."""
        return self.add_hashed(*self.prepare(name, role, password), by)

    def prepare(self, name: str, role: str, password: str) -> tuple[str, str, str]:
        """Name, role and what is stored of the password of a new account; refused where it cannot be one."""
        _check_role(role)
        name = checked_name(name)
        check_password(password, name)
        return name, role, self._people.hashing.hashed(password).result()

    def add_hashed(self, name: str, role: str, hashed: str, by: str) -> Person:
        """A new account whose password was hashed before."""
        held = self._people.held
        if not self._people.take(name) and not held.is_gone(name):
            raise NotAllowed(f"the name {name!r} is taken", 409)
        row, mark = (name, role, hashed), held.after(name, role=role, password=hashed, factor=NO_MARK)
        try:
            with held.changing("account_opened", name, mark, by=by, role=role):
                self._people.factors.remove(name)
                self._records.run("INSERT INTO people_accounts (name, role, password) VALUES (?, ?, ?)", row)
        except TwentyoneError:
            self._people.free(name)
            raise
        return Person(name, role)

    def has(self, name: str) -> bool:
        """Whether a name is that of an account."""
        return bool(self._records.rows("SELECT 1 FROM people_accounts WHERE name = ?", (name,)))

    def role_of(self, name: str) -> str:
        """The role of an account; refused if there is none."""
        rows = self._records.rows("SELECT role FROM people_accounts WHERE name = ?", (name,))
        if not rows:
            raise NotAllowed(f"there is no account {name!r}", 404)
        role: str = rows[0][0]
        return role

    def listed(self) -> list[Account]:
        """All accounts, by name."""
        query = (
            "SELECT a.name, a.role, COUNT(s.id) FROM people_accounts AS a "
            "LEFT JOIN people_sessions AS s ON s.name = a.name GROUP BY a.name, a.role ORDER BY a.name"
        )
        waiting = self._people.attempts.waiting()
        return [Account(name, role, name in waiting, count) for name, role, count in self._records.rows(query)]

    def prepare_password(self, name: str, password: str) -> str:
        """What is stored of another password of an account; refused where it cannot be one."""
        self.role_of(name)
        check_password(password, name)
        return self._people.hashing.hashed(password).result()

    def set_hashed(self, name: str, hashed: str, by: str) -> None:
        """Change the password of an account; sessions begun with the old one end."""
        self.role_of(name)
        held = self._people.held
        with held.changing("password_changed", name, held.after(name, password=hashed), by=by):
            self._records.run("UPDATE people_accounts SET password = ? WHERE name = ?", (hashed, name))
        self._people.attempts.forgive(name)
        self._people.attempts.forget_devices(name)
        self._people.sessions.end_all(name, "the password was changed")

    def check_role(self, name: str, role: str) -> str:
        """The role that an account has before it gets another; refused where it cannot get it."""
        _check_role(role)
        before = self.role_of(name)
        if before == role:
            raise NotAllowed(f"{name} is {role} already", 409)
        return before

    def change_role(self, name: str, role: str, by: str) -> None:
        """Give an account another role; its sessions end, for they were begun in the old one."""
        before = self.check_role(name, role)
        held = self._people.held
        with held.changing("role_changed", name, held.after(name, role=role), by=by, role=role, before=before):
            self._records.run("UPDATE people_accounts SET role = ? WHERE name = ?", (role, name))
        self._people.approvals.forget(name)
        self._people.sessions.end_all(name, f"the role was changed to {role}")

    def unlock(self, name: str, by: str) -> None:
        """Let everybody who waits try this account again."""
        self.role_of(name)
        self._people.note("unlocked", by=by, name=name)
        self._people.attempts.forgive(name)

    def remove(self, name: str, by: str) -> None:
        """Remove an account and its sessions; what its owner did stays in the ledger under the name."""
        role = self.role_of(name)
        with self._people.held.changing("account_removed", name, "", by=by, role=role):
            self._records.run("DELETE FROM people_accounts WHERE name = ?", (name,))
        self._people.approvals.forget(name)
        self._people.factors.remove(name)
        self._people.sessions.end_all(name, "the account was removed")
        self._people.attempts.forget_devices(name)
        self._people.free(name)


def _check_role(role: str) -> None:
    if role not in ROLES:
        raise NotAllowed(f"there is no role {role!r}; there are {', '.join(ROLES)}", 422)
