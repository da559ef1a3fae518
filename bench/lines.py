"""The lines that the house must hold (`lines.toml`): the bar of each, what runs it, what must make it fail.

A line is run by tests and by proofs of this folder, and has a planted fault (its negative control) that the same means
must find. `make prove` runs them (`prove_lines.py`) and writes the report (`line_report.py`).
"""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

__all__ = ["SIZES", "Line", "Work", "lines"]

SIZES = ("quick", "normal", "full")
"""Within ten minutes in all on two cores; over a night; once a release."""


class Work(NamedTuple):
    """A command of this folder, in three sizes."""

    command: str
    """What comes after `python -m bench.`; `{n}` is the size."""
    sizes: tuple[int, int, int] = (0, 0, 0)
    """The number in a quick, a normal and a full run; 0: not in that one."""
    alone: bool = False
    """Whether it measures time, so that nothing else of this run is at work beside it."""

    def is_in(self, size: str) -> bool:
        """Whether it is part of a run of a size."""
        return "{n}" not in self.command or self.sizes[SIZES.index(size)] > 0

    def arguments(self, size: str) -> list[str]:
        """What Python is to run.

        >>> Work("prove_kills --count {n}", (8, 100, 1_000)).arguments("quick")
        ['-m', 'bench.prove_kills', '--count', '8']
        """
        words = self.command.format(n=self.sizes[SIZES.index(size)]).split()
        return ["-m", f"bench.{words[0]}", *words[1:]]


class Line(NamedTuple):
    """One property, how it is run, and the fault that must be found."""

    name: str
    """By which it is called: `make prove PART=T1`."""
    title: str
    """The property in two or three words."""
    bar: str
    """What must hold, at the size of a release."""
    control: str
    """The planted fault: where it is not found, the line is worth nothing."""
    seeds: str
    """Where chance comes from."""
    works: tuple[Work, ...] = ()
    """Proofs of this folder that hold the bar."""
    tests: tuple[str, ...] = ()
    """Tests that hold the bar, by file or by name."""
    control_works: tuple[Work, ...] = ()
    """Proofs that find the planted fault."""
    control_tests: tuple[str, ...] = ()
    """Tests that find the planted fault."""
    control_within: bool = False
    """Whether the works of the line plant the fault themselves, and fail where it is not found."""
    open: str = ""
    """What of the bar nothing here runs, and why."""

    @property
    def alone(self) -> bool:
        """Whether a work of it measures time."""
        return any(work.alone for work in (*self.works, *self.control_works))


@cache
def lines() -> dict[str, Line]:
    """All of them, by name."""
    text = Path(__file__).with_name("lines.toml").read_text(encoding="utf-8")
    return {row["name"]: _line(row) for row in tomllib.loads(text)["line"]}


def _line(row: dict[str, Any]) -> Line:
    made: dict[str, Any] = dict(row)
    made |= {key: tuple(map(_work, row.get(key, ()))) for key in ("works", "control_works")}
    made |= {key: tuple(row.get(key, ())) for key in ("tests", "control_tests")}
    return Line(**made)


def _work(row: dict[str, Any]) -> Work:
    return Work(row["command"], tuple(row.get("sizes", (0, 0, 0))), row.get("alone", False))
