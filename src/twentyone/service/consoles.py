"""What only a console shows: what guests without a device are asked, what is paid and taken, what can be corrected."""

from __future__ import annotations

from typing import Any

from twentyone.cards import RANKS
from twentyone.errors import Refused
from twentyone.round.correcting import HOT_SPOT, TOLD, hot_spot_of, named_entries
from twentyone.rulebook.clauses import Symbol
from twentyone.rulebook.wheels import weights_of
from twentyone.script.result import settlement
from twentyone.service.catalogue import CORRECT
from twentyone.service.view import own_view
from twentyone.table import Table
from twentyone.table.play import COMMANDS

__all__ = ["console_view"]


def console_view(table: Table, role: str, entered: bool) -> dict[str, Any]:
    """The part of a console's view; `entered`: people enter the cards here."""
    corrects = entered and role in COMMANDS[CORRECT].roles
    return {
        **(_of_dealer(table) if role == "dealer" else {}),
        **({"entries": _entries(table, role), "ranks": _ranks(table)} if corrects else {}),
    }


def _ranks(table: Table) -> list[str]:
    """The ranks of the cards in the shoe."""
    return [rank for rank in RANKS if rank not in table.rules.cards.without]


def _of_dealer(table: Table) -> dict[str, Any]:
    """Guests without a device, and what is paid and taken, in the order of the text."""
    state = table.state
    guests = [name for name, player in state.players.items() if not player.device]
    rows = state.round.state.rows if state.round is not None else ()
    return {
        "guests": [_guest(table, name) for name in guests],
        "payments": [{"box": row.box, "hand": row.hand, **settlement(row)} for row in rows],
    }


def _guest(table: Table, name: str) -> dict[str, Any]:
    """A guest without a device, as his own page would show him to himself."""
    own = own_view(table, "player", name)
    you, offer = own["you"], own["offer"]
    return {
        "name": name,
        "boxes": you["boxes"],
        "chips": you["chips"],
        "barred": you["barred"],
        "offer": offer if offer is not None and offer.get("yours") else None,
        "requests": own["requests"],
        "cut": table.state.cut_offered == name,
    }


def _entries(table: Table, role: str) -> list[dict[str, Any]]:
    """What was entered in the round whose cards lie there, the last first, as far as a role may correct it."""
    if table.state.round is None:
        return []
    try:
        entries = named_entries(table.state.round)
    except Refused:
        return []
    shown = [entry for entry in reversed(entries) if role != "dealer" or entry.last]
    return [{**entry._asdict(), "instead": _instead(table, entry.word)} for entry in shown]


def _instead(table: Table, word: str) -> list[str]:
    """What the reader may have told, or the wheel may have done, instead; nothing where the entry is a card."""
    told = dict.fromkeys((*TOLD, *(row.name for row in table.rules.ranges.values())))
    if word in told:
        return [other for other in told if other != word and (other in TOLD) == (word in TOLD)]
    symbols = dict.fromkeys(name for wheel in weights_of(table.rules).values() if word in wheel for name in wheel)
    return [other for other in symbols or _hot_spots(table, word) if other != word]


def _hot_spots(table: Table, word: str) -> list[str]:
    """The boxes that may have been the hot spot, where an entry names one."""
    if hot_spot_of(word) is None or table.state.round is None:
        return []
    wheels = {clause.wheel for clause in table.rules.all(Symbol)}
    boxes = sorted({side.box for side in table.state.round.state.sides if side.wager in wheels})
    return [HOT_SPOT.format(box) for box in boxes]
