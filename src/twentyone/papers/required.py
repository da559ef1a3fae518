"""What is required and which command shows it; then every paragraph of the text."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path

from twentyone.papers.model import Block, Grid, Heading, PaperPart, Words
from twentyone.papers.words import capital
from twentyone.rulebook import Entry, Rulebook, Rules
from twentyone.rulebook.clauses import Clause, LayoutItem, Reading, SubmissionKey, Task
from twentyone.rulebook.clauses import Irregularity as Mishap
from twentyone.rulebook.reader import SEEN
from twentyone.rulebook.rows import in_force

__all__ = ["commands_of", "paragraphs_part", "required_part"]

FILE = "submission.toml"
COMMANDS = Path(__file__).with_name("commands.toml")
"""The commands, and what each shows."""


def required_part(rules: Rules) -> PaperPart:
    """The requirements by kind, with the command that shows each."""
    return PaperPart("required", "What is required, and what shows it", tuple(_required(rules)))


def commands_of(book: Rulebook) -> list[tuple[str, str, str]]:
    """The commands that show something, as they are typed beside the file of the submission."""
    first = next(entry.paragraph for entry in book.entries.values() if entry.clauses)
    listed = tomllib.loads(COMMANDS.read_text(encoding="utf-8"))
    return [
        (name, row["says"], f"twentyone {row['typed'].format(id=book.id, file=FILE, paragraph=first)}")
        for name, row in listed.items()
    ]


def _required(rules: Rules) -> Iterator[Block]:
    yield Words(f"The commands are typed in the folder of these papers, where `{FILE}` lies.")
    rows = tuple((f"`{name}`", says, f"`{typed}`") for name, says, typed in commands_of(rules.rulebook))
    yield Grid(("Name", "What it shows", "Command"), rows, (3, 8, 9))
    yield Heading("Approvals and inspections that the text demands")
    approvals = tuple(
        (capital(item.text), "`layout`", item.paragraph) for item in rules.all(LayoutItem) if item.item == "approval"
    )
    checks = tuple(
        (f"{capital(task.says)} ({' or '.join(task.role)})", "`report`, `verify`", task.paragraph)
        for task in rules.tasks.values()
        if task.name in ("inspect_device", "inspect_cards", "verify_inspection", "change_cards")
    )
    yield Grid(("What", "Shown by", "Paragraph"), (*approvals, *checks), (12, 5, 0))


# -- every paragraph


def paragraphs_part(rules: Rules) -> PaperPart:
    """Every paragraph of the text, section by section: what it demands, what is seen of it, what shows it."""
    return PaperPart("paragraphs", "Paragraph by paragraph", tuple(_paragraphs(rules)))


def _paragraphs(rules: Rules) -> Iterator[Block]:
    yield Words(
        f"All {len(rules.rulebook.entries)} paragraphs of the text, in our own words, with what an inspector at the"
        " table sees of each and the command that shows it. Headings are left out; a paragraph that this submission"
        " leaves without effect is marked."
    )
    told = [entry for entry in rules.rulebook.entries.values() if entry.kind != "heading"]
    for title, entries in groupby(told, key=lambda entry: _section(rules.rulebook, entry)):
        rows = tuple(_row(rules, entry) for entry in entries)
        yield Heading(title)
        yield Grid(("Paragraph", "Demands", "Seen at the table", "Shown by"), rows, (0, 9, 9, 3))


def _section(book: Rulebook, entry: Entry) -> str:
    """The number and title of the section that a paragraph stands in."""
    over = [name for name, head in book.entries.items() if head.title and _under(entry.paragraph, name)]
    name = min(over, key=len) if over else ""
    return f"{book.entries[name].title} ({name})" if name else book.title


def _under(paragraph: str, section: str) -> bool:
    return paragraph == section or paragraph.startswith((f"{section}(", f"{section}."))


def _row(rules: Rules, entry: Entry) -> tuple[str, ...]:
    seen = next((note.text for note in entry.notes if note.kind == SEEN), "")
    off = bool(entry.clauses) and not any(in_force(clause, rules.submission) for clause in entry.clauses)
    words = f"{entry.words} (Without effect under this submission.)" if off else entry.words
    return entry.paragraph, words, capital(seen), ", ".join(f"`{name}`" for name in _shown_by(entry))


def _shown_by(entry: Entry) -> list[str]:
    """Which commands show a paragraph: those that fit its clauses, else the law itself."""
    kinds: dict[str, type[Clause] | tuple[type[Clause], ...]] = {
        "layout": LayoutItem,
        "check": (SubmissionKey, Reading),
        "law test": (Task, Mishap),
    }
    fitting = [name for name, kind in kinds.items() if any(isinstance(clause, kind) for clause in entry.clauses)]
    if entry.kind == "clause" and "law test" not in fitting:
        fitting.append("law test")
    return fitting or ["law"]
