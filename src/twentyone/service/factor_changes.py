"""Second factors of accounts set up and removed: each change is noted, with the mark of the account after it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from twentyone.ledger.access_book import NO_MARK
from twentyone.service.refusals import NotAllowed

if TYPE_CHECKING:
    from twentyone.service.people import People

__all__ = ["FactorChanges"]


class FactorChanges:
    """Changes the second factors of a service."""

    def __init__(self, people: People) -> None:
        self._people = people

    def may_remove(self, name: str) -> bool:
        """Whether an account has a second factor, or is to be set right because one was taken behind the program."""
        return self._people.factors.has(name) or name in self._people.held.closed

    def remove(self, name: str, by: str) -> None:
        """Remove the second factor of an account: of one's own, or for somebody who lost his telephone."""
        if not self.may_remove(name):
            raise NotAllowed(f"{name!r} has no second factor", 404)
        held = self._people.held
        with held.changing("factor_removed", name, held.after(name, factor=NO_MARK), by=by):
            self._people.factors.remove(name)

    def confirm(self, name: str, code: str) -> list[str]:
        """Somebody entered the first code of his second factor; his recovery codes."""
        codes = self._people.factors.confirmed(name, code)
        with self._people.held.changing("factor_set", name, self.mark(name, codes)):
            self._people.factors.keep(name, codes)
        return codes

    def mark(self, name: str, codes: list[str] | None = None) -> str:
        """The mark of an account with the recovery codes that are left, or with new ones."""
        factors, held = self._people.factors, self._people.held
        stored = factors.codes(name, codes)
        return held.after(name, factor=held.factor(name, factors.secret(name), stored))
