"""The tables as a list: what each one plays and does now, where somebody sits, where his chips are."""

from __future__ import annotations

from typing import Any
from weakref import WeakKeyDictionary

from twentyone.ledger.store import table_streams
from twentyone.money import ZERO, Amount
from twentyone.service.games import game_of
from twentyone.service.live import LiveTable
from twentyone.service.people import Person
from twentyone.service.service import Service
from twentyone.service.staff import left_closed
from twentyone.service.view_cache import ViewCache
from twentyone.table import Table

__all__ = ["can_sit_down", "chips_at_tables", "game_shown", "seats", "stranger_line", "table_line", "table_names"]

KEPT = ("table", "title", "rulebook", "phase", "limits", "meters", "fixed_meters", "round", "stopped")
"""What a line has of the view of its table."""
NOW = {
    "round": "round {} is played",
    "settled": "round {} is settled",
    "idle": "nobody plays",
    "open": "wagers may be laid",
}
"""What a table does, by its phase."""
STRANGER = Person("", "player")
"""Anybody who only looks on."""
Line = dict[str, Any]
STRANGERS: WeakKeyDictionary[ViewCache, tuple[tuple[object, ...], Line]] = WeakKeyDictionary()
"""What strangers are shown of a table as it is now, and what that depends on beside the table itself."""


def stranger_line(service: Service, live: LiveTable) -> Line:
    """A table as a line for anybody who only looks on: worked out once until something of it changes."""
    view, rules = live.view_cache, live.runner.table.rules
    stamp = (rules, service.edges.of(rules), service.settings(live.name).works, live.entered, live.runner.stopped)
    known = STRANGERS.get(view)
    if known is None or known[0] != stamp:
        known = STRANGERS[view] = stamp, table_line(service, live, STRANGER)
    return known[1]


def table_line(service: Service, live: LiveTable, person: Person) -> dict[str, Any]:
    """A table as a line in a list."""
    view = live.view_cache.seen_by(person)
    rules = live.runner.table.rules
    game, you = game_of(rules), view["you"]
    seated = you["chips"] is not None and bool(person.name)
    return {
        **{key: view[key] for key in KEPT},
        "full_title": rules.rulebook.full_title,
        "source": rules.rulebook.source,
        "boxes": len(view["boxes"]),
        "free": [row["box"] for row in view["boxes"] if not row["players"]],
        "players": list(view["players"]),
        "differs": game["line"],
        "house_edge": service.edges.of(rules),
        "basis": game["basis"],
        "sides": [{"title": side["title"], "edge": side["edge"]} for side in game["sides"] if side["laid"]],
        "can_sit": can_sit_down(service, live),
        "says": _says(view),
        "yours": {"boxes": you["boxes"], "chips": you["chips"]} if seated else None,
    }


def game_shown(service: Service, live: LiveTable) -> dict[str, Any]:
    """A table's game for whoever wants to learn it."""
    rules = live.runner.table.rules
    return {"table": live.name, **game_of(rules), "house_edge": service.edges.of(rules)}


def can_sit_down(service: Service, live: LiveTable) -> bool:
    """Whether somebody may sit down: at a table that is open, or that its automatic staff opens for him."""
    if live.runner.table.state.phase != "closed":
        return True
    works = service.settings(live.name).works and not live.entered
    return works and not live.runner.stopped and not left_closed(live)


def _says(view: dict[str, Any]) -> str:
    """What happens there now, and who is there."""
    phase = view["phase"]
    if view["stopped"] or phase == "closed":
        return view["stopped"] or "closed"
    now = "the cards are made ready" if view["agenda"] else NOW.get(phase, "open").format(view["round"])
    who = list(view["players"])
    return f"{now}; {', '.join(who)} {'is' if len(who) == 1 else 'are'} there" if who else now


def chips_at_tables(service: Service, person: Person) -> dict[str, Amount]:
    """What a player has at each table where he is, with his wagers there."""
    tables = {live.name: live.runner.table for live in service.tables.values() if not live.runner.stopped}
    there = {name: table for name, table in tables.items() if person.name in table.state.players}
    if person.role != "player":
        return {}
    held = {name: _held(table, person.name) for name, table in there.items()}
    return {**service.elsewhere.of(person.name), **held}


def table_names(service: Service) -> list[str]:
    """All tables that are served, here or by another process."""
    if service.ownership is None:
        return sorted(service.tables)
    return [name for name in table_streams(service.store) if name not in service.unloaded]


async def seats(service: Service, name: str) -> dict[str, dict[str, str]]:
    """At which tables of this process somebody is, and what he has there, with his wagers.

    His money is not on the way: a command under way at his tables is waited for.
    """
    for live in [live for live in service.tables.values() if name in live.runner.table.state.players]:
        async with live.at_rest:
            pass
    tables = {live.name: live.runner.table for live in service.tables.values() if not live.runner.stopped}
    return {where: {name: str(_held(table, name))} for where, table in tables.items() if name in table.state.players}


def _held(table: Table, name: str) -> Amount:
    state = table.state
    laid = (wager.amount for wager in (*state.placed, *state.in_round) if wager.player == name)
    return state.chips.get(name, ZERO) + sum(laid, ZERO)
