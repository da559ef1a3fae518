"""The sheets of a shift report: each is a table on the page and a CSV file, from the same rows."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from typing import NamedTuple

from twentyone.ledger.access import AccessLine
from twentyone.ledger.report import ShiftReport, exact_dollars
from twentyone.ledger.report_details import by_dealer, by_hour, mishaps_by_dealer, noted, share
from twentyone.ledger.shift_details import DetailedTally, Slice
from twentyone.ledger.timestamps import moment
from twentyone.money import ZERO, Amount, dollars
from twentyone.service.sessions import SessionRow
from twentyone.strategy.spreadsheets import as_text

__all__ = ["Cell", "Hold", "Share", "Sheet", "as_csv", "log_in_sheets", "said", "sheets_of"]


class Hold(NamedTuple):
    """A hold; none without a drop."""

    share: Fraction | None


class Share(NamedTuple):
    """What a meter holds: exact, in thousandths of a dollar."""

    thousandths: Fraction


class Word(NamedTuple):
    """A name that a machine reads: a page writes it without its underscores."""

    name: str


Cell = str | int | Amount | Hold | Share | Word
COUNTED = ("Drop", "Win", "Hold", "Wagered", "Rounds", "Void", "Irregularities")
MONEY: dict[str, Callable[[DetailedTally], Amount]] = {
    "Drop": lambda table: table.drop,
    "Win": lambda table: table.win,
    "Wagered": lambda table: table.wagered,
    "Fills": lambda table: table.fills,
    "Credits": lambda table: table.credits,
    "Opening inventory": lambda table: table.opening,
    "Closing inventory": lambda table: table.inventory,
}
"""The columns of a table in money."""
TABLE_HEAD = (
    "Table",
    "Drop",
    "Win",
    "Hold",
    "Wagered",
    "Fills",
    "Credits",
    "Opening inventory",
    "Closing inventory",
    "Rounds",
    "Void",
    "Shoes",
    "Irregularities",
)


class Sheet(NamedTuple):
    """A table of the report."""

    name: str
    """By which its file is named."""
    title: str
    """What stands above it."""
    head: tuple[str, ...]
    """The titles of its columns."""
    rows: tuple[tuple[Cell, ...], ...]
    """Its cells."""
    total: tuple[Cell, ...] = ()
    """Its last line, where it has a sum."""
    picture: int = 0
    """The column that is drawn beside the figures; 0: none."""

    @property
    def lines(self) -> tuple[tuple[Cell, ...], ...]:
        """The rows, and the sum."""
        return (*self.rows, self.total) if self.total else self.rows


def sheets_of(report: ShiftReport) -> list[Sheet]:
    """Every sheet that has a row."""
    tables = report.tables
    found = [
        _tables(report),
        _slices("dealers", "Dealers", "Dealer", by_dealer(tables)),
        _slices("hours", "Hours", "Hour (UTC)", by_hour(tables)),
        _meters(tables),
        _mishaps(tables),
        _events(tables),
    ]
    return [sheet for sheet in found if sheet.rows]


def _tables(report: ShiftReport) -> Sheet:
    rows = tuple(_table(table.table, (table,), table.hold) for table in report.tables)
    return Sheet("tables", "Tables", TABLE_HEAD, rows, _table("All tables", report.tables, report.hold), picture=2)


def _table(name: str, tables: Sequence[DetailedTally], hold: Fraction | None) -> tuple[Cell, ...]:
    """The figures of some tables together."""
    money = [sum(map(figure, tables), ZERO) for figure in MONEY.values()]
    counts = [sum(getattr(table, count) for table in tables) for count in ("rounds", "voids", "shoes")]
    wrong = sum(table.irregularities.total() for table in tables)
    return (name, *money[:2], Hold(hold), *money[2:], *counts, wrong)


def _slices(name: str, title: str, first: str, slices: dict[str, Slice]) -> Sheet:
    whole = Slice()
    for part in slices.values():
        whole.add(part)
    rows = tuple(_slice(key, part) for key, part in slices.items())
    return Sheet(name, title, (first, *COUNTED), rows, _slice("Together", whole), picture=2)


def _slice(name: str, part: Slice) -> tuple[Cell, ...]:
    wrong = part.irregularities.total()
    return name, part.drop, part.win, Hold(part.hold), part.wagered, part.rounds, part.voids, wrong


def _meters(tables: Iterable[DetailedTally]) -> Sheet:
    rows = tuple(
        (table.table, Word(name), meter.base, Share(meter.contributed), meter.paid, meter.hits, meter.shown)
        for table in tables
        for name, meter in table.meters.items()
    )
    return Sheet("meters", "Meters", ("Table", "Meter", "Base", "Added", "Paid", "Wins", "Shows"), rows)


def _mishaps(tables: Iterable[DetailedTally]) -> Sheet:
    rows = tuple((Word(name), cite, dealer, count) for name, cite, dealer, count in mishaps_by_dealer(tables))
    return Sheet("irregularities", "Irregularities by dealer", ("Irregularity", "Paragraph", "Dealer", "Count"), rows)


def _events(tables: Iterable[DetailedTally]) -> Sheet:
    rows = tuple((moment(it.ts), it.table, it.dealer, it.says, it.cite, it.version) for it in noted(tables))
    head = ("When (UTC)", "Table", "Dealer", "What", "Paragraph", "Version")
    return Sheet("events", "Significant events", head, rows)


def log_in_sheets(
    rows: Iterable[SessionRow], wrong: Iterable[tuple[str, str, int, int]], addresses: bool
) -> list[Sheet]:
    """Who logged in in the shift; where from is for those who may know it, and so are wrong passwords."""
    head = ("Begun (UTC)", "Name", "Role", "Ended (UTC)", "How", *(("From",) if addresses else ()))
    logged = tuple(
        (moment(row.begun), row.name, row.role, moment(row.ended) if row.ended is not None else "", row.why,
         *((row.address,) if addresses else ()))
        for row in rows
    )  # fmt: skip
    failed = tuple((name, place, count) for name, place, count, _ in wrong) if addresses else ()
    found = [
        Sheet("log-ins", "Log-ins", head, logged),
        Sheet("wrong-passwords", "Wrong passwords, now", ("Account", "From", "Tries"), failed),
    ]
    return [sheet for sheet in found if sheet.rows]


def access_sheet(lines: Iterable[AccessLine], addresses: bool) -> list[Sheet]:
    """Who came in, and what was changed about people, settings and tables, as the ledger has it."""
    head = ("When (UTC)", "Who", "What", *(("From",) if addresses else ()), "Version")
    rows = tuple(
        (
            moment(line.ts),
            line.by,
            line.words,
            *((str(line.body.get("address", "")),) if addresses else ()),
            line.version,
        )
        for line in lines
    )
    return [Sheet("access", "Access", head, rows)] if rows else []


# -- cells


def said(cell: Cell) -> str:
    """A cell as the page shows it."""
    if isinstance(cell, Hold):
        return f"{share(cell.share * 100, 2)} %".replace("-", "−") if cell.share is not None else "–"
    if isinstance(cell, Word):
        return cell.name.replace("_", " ")
    if isinstance(cell, Share):
        return dollars(Amount.from_thousandths(int(cell.thousandths)))
    return dollars(cell).replace("-", "−") if isinstance(cell, Amount) else str(cell)


def _plain(cell: Cell) -> str:
    """A cell for a program, as the JSON has it."""
    if isinstance(cell, Word):
        return cell.name
    if isinstance(cell, Share):
        return exact_dollars(cell.thousandths)
    if isinstance(cell, str):
        return as_text(cell)
    return (share(cell.share) or "") if isinstance(cell, Hold) else str(cell)


def as_csv(sheet: Sheet) -> str:
    """A sheet as a file: a head, then its rows; a sum is for the reader to make. No text is calculated."""
    file = io.StringIO()
    writer = csv.writer(file)
    writer.writerow(sheet.head)
    writer.writerows([_plain(cell) for cell in row] for row in sheet.rows)
    return file.getvalue()
