"""The wheels of a round of a ledger as a wheel record, which anyone can check without the ledger."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain, islice

from twentyone.ledger.codec import Decoder, read_body
from twentyone.ledger.export import CannotSay
from twentyone.ledger.face_down import open_events
from twentyone.ledger.identity import given_submission
from twentyone.ledger.reading import readable, whole
from twentyone.ledger.replaying import rules_at
from twentyone.ledger.rounds import RoundRow
from twentyone.ledger.rows import StoredEvent
from twentyone.ledger.store import Store
from twentyone.round import Spin, Spun
from twentyone.table.events import RoundEvent
from twentyone.table.wheel import turn_due
from twentyone.table.wheel_record import SpinRow, WheelRecord

__all__ = ["WheelSeed", "wheel_record"]


class WheelSeed:
    """The commitment and the seed of the wheels of one round, found while its stream is read."""

    def __init__(self, row: RoundRow) -> None:
        self._row = row
        self.commitment = self.seed = ""
        """What stood when the wagers were laid, and what was published after them; empty: none."""

    def follow(self, event: StoredEvent) -> None:
        """Take the next event of the stream."""
        if event.type == "wheel_sealed" and event.ver < self._row.last:
            self.commitment = read_body(event)["commitment"]
        elif event.type == "wheel_revealed" and event.ver > self._row.last:
            self.seed = read_body(event)["seed"]


def wheel_record(store: Store, row: RoundRow) -> WheelRecord:
    """The record of the wheels of a round; `CannotSay` where there is none, or not yet."""
    found, own = WheelSeed(row), list[StoredEvent]()
    for event in chain(_seal(store, row), open_events(whole(store, row.table, row.first - 1), row.first, row.last)):
        with readable(event):
            found.follow(event)
        if row.first <= event.ver <= row.last:
            own.append(event)
    if not found.commitment:
        raise CannotSay(f"{row.id}: no seed was sealed for a wheel there")
    if not found.seed:
        raise CannotSay(
            f"{row.id}: the seed of its wheels is not published: no wager on a wheel lay, or it is not over"
        )
    decoder = Decoder(rules_at(store, row.table, row.last))
    spins = tuple(_spins(decoder, own))
    assert decoder.round is not None
    rules = decoder.round.rules
    return WheelRecord(
        rules.rulebook.id, given_submission(rules), found.seed, found.commitment, spins, rules.rulebook.edition
    )


def _seal(store: Store, row: RoundRow) -> Iterator[StoredEvent]:
    """The last seed that was sealed for wheels before a round."""
    for event in store.read_seals_back(row.table, row.first):
        if event.type == "wheel_sealed":
            yield from islice(whole(store, row.table, event.ver - 1), 1)
            return


def _spins(decoder: Decoder, events: Iterable[StoredEvent]) -> Iterator[SpinRow]:
    for event in events:
        if event.type not in ("round_begun", "round_event"):
            continue
        before = decoder.round
        with readable(event):
            happened = decoder.decode(event, read_body(event))
        if isinstance(happened, RoundEvent) and isinstance(happened.step, Spun):
            assert before is not None
            assert isinstance(before.next, Spin)
            turn = turn_due(before, before.next)
            yield SpinRow(turn.wheel, happened.step.symbol, turn.boxes, happened.step.hot_spot)
