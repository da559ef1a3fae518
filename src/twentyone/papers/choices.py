"""The operator's choices, each with what the text allows and its paragraph; and the readings taken."""

from __future__ import annotations

import re
from collections.abc import Iterator

from twentyone.ledger.report import share
from twentyone.money import dollars
from twentyone.papers.model import Block, Code, Grid, Heading, PaperPart, Words
from twentyone.papers.words import capital, paragraph, value_words
from twentyone.rulebook import Choice, Rules
from twentyone.rulebook.clauses import Reading, SubmissionKey
from twentyone.rulebook.declared import (
    REQUIRED,
    STATED,
    allowed_words,
    no_effect,
    required_by_default,
    stated,
    to_toml,
)
from twentyone.rulebook.wheels import meters_of

__all__ = ["choices_part", "readings_part"]

HEAD = ("Choice", "In force", "The text allows", "Paragraph")
WIDTHS = (9, 4, 6, 0)
READING_HEAD = ("Reading", "Taken", "Could be", "What it decides", "Paragraph")


def choices_part(rules: Rules) -> PaperPart:
    """Every key of the submission with the value in force."""
    return PaperPart("choices", "The operator's choices", tuple(_choices(rules)))


def _choices(rules: Rules) -> Iterator[Block]:
    yield Words(
        "Every choice that the text leaves to the operator, as it is in force at the table. A choice that the"
        " submission does not name is the default, and is marked so."
    )
    for wanted, says in STATED.items():
        rows = [choice for choice in rules.submission.choices if stated(rules, choice) == wanted]
        if rows:
            yield Heading(capital(says))
            yield Grid(HEAD, tuple(_row(rules, choice) for choice in rows), WIDTHS)
        if wanted == REQUIRED:
            yield from _meters(rules)
    missing = [f"`{name}`" for name in required_by_default(rules)]
    if missing:
        yield Words(f"Required by the text and taken by default here: {', '.join(missing)}.")
    for key, says, cite in no_effect(rules):
        yield Words(f"`{key}` has no effect: {says} ({paragraph(rules.rulebook, cite)}).")
    yield Heading("The submission as a file")
    yield Words("This is `submission.toml`, which the commands of these papers read.")
    yield Code(to_toml(rules))


def _row(rules: Rules, choice: Choice) -> tuple[str, ...]:
    key = _key(rules, choice.key)
    says = f"{capital(choice.says)} `{choice.key}`".strip()
    mark = "" if choice.given else " (default)"
    value = f"{value_words(choice.value, key.type)}{mark}"
    return says, value, allowed_words(key), paragraph(rules.rulebook, choice.cite)


def _key(rules: Rules, name: str) -> SubmissionKey:
    """The fence of a key; of one that a reading switches, the one in force."""
    return next(clause for clause in rules.clauses if isinstance(clause, SubmissionKey) and clause.name == name)


def _meters(rules: Rules) -> Iterator[Block]:
    rows = [
        (f"`{name}`", f"{share(terms.rate * 100)} %", dollars(terms.base),
         dollars(terms.limit) if terms.limit is not None else "none", paragraph(rules.rulebook, terms.cite))
        for name, terms in meters_of(rules).items()
    ]  # fmt: skip
    if rows:
        yield Heading("Progressive meters")
        head = ("Meter", "Share of each wager", "Starts from", "Shows at most", "Paragraph")
        yield Grid(head, tuple(rows), (4, 3, 3, 3, 0), numbers=(1, 2, 3))


# -- readings


def readings_part(rules: Rules) -> PaperPart:
    """The paragraphs that can be read two ways, and the reading taken."""
    taken = rules.submission.readings
    rows = tuple(
        (
            f"`{reading.name}`",
            taken[reading.name],
            ", ".join(value for value in reading.values if value != taken[reading.name]),
            _decides(rules, reading),
            reading.paragraph,
        )
        for reading in rules.rulebook.readings
    )
    said = Words(
        "Where the text contradicts itself, leaves a case open, or gives a result that nobody can have meant, one"
        " reading is taken and named. These are all of them; the first of each is the default."
    )
    return PaperPart("readings", "Readings taken", (said, Grid(READING_HEAD, rows, (5, 4, 4, 11, 0))))


def _decides(rules: Rules, reading: Reading) -> str:
    """What the notes of the entries say of a reading, without its name at their head."""
    said = [
        note.text
        for entry in rules.rulebook.entries.values()
        for note in entry.notes
        if note.kind == "reading" and f"`{reading.name}`" in note.text
    ]
    own = re.sub(rf"^`{re.escape(reading.name)}`[:,]?\s*", "", said[0]) if said else ""
    return capital(own)
