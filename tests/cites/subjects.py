"""What each paragraph speaks of, and what events and refusals are about: read from the tables beside this module.

A citation is right where the paragraph speaks of a subject of what cites it; where there is none, nothing is cited.
"""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from twentyone.rulebook import Rulebook, rulebook_ids

__all__ = ["KINDS", "Law", "Wrong", "law_of", "sentence_kind", "unknown_paragraphs"]

SILENT = "-"
"""Among the subjects of a refusal: it may go without a paragraph, though the text has one."""
HERE = Path(__file__).parent
TABLE: dict[str, Any] = tomllib.loads((HERE / "subjects.toml").read_text(encoding="utf-8"))
KINDS: dict[str, dict[str, Any]] = tomllib.loads((HERE / "kinds.toml").read_text(encoding="utf-8"))
REFUSALS = [
    (re.compile(row["says"]), row["about"]) for row in tomllib.loads((HERE / "refusals.toml").read_text())["refusals"]
]


@dataclass(frozen=True)
class Wrong:
    """A citation of a paragraph that does not speak of what cites it."""

    what: str
    """The kind of event, or the words of the refusal."""
    cite: str
    """What was cited."""
    about: tuple[str, ...]
    """What should be cited: a paragraph on one of these subjects."""


class Law:
    """One rulebook's column of the table."""

    def __init__(self, book: str) -> None:
        column, (_, before) = next((key, row) for key, row in TABLE["books"].items() if row[0] == book)
        self.prefix = Rulebook.load(book).prefix
        self.patterns = {
            subject: [before + pattern for pattern in row.get(column, "").split()]
            for subject, row in TABLE["subjects"].items()
        }

    def paragraphs(self, subject: str) -> list[str]:
        """The paragraphs on a subject, as the table writes them."""
        return self.patterns[subject]

    @cache  # noqa: B019 (one for each of six books)
    def speaks(self, cite: str, subject: str) -> bool:
        """Whether the paragraph cited speaks of a subject."""
        name = cite.removeprefix(self.prefix)
        return any(_fits(name, pattern) for pattern in self.patterns[subject])

    def judge(self, what: str, cite: str, about: str) -> Wrong | None:
        """Whether a citation is wrong: no paragraph where none is called for, and one where the text has one."""
        named = about.split()
        subjects = tuple(subject for subject in named if subject != SILENT)
        if cite:
            right = any(self.speaks(cite, subject) for subject in subjects)
        else:
            right = SILENT in named or not any(self.patterns[subject] for subject in subjects)
        return None if right else Wrong(what, cite, subjects)

    def event(self, kind: str, cite: str) -> Wrong | None:
        """Whether an event of this kind cites a paragraph that does not speak of it."""
        return (
            self.judge(kind, cite, KINDS["events"].get(kind, "")) if kind in KINDS["events"] else Wrong(kind, cite, ())
        )

    def step(self, do: str, cite: str) -> Wrong | None:
        """Whether a step that is asked for cites a paragraph that does not order it."""
        return self.judge(do, cite, f"{KINDS['steps'].get(do, KINDS['commands'][do])} {SILENT}")

    def sentence(self, text: str, cite: str) -> Wrong | None:
        """Whether a sentence of a page cites a paragraph that does not say it."""
        said = sentence_kind(text)
        return self.judge(text, cite, KINDS["sentences"][said]) if said else None

    def refusal(self, why: str, cite: str) -> Wrong | None:
        """Whether a refusal cites a paragraph that does not say it."""
        for pattern, about in REFUSALS:
            found = pattern.search(why)
            if found is not None:
                return self.judge(why, cite, _filled(about, found))
        return Wrong(f"nobody has said what this is about: {why}", cite, ())


def _fits(name: str, pattern: str) -> bool:
    return name.startswith(pattern[:-1]) if pattern.endswith("*") else name == pattern


def _filled(about: str, found: re.Match[str]) -> str:
    """The subjects of a refusal, with those of the commands and decisions that it names."""
    words = []
    for word in about.split():
        table, _, group = word.partition(":")
        if not group:
            words.append(word)
            continue
        name = found[group].strip("'").replace(" ", "_")
        words += str(KINDS[table].get(name, "")).split() or [SILENT] * (table == "decisions")
    return " ".join(words)


def sentence_kind(text: str) -> str:
    """Which sentence of the table this is; empty where it has none like it."""
    return next((pattern for pattern in KINDS["sentences"] if re.search(pattern, text)), "")


@cache
def law_of(book: str) -> Law:
    """The column of a book."""
    return Law(book)


def unknown_paragraphs() -> list[str]:
    """Paragraphs of the table that no rulebook has."""
    lost = []
    for book in rulebook_ids():
        entries = Rulebook.load(book).entries
        for subject, patterns in law_of(book).patterns.items():
            for pattern in patterns:
                there = (
                    any(name.startswith(pattern[:-1]) for name in entries)
                    if pattern.endswith("*")
                    else pattern in entries
                )
                lost += [] if there else [f"{book}: {subject}: {pattern}"]
    return lost
