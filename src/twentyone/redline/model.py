"""Two laws held against each other: what a redline says, and how it is written as JSON."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, NamedTuple

from twentyone.rulebook import Entry, Rulebook, Rules
from twentyone.rulebook.clauses import Clause

__all__ = ["FieldChange", "Provision", "Redline", "RedlineRow", "Status", "Version"]

Status = Literal["same", "words", "changed", "only_left", "only_right"]
"""`same`; only the `words` differ, or there is nothing but words; `changed`; only in the first; only in the second."""
STATUSES: tuple[Status, ...] = ("same", "words", "changed", "only_left", "only_right")


class Version(NamedTuple):
    """One of the two laws: a rulebook, an edition of it, a folder, an amendment, under a submission."""

    name: str
    """As it was asked for."""
    rules: Rules
    """The rules in force."""
    stated: bool = False
    """Whether a submission was named: then what is in force is compared, else the whole text."""
    folder: Path | None = None
    """Where it lies, if it is not on the shelf."""

    @property
    def book(self) -> Rulebook:
        """The rulebook."""
        return self.rules.rulebook

    def body(self) -> dict[str, Any]:
        """The version as JSON."""
        book = self.book
        return {"name": self.name, "rulebook": book.id, "title": book.full_title, "source": book.source}


class FieldChange(NamedTuple):
    """A field that is not the same in both."""

    field: str
    """Which."""
    left: str
    """Its value in the first, in words."""
    right: str
    """Its value in the second."""
    words: bool = False
    """Whether it speaks to people only and decides nothing."""

    def body(self) -> dict[str, Any]:
        """The change as JSON."""
        return self._asdict()


@dataclass(frozen=True)
class Provision:
    """A clause of one law, and the clause of the other that is the same provision."""

    status: Status
    """What became of it."""
    left: Clause | None
    """In the first."""
    right: Clause | None
    """In the second."""
    changes: tuple[FieldChange, ...] = ()
    """What differs, field by field; of a clause that one law has alone, all that it says."""
    again: bool = False
    """Whether it is told at the paragraph of the first law, and repeated here where its counterpart stands."""

    @property
    def key(self) -> str:
        """The clause's key, as in `decision.double`."""
        clause = self.left or self.right
        assert clause is not None
        return clause.key

    @property
    def about(self) -> str:
        """What clauses of this type say."""
        return (type(self.left or self.right).__doc__ or "").partition("\n")[0]

    def body(self) -> dict[str, Any]:
        """The provision as JSON."""
        return {
            "clause": self.key,
            "status": self.status,
            "left": self.left.cite if self.left else None,
            "right": self.right.cite if self.right else None,
            "fields": [change.body() for change in self.changes],
        }


@dataclass(frozen=True)
class RedlineRow:
    """Paragraphs of one law beside those of the other that answer to them."""

    status: Status
    """What became of them."""
    left: tuple[Entry, ...]
    """In the first law."""
    right: tuple[Entry, ...]
    """In the second."""
    provisions: tuple[Provision, ...]
    """Their clauses."""

    def body(self) -> dict[str, Any]:
        """The row as JSON."""
        told = [provision.body() for provision in self.provisions if not provision.again]
        sides = {"left": self.left, "right": self.right}
        paragraphs = {
            side: [{"paragraph": entry.paragraph, "title": entry.title, "words": entry.words} for entry in entries]
            for side, entries in sides.items()
        }
        return {"status": self.status, **paragraphs, "clauses": told}


@dataclass(frozen=True)
class Redline:
    """Two laws, paragraph by paragraph."""

    left: Version
    """The first."""
    right: Version
    """The second."""
    rows: tuple[RedlineRow, ...]
    """Every paragraph of both, in the order of the first."""
    head: tuple[FieldChange, ...] = ()
    """What differs outside the paragraphs: the order of a round, of the opening."""
    choices: tuple[FieldChange, ...] = field(default_factory=tuple)
    """The choices and readings that differ, where submissions were named."""

    @property
    def counts(self) -> dict[Status, int]:
        """How many rows are of each status."""
        found = Counter(row.status for row in self.rows)
        return {status: found[status] for status in STATUSES}

    @property
    def differs(self) -> bool:
        """Whether anything but words differs."""
        counts = self.counts
        return bool(self.head or self.choices or sum(counts.values()) - counts["same"] - counts["words"])

    @property
    def provisions(self) -> list[Provision]:
        """Every provision that is not the same in both, once."""
        rows = (provision for row in self.rows for provision in row.provisions)
        return [provision for provision in rows if not provision.again and provision.status not in ("same", "words")]

    def body(self) -> dict[str, Any]:
        """The redline as JSON."""
        return {
            "left": self.left.body(),
            "right": self.right.body(),
            "counts": self.counts,
            "order": [change.body() for change in self.head],
            "choices": [change.body() for change in self.choices],
            "rows": [row.body() for row in self.rows],
        }
