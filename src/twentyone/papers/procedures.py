"""The procedures in order, for dealer and floor: from the tasks, the steps and the irregularities of the rulebook."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from twentyone.papers.model import Block, Grid, Heading, PaperPart, Words
from twentyone.papers.words import capital, plain
from twentyone.rulebook import Entry, Rulebook, Rules
from twentyone.rulebook.clauses import CardChange, Device, Task
from twentyone.rulebook.rows import in_force
from twentyone.table.agenda import opening
from twentyone.table.play import PART_OF, task_of
from twentyone.table.table import Table

__all__ = ["procedures_part"]

HEAD = ("", "Who", "Does", "In our words", "Paragraph")
WIDTHS = (0, 3, 5, 10, 0)
STAFF = ("dealer", "floorperson", "operator")
"""Whose duties are listed, in this order."""
GONE = {
    "stops": "no dealing until it is repaired",
    "without": "play goes on by the procedure without it",
    "covered": "covered before another method is used",
    "removed": "removed before another method is used",
}
"""What becomes of a table whose device is out of order."""


def procedures_part(rules: Rules) -> PaperPart:
    """What dealer and floor do, in order."""
    blocks = (*_opening(rules), *_round(rules), *_duties(rules), *_devices(rules), *_mishaps(rules))
    return PaperPart("procedures", "Procedures for dealer and floor", blocks)


# -- before the first round


def _opening(rules: Rules) -> Iterator[Block]:
    yield Words(
        "What is done, in order, by whom, and by which paragraph. The software asks for the steps in this order and"
        " refuses one that is not due; who did it and when is recorded."
    )
    yield Heading("From the receipt of the cards to the first deal")
    yield Grid(HEAD, tuple(_numbered(rules.rulebook, _opening_tasks(rules))), WIDTHS)


def _opening_tasks(rules: Rules) -> list[Task]:
    """The tasks of the agenda of a new table, each with those that belong to it; a second batch repeats them."""
    agenda = dict.fromkeys(todo.do for todo in opening(rules, Table.new(rules).state, 0))
    tasks: list[Task] = []
    for name in agenda:
        before = [part for part, whole in PART_OF.items() if whole == name]
        tasks += [task for each in (*before, name) if (task := task_of(rules, each)) is not None]
    return tasks


def _numbered(book: Rulebook, tasks: Iterable[Task]) -> Iterator[tuple[str, ...]]:
    """Rows of tasks; the words of a paragraph stand at the first of its tasks only."""
    told = ""
    for number, task in enumerate(tasks, 1):
        words = book.entry(task.paragraph).words if task.paragraph != told else ""
        told = task.paragraph
        yield f"{number}.", capital(" or ".join(task.role)), capital(task.says or plain(task.name)), words, told


# -- a round


def _round(rules: Rules) -> Iterator[Block]:
    yield Heading("A round of play")
    rows: list[tuple[str, ...]] = []
    for number, step in enumerate(rules.steps, 1):
        entries = [rules.rulebook.entry(step.paragraph), *_below(rules, step.paragraph)]
        first = (f"{number}.", capital(plain(step.name)), entries[0].words, step.paragraph)
        rows += [first, *(("", "", entry.words, entry.paragraph) for entry in entries[1:])]
    yield Grid(("", "Step", "In our words", "Paragraph"), tuple(rows), (0, 4, 14, 0))


def _below(rules: Rules, paragraph: str) -> list[Entry]:
    """The paragraphs under a step that are no step themselves and apply under this submission."""
    steps = {step.paragraph for step in rules.steps}
    return [
        entry
        for name, entry in rules.rulebook.entries.items()
        if name.startswith((f"{paragraph}(", f"{paragraph}.")) and name not in steps and _applies(rules, entry)
    ]


def _applies(rules: Rules, entry: Entry) -> bool:
    return not entry.clauses or any(in_force(clause, rules.submission) for clause in entry.clauses)


# -- duties


def _duties(rules: Rules) -> Iterator[Block]:
    """All tasks of each role, in the order of the text; the dealer's without those of the opening, told above."""
    told = {task.name for task in _opening_tasks(rules)}
    for role in STAFF:
        mine = [task for task in rules.tasks.values() if role in task.role]
        mine = [task for task in mine if role != "dealer" or task.name not in told]
        if mine:
            also = ", as the occasion arises" if role == "dealer" else ""
            yield Heading(f"Duties of the {role}{also}")
            yield Grid(HEAD, tuple(_numbered(rules.rulebook, mine)), WIDTHS)


def _devices(rules: Rules) -> Iterator[Block]:
    rows = [
        (
            capital(plain(device.name)),
            "by the floorperson, at the beginning of each gaming day" if device.inspected else "not ordered",
            capital(GONE.get(device.out_of_order, "the text says nothing")),
            device.paragraph,
        )
        for device in rules.all(Device)
    ]
    rows += [
        ("Cards", f"changed after {change.hours} hours at the latest", "", change.paragraph)
        for change in rules.all(CardChange)
    ]
    if rows:
        yield Heading("Devices and cards")
        yield Grid(("Device", "Inspected", "Out of order", "Paragraph"), tuple(rows), (4, 7, 7, 0))


# -- what goes wrong


def _mishaps(rules: Rules) -> Iterator[Block]:
    """The paragraphs on irregularities, each with the names under which it is reported and what follows."""
    found: dict[str, list[str]] = {}
    for name, clause in rules.irregularities.items():
        chooser = f" ({clause.choice} chooses)" if clause.choice else ""
        follows = ", ".join(map(plain, clause.effects))
        found.setdefault(clause.paragraph, []).append(f"{capital(plain(name))}: {follows}{chooser}.")
    if not found:
        return
    yield Heading("Irregularities")
    yield Words("What is reported, what follows in the order in which it is done, and the paragraph in our words.")
    rows = tuple((" ".join(lines), rules.rulebook.entry(name).words, name) for name, lines in found.items())
    yield Grid(("Reported, and what follows", "In our words", "Paragraph"), rows, (8, 11, 0))
