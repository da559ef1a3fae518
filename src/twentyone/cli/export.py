"""`twentyone export`: a round of a ledger as a round script that anyone can deal again; a ledger as Parquet."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from twentyone.cli import DONE, FOUND_WRONG, REFUSED, UsageError
from twentyone.cli.common import print_json, say
from twentyone.cli.extras import needs
from twentyone.cli.ledgers import (
    LEDGER,
    add_public_key,
    bar,
    events_of,
    open_ledger,
    or_refused,
    readers_key,
    unlike_signed,
)
from twentyone.cli.parquet import ParquetTable

if TYPE_CHECKING:
    from twentyone.ledger.keys import Keyring
    from twentyone.ledger.rounds import RoundRow
    from twentyone.ledger.store import Store

__all__ = ["add_parser", "run"]

EXAMPLE = """example:
  twentyone export t.db pa-spanish-21-1:17 > round.json && twentyone replay round.json
  twentyone export t.db --all > rounds.jsonl     one script per line; twentyone replay rounds.jsonl
  twentyone export t.db --parquet data           rounds, hands, wagers, events and meters as tables
  twentyone export t.db md-spanish-21-1:4 --wheel > wheel.json && twentyone verify-shoe wheel.json

The format is round-script/1 where it can say the round, else round-script/2, which lists everything step by step.
The script is dealt again before it is printed. Exit status: 1 if it differs from the ledger, 2 if the round is still in
progress, or irregular in a ledger of the first form, which did not keep what its rounds were told.

--wheel writes a wheel-record/1 instead: commitment and seed of the wheels of the round, and where they stopped. Exit
status: 2 if no seed was published for them.

--parquet writes rounds.parquet, hands.parquet, wagers.parquet, events.parquet and meters.parquet into a folder; their
sums are those of `twentyone report`. docs/data.md describes the columns."""


def add_parser(commands: Any) -> None:
    """Describe the command."""
    parser = commands.add_parser(
        "export",
        help="write a round of a ledger as a round script, or a ledger as Parquet",
        description="Write a round of a ledger as a round script; dealing it again gives the same amounts.",
        epilog=EXAMPLE,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("ledger", help=LEDGER)
    parser.add_argument("round", nargs="?", help="TABLE:NUMBER, as `twentyone rounds` lists it")
    parser.add_argument("--all", action="store_true", help="every finished round, one script per line")
    parser.add_argument("--wheel", action="store_true", help="the wheels of the round, as a record for verify-shoe")
    parser.add_argument("--parquet", metavar="DIR", help="the whole ledger as Parquet files in this folder")
    parser.add_argument("--json", action="store_true", help="no effect on a script, which is always JSON")
    add_public_key(parser)
    parser.set_defaults(run=run)


@or_refused
@needs("data")
def run(options: argparse.Namespace) -> int:
    """Print the script, or all of them."""
    if [bool(options.all), bool(options.round), options.parquet is not None].count(True) != 1:
        raise UsageError("name a round, or give --all or --parquet")
    if options.wheel and not options.round:
        raise UsageError("--wheel goes with a round")
    with open_ledger(options.ledger) as store:
        faults, keys = unlike_signed(options, store), readers_key(options)
        if options.parquet is not None:
            status = _parquet(store, options)
        else:
            status = _all(store, keys) if options.all else _one(store, options.round, keys, options.wheel)
    return max(status, FOUND_WRONG if faults else DONE)


def _one(store: Store, name: str, keys: Keyring | None, wheel: bool) -> int:
    from twentyone.ledger.rounds import NoSuchRound, find_round

    try:
        row = find_round(store, name, keys)
    except NoSuchRound as unknown:
        raise UsageError(str(unknown)) from None
    if wheel:
        return _wheel(store, row)
    script, status = _script(store, row, None)
    if script is not None:
        print_json(script, run=False)
    return status


def _wheel(store: Store, row: RoundRow) -> int:
    from twentyone.ledger.export import CannotSay
    from twentyone.ledger.wheel_records import wheel_record

    try:
        record = wheel_record(store, row)
    except CannotSay as wrong:
        say(f"twentyone export: {wrong}")
        return REFUSED
    print(record.to_json())
    return DONE


def _parquet(store: Store, options: argparse.Namespace) -> int:
    """The tables of a ledger as files, and how many rows each has."""
    tables = write_tables(store, options.parquet)
    if options.json:
        print_json({"files": {name: {"file": str(table.path), "rows": table.count} for name, table in tables.items()}})
        return DONE
    for table in tables.values():
        print(f"{table.count:>12,} rows   {table.path}")
    return DONE


def write_tables(store: Store, folder: str) -> dict[str, ParquetTable]:
    """Write every table of a ledger into a folder."""
    from twentyone.ledger.data_tables import TABLES, rows_of

    try:
        Path(folder).mkdir(parents=True, exist_ok=True)
    except OSError as wrong:
        why = wrong.strerror or wrong
        raise UsageError(f"{folder}: {why}: choose a place where this user may write") from None
    tables = {name: ParquetTable(Path(folder, f"{name}.parquet"), columns) for name, columns in TABLES.items()}
    try:
        with bar("export: events", events_of(store)) as show:
            for name, row in rows_of(store, show):
                tables[name].add(row)
        for table in tables.values():
            table.close()
    finally:
        for table in tables.values():
            table.discard()
    return tables


def _all(store: Store, keys: Keyring | None) -> int:
    from twentyone.ledger.replaying import RulesInForce
    from twentyone.ledger.rounds import list_rounds

    with bar("export: events", events_of(store)) as show:
        rows = [row for row in list_rounds(store, keyring=keys, progress=show) if row.over]
    known = RulesInForce(store)
    seen = {DONE}
    with bar("export: rounds", len(rows)) as show:
        for number, row in enumerate(rows, 1):
            script, status = _script(store, row, known.at(row.table, row.last))
            seen.add(status)
            if script is not None:
                print(json.dumps(script, ensure_ascii=False))
            show(number)
    return FOUND_WRONG if FOUND_WRONG in seen else max(seen)


def _script(store: Store, row: RoundRow, known: Any) -> tuple[dict[str, Any] | None, int]:
    from twentyone.ledger.export import CannotSay, DealtOtherwise, export_round

    try:
        return export_round(store, row, known), DONE
    except CannotSay as wrong:
        say(f"twentyone export: {wrong}")
        return None, REFUSED
    except DealtOtherwise as wrong:
        say(f"twentyone export: {wrong}")
        return None, FOUND_WRONG
