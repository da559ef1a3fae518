"""The clocks that run at a table: who has how much time left for what. They are part of every view."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from twentyone.round import Offer
from twentyone.table import Table
from twentyone.table.fallback_rules import game_stopped
from twentyone.table.idle import first_player
from twentyone.table.model import TableState, Todo
from twentyone.table.rounds import DEALER

__all__ = ["Clock", "asked_boxes", "asked_offer", "first_box", "looking"]


class Clock(NamedTuple):
    """Time that runs out for somebody."""

    what: str
    """What it is for: `decision`, `cut`, `look` (at the spread cards), `wagers`, `absence`."""
    players: tuple[str, ...]
    """For whom it runs."""
    box: int | None
    """The box at which it runs; none: before the whole table."""
    seconds: float
    """The whole time."""
    left: float
    """How much of it is left now: a page need not know what time it is here."""

    def to_json(self) -> dict[str, Any]:
        """The clock as a page is told."""
        return {**self._asdict(), "left": round(max(self.left, 0.0), 2)}


def asked_offer(table: Table) -> Offer | None:
    """What players are asked in the round, as far as they may answer; none where the choice is the dealer's."""
    state, round_ = table.state, table.state.round
    if state.phase != "round" or round_ is None or game_stopped(table.rules, state):
        return None
    need = round_.next
    options = need.options if isinstance(need, Offer) else ()
    theirs = tuple(option for option in options if option.player != DEALER)
    return need._replace(options=theirs) if isinstance(need, Offer) and theirs else None


def looking(table: Table) -> tuple[str, Todo] | None:
    """Who looks at the spread cards now, and what is to be said once he has; none where nobody does."""
    head = table.state.agenda[0] if table.state.phase == "open" and table.state.agenda else None
    first = first_player(table.state)
    return (first, head) if head is not None and head.do == "show_cards" and first else None


def asked_boxes(offer: Offer) -> Iterator[tuple[int, tuple[str, ...]]]:
    """The boxes that are asked, each with those who have not answered there."""
    for box in dict.fromkeys(option.box for option in offer.options):
        yield box, tuple(dict.fromkeys(option.player for option in offer.options if option.box == box))


def first_box(state: TableState, player: str) -> int | None:
    """Where a player sits; none for one who stands."""
    return next(iter(state.players[player].boxes), None)
