"""A stored round, frame by frame: the same view that the live table pushes, event after event."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import takewhile
from typing import Any

from twentyone.cards import UNKNOWN
from twentyone.ledger.codec import COMMAND, CREATED, OWN, Decoder, read_body
from twentyone.ledger.face_down import open_events
from twentyone.ledger.reading import whole
from twentyone.ledger.replaying import rules_at
from twentyone.ledger.rounds import RoundRow
from twentyone.ledger.rows import StoredEvent
from twentyone.ledger.shoe_records import shoe_after, shoe_before
from twentyone.ledger.store import Store
from twentyone.ledger.stored_round import StoredRound
from twentyone.round.view import HIDDEN
from twentyone.rulebook import Rules
from twentyone.service.view import nobody, public_view
from twentyone.table import Table, TableEvent, TableState
from twentyone.table.card_events import CardsPickedUp
from twentyone.table.events import RoundBegun, RoundEvent
from twentyone.table.evolve import evolve
from twentyone.table.model import Bundle, Shoe
from twentyone.table.play import ENTERED_BY
from twentyone.table.words import Sentence, described

__all__ = ["all_shown", "frames"]


def frames(store: Store, round_: RoundRow) -> list[dict[str, Any]]:
    """The frames of a round; each shows the table after one event: what happened under which paragraph, who, when."""
    return list(_frames(store, round_))


def all_shown(store: Store, round_: RoundRow) -> bool:
    """Whether every card of a round was shown in the end; in a void round the hole card may stay hidden."""
    cards = [frame["view"]["dealer"]["cards"] for frame in _frames(store, round_)]
    return not cards or not {HIDDEN, UNKNOWN.name} & set(cards[-1])


SHOWN = ("wager_laid", "coupon_laid", "wager_taken_back", "wager_confirmed", "round_begun", "round_event")
"""The events that change the boxes or the dealer's cards."""
AFTERWARDS = ("found_tens_destroyed",)
"""What is done about a round when it is over."""
BEGINS = ("wager_laid", "round_begun")
"""The events with which the next round begins."""


def _frames(store: Store, row: RoundRow) -> Iterator[dict[str, Any]]:
    rules = rules_at(store, row.table, row.last)
    state, decoder = TableState(phase="open", rounds=row.number - 1), Decoder(rules)
    _load(state, shoe_before(store, row.table, row.first))
    command: Mapping[str, Any] = {}
    for stored in _of_round(store, row):
        if stored.type not in SHOWN and stored.ver >= row.first:
            _load(state, shoe_after(state.shoe, stored))
        if stored.type == COMMAND:
            command = read_body(stored)
        if not _is_told(stored, row):
            continue
        happened = decoder.decode(stored, read_body(stored))
        for event in _one_by_one(happened, state):
            if stored.type in SHOWN:
                evolve(state, event)
            said = _said(event)
            if said is not None:
                told = {"says": said.says, "cite": said.cite, "at": stored.ts, "by": _who(command)}
                yield {**told, "view": _view(rules, state, row, stored.ver)}


def _is_told(stored: StoredEvent, row: RoundRow) -> bool:
    """Whether an event is of the round or about it: not one that begins what comes next."""
    own = row.first <= stored.ver <= row.last and stored.type not in (COMMAND, CREATED, *OWN)
    return own or stored.type in (*SHOWN, *AFTERWARDS)


def _of_round(store: Store, row: RoundRow) -> Iterator[StoredEvent]:
    """The events of a round with the command of the first, and what was done about it before the next one began."""
    last = row.last
    for event in open_events(whole(store, row.table, max(0, row.first - 2)), row.first, row.last):
        yield event
        last = event.ver
    yield from takewhile(lambda event: event.type not in BEGINS, whole(store, row.table, last))


def _who(command: Mapping[str, Any]) -> str:
    """Who gave a command, in which role; what was signaled at the table, who entered it."""
    if not command:
        return ""
    entered = command.get("args", {}).get(ENTERED_BY)
    return f"{command['by']}, {command['role']}" + (f", entered by {entered}" if entered else "")


def _load(state: TableState, shoe: Shoe | None) -> None:
    """Let this be the shoe in play; what left it before the round lies in the discard rack."""
    if shoe is not state.shoe:
        state.shoe = shoe
        state.rack = (Bundle(0, ((UNKNOWN,) * (shoe.size - shoe.left),)),) if shoe is not None else ()


def _one_by_one(happened: TableEvent, state: TableState) -> Iterator[TableEvent]:
    """An event of the table; one that advances the round by several steps is divided into one event per step."""
    if not isinstance(happened, RoundEvent):
        yield happened
        return
    round_ = state.round
    assert isinstance(round_, StoredRound)
    cards = happened.cards
    for inner in happened.events:
        round_ = round_.after((inner,))
        yield replace(happened, round=round_, events=(inner,), cards=cards, chips=(), named=None)
        cards = ()


def _said(event: TableEvent) -> Sentence | None:
    """The sentence of a frame; none for an event that only leads to the next one, or takes the cards away."""
    if isinstance(event, RoundBegun):
        return Sentence("the wagers are closed", event.cite, event.kind)
    return next(described(event), None) if not isinstance(event, CardsPickedUp) else None


def _view(rules: Rules, state: TableState, row: RoundRow, version: int) -> dict[str, Any]:
    """The table as a spectator sees it, without anything that is asked."""
    table = Table(rules, state)
    seen = public_view(table, version)
    shoe = {**seen["shoe"], "number": None} if seen["shoe"] is not None else None
    return {**seen, "shoe": shoe, "round": row.number, **nobody(table), "next": []}
