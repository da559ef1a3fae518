"""A shift in detail: drop, win and irregularities by dealer and by hour, and the events that somebody should look at.

Every figure of a table is counted once, in its tally; here it is told at whose hands and in which hour it changed. So
dealers and hours add up to their table to the chip.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, NamedTuple

from twentyone.ledger.codec import FORM_CHANGED, decode_event, read_body
from twentyone.ledger.own_words import own_words
from twentyone.ledger.reading import AT_TABLE
from twentyone.ledger.rows import StoredEvent
from twentyone.ledger.tally import Tally
from twentyone.ledger.timestamps import SECONDS_PER_HOUR, moment
from twentyone.money import ZERO, Amount
from twentyone.table.events import snake
from twentyone.table.words import recorded

__all__ = ["DetailedTally", "Significant", "Slice", "added"]

NOBODY = ""
"""Who deals at a table that is closed."""
ON_DUTY = ("table_opened", "dealer_changed")
"""Events that name the dealer on duty."""
COUNTED = frozenset({"round_begun", "round_event", "chips_moved", "coupon_settled", "device_reported", *AT_TABLE})
"""Events that can change what is counted by dealer and hour."""
NOTED = (
    *("table_opened", "table_closed", "device_reported", "shuffle_failed", "cards_miscounted", "recount_ordered"),
    *("ten_found", "found_tens_destroyed", "recut_ordered", "reshuffle_ordered", "handling_refused"),
    *("hands_reconstructed", "meter_paid", "meter_restored", "limit_set"),
)
"""Significant events of a table."""
NOTED_IN_ROUND = (
    *("RoundVoided", "HandCalledDead", "SettlementUndone", "ReaderFailed", "WrongRangeFound", "RackShuffled"),
    *("EntryCorrected", "FloorpersonNotified", "CardDestroyed"),
)
"""Those of a round."""
OWN_NOTED = ("clock_went_back", FORM_CHANGED)
"""Those of the ledger itself."""
FIGURES = ("drop", "win", "wagered", "rounds", "voids")


@dataclass
class Slice:
    """What was counted at one dealer's hands, or in one hour."""

    drop: Amount = ZERO
    """What players bought in with."""
    win: Amount = ZERO
    """What the tables won."""
    wagered: Amount = ZERO
    """Everything wagered."""
    rounds: int = 0
    """Rounds begun."""
    voids: int = 0
    """Rounds that were void."""
    irregularities: Counter[tuple[str, str]] = field(default_factory=Counter)
    """What went wrong, by name and paragraph."""

    @property
    def hold(self) -> Fraction | None:
        """The win as a share of the drop; none without a drop."""
        return self.win / self.drop if self.drop else None

    def add(self, other: Slice) -> None:
        """Count another slice in."""
        for name in FIGURES:
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.irregularities += other.irregularities


class Significant(NamedTuple):
    """A significant event."""

    ts: int
    """When."""
    table: str
    """Where."""
    version: int
    """Its version in the stream of the table."""
    dealer: str
    """Who dealt."""
    says: str
    """What happened."""
    cite: str
    """The paragraph; empty for what only the ledger knows."""

    def to_json(self) -> dict[str, Any]:
        """The event for a program."""
        return {**self._asdict(), "at": moment(self.ts)}


class DetailedTally(Tally):
    """A tally that also tells at whose hands and in which hour its figures changed."""

    def __post_init__(self) -> None:
        super().__post_init__()
        self.dealers: dict[str, Slice] = {}
        """Dealer to what was counted at his hands."""
        self.hours: dict[int, Slice] = {}
        """First second of an hour to what was counted in it."""
        self.noted: list[Significant] = []
        """The significant events, in order."""
        self._dealer = NOBODY
        self._told: Counter[tuple[str, str]] = Counter()

    def follow(self, event: StoredEvent) -> None:
        """Take the next event of the table."""
        inside = self.period.holds(event.ts)
        before = self._marks() if inside and event.type in COUNTED else ()
        super().follow(event)
        if event.type in ON_DUTY:
            self._dealer = str(read_body(event)["data"]["dealer"])
        if inside:
            self._note(event)
            if before:
                self._count_in(event.ts, before, self._marks())
        if event.type == "table_closed":
            self._dealer = NOBODY

    def _marks(self) -> tuple[Any, ...]:
        """What the figures are made of: most events change none of it."""
        return (
            *(self.inventory - self.opening, self.cash, self.brought, self.fills, self.credits),
            *(self.wagered, self.rounds, self.voids),
        )

    def _count_in(self, ts: int, before: tuple[Any, ...], after: tuple[Any, ...]) -> None:
        if before == after and self._told.total() == self.irregularities.total():
            return
        inventory, cash, brought, fill, credit, wagered, rounds, voids = (
            now - was for now, was in zip(after, before, strict=True)
        )
        win = inventory - fill + credit + cash
        new = Slice(cash + brought, win, wagered, rounds, voids, self.irregularities - self._told)
        self._told += new.irregularities
        hour = ts - ts % SECONDS_PER_HOUR
        self.dealers.setdefault(self._dealer, Slice()).add(new)
        self.hours.setdefault(hour, Slice()).add(new)

    def _note(self, event: StoredEvent) -> None:
        for says, cite in _significant(event):
            self.noted.append(Significant(event.ts, self.table, event.ver, self._dealer, says, cite))


def _significant(event: StoredEvent) -> Iterator[tuple[str, str]]:
    """What is told of an event, if somebody should look at it."""
    if event.type in OWN_NOTED:
        yield own_words(event.type, read_body(event)), ""
    elif event.type in NOTED:
        yield from ((said.says, said.cite) for said in recorded(decode_event(event, read_body(event))))
    elif event.type == "round_event" and any(name in event.body for name in _STORED):
        said = recorded(decode_event(event, read_body(event)))
        yield from ((line.says, line.cite) for line in said if line.kind in NOTED_IN_ROUND)


_STORED = tuple(f'"{snake(name)}"' for name in NOTED_IN_ROUND)
"""The same as they are stored."""


def added(slices: Iterable[tuple[Any, Slice]]) -> dict[Any, Slice]:
    """Slices of several tables together, by dealer or by hour, in order."""
    together: dict[Any, Slice] = {}
    for key, part in slices:
        together.setdefault(key, Slice()).add(part)
    return dict(sorted(together.items()))
