"""Days at a table by number: the same one whenever it is asked for.

worked = work_day(Rulebook.load("..."), 17)
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import NamedTuple

from tests.contracts.table_driver import Day
from tests.contracts.table_mischief import Mischief
from tests.contracts.table_submissions import rules_of_day
from tests.contracts.table_witness import Witness

from twentyone.rulebook import Rulebook
from twentyone.table import Table, TableEvent

__all__ = ["A_DAY", "DayFault", "Worked", "work_day"]

A_DAY = 100
"""Rounds of a day."""
NOISE = 0.1
"""How often a command is given at random on every other day."""


class Worked(NamedTuple):
    """What was done on a day."""

    rounds: int
    events: int
    refused: int
    fired: Counter[str]


class DayFault(AssertionError):
    """A day on which something did not hold, with what is needed to work it again."""


@dataclass
class _Watch:
    witness: Witness
    mischief: Mischief
    day: Day | None = None

    def __call__(self, before: Table, events: tuple[TableEvent, ...]) -> None:
        self.witness.see(before, events)
        if self.day is not None:
            self.mischief.see(before, self.day.command, events)


def work_day(rulebook: Rulebook, number: int, rounds: int = A_DAY) -> Worked:
    """Work a day; whatever does not hold is a `DayFault`."""
    rules, mischief = rules_of_day(rulebook, number), Mischief()
    watch = _Watch(Witness(rulebook, Table.new(rules)), mischief)
    day = watch.day = Day(rules, number, watch, NOISE if number % 2 else 0.0, mischief=mischief)
    try:
        day.work(rounds)
    except Exception as wrong:
        given = {choice.key: choice.value for choice in rules.submission.choices if choice.given}
        told = [f"{type(wrong).__name__}: {wrong}", f'work_day(Rulebook.load("{rulebook.id}"), {number})']
        told += [f"submission: {given} {dict(rules.submission.readings)}", f"last command: {day.command}"]
        raise DayFault("\n".join(told)) from wrong
    return Worked(day.done, len(day.table.events), day.refused.total(), mischief.fired)
