"""What the house lets a person do before a table is asked: how many tables he sits at, how often he asks for something.

The table knows the text; here stands what keeps one person from taking the house from the others.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import NamedTuple
from weakref import WeakValueDictionary

from twentyone.errors import TwentyoneError
from twentyone.service.attendance import GONE
from twentyone.service.elsewhere import Elsewhere
from twentyone.service.live import CommandRequest, LiveTable
from twentyone.service.names import folded
from twentyone.service.people import NotAllowed, Person

__all__ = ["Doors", "HouseLimits", "is_named"]

SEATS = ("sit", "stand_behind")
"""Commands by which a player comes to a table."""
FREELY = (*SEATS, "leave", "bring_chips", "tip", "place_wager", "take_back_wager", "decide", "cut", "decline_cut")
"""What a player may do as often as the table lets him: it gives the staff nothing to do."""
REQUESTS = 5
"""How often a player may ask the automatic staff for one thing before another round is dealt."""
SPOKEN = "spoken wagers"


class HouseLimits(NamedTuple):
    """What the operator lets one player or one address have."""

    tables: int = 2
    """Tables that one player may be at."""
    new_guests: int = 6
    """New guests from one address in ten minutes; 0: as many as come."""
    gone: float = GONE
    """Seconds without a live connection after which a player at a table of automatic staff is stood for."""
    reads: int = 300
    """Pages and readings of one person in ten seconds; of all strangers at an address twice as many."""
    work: int = 1_500
    """Milliseconds of the processor for them, likewise."""


class Doors:
    """The doors of all tables of one process."""

    def __init__(self, tables: Mapping[str, LiveTable], elsewhere: Elsewhere | None = None) -> None:
        self.limits = HouseLimits()
        """What the operator allows."""
        self._tables, self._elsewhere = tables, elsewhere or Elsewhere(None)
        self._coming: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._arriving: Counter[str] = Counter()
        self._rounds: dict[str, int] = {}
        self._asked: dict[str, Counter[tuple[str, str]]] = {}

    @asynccontextmanager
    async def coming(self, live: LiveTable, person: Person) -> AsyncIterator[None]:
        """A person comes to a table, to one at a time; refused if he is at too many others."""
        live.presence.heard(person.name)
        lock = self._coming.setdefault(person.name, asyncio.Lock())
        async with lock:
            self._arriving[live.name] += 1
            try:
                await self._let_in(live, person)
                yield
            finally:
                self._arriving[live.name] -= 1

    async def _let_in(self, live: LiveTable, person: Person) -> None:
        await self._elsewhere.look(person.name)
        others = [*self._elsewhere.of(person.name)]
        others += [other.name for other in self._tables.values() if other is not live and _is_at(other, person)]
        if not _is_at(live, person) and len(others) >= self.limits.tables:
            most = "one table" if self.limits.tables == 1 else f"{self.limits.tables} tables"
            raise NotAllowed(f"a player may be at {most}: leave {' or '.join(sorted(others))} first", 409)

    def is_awaiting(self, table: str) -> bool:
        """Whether somebody comes to a table just now: a box and chips, until he has both."""
        return self._arriving[table] > 0

    @asynccontextmanager
    async def giving(
        self, live: LiveTable, person: Person, request: CommandRequest, works: bool
    ) -> AsyncIterator[None]:
        """A person gives a command; `works`: automatic staff works the table, and is not asked without end."""
        live.presence.heard(person.name)
        if person.role != "player":
            yield
        elif request.do in SEATS:
            async with self.coming(live, person):
                yield
        else:
            with_cash = request.do == "place_wager" and request.args.get("cash") is True
            what = SPOKEN if with_cash else "" if request.do in FREELY else request.do
            if what and works:
                self._ask(live, person, what)
            try:
                yield
            except TwentyoneError:
                if what and works:
                    self._asked[live.name][person.name, what] -= 1
                raise

    def _ask(self, live: LiveTable, person: Person, what: str) -> None:
        """Count a request since the last round; refused where the staff would come to nothing else."""
        rounds = live.runner.table.state.rounds
        if self._rounds.get(live.name) != rounds:
            self._rounds[live.name], self._asked[live.name] = rounds, Counter()
        asked = self._asked[live.name]
        if asked[person.name, what] >= REQUESTS:
            said = what.replace("_", " ")
            raise NotAllowed(f"{said}: asked {REQUESTS} times since the last round; ask again after the next one", 429)
        asked[person.name, what] += 1


def is_named(tables: Mapping[str, LiveTable], name: str) -> bool:
    """Whether somebody at one of these tables has this name, in whatever case."""
    wanted, playing = folded(name), [live.runner for live in list(tables.values()) if not live.runner.stopped]
    return any(folded(player) == wanted for runner in playing for player in runner.table.state.players)


def _is_at(live: LiveTable, person: Person) -> bool:
    return not live.runner.stopped and person.name in live.runner.table.state.players
