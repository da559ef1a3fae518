"""A rulebook: a value read from its literate files, cited, complete, without contradictions."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import combinations
from pathlib import Path
from typing import Any

from twentyone.errors import RulebookError
from twentyone.rulebook import clauses as c
from twentyone.rulebook.reader import Entry, read_book
from twentyone.rulebook.rows import yields
from twentyone.rulebook.rules import Rules
from twentyone.rulebook.submission import choose

__all__ = ["Rulebook", "rulebook_ids"]

KEPT = 64
"""How many rules of different submissions a rulebook keeps at hand."""

FOLDER = Path(__file__).parent.parent / "rulebooks"


def rulebook_ids() -> tuple[str, ...]:
    """The ids of all rulebooks."""
    return tuple(sorted(folder.parent.name for folder in FOLDER.glob("*/rulebook.toml")))


@dataclass(frozen=True, eq=False)
class Rulebook:
    """One regulation, made to run.

    >>> book = Rulebook.load("pa-spanish-21")
    >>> book
    <Rulebook pa-spanish-21: Spanish 21 (58 Pa. Code Ch. 635a), 155 paragraphs>
    >>> book.entry("635a.12(d)").clauses[0].odds
    Odds(win=2, lay=1)
    """

    id: str
    """Its name in files and commands."""
    title: str
    """The game."""
    source: str
    """The regulation."""
    prefix: str
    """What stands before a paragraph's id in a citation."""
    regulation: bool
    """Whether it is one of the five regulations (else it is our own book)."""
    choices: str
    """The paragraph that speaks of the submission, cited where it names what the text does not leave open."""
    order: tuple[str, ...]
    """The steps of a round, in order."""
    opening: tuple[str, ...]
    """The tasks from the receipt of the cards to the stack, in order."""
    showcase: Mapping[str, Any]
    """A submission that shows what the game has; for a first table."""
    paragraphs: tuple[str, ...]
    """The paragraphs that the text has."""
    entries: Mapping[str, Entry]
    """Paragraph id to entry, in the order of the text."""

    @classmethod
    def load(cls, name: str) -> Rulebook:
        """The rulebook with this id; read once."""
        return _load(name)

    def __repr__(self) -> str:
        return f"<Rulebook {self.id}: {self.title} ({self.source}), {len(self.entries)} paragraphs>"

    def under(self, submission: Mapping[str, Any] | None = None) -> Rules:
        """The rules in force under a submission; the same submission gives the same rules again."""
        key = json.dumps(submission or {}, sort_keys=True, default=repr)
        rules = self._known.get(key)
        if rules is None:
            keys = [clause for clause in self.clauses if isinstance(clause, c.SubmissionKey)]
            rules = Rules(self, choose(keys, self.readings, submission or {}, self.submission_cite))
            if len(self._known) >= KEPT:
                self._known.clear()
            self._known[key] = rules
        return rules

    @cached_property
    def _known(self) -> dict[str, Rules]:
        """Rules made lately, by submission."""
        return {}

    def entry(self, paragraph: str) -> Entry:
        """The entry of a paragraph; the citation's prefix may stand before it."""
        found = self.entries.get(paragraph.removeprefix(self.prefix).removeprefix("§").strip())
        if found is None:
            raise KeyError(paragraph)
        return found

    def cite(self, paragraph: str) -> str:
        """The full citation of a paragraph."""
        return self.prefix + paragraph

    @cached_property
    def clauses(self) -> tuple[c.Clause, ...]:
        """Every clause of the book."""
        return tuple(clause for entry in self.entries.values() for clause in entry.clauses)

    @cached_property
    def readings(self) -> tuple[c.Reading, ...]:
        """The paragraphs that can be read two ways."""
        return tuple(clause for clause in self.clauses if isinstance(clause, c.Reading))

    @cached_property
    def tasks(self) -> dict[str, c.Task]:
        """The table's tasks by command, in force or not; where several paragraphs give one, the first."""
        return {clause.name: clause for clause in reversed(self.clauses) if isinstance(clause, c.Task)}

    @cached_property
    def decide_cite(self) -> str:
        """The paragraph that orders the players' turns."""
        return self._step_cite("decide")

    @cached_property
    def options_cite(self) -> str:
        """The paragraph that says what a player may decide."""
        return next(clause.cite for clause in self.clauses if isinstance(clause, c.Decision) and clause.name == "stand")

    @property
    def submission_cite(self) -> str:
        """The paragraph cited when a submission names a key that the text does not leave open."""
        return self.cite(self.choices)

    @cached_property
    def irregularities_cite(self) -> str:
        """The section on irregularities."""
        first = next((clause for clause in self.clauses if isinstance(clause, c.Irregularity)), None)
        return self.cite(_section(first.paragraph, self.entries)) if first is not None else self.decide_cite

    def steps_named(self, name: str) -> tuple[c.Step, ...]:
        """The fences of a step, in force or not."""
        return tuple(clause for clause in self.clauses if isinstance(clause, c.Step) and clause.name == name)

    def _step_cite(self, name: str) -> str:
        return self.steps_named(name)[0].cite


def _section(paragraph: str, entries: Mapping[str, Entry]) -> str:
    """The section that a paragraph stands in: the shortest id over it."""
    over = [name for name in entries if name == paragraph or paragraph.startswith((f"{name}(", f"{name}."))]
    return min(over, key=len)


@cache
def _load(name: str) -> Rulebook:
    folder = FOLDER / name
    if name not in rulebook_ids():
        known = ", ".join(rulebook_ids())
        raise RulebookError(name, f"there is no such rulebook; there are {known}")
    head = tomllib.loads((folder / "rulebook.toml").read_text(encoding="utf-8"))
    return build(name, head, read_book(folder, head["prefix"]))


def build(name: str, head: Mapping[str, Any], entries: tuple[Entry, ...]) -> Rulebook:
    """A rulebook from its head and entries, checked."""
    _check_paragraphs(head["paragraphs"], entries)
    book = Rulebook(
        id=name,
        title=head["title"],
        source=head["source"],
        prefix=head["prefix"],
        regulation=head.get("regulation", True),
        choices=head["choices"],
        order=tuple(head["order"]),
        opening=tuple(head.get("opening", ())),
        showcase=head.get("showcase", {}),
        paragraphs=tuple(head["paragraphs"]),
        entries={entry.paragraph: entry for entry in entries},
    )
    _check_steps(book)
    _check_references(book)
    _check_overlaps(book)
    return book


def _check_paragraphs(wanted: list[str], entries: tuple[Entry, ...]) -> None:
    found = [entry.paragraph for entry in entries]
    for paragraph in wanted:
        if paragraph not in found:
            raise RulebookError(paragraph, "the paragraph has no entry")
    for entry in entries:
        if entry.paragraph not in wanted:
            raise RulebookError(entry.paragraph, f"the text has no such paragraph ({entry.place})")
        _ = entry.kind
    if found != list(wanted):
        raise RulebookError(found[0], "entries are doubled or not in the order of the text")


def _check_steps(book: Rulebook) -> None:
    fences = {clause.name: clause for clause in book.clauses if isinstance(clause, c.Step)}
    for name in book.order:
        if name not in fences:
            raise RulebookError(book.id, f"step {name} of the order has no fence")
    for name, clause in fences.items():
        if name not in book.order:
            raise RulebookError(clause.paragraph, f"step {name} is not in the order")


def _check_references(book: Rulebook) -> None:
    names = {getattr(clause, "name", None) for clause in book.clauses if isinstance(clause, c.Pay | c.Outcome)}
    known = names | set(book.entries)
    keys = {clause.key for clause in book.clauses}
    for entry in book.entries.values():
        for key in entry.carried_by:
            if key not in keys:
                raise RulebookError(entry.paragraph, f"no clause {key} carries it")
    readings = {reading.name: reading.values for reading in book.readings}
    for clause in book.clauses:
        for reference in (*getattr(clause, "except_to", ()), *(getattr(clause, "rows", ()))):
            if reference not in known:
                raise RulebookError(clause.paragraph, f"{reference!r} is no row and no paragraph")
        for name, value in clause.reading.items():
            if value not in readings.get(name, ()):
                raise RulebookError(clause.paragraph, f"there is no reading {name} = {value}")


def _check_overlaps(book: Rulebook) -> None:
    """Two pay rows that may both match a hand must say which excepts which."""
    rows = [clause for clause in book.clauses if isinstance(clause, c.Pay)]
    for one, other in combinations(rows, 2):
        if _both_match(one, other) and not (yields(one, other) or yields(other, one)):
            why = f"overlaps with the row under {other.paragraph} and neither excepts the other"
            raise RulebookError(one.paragraph, why)


def _both_match(one: c.Pay, other: c.Pay) -> bool:
    return (
        bool(set(one.wagers) & set(other.wagers))
        and not _exclusive(one.reading, other.reading)
        and not _exclusive(one.when, other.when)
        and one.hand.overlaps(other.hand)
        and one.dealer.overlaps(other.dealer)
    )


def _exclusive(one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    return any(_apart(one[key], other[key]) for key in one if key in other)


def _apart(one: Any, other: Any) -> bool:
    ones = one if isinstance(one, list) else [one]
    others = other if isinstance(other, list) else [other]
    return not any(value in others for value in ones)
