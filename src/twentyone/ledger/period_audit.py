"""Periods audited: nothing follows the event that closed one, and what one begins with is what the one before left."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from twentyone.ledger.balances import OVER, Opening, closing_balances, opening_balances, table_ends
from twentyone.ledger.carried import TableEnd
from twentyone.ledger.chain import Fault, heads_digest
from twentyone.ledger.checkpoints import Checkpoint
from twentyone.ledger.codec import read_body
from twentyone.ledger.periods import BEGUN, CLOSED, begun_in, closed_in, identity_in
from twentyone.ledger.rows import HOUSE, StoredEvent
from twentyone.ledger.store import Store
from twentyone.ledger.timestamps import moment

__all__ = ["PeriodAudit", "heads_before", "link_faults"]


class PeriodAudit:
    """Follows all events of a ledger in their order."""

    def __init__(self) -> None:
        self.faults: list[Fault] = []
        """Everything found so far."""
        self.begun: Mapping[str, Any] | None = None
        """How this period began, where it follows another."""
        self._closed: StoredEvent | None = None
        self._opening, self._count = Opening(), 0

    def follow(self, event: StoredEvent) -> None:
        """Take the next event of any stream."""
        self._count += 1
        if self._closed is not None:
            when = moment(self._closed.ts)
            self._add_fault(event, f"was appended after the period was closed at {when} (UTC)")
        elif event.type in (CLOSED, BEGUN) or event.type in OVER or self._is_opening(event):
            try:
                self._follow(event)
            except Exception as wrong:  # an altered event can raise anything
                self._add_fault(event, f"cannot be read: {type(wrong).__name__} {wrong}")

    def _is_opening(self, event: StoredEvent) -> bool:
        return self.begun is not None and event.gseq <= self.begun["events"]

    def _add_fault(self, event: StoredEvent, what: str) -> None:
        self.faults.append(Fault(event.stream, event.ver, what))

    def _follow(self, event: StoredEvent) -> None:
        if event.type == CLOSED and event.stream == HOUSE:
            self._closed = event
        elif event.type == BEGUN:
            if self._count > 1:
                self._add_fault(event, "a period begins with the first event of its ledger, not in the midst of it")
            body = read_body(event)
            _ = int(body["events"]), body["balances"], list(_origin(body))
            self.begun = self.begun or body
        if self._is_opening(event):
            if not self._opening.follow(event):
                self._add_fault(event, f"{event.type} is among the events that the period began with")
        elif event.type in OVER:
            self._add_fault(event, "is carried over, and not among the events that the period began with")

    def finish(self, store: Store, ends: Mapping[str, TableEnd | None]) -> None:
        """The ledger has ended: are its opening and its closing balances what its events say?"""
        if self.begun is not None and self._opening.balances.digest != self.begun["balances"]:
            self.faults.append(Fault(HOUSE, 1, "the period does not begin with the balances whose hash it names"))
        if self._closed is not None and not self.faults:
            known = {name: end for name, end in ends.items() if end is not None}
            whats = list(self._closing(store, known)) if len(known) == len(ends) else []
            self.faults += [Fault(HOUSE, self._closed.ver, what) for what in whats]

    def _closing(self, store: Store, ends: Mapping[str, TableEnd]) -> Iterator[str]:
        assert self._closed is not None
        body = read_body(self._closed)
        try:
            said = closing_balances(store, ends).digest
            _ = body["heads"], body["number"], body["balances"]
        except Exception as wrong:  # an altered event can raise anything
            yield f"what it left cannot be read: {type(wrong).__name__} {wrong}"
            return
        if said != body["balances"]:
            yield "the period was closed with other balances than its events lead to"
        if (body["identity"], body["number"]) != identity_in(store):
            yield "the event that closed it names another period"
        if body["heads"] != heads_before(store, self._closed):
            yield "the event that closed it names other last events than the tables have"

    def trusted(self) -> Iterator[str]:
        """What is taken from the period before without looking into it."""
        if self.begun is not None:
            yield from _origin(self.begun)


def _origin(begun: Mapping[str, Any]) -> Iterator[str]:
    before = begun["before"]
    yield (
        f"period {begun['number']} begins with what period {before['number']} left ({before['name']}, "
        f"checkpoint {before['checkpoint']['number']}); verify it together with that period to compare them"
    )


def heads_before(store: Store, closed: StoredEvent) -> str:
    """One hash over the heads of all streams before the event that closed a ledger."""
    heads = store.heads()
    heads[HOUSE] = (closed.ver - 1, closed.prev)
    return heads_digest({name: head for name, head in heads.items() if head[0]})


def link_faults(before: Store, store: Store, points: Sequence[Checkpoint]) -> list[Fault]:
    """Where a ledger is not the one that follows another; `points` are the signed checkpoints of the one before."""
    try:
        return list(_link_faults(before, store, points))
    except Exception as wrong:  # an altered event can raise anything
        return [Fault(store.where, 0, f"what it begins with cannot be read: {type(wrong).__name__} {wrong}")]


def _link_faults(before: Store, store: Store, points: Sequence[Checkpoint]) -> Iterator[Fault]:
    begun, closed = begun_in(store), closed_in(before)
    if begun is None or closed is None:
        where, what = (store.where, "follows no other period") if begun is None else (before.where, "is not closed")
        yield Fault(where, 0, f"it {what}")
        return
    named, version = begun.body["before"], begun.event.ver
    found = {
        "identity": closed.body["identity"],
        "number": closed.body["number"],
        "last": closed.event.gseq,
        "hash": closed.event.hash,
        "heads": heads_digest(before.heads()),
    }
    for name, value in found.items():
        if named[name] != value:
            yield Fault(HOUSE, version, f"names the {name} {named[name]} of the period before, which has {value}")
    after = (closed.body["next"]["identity"], closed.body["next"]["number"])
    if after != (begun.body["identity"], begun.body["number"]):
        yield Fault(HOUSE, version, "is not the period that the one before names as the next")
    last = (closed.event.ver, closed.event.hash)
    if not any(point.digest == named["checkpoint"]["digest"] and point.heads.get(HOUSE) == last for point in points):
        yield Fault(HOUSE, version, "names a last checkpoint of the period before that is not signed there")
    for what in opening_balances(store, begun.body["events"]).differences(closing_balances(before, table_ends(before))):
        yield Fault(HOUSE, version, what)
