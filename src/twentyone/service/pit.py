"""The pit board: every table in a row, with what it waits for, what is wrong and what is due; made for one person.

Nothing here comes from a card that lies face down: a row is made of next steps, chips and the events of everybody.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from twentyone.ledger.tally import INVENTORY
from twentyone.money import ZERO
from twentyone.round import Offer
from twentyone.rulebook.clauses import Device
from twentyone.service.catalogue import step_fields
from twentyone.service.dealers import dealers
from twentyone.service.figures import Tallies
from twentyone.service.live import LiveTable
from twentyone.service.people import Person
from twentyone.service.staff import left_closed
from twentyone.table import NextStep, Table
from twentyone.table.agenda import day_begins, uninspected
from twentyone.table.duty import ASSIGN
from twentyone.table.fallback_rules import rules_in_force
from twentyone.table.model import TableState
from twentyone.table.opening import change_overdue
from twentyone.table.play import COMMANDS, given_task, task_cite

if TYPE_CHECKING:
    from twentyone.service.service import Service

__all__ = ["Pit", "merged"]

Row = dict[str, Any]
ALARM, ASKED, WRONG, WAITS, PLAYS, CLOSED = range(6)
"""How urgent a row is: the table stopped, a person of the floor is asked, something is wrong or overdue, ..."""
FLOOR = ("floorperson", "operator")
"""Whose steps the board is for."""
OUTCOMES = ("reader_reveals", "reader_hides")
"""What follows an irregularity, and is none of its own."""
SPOKEN = ("confirm_verbal_wager", "decline_verbal_wager")
NOBODY = {"player": "a player", "dealer": "a dealer", "floorperson": "a floorperson", "operator": "the operator"}


class Waits(NamedTuple):
    """Whom a table waits for."""

    role: str
    """His role."""
    whom: tuple[str, ...]
    """Their names, or anybody of the role."""
    says: str
    """What he is asked."""
    cite: str
    """The paragraph."""


class Pit:
    """The pit board of one process."""

    def __init__(self, service: Service) -> None:
        self._service = service
        self._tallies = Tallies(service.store)
        self._since: dict[str, tuple[Waits, int]] = {}
        self._rows: dict[str, tuple[tuple[Any, ...], Row]] = {}
        self._counting = asyncio.Lock()

    async def count(self) -> None:
        """Count drop and win on, beside the event loop."""
        now = self._service.now
        live = [table for table in self._service.tables.values() if not table.runner.stopped]
        days = [(table.name, day_begins(table.runner.table.rules, now)) for table in live]
        async with self._counting:
            await asyncio.to_thread(self._tallies.count, days)

    def shown(self, person: Person) -> Row:
        """The board as a person sees it: what needs somebody comes first, then what has waited longest."""
        known = dealers(self._service.people)
        rows = [self._row(live, person, known) for live in self._service.tables.values()]
        return merged([{"alarms": list(self._alarms()), "rows": rows}])

    def _alarms(self) -> Iterator[Row]:
        """What is wrong with the whole house."""
        service = self._service
        if service.signing.failed:
            yield {"says": f"no checkpoint has been signed: {service.signing.failed}", "cite": ""}
        for why in service.stops.reasons.values():
            yield {"says": f"no further round is dealt: {why}", "cite": ""}
        if service.recovery.why:
            yield {"says": f"no commands are taken: {service.recovery.says}", "cite": ""}
        for name, why in service.unloaded.items():
            yield {"says": f"the table {name} is not served: {why}", "cite": ""}

    def _row(self, live: LiveTable, person: Person, known: list[str]) -> Row:
        if live.runner.stopped:
            says = f"the table is stopped: {live.runner.stopped}"
            return {**_EMPTY, "table": live.name, "version": live.version, "alarms": [{"says": says, "cite": ""}]}
        automatic = self._service.settings(live.name).works and not live.entered
        table, day = live.runner.table, self._tallies.of(live.name)
        overdue = list(_overdue(table, self._service.now))
        key = (live.version, live.steps, automatic, known, overdue, live.runner.law.barred(table) is None)
        if self._rows.get(live.name, ((), {}))[0] != key:
            self._rows[live.name] = key, self._public(live, table, automatic, known) | {"overdue": overdue}
            self._rows[live.name][1]["urgency"] = _urgency(self._rows[live.name][1])
        figures = (
            {"drop": str(day.drop), "win": str(day.win), "rounds": day.rounds, "mishaps": day.mishaps} if day else {}
        )
        asked = _asked(live, table, person, known) if not automatic or left_closed(live) else []
        return {**_UNCOUNTED, **self._rows[live.name][1], **figures, "asked": asked}

    def _public(self, live: LiveTable, table: Table, automatic: bool, known: list[str]) -> Row:
        """What is the same for everybody who sees the board."""
        state, book, waits = table.state, table.rules.rulebook, _waits(table, live.steps)
        return {
            "table": live.name,
            "version": live.version,
            "title": book.title,
            "source": book.source,
            "rulebook": book.id,
            "phase": state.phase,
            "round": state.rounds,
            "automatic": automatic,
            "dealer": state.dealer,
            "players": list(state.players),
            "waiting": _waiting(state, waits),
            "waits": waits._asdict() if waits else None,
            "floor": not left_closed(live) and any(step.role in FLOOR for step in live.steps),
            "since": self._when(live, waits),
            "alarms": list(_stops(live, known)),
            "irregularities": list(_irregularities(table)),
            "inventory": str(state.chips.get(INVENTORY, ZERO)),
            "meters": {name: str(meter.shown) for name, meter in state.meters.items()},
        }

    def _when(self, live: LiveTable, waits: Waits | None) -> int:
        """Since when a table has waited for this: the last event before it was first seen."""
        if waits is None:
            return 0
        if live.name not in self._since or self._since[live.name][0] != waits:
            last = next(iter(live.lines_after(0)[-1:]), None)
            at = live.runner.table.log.last or (last.at if last is not None else self._service.now)
            self._since[live.name] = waits, at
        return self._since[live.name][1]


def merged(boards: Sequence[Row]) -> Row:
    """The boards of all processes as one: what needs somebody comes first, then what has waited longest."""
    alarms = [alarm for board in boards for alarm in board["alarms"]]
    rows = [row for board in boards for row in board["rows"]]
    rows.sort(key=lambda row: (row["urgency"], row["since"], row["table"]))
    return {"alarms": [alarm for n, alarm in enumerate(alarms) if alarm not in alarms[:n]], "rows": rows}


_UNCOUNTED: Row = dict.fromkeys(("drop", "win", "rounds", "mishaps"))
_EMPTY: Row = {
    **_UNCOUNTED,
    **dict.fromkeys(("title", "source", "rulebook", "phase", "waiting"), ""),
    **dict.fromkeys(("round", "since", "urgency"), 0),
    **dict.fromkeys(("dealer", "waits", "inventory")),
    **{name: [] for name in ("players", "irregularities", "overdue", "asked")},
    "automatic": False,
    "meters": {},
}
"""The row of a table that cannot be looked at."""


def _urgency(row: Row) -> int:
    automatic, floor = row["automatic"], row.pop("floor")
    if row["alarms"]:
        return ALARM
    waits = row["waits"]
    if floor and not automatic:
        return ASKED
    if row["phase"] == "closed":
        return CLOSED
    if row["irregularities"] or row["overdue"]:
        return WRONG
    return WAITS if waits is not None and not automatic and row["players"] else PLAYS


def _waits(table: Table, steps: Sequence[NextStep]) -> Waits | None:
    """Whom the first of the steps that are due is for."""
    first, state = next(iter(steps), None), table.state
    if first is None:
        return None
    need = state.round.next if state.phase == "round" and state.round is not None else None
    if first.do == "decide" and isinstance(need, Offer):
        players = tuple(sorted({option.player for option in need.options}))
        asked = players if first.role == "player" else (state.dealer or NOBODY["dealer"],)
        return Waits(first.role, asked, _plain(need.kind), first.cite)
    roles = dict.fromkeys(step.role for step in steps if step.do == first.do)
    others = [role for role in roles if role != "operator" or len(roles) == 1]
    whom = [name for role in others for name in _names(state, first, role)]
    return Waits(first.role, tuple(whom), first.says, first.cite)


def _names(state: TableState, step: NextStep, role: str) -> list[str]:
    """Whom a step is for in a role: by name, where somebody is meant."""
    laid, names = {wager.player for wager in state.placed}, list[str]()
    if role == "dealer" and state.dealer is not None:
        names = [state.dealer]
    elif role == "player" and step.do == "cut":
        names = [state.cut_offered]
    elif role == "player" and step.do == "place_wager":
        names = [name for name in state.players if name not in laid]
    return names or [NOBODY[role]]


def _waiting(state: TableState, waits: Waits | None) -> str:
    """Who waits there: the dealer, or where the dealer is asked the players."""
    if waits is None or waits.role != "dealer":
        return state.dealer or ""
    return ", ".join(state.players)


def _irregularities(table: Table) -> Iterator[Row]:
    """What went wrong and is not over: in a round until its cards are picked up, at the table until it is mended."""
    state, rules = table.state, table.rules
    if state.round is not None:
        clauses = state.round.rules.irregularities.values()
        known = {clause.cite: clause.name for clause in clauses if clause.name not in OUTCOMES}
        happened = dict.fromkeys(event.cite for event in state.round.events if event.cite in known)
        told = state.round.state.notified
        for cite in happened:
            waits = " (a floorperson has not confirmed it)" if told == known[cite] else ""
            yield {"says": _plain(known[cite]) + waits, "cite": cite}
    if state.found:
        yield {
            "says": "cards that are not of this game lie aside",
            "cite": task_cite(rules, state, "destroy_found_ten"),
        }
    if state.miscounted:
        yield {"says": "the count gave another number of cards", "cite": task_cite(rules, state, "count_cards")}
    if state.jammed:
        yield {"says": "the shuffler jammed", "cite": task_cite(rules, state, "shuffle")}
    for clause in rules.all(Device):
        device = state.devices.get(clause.name)
        if device is not None and device.state != "working":
            yield {"says": f"the {_plain(clause.name)} is {_plain(device.state)}", "cite": clause.cite}


def _overdue(table: Table, now: int) -> Iterator[Row]:
    """What the clock asks of a table that is open."""
    state, rules = table.state, rules_in_force(table.rules, table.state)
    if state.phase == "closed":
        return
    change = change_overdue(rules, state, now)
    if change is not None:
        yield {"says": f"the cards have been in use for more than {change.hours} hours", "cite": change.cite}
    begun = {todo.about for todo in state.agenda if todo.do == "inspect_device"}
    for device in uninspected(rules, state, now):
        if device.name not in begun:
            yield {"says": f"the {_plain(device.name)} is not inspected for this gaming day", "cite": device.cite}


def _stops(live: LiveTable, known: list[str]) -> Iterator[Row]:
    """Why a table cannot go on at all."""
    table = live.runner.table
    state, rules = table.state, table.rules
    if state.stopped:
        broken = [clause for clause in rules.all(Device) if _is_out(state, clause)]
        cite = next((clause.cite for clause in broken), "") or task_cite(rules, state, "device_out_of_order") or ""
        yield {"says": state.stopped, "cite": cite}
    if (barred := live.runner.law.barred(table)) is not None:
        yield {"says": barred.why, "cite": barred.cite}
    if state.dealer is not None and state.dealer not in known:
        cite = task_cite(rules, state, "change_dealer") or ""
        yield {"says": f"{state.dealer}, who is on duty, has no account of a dealer: call another", "cite": cite}


def _is_out(state: TableState, clause: Device) -> bool:
    device = state.devices.get(clause.name)
    return device is not None and device.state != "working"


def _asked(live: LiveTable, table: Table, person: Person, known: list[str]) -> list[Row]:
    """The steps that are this person's, with what each needs to know: they are answered on the board."""
    found: dict[tuple[str, str], Row] = {}
    for asked in live.steps:
        step = _assigned_first(table, asked, person)
        task = given_task(rules_in_force(table.rules, table.state), table.state, step.do)
        roles = task.role if task is not None else COMMANDS[step.do].roles
        if step.role in FLOOR and person.at_table in roles and (step.do, step.about) not in found:
            args = _known(table.state, step, person.at_table)
            wanted = () if step.do == ASSIGN else step_fields(table, step.do, live.entered, known)
            fields = [field for field in wanted if field["name"] not in args]
            shown = {**step._asdict(), "args": args, "fields": fields}
            found[step.do, step.about] = shown
    return list(found.values())


def _assigned_first(table: Table, step: NextStep, person: Person) -> NextStep:
    """The step; where it is the assigned floorperson's and this is another, to be assigned comes first."""
    task = given_task(rules_in_force(table.rules, table.state), table.state, step.do)
    other = table.state.floorperson not in ("", person.name)
    if task is None or not (task.assigned and other) or person.at_table != step.role:
        return step
    return NextStep(ASSIGN, step.role, step.cite, "be assigned to the table as its floorperson")


def _known(state: TableState, step: NextStep, role: str) -> Row:
    """What of a step the table knows already."""
    if step.do in SPOKEN:
        said = next((said for said in state.verbal if said.player == step.about and role not in said.confirmed), None)
        return {"box": said.box, "player": said.player, "wager": said.wager} if said is not None else {}
    return {"device": step.about} if step.about and "device" in COMMANDS[step.do].takes else {}


def _plain(name: str) -> str:
    return name.replace("_", " ")
