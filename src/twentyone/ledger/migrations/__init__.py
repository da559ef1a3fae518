"""Numbered SQL files, one folder per dialect; the ledger records the SHA-256 of each one that was applied.

A file that was applied is never edited: a ledger made with another text of it is refused.
"""

from __future__ import annotations

import hashlib
from functools import cache
from importlib.resources import files
from typing import NamedTuple

from twentyone.ledger.rows import LedgerRefused

__all__ = ["Migration", "OlderSchema", "check_applied", "migrations_of", "refuse_older", "upgrade_words"]


class OlderSchema(LedgerRefused):
    """A ledger whose schema is that of an earlier version."""


class Migration(NamedTuple):
    """One step of a schema."""

    number: int
    """1, 2, 3 and so on."""
    name: str
    """The file's name."""
    sql: str
    """Its text."""

    @property
    def sha256(self) -> str:
        """The digest that a ledger records."""
        return hashlib.sha256(self.sql.encode()).hexdigest()


@cache
def migrations_of(dialect: str) -> list[Migration]:
    """The steps of a dialect, in order."""
    folder = files(__name__) / dialect
    names = sorted(entry.name for entry in folder.iterdir() if entry.name.endswith(".sql"))
    return [Migration(int(name[:4]), name, (folder / name).read_text(encoding="utf-8")) for name in names]


def check_applied(where: str, applied: list[tuple[int, str]], known: list[Migration]) -> list[Migration]:
    """The steps that a ledger still needs; refused where it has steps that this software does not know."""
    if len(applied) > len(known):
        raise LedgerRefused(
            f"{where} has schema {len(applied)}, this software knows schemas up to {len(known)}: "
            "open it with the newer version of the software that made it"
        )
    for (number, sha256), step in zip(applied, known, strict=False):
        if (number, sha256) != (step.number, step.sha256):
            raise LedgerRefused(
                f"{where} was made by another text of {step.name}: "
                "open it with the version of the software that made it, or restore a backup"
            )
    return known[len(applied) :]


def refuse_older(where: str, steps: list[Migration]) -> None:
    """Refuse to change a ledger of an older schema by the way."""
    if steps:
        raise OlderSchema(
            f"{where} has schema {steps[0].number - 1}, this software writes schema {steps[-1].number}: "
            "`twentyone serve` or `twentyone shift` brings it up to date, for good; nothing was written"
        )


def upgrade_words(steps: list[Migration]) -> str:
    """What became of the schema of a ledger, in a sentence; empty where nothing did."""
    if not steps:
        return ""
    return (
        f"its schema was {steps[0].number - 1} and is now {steps[-1].number}: earlier versions of the software do not "
        "open this ledger any more"
    )
