"""A stored round, frame by frame: the same view that the live table pushes, event after event."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from twentyone.ledger.codec import CREATED, decode_round_event, read_body
from twentyone.ledger.resumed import Resumed, find_rules
from twentyone.ledger.rounds import RoundRow
from twentyone.ledger.store import Store
from twentyone.money import Amount
from twentyone.round.events import StepBegun
from twentyone.round.view import HIDDEN
from twentyone.round.words import in_words
from twentyone.rulebook import Rulebook, Rules
from twentyone.service.lines import lines
from twentyone.service.view import what_lies
from twentyone.table import Table
from twentyone.table.model import Placed, TableState

__all__ = ["all_shown", "frames"]


def frames(store: Store, round_: RoundRow) -> list[dict[str, Any]]:
    """The frames of a round; each shows the table after one event, with its sentence and paragraph."""
    return list(_frames(store, round_))


def all_shown(store: Store, round_: RoundRow) -> bool:
    """Whether every card of a round lay open in the end; in a void round the hole card may never be shown."""
    cards = [frame["view"]["dealer"]["cards"] for frame in _frames(store, round_)]
    return not cards or HIDDEN not in cards[-1]


def _frames(store: Store, row: RoundRow) -> Iterator[dict[str, Any]]:
    rules = _rules(store, row.table)
    state = TableState(phase="open", rounds=row.number)
    for stored in store.read(row.table, row.first - 1):
        if stored.ver > row.last:
            return
        body = read_body(stored)
        data = body.get("data", {})
        if stored.type == "wager_laid":
            amount = Amount(data["amount"])
            state = _with(state, placed=(*state.placed, Placed(data["box"], data["player"], data["wager"], amount)))
            yield _frame(rules, state, stored.ver, next(lines([stored])).says, body["cite"])
        if stored.type == "round_begun":
            events = tuple(map(decode_round_event, data["events"]))
            begun = Resumed.of(find_rules(rules, data), events)
            state = _with(state, phase="round", placed=(), round=begun)
            yield _frame(rules, state, stored.ver, "the wagers are closed", body["cite"])
        if stored.type == "round_event" and isinstance(state.round, Resumed):
            for event in map(decode_round_event, data["events"]):
                state = _with(state, round=state.round.after((event,)))
                if not isinstance(event, StepBegun):
                    yield _frame(rules, state, stored.ver, in_words(event), event.cite)


def _rules(store: Store, table: str) -> Rules:
    first = next(iter(store.read(table)))
    assert first.type == CREATED
    body = read_body(first)
    return Rulebook.load(body["rulebook"]).under({**body["submission"], "readings": body.get("readings", {})})


def _with(state: TableState, **changes: Any) -> TableState:
    state = state.copy()
    for name, value in changes.items():
        setattr(state, name, value)
    return state


def _frame(rules: Rules, state: TableState, version: int, says: str, cite: str) -> dict[str, Any]:
    return {"says": says, "cite": cite, "view": what_lies(Table(rules, state), version)}
