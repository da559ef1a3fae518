"""What a period leaves to the next: purses, open coupons, tables with all that they hold, the law they are under.

Worked out from the events of the one, and read from the first events of the other: both must be the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import count
from typing import Any, NamedTuple

from twentyone.ledger import coupons, purses
from twentyone.ledger.canonical import fingerprint
from twentyone.ledger.carried import TableEnd, carried_event, held_by
from twentyone.ledger.codec import CARRIED, CREATED, OPENED, SCHEMA, read_body, table_event
from twentyone.ledger.coupons import CouponRow
from twentyone.ledger.derived import money_faults
from twentyone.ledger.face_down import opened_cards
from twentyone.ledger.group import Draft, draft, stamp
from twentyone.ledger.house import HOUSE, HouseRows
from twentyone.ledger.identity import identity_of
from twentyone.ledger.kept_law import KEPT, kept_batch, laws_of
from twentyone.ledger.periods import BEGUN, BEGUN_KEY, CLOSED
from twentyone.ledger.reading import readable, whole
from twentyone.ledger.replaying import Replay, read_creation
from twentyone.ledger.rows import Batch, LedgerRefused, NewEvent, StoredEvent
from twentyone.ledger.software import BEGUN as SOFTWARE
from twentyone.ledger.software import last_software, software_batch
from twentyone.ledger.store import Store, table_streams
from twentyone.rulebook import Rules
from twentyone.table import Table

__all__ = ["OVER", "Balances", "Opening", "closing_balances", "opening_balances", "opening_events", "table_ends"]

Rows = dict[str, list[Any]]


class Balances(NamedTuple):
    """All that goes over; money in thousandths of a dollar."""

    purses: Rows
    """What is in each purse, and how often play money was issued into it."""
    coupons: Rows
    """Each open coupon: amount, issuer, when it was issued, its end, for whom."""
    tables: dict[str, Any]
    """Each table: what it is played under, where its cards come from, and what it holds."""
    laws: dict[str, str]
    """The rulebooks of the tables by their hash, and the hash of their files."""
    software: dict[str, str] | None
    """The software that played last."""

    @property
    def digest(self) -> str:
        """One hash over everything."""
        return fingerprint(self._asdict())

    def differences(self, other: Balances) -> Iterator[str]:
        """What of the period before is not what this one begins with."""
        for name, (ours, theirs) in zip(self._fields, zip(self, other, strict=True), strict=True):
            if ours == theirs:
                continue
            if not isinstance(ours, dict) or not isinstance(theirs, dict) or name == "software":
                yield f"the {name} is {theirs} there and {ours} here"
                continue
            for key in sorted({*ours, *theirs}):
                if ours.get(key) != theirs.get(key):
                    there, here = (_short(rows.get(key)) for rows in (theirs, ours))
                    yield f"{key!r} of the {name} was left as {there} and begins as {here}"

    @property
    def money(self) -> int:
        """Purses, and what the tables hold beside the cage: it goes over to the cent."""
        chips = [account for table in self.tables.values() for account in table["state"]["chips"].items()]
        at_tables = sum(int(amount) for name, amount in chips if name != "(cage)")
        return sum(int(row[0]) for row in self.purses.values()) + at_tables


def _short(value: Any) -> str:
    if isinstance(value, dict):
        return f"{value['state'].get('chips')} with the meters {value['state'].get('meters')}"
    return "nothing" if value is None else str(value)


# -- the period that is over


def table_ends(store: Store, told: Callable[[int], None] | None = None) -> dict[str, TableEnd]:
    """Every table as its events leave it."""
    ends: dict[str, TableEnd] = {}
    done = 0
    for name in table_streams(store):
        rules, created, form = read_creation(store, name)
        opened = opened_cards(event for event in store.read(name) if event.type == OPENED).get(name, {})
        replay = Replay(rules, None, form, _sights(opened, created["cards"] == "shoe"), laws_of(store))
        for event in whole(store, name):
            with readable(event):
                replay.follow(event)
        done += replay.version
        if told is not None:
            told(done)
        ends[name] = TableEnd(created, replay.rules, replay.state, replay.custody, replay.form)
    return ends


def _sights(opened: Mapping[int, str], from_shoe: bool) -> Callable[[Rules], Any]:
    return lambda _: (lambda version, *__: opened.get(version, "")) if from_shoe else None


def closing_balances(store: Store, ends: Mapping[str, TableEnd]) -> Balances:
    """What a period leaves; an event that closed it says nothing of it."""
    rows = HouseRows()
    for fault in money_faults(rows, (event for event in store.read(HOUSE) if event.type != CLOSED)):
        raise LedgerRefused(f"{fault}: verify this ledger")
    kept = {name: kept_batch(store, end.rules.rulebook, 0) for name, end in ends.items()}
    laws = [batch.events[0].body for batch in kept.values() if batch is not None]
    return Balances(
        {key: list(row) for (table, key), row in rows.held.items() if table == purses.PURSES and any(row)},
        {
            key: list(row[:5])
            for (table, key), row in rows.held.items()
            if table == coupons.COUPONS and CouponRow(*row).state == "open"
        },
        {name: _table(end) for name, end in ends.items()},
        {law["rulebook_hash"]: law["law"] for law in laws},
        last_software(store),
    )


def _table(end: TableEnd) -> dict[str, Any]:
    terms = _terms({**end.created, **identity_of(end.rules)})
    if not end.rules.rulebook.edition:
        terms.pop("edition", None)
    return {"terms": terms, "state": held_by(end.state)}


TERMS = ("rulebook", "edition", "rulebook_hash", "submission", "readings", "rules", "cards", "for_play", "key")


def _terms(created: Mapping[str, Any]) -> dict[str, Any]:
    """What a table is played under, without the version that says so."""
    return {name: created[name] for name in TERMS if name in created}


# -- the period that begins


def opening_events(
    store: Store, balances: Balances, ends: Mapping[str, TableEnd], begun: Mapping[str, Any], at: int
) -> list[StoredEvent]:
    """The first events of the next ledger; `store` is the one before, and everything in them follows from it."""
    over = [purses.carried(name, row[0], row[1], at) for name, row in sorted(balances.purses.items())]
    over += [coupons.carried(number, CouponRow(*row), at) for number, row in sorted(balances.coupons.items())]
    kept = [kept_batch(store, end.rules.rulebook, at) for end in ends.values()]
    batches = [*{batch.key: batch for batch in kept if batch is not None}.values()]
    batches += [software_batch(balances.software, at)] if balances.software is not None else []
    batches += [_created(name, balances.tables[name], end, begun["software"], at) for name, end in ends.items()]
    total = 1 + len(over) + sum(len(batch.events) for batch in batches)
    first = NewEvent(BEGUN, {**begun, "balances": balances.digest, "events": total}, at, SCHEMA)
    batches.insert(0, Batch(HOUSE, 0, [first, *over], BEGUN_KEY, fingerprint([BEGUN, first.body])))
    return [event for events in stamp(_drafts(batches), {}, count(1)).values() for event in events]


def _created(name: str, table: Mapping[str, Any], end: TableEnd, software: str, at: int) -> Batch:
    """A table of the period before is created anew, closed, with all that it held."""
    rules = end.rules.rulebook.under({**table["terms"]["submission"], "readings": table["terms"]["readings"]})
    body = {**table["terms"], "software": software}
    made = (table_event(event, rules)._replace(ts=at) for event in Table.new(rules).events)
    events = [NewEvent(CREATED, body, at, SCHEMA), *made, carried_event(table["state"], at)]
    return Batch(name, 0, events, f"create {name}", fingerprint([name, body]))


def _drafts(batches: Iterable[Batch]) -> list[Draft]:
    drafts = []
    for batch in batches:
        made = draft(batch)
        if not isinstance(made, Draft):
            raise made
        drafts.append(made)
    return drafts


BEGINS = (BEGUN, KEPT, SOFTWARE, CREATED, "meter_set")
"""What a ledger begins with, beside what is carried over."""
OVER = (purses.CARRIED, coupons.CARRIED, CARRIED)
"""What is carried over: at the beginning, and never later."""


class Opening:
    """Reads what a ledger begins with from its first events, one after the other."""

    def __init__(self) -> None:
        self.balances = Balances({}, {}, {}, {}, None)
        """What was read so far."""
        self._created: dict[str, dict[str, Any]] = {}

    def follow(self, event: StoredEvent) -> bool:
        """Take the next event; false where it is none that a ledger begins with."""
        body, held = read_body(event), self.balances
        if event.type == purses.CARRIED:
            held.purses[body["name"]] = [body["amount"], body["issues"]]
        elif event.type == coupons.CARRIED:
            held.coupons[body["number"]] = [body[name] for name in coupons.FIRST]
        elif event.type == CARRIED:
            held.tables[event.stream] = {"terms": _terms(self._created[event.stream]), "state": body["state"]}
        elif event.type == CREATED:
            self._created[event.stream] = body
        elif event.type == KEPT:
            held.laws[body["rulebook_hash"]] = body["law"]
        elif event.type == SOFTWARE:
            self.balances = held._replace(software=body)
        return event.type in (*BEGINS, *OVER)


def opening_balances(store: Store, events: int) -> Balances:
    """What a ledger begins with, read from its first events."""
    opening = Opening()
    for event in store.read_all():
        if event.gseq > events:
            break
        with readable(event):
            opening.follow(event)
    return opening.balances
