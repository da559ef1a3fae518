"""The dealer's drill: questions by paragraph, marked against the engine; weak paragraphs come back sooner; a record."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import zip_longest
from pathlib import Path
from typing import Any, NamedTuple

from twentyone.errors import NotAScript, Refused
from twentyone.rulebook import Rules
from twentyone.service.shift.chance import Chance
from twentyone.training.drill_asking import DrillQuestion
from twentyone.training.drill_procedures import questions_of_day
from twentyone.training.drill_questions import questions_of
from twentyone.training.schedule import NEW, Progress, after, next_item

__all__ = ["DrillMark", "DrillRecord", "mark_answer", "next_question", "paragraphs", "question_named"]

ROUNDS, DAYS = 60, 11
"""Rounds, and days at the table, out of which a drill asks."""
DAY = "d"
"""What the name of a day begins with; that of a round is its number."""
KINDS = ("mishap", "upset", "refuse", "allow", "say", "offer", "pay", "step", "next")
"""Kinds of questions, those first that a dealer must know by heart."""
AROUND = ("upset", "allow", "offer", "step")
"""Those about the work around the rounds, which take turns with the others."""

Named = tuple[str, int]
"""A round or a day, and the number of a question in it."""


class DrillMark(NamedTuple):
    """What an answer is worth."""

    right: bool
    """Whether it is what the engine does."""
    said: str
    """The answer."""
    should: str
    """What the engine does."""
    cite: str
    """The paragraph under which it does."""


def _sources() -> Iterator[str]:
    """The names of all rounds and days."""
    yield from map(str, range(ROUNDS))
    yield from (f"{DAY}{number}" for number in range(DAYS))


def _asked(rules: Rules, source: str) -> Iterator[DrillQuestion]:
    return questions_of_day(rules, source) if source.startswith(DAY) else questions_of(rules, source)


@lru_cache(maxsize=32)
def _questions(rules: Rules, source: str) -> tuple[DrillQuestion, ...]:
    return tuple(_asked(rules, source))


@lru_cache(maxsize=16)
def paragraphs(rules: Rules) -> dict[str, list[Named]]:
    """The paragraphs that a drill of this game asks about, each with its questions.

    What goes wrong comes first, in the rounds and around them by turns.
    """
    found: dict[str, list[Named]] = {}
    kinds: dict[str, int] = {}
    for source in _sources():
        for place, question in enumerate(_asked(rules, source)):
            found.setdefault(question.cite, []).append((source, place))
            kinds[question.cite] = min(kinds.get(question.cite, len(KINDS)), KINDS.index(question.kind))
    ordered = sorted(found, key=lambda cite: (kinds[cite], -len(found[cite])))
    around = [cite for cite in ordered if KINDS[kinds[cite]] in AROUND]
    within = [cite for cite in ordered if KINDS[kinds[cite]] not in AROUND]
    both = [cite for pair in zip_longest(within, around) for cite in pair if cite is not None]
    return {cite: found[cite] for cite in both}


def next_question(rules: Rules, known: Mapping[str, Progress], seed: str, at: int) -> str:
    """The name of the question that is asked next: by what is due, then what is new."""
    by_paragraph = paragraphs(rules)
    chance = Chance(seed, sum(progress.seen for progress in known.values()))
    cite = next_item(list(by_paragraph), {cite: known[cite] for cite in by_paragraph if cite in known}, at, chance)
    source, place = chance.among(by_paragraph[cite])
    return f"{source}.{place}"


def question_named(rules: Rules, name: str) -> DrillQuestion:
    """A question by its name: the same for everybody."""
    source, _, place = name.partition(".")
    if source not in _sources() or not (place.isdecimal() and place.isascii() and len(place) < 5):
        known = f"a round below {ROUNDS} or a day below {DAYS} and a place in it, as in 3.5 or {DAY}3.5"
        raise Refused(f"there is no question {name[:20]!r}: {known}")
    asked = _questions(rules, source)
    if int(place) >= len(asked):
        kind = f"day {source.removeprefix(DAY)}" if source.startswith(DAY) else f"round {source}"
        raise Refused(f"{kind} of the drill has {len(asked)} questions, not {int(place) + 1}")
    return asked[int(place)]


def mark_answer(question: DrillQuestion, choice: int) -> DrillMark:
    """Mark a choice against what the engine does."""
    if not 0 <= choice < len(question.choices):
        raise Refused(f"there are {len(question.choices)} answers: 1 to {len(question.choices)}")
    should = question.choices[question.right]
    return DrillMark(choice == question.right, question.choices[choice], should, question.cite)


class DrillRecord:
    """The record of a test: who, which game, every answer with its paragraph, and what is due again."""

    def __init__(self, rulebook: str, who: str = "") -> None:
        self.rulebook, self.who = rulebook, who
        self.known: dict[str, Progress] = {}
        """What is known of each paragraph."""
        self.answers: list[dict[str, Any]] = []
        """Every answer, in order."""

    def note(self, name: str, question: DrillQuestion, mark: DrillMark, at: int) -> None:
        """Note an answer at a time."""
        self.known[mark.cite] = after(self.known.get(mark.cite, NEW), mark.right, at)
        told = {"at": at, "question": name, "kind": question.kind, "asks": question.asks, **mark._asdict()}
        self.answers.append(told)

    @property
    def body(self) -> dict[str, Any]:
        """The record as JSON."""
        wrong = [answer for answer in self.answers if not answer["right"]]
        rows = [
            {"cite": cite, "asked": one.seen, "wrong": one.missed, "due": one.due, "schedule": dict(one.card)}
            for cite, one in sorted(self.known.items(), key=lambda pair: (-pair[1].missed, pair[0]))
        ]
        head = {"record": "drill/1", "rulebook": self.rulebook, "who": self.who}
        return {**head, "asked": len(self.answers), "wrong": len(wrong), "paragraphs": rows, "answers": self.answers}

    @classmethod
    def read(cls, path: Path, rulebook: str) -> DrillRecord:
        """A record that goes on; refused where it is none, or of another game."""
        try:
            body = json.loads(path.read_text(encoding="utf-8"))
            record = cls(body["rulebook"], body["who"])
            rows = body["paragraphs"]
            record.known = {
                row["cite"]: Progress(row["asked"], row["wrong"], row["due"], row["schedule"]) for row in rows
            }
            record.answers = list(body["answers"])
        except (ValueError, KeyError, TypeError) as wrong:
            raise NotAScript(str(path), f"it is no record of a drill: {wrong}") from None
        if record.rulebook != rulebook:
            raise NotAScript(str(path), f"it is the record of a drill of {record.rulebook}, not of {rulebook}")
        return record
