"""`twentyone simulate --parquet`: a row for each round, or for each real shoe, whose sums are those of the result."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from twentyone.cli import FOUND_WRONG, UsageError
from twentyone.cli.common import say
from twentyone.errors import Refused

if TYPE_CHECKING:
    from twentyone.sim.compile import Compiled
    from twentyone.sim.run import Result

__all__ = ["check_parquet", "part_columns", "write_parts"]


def check_parquet(options: argparse.Namespace) -> None:
    """Refuse a table that could not be written before anything is played."""
    from importlib.util import find_spec

    from twentyone.sim.part_rows import MOST_ROWS

    if options.bankroll or options.antithetic or options.control_variate:
        why = "only plain rounds are written one by one: leave out --bankroll, --antithetic and --control-variate"
        raise Refused(why, step="--parquet")
    if options.mode == "fresh" and options.rounds > MOST_ROWS:
        raise Refused(f"{options.rounds:,} rows are more than {MOST_ROWS:,}: play fewer --rounds", step="--parquet")
    if not Path(options.parquet).absolute().parent.is_dir():
        raise UsageError(f"{options.parquet}: the folder of a table must exist")
    if find_spec("polars") is None:
        raise UsageError("a table needs the package polars: install `twentyone[data]`")


def part_columns() -> tuple[tuple[str, str, str], ...]:
    """Name, kind and meaning of the columns."""
    from twentyone.sim.part_rows import MONEY, NUMBERS

    first = ("number", "whole", "the number of the round, or of the real shoe, from 0")
    counts = [(name, "whole", says) for name, (_, says) in NUMBERS.items()]
    return (first, *counts, *((name, "money", says) for name, (_, says) in MONEY.items()))


def write_parts(options: argparse.Namespace, compiled: Compiled, result: Result) -> int:
    """Play the rounds again one by one and write them; their sums must be those of the result."""
    from twentyone.cli.parquet import ParquetTable
    from twentyone.cli.progress import progress
    from twentyone.sim import stats
    from twentyone.sim.job import Job
    from twentyone.sim.part_rows import MONEY, NUMBERS, part_rows

    totals, grain = result.totals, int(compiled.grain)
    table = ParquetTable(Path(options.parquet), part_columns())
    parts = totals[stats.SHOES] if compiled.setup.mode == "shoe" else totals.rounds
    sums: Any = 0
    try:
        with progress("rows") as share:
            for first, rows in part_rows(Job.of(compiled, options.seed, fast=False), totals):
                table.extend(
                    {"number": range(first, first + len(rows))}
                    | {name: rows[:, index] for name, (index, _) in NUMBERS.items()}
                    | {name: rows[:, index] * grain for name, (index, _) in MONEY.items()}
                )
                sums = sums + rows.sum(axis=0)
                share((first + len(rows)) / parts)
        table.close()
    finally:
        table.discard()
    wrong = [name for name, (index, _) in (NUMBERS | MONEY).items() if int(sums[index]) != totals[index]]
    if wrong:
        say(f"twentyone simulate: the rows of {options.parquet} do not add up to the result: {', '.join(wrong)}")
        return FOUND_WRONG
    say(f"written: {options.parquet} ({table.count:,} rows)")
    return 0
