"""The shift report: drop, win, hold, rounds per shoe, irregularities, meters of every table; reconciled to the chip."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

from twentyone.ledger.access import AccessLine, access_lines, access_paper
from twentyone.ledger.coupon_report import CouponFigures, count_coupons
from twentyone.ledger.house_report import HouseFigures
from twentyone.ledger.reading import Progress, counted, quiet, readable, readable_part, whole
from twentyone.ledger.report_details import details_json, share
from twentyone.ledger.rows import HOUSE
from twentyone.ledger.shift_details import DetailedTally
from twentyone.ledger.store import Store, table_streams
from twentyone.ledger.tally import MONEY, MeterFigures, Tally
from twentyone.ledger.timestamps import Period, moment
from twentyone.money import ZERO, Amount, dollars
from twentyone.version import __version__

__all__ = ["REPORT_VERSION", "ShiftReport", "exact_dollars", "pages", "share", "shift_report"]

REPORT_VERSION = 2
"""The version of the report's format."""
TITLE = "Shift report: table games"
LINES = 58
"""Lines on a page, its head and foot included."""
COUNTS = ("rounds", "voids", "shoes", "commands", "events")


@dataclass(frozen=True)
class ShiftReport:
    """The figures of a shift, table by table."""

    where: str
    """The ledger."""
    operator: str
    """Who runs the tables."""
    period: Period
    """The shift that was asked for."""
    filters: tuple[str, ...]
    """What was left out."""
    generated: int
    """When the report was made."""
    tables: tuple[DetailedTally, ...]
    """The tables with activity in the shift."""
    house: HouseFigures | None = None
    """All chips of the house; none where tables are left out."""
    coupons: CouponFigures = field(default_factory=CouponFigures)
    """The coupons of the house."""
    faults: tuple[str, ...] = ()
    """Where the ledger is not what was signed."""
    access: tuple[AccessLine, ...] = ()
    """Who came in, and what was changed about people, settings and tables; none where tables are left out."""

    @property
    def active(self) -> bool:
        """Whether anything happened in the shift."""
        return bool(self.tables)

    @property
    def first(self) -> int | None:
        """When the first event of the shift happened."""
        return min((table.first for table in self.tables if table.first is not None), default=None)

    @property
    def last(self) -> int | None:
        """When the last one did."""
        return max((table.last for table in self.tables if table.last is not None), default=None)

    def total(self, name: str) -> Amount:
        """The grand total of a figure in money."""
        return sum((Amount(getattr(table, name)) for table in self.tables), ZERO)

    def count(self, name: str) -> int:
        """The grand total of a count."""
        return sum(getattr(table, name) for table in self.tables)

    @property
    def hold(self) -> Fraction | None:
        """The win of all tables as a share of their drop."""
        drop = self.total("drop")
        return self.total("win") / drop if drop else None

    @property
    def rounds_a_shoe(self) -> Fraction | None:
        """Rounds for each shoe, over all tables."""
        shoes = self.count("shoes")
        return Fraction(self.count("rounds"), shoes) if shoes else None

    @property
    def irregularities(self) -> Counter[tuple[str, str]]:
        """What went wrong, over all tables."""
        return sum((table.irregularities for table in self.tables), Counter())

    @property
    def reconciled(self) -> bool:
        """Whether every chip and every meter is accounted for, in a ledger that is what was signed."""
        meters = [meter.difference for table in self.tables for meter in table.meters.values()]
        coupons = [table.coupons_used - self.coupons.paid_at(table.table) for table in self.tables]
        house = self.house is not None and (self.house.difference or self.house.wrong)
        differ = any(table.difference for table in self.tables)
        return not (self.faults or differ or any(meters) or any(coupons) or house)

    def without_addresses(self) -> ShiftReport:
        """For those who may not know where somebody logged in from."""
        return replace(self, access=tuple(line.without_address() for line in self.access))

    @readable_part("the report")
    def to_json(self) -> dict[str, Any]:
        """The report for a program: money as decimal strings, shares as decimal strings."""
        return {
            "title": TITLE,
            "software": f"twentyone {__version__}",
            "report_version": REPORT_VERSION,
            "ledger": self.where,
            "operator": self.operator,
            "period": {"from": self.period.start, "to": self.period.end, "first": self.first, "last": self.last},
            "generated_at": self.generated,
            "pages": len(list(pages(self))),
            "filters": list(self.filters),
            "activity": self.active,
            **({} if self.active else {"note": NO_ACTIVITY}),
            "tables": [_table_json(table) for table in self.tables],
            "totals": self._totals(),
            **details_json(self.tables),
            "coupons": self.coupons.to_json(),
            "house": None if self.house is None else self.house.to_json(),
            "access": [line.to_json() for line in self.access],
            "reconciled": self.reconciled,
            **({"faults": list(self.faults)} if self.faults else {}),
        }

    def _totals(self) -> dict[str, Any]:
        return {
            **{name: self.count(name) for name in COUNTS},
            **{name: str(self.total(name)) for name in MONEY},
            "hold": share(self.hold),
            "rounds_a_shoe": share(self.rounds_a_shoe),
            "irregularities": _mishaps_json(self.irregularities),
        }


def shift_report(
    store: Store,
    period: Period,
    generated: int,
    operator: str = "",
    tables: Sequence[str] = (),
    progress: Progress = quiet,
) -> ShiftReport:
    """Read a ledger and report on a shift; `tables` leaves out the others."""
    tallies, read = dict[str, DetailedTally](), store.version(HOUSE)
    every, house = table_streams(store), HouseFigures(period)
    wanted = [name for name in every if not tables or name in tables]
    for event in counted(whole(store, HOUSE), progress):
        with readable(event):
            house.follow(event)
    for name in wanted:
        tally = tallies[name] = DetailedTally(name, period)
        for event in counted(whole(store, name), progress, read):
            with readable(event):
                tally.follow(event)
                house.follow(event)
        house.take(tally.chips)
        read += store.version(name)
    active = tuple(tally for tally in tallies.values() if tally.events)
    filters = tuple(f"table {name}" for name in tables)
    all_of_it, coupons = house if wanted == every else None, count_coupons(store, period)
    access = tuple(access_lines(store, period)) if wanted == every else ()
    return ShiftReport(
        store.where, operator or NOT_NAMED, period, filters, generated, active, all_of_it, coupons, access=access
    )


NOT_NAMED = "not named"
NO_ACTIVITY = "No Activity"


def _table_json(table: Tally) -> dict[str, Any]:
    return {
        "table": table.table,
        "rulebook": table.rulebook,
        "for_play": table.for_play,
        **{name: getattr(table, name) for name in COUNTS},
        **{name: str(getattr(table, name)) for name in MONEY},
        "hold": share(table.hold),
        "rounds_a_shoe": share(table.rounds_a_shoe),
        "irregularities": _mishaps_json(table.irregularities),
        "meters": {name: _meter_json(meter) for name, meter in table.meters.items()},
    }


def _mishaps_json(irregularities: Counter[tuple[str, str]]) -> list[dict[str, Any]]:
    return [
        {"irregularity": name, "cite": cite, "count": count} for (name, cite), count in sorted(irregularities.items())
    ]


def _meter_json(meter: MeterFigures) -> dict[str, Any]:
    shares = {name: exact_dollars(getattr(meter, name)) for name in ("before", "contributed", "now", "difference")}
    limit = None if meter.limit is None else str(meter.limit)
    whole = {"base": str(meter.base), "limit": limit, "paid": str(meter.paid), "shown": str(meter.shown)}
    return {**whole, "hits": meter.hits, **shares}


def exact_dollars(value: Fraction) -> str:
    """An exact amount of dollars; below a thousandth it is a fraction."""
    return str(Amount.from_thousandths(int(value))) if value.denominator == 1 else f"{value / 1000}"


# -- on paper


def pages(report: ShiftReport) -> Iterator[str]:
    """The report page by page, each with its head and its foot."""
    with readable_part("the report"):
        body = list(_body(report))
    head = _head(report)
    room = LINES - len(head) - 2
    parts = [body[start : start + room] for start in range(0, len(body), room)] or [[]]
    for number, part in enumerate(parts, 1):
        yield "\n".join([*head, *part, "", f"page {number} of {len(parts)}"])


def _head(report: ShiftReport) -> list[str]:
    start, end = (moment(ts) if ts is not None else "" for ts in (report.period.start, report.period.end))
    asked = f"from {start or 'the first event'} to {end or 'the last event'} (UTC)"
    return [
        TITLE,
        f"software twentyone {__version__}, report version {REPORT_VERSION}",
        f"ledger      {report.where}",
        f"operator    {report.operator}",
        f"period      {asked}",
        f"generated   {moment(report.generated)} (UTC)",
        f"filters     {', '.join(report.filters) or 'none'}",
        "",
    ]


def _body(report: ShiftReport) -> Iterator[str]:
    for fault in report.faults:
        yield f"THIS LEDGER IS NOT WHAT WAS SIGNED: {fault}"
    if not report.active:
        yield NO_ACTIVITY
        yield from ("", *access_paper(report.access)) if report.access else ()
        return
    assert report.first is not None
    assert report.last is not None
    yield f"activity    {moment(report.first)} to {moment(report.last)} (UTC)"
    for table in report.tables:
        yield ""
        yield from _table(table)
    yield ""
    yield "Grand total"
    yield from _figures(report.total, report.count, report.hold, report.rounds_a_shoe)
    yield from _mishaps(report.irregularities)
    yield ""
    if report.coupons.counts:
        yield from report.coupons.lines()
        yield ""
    if report.house is not None:
        yield from report.house.lines()
        yield ""
    if report.access:
        yield from access_paper(report.access)
        yield ""
    yield from _reconciliation(report)


def _table(table: Tally) -> Iterator[str]:
    test = "" if table.for_play else "  (test source of entropy: not for play)"
    yield f"Table {table.table}, {table.rulebook}{test}"
    yield from _figures(
        lambda name: Amount(getattr(table, name)),
        lambda name: int(getattr(table, name)),
        table.hold,
        table.rounds_a_shoe,
    )
    yield from _mishaps(table.irregularities)
    for name, meter in table.meters.items():
        shown = f"base {dollars(meter.base)}, added {_dollars(meter.contributed)}, paid {dollars(meter.paid)}"
        stands = f"shows {dollars(meter.shown)}, {_dollars(meter.waits)} wait"
        yield f"  meter {_plain(name)}: {shown} in {meter.hits} wins, {stands}"
    if not table.meters:
        yield "  no progressive meters"


def _figures(
    money: Callable[[str], Amount], count: Callable[[str], int], hold: Fraction | None, per_shoe: Fraction | None
) -> Iterator[str]:
    percent = f"{share(hold * 100, 2)} %" if hold is not None else "-"
    rounds_a_shoe = share(per_shoe, 1) or "-"
    yield f"  {'opening inventory':18}{dollars(money('opening')):>18}    {'rounds':18}{count('rounds'):>10}"
    yield f"  {'fills':18}{dollars(money('fills')):>18}    {'of them void':18}{count('voids'):>10}"
    yield f"  {'credits':18}{dollars(money('credits')):>18}    {'shoes':18}{count('shoes'):>10}"
    yield f"  {'closing inventory':18}{dollars(money('inventory')):>18}    {'rounds a shoe':18}{rounds_a_shoe:>10}"
    yield f"  {'drop':18}{dollars(money('drop')):>18}    {'commands':18}{count('commands'):>10}"
    yield f"  {'of it play money':18}{dollars(money('brought')):>18}    {'events':18}{count('events'):>10}"
    yield f"  {'win':18}{dollars(money('win')):>18}"
    yield f"  {'hold':18}{percent:>18}"
    yield f"  {'wagered':18}{dollars(money('wagered')):>18}"


def _mishaps(irregularities: Counter[tuple[str, str]]) -> Iterator[str]:
    yield f"  irregularities{sum(irregularities.values()):>22}"
    for (name, cite), number in sorted(irregularities.items()):
        yield f"    {_plain(name):26}{number:>8}    {cite}"


def _reconciliation(report: ShiftReport) -> Iterator[str]:
    yield "Reconciliation"
    for table in report.tables:
        counted = f"by the count {dollars(table.win)}"
        settled = f"by settled wagers {dollars(-table.players)}, coupons {dollars(-table.coupons)}"
        yield f"  {table.table}: win {counted}, {settled}, difference {dollars(table.difference)}"
        if (entered := report.coupons.paid_at(table.table)) != table.coupons_used:
            used = f"coupons used {dollars(table.coupons_used)}"
            yield f"  {table.table}: {used}, entered by the house {dollars(entered)}"
        for name, meter in table.meters.items():
            yield f"  {table.table}: meter {_plain(name)}, difference {_dollars(meter.difference)}"
    if report.house is not None:
        yield f"  the house: what was given out against what is found, difference {dollars(report.house.difference)}"
        yield from (f"  {what}" for what in report.house.wrong)
    yield f"  {_verdict(report)}"


def _verdict(report: ShiftReport) -> str:
    if report.faults:
        return "NOT RECONCILED: THIS LEDGER IS NOT WHAT WAS SIGNED"
    return "every chip is accounted for" if report.reconciled else "THE FIGURES DO NOT AGREE"


def _dollars(value: Fraction) -> str:
    """An exact amount as a person reads it, without the part below a thousandth."""
    return dollars(Amount.from_thousandths(value.numerator // value.denominator))


def _plain(name: str) -> str:
    return name.replace("_", " ")
