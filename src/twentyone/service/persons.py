"""Somebody at the service, his session, his account."""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["ROLES", "Account", "Person", "Session"]

ROLES = ("player", "dealer", "floorperson", "auditor", "administrator")
"""Who may use the service; the administrator acts as operator, the auditor only reads."""


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
