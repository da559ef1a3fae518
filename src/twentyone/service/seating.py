"""Sitting down: a box and chips, taken away from another table or fresh play money."""

from __future__ import annotations

import asyncio
import uuid

from twentyone.errors import Refused
from twentyone.money import ZERO, Amount, dollars
from twentyone.service.live import CommandRequest, LiveTable
from twentyone.service.people import NotAllowed, Person
from twentyone.service.service import Service
from twentyone.service.staff import left_closed
from twentyone.table import Table

__all__ = ["buy_in", "take_seat"]

GIVEN = Amount("500")
"""The amount of fresh play money."""


async def take_seat(service: Service, live: LiveTable, person: Person, box: int | None, stand: bool = False) -> None:
    """Sit down at a box, or at the free box nearest to the middle, or stand at the table; and bring chips.

    Who sits there with nothing brings some, too: the process that seated him may have been lost before they came.
    """
    known = live.runner.table.state.players.get(person.name)
    if known is None or not (known.boxes or stand):
        await _sit(live, person, box, stand)
    if known is None or _has_nothing(live.runner.table, person):
        await _bring(service, live, person)


async def _sit(live: LiveTable, person: Person, box: int | None, stand: bool) -> None:
    if not left_closed(live):
        await _until_open(live)
    chosen = box if box is not None else _nearest(live.runner.table)
    do, args = ("stand_behind", {}) if stand else ("sit", {"boxes": [chosen]})
    await live.give(CommandRequest(do, args, f"sit-{uuid.uuid4()}"), "player", person.name)


async def buy_in(service: Service, live: LiveTable, person: Person) -> None:
    """More chips for a player with less than the minimum wager: his purse, then fresh play money."""
    if person.role != "player" or person.name not in live.runner.table.state.players:
        raise NotAllowed("chips are only for players at this table")
    if _chips(live.runner.table, person) >= (least := _least(live.runner.table)):
        raise NotAllowed(f"you still have enough for the minimum wager: ${least}", 409)
    await _bring(service, live, person, asked=True)


async def _bring(service: Service, live: LiveTable, person: Person, asked: bool = False) -> None:
    """His purse; fresh money if he has less than the minimum wager and has no chips elsewhere, or few and asks for it.

    The times that he was given money are counted first: if another process gives him some meanwhile, it is the same.
    """
    purses = service.people.purses
    issues = purses.issues(person.name)
    await _bring_purse(service, live, person)
    if not _is_poor(live, person):
        return
    await service.elsewhere.look(person.name)  # also after the door: what he was given meanwhile may lie there by now
    elsewhere = _elsewhere(service, live, person)
    if asked and elsewhere > GIVEN:
        raise NotAllowed(f"you have {dollars(elsewhere)} at other tables: bring some of it", 409)
    if _is_poor(live, person) and (asked or not elsewhere):
        reason = f"at {live.name}, with less than the minimum wager"
        await asyncio.to_thread(purses.issue, person.name, GIVEN, reason, issues)
        await _bring_purse(service, live, person)


async def _bring_purse(service: Service, live: LiveTable, person: Person) -> None:
    """All that his purse holds in whole chips; another table may be quicker."""
    purses = service.people.purses
    unit = live.runner.table.rules.submission["chip_unit"]
    while amount := Amount((held := purses.of(person.name)) - held % unit):
        request = CommandRequest("bring_chips", {"amount": str(amount)}, f"bring-{uuid.uuid4()}")
        try:
            await live.give(request, "player", person.name)
            return
        except Refused:
            if purses.of(person.name) == held:
                raise


def _is_poor(live: LiveTable, person: Person) -> bool:
    return _chips(live.runner.table, person) < _least(live.runner.table)


def _has_nothing(table: Table, person: Person) -> bool:
    return not _chips(table, person) and not _laid(table, person)


def _nearest(table: Table) -> int:
    taken = {number for player in table.state.players.values() for number in player.boxes}
    most = table.rules.boxes
    middle = sorted(range(1, most + 1), key=lambda number: abs(number - (most + 1) / 2))
    return next((number for number in middle if number not in taken), 1)


def _chips(table: Table, person: Person) -> Amount:
    return table.state.chips.get(person.name, ZERO)


def _least(table: Table) -> Amount:
    chosen = table.rules.submission
    return Amount(chosen.get("table_minimum") or chosen["chip_unit"])


def _elsewhere(service: Service, here: LiveTable, person: Person) -> Amount:
    """What he has at other tables, with his wagers there."""
    others = (live.runner.table for live in service.tables.values() if live is not here and not live.runner.stopped)
    away = service.elsewhere.of(person.name).values()
    return sum((_chips(table, person) + _laid(table, person) for table in others), sum(away, ZERO))


def _laid(table: Table, person: Person) -> Amount:
    wagers = (*table.state.placed, *table.state.in_round)
    return sum((wager.amount for wager in wagers if wager.player == person.name), ZERO)


async def _until_open(live: LiveTable) -> None:
    """Let the staff open a closed table as soon as somebody is there."""
    for _ in range(100):
        if live.runner.table.state.phase != "closed":
            return
        await asyncio.sleep(0.05)
