"""A ledger that is in use, examined again and again: what was added since the last look, and a part of the rest.

What was seen once is remembered (the heads of the streams, the rows of the house), so that whoever rewrites it is found
even where he stamps everything anew, before a checkpoint is signed. Memory is that of the heads and rows, however many
events there are.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import chain as joined
from itertools import islice, takewhile
from pathlib import Path

from twentyone.ledger.chain import Chain, Fault
from twentyone.ledger.checkpoints import compare, read_last
from twentyone.ledger.derived import money_faults
from twentyone.ledger.house import HOUSE, TABLES, HouseRows
from twentyone.ledger.house_rows import Place, Row
from twentyone.ledger.keys import Keyring
from twentyone.ledger.rounds import PROJECTION, unmarked
from twentyone.ledger.rows import LedgerRefused, StoredEvent
from twentyone.ledger.store import Store

__all__ = ["LedgerWatch"]

NEW, AGAIN = 50_000, 5_000
"""Events of one look: of those that were added, and of all, which are read from the first on, again and again."""
TRIES = 5
"""How often rows are read in one look while others write."""
ROWS = 500
"""Rows of each derived table, and of the list of rounds, that one look compares."""
PAUSE = 500
"""Events between two pauses."""
Pause = Callable[[], None]


class LedgerWatch:
    """What is known of a ledger that was compared when it was opened; `look` names the first difference since."""

    def __init__(self, store: Store, keyring: Keyring, checkpoints: Path, pause: Pause) -> None:
        """`pause` is called often: whoever looks lets others work, or stops by raising something."""
        self.events = 0
        """Events examined so far, those that were read again included."""
        self._keyring, self._checkpoints, self._pause = keyring, checkpoints, pause
        self._again, self._number = Chain(), 0
        self._signed = 0
        self._after: dict[str, str] = {}
        self._begin(store)

    def _begin(self, store: Store) -> None:
        """Take over the heads of one moment; the rows of the house are what its events lead to, whatever is stored."""
        self._last, heads = store.settled(), store.heads()
        self._chain, self._begun = Chain(heads), store.settled()
        rows, house = HouseRows(), heads.get(HOUSE, (0, ""))[0]
        events = takewhile(lambda event: event.ver <= house, store.read(HOUSE))
        self._not_allowed = list(money_faults(rows, self._paced(events)))
        self._rows, self._places = HouseRows(rows.held), list(rows.held)

    def look(self, store: Store) -> Fault | None:
        """Examine a part of the ledger; the first thing that is not as it was."""
        parts = (self._schema, self._heads, self._new, self._rest, self._derived, self._rounds, self._signatures)
        return next(joined(self._not_allowed, joined.from_iterable(part(store) for part in parts)), None)

    def _schema(self, store: Store) -> Iterator[Fault]:
        yield from (Fault(store.where, 0, what) for what in store.schema_faults())

    # -- events

    def _heads(self, store: Store) -> Iterator[Fault]:
        """Every stream is at least as far as it was, and where it stands its last event is the same."""
        now = store.heads()
        for stream, (ver, own) in self._chain.heads.items():
            at, hash_ = now.get(stream, (0, ""))
            if at < ver:
                yield Fault(stream, at, f"is its last event, and version {ver} was stored: its tail was cut off")
            elif at == ver and hash_ != own:
                yield Fault(stream, ver, "has another hash than when it was stored: it was stamped anew")

    def _new(self, store: Store) -> Iterator[Fault]:
        """What was added continues what was there, and does to the money what its rows allow."""
        for event in self._paced(islice(store.read_all(self._last), NEW)):
            taken_over = event.gseq <= self._begun and event.ver <= self._chain.heads.get(event.stream, (0, ""))[0]
            self._last = event.gseq
            if taken_over:
                continue
            if (fault := self._chain.follow(event)) is not None:
                yield fault
            yield from money_faults(self._rows, [event])

    def _rest(self, store: Store) -> Iterator[Fault]:
        """Read on where the last look stopped; at the end, begin again."""
        seen = 0
        for event in self._paced(islice(store.read_all(self._number), AGAIN)):
            if event.gseq > self._last:
                break
            if (fault := self._again.follow(event)) is not None:
                yield fault
            self._number, seen = event.gseq, seen + 1
        if seen < AGAIN:
            yield from self._missing()
            self._again, self._number = Chain(), 0

    def _missing(self) -> Iterator[Fault]:
        """The streams end where they are known to end, when all events were read."""
        for stream, (ver, _) in self._chain.heads.items():
            if self._again.heads.get(stream, (0, ""))[0] < ver:
                yield Fault(stream, ver, "was stored, and is not there when all events are read")

    def _paced(self, events: Iterator[StoredEvent]) -> Iterator[StoredEvent]:
        for count, event in enumerate(events, 1):
            yield event
            self.events += 1
            if count % PAUSE == 0:
                self._pause()

    # -- what is derived from them

    def _derived(self, store: Store) -> Iterator[Fault]:
        """Rows that changed since the last look, and some of the others; those of a busy house come with the next."""
        for _ in range(TRIES):
            yield from self._new(store)
            places = [*islice(self._rows.changed, ROWS), *self._some_places()]
            stored = dict(joined.from_iterable(self._part(store, table) for table in TABLES))
            found = store.find_many_derived(places)
            stored |= {place: found.get(place) for place in places}
            if store.version(HOUSE) == self._chain.heads.get(HOUSE, (0, ""))[0]:
                break
        else:
            return
        for place, row in stored.items():
            self._rows.changed.pop(place, None)
            if row != (made := self._rows.held.get(place)):
                yield _edited(place, row, made)

    def _part(self, store: Store, table: str) -> list[tuple[Place, Row | None]]:
        """Some rows of a table, from where the last look stopped: also those that no event leads to."""
        part = list(islice(store.read_derived(table, self._after.get(table, "")), ROWS))
        self._after[table] = part[-1][0] if len(part) == ROWS else ""
        return [((table, key), row) for key, row in part]

    def _some_places(self) -> list[Place]:
        """Some of the rows that events lead to: also those that somebody removed."""
        part = self._places[:ROWS]
        self._places = self._places[ROWS:] or list(self._rows.held)
        return part

    def _rounds(self, store: Store) -> Iterator[Fault]:
        """Some rows of the list of rounds bear the key's mark."""
        part = list(islice(store.read_projection(PROJECTION, self._after.get(PROJECTION, "")), ROWS))
        self._after[PROJECTION] = part[-1].key if len(part) == ROWS else ""
        for row in part:
            try:
                unmarked(self._keyring, row)
            except LedgerRefused as altered:
                yield Fault(store.where, 0, str(altered))

    def _signatures(self, store: Store) -> Iterator[Fault]:
        """The last checkpoint is signed, no older than the one before, and the ledger holds what it says."""
        point, what = read_last(self._checkpoints, self._keyring.signer.public_key())
        if what:
            yield Fault(str(self._checkpoints), 0, what)
        number = point.number if point is not None else 0
        if number < self._signed:
            ends = f"ends with checkpoint {number}, and checkpoint {self._signed} was signed: lines were removed"
            yield Fault(str(self._checkpoints), 0, ends)
        if point is not None and number > self._signed:
            yield from compare(store, self._checkpoints, [point])
        self._signed = max(number, self._signed)


def _edited(place: Place, stored: Row | None, made: Row | None) -> Fault:
    table, key = place
    says = f"is {TABLES[table].row(stored)}, the events lead to {TABLES[table].row(made)}: it was edited"
    return Fault(HOUSE, 0, f"the row {key!r} of {table} {says}")
