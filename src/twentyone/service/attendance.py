"""Who is at a table, and who is there in name only: gone, sitting out, away while he could play."""

from __future__ import annotations

import math
import time
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import contextmanager

from twentyone.service.lines import ABSENT
from twentyone.table import Table
from twentyone.table.card_devices import is_barred
from twentyone.table.fallback_rules import rules_in_force

__all__ = ["GONE", "Absent", "Leave", "Presence", "SittingOut", "barred_players", "gone_player"]

GONE = 5.0
"""Seconds without a live connection, and without any other word, after which a player is gone."""
RETURNS = 15.0
"""Seconds more for those who were at a table that this process has just begun to lead: their pages connect again."""
SITS_OUT = 8
"""Rounds that a player may sit out before he loses his box."""
Leave = tuple[str, str, str, dict[str, str]]
"""That somebody leaves: a command, its role, who gives it, and why."""


def barred_players(table: Table) -> set[str]:
    """Those who may not wager before the cards are shuffled: nobody waits for them, and they lose nothing by it."""
    rules = rules_in_force(table.rules, table.state)
    return {name for name, player in table.state.players.items() if is_barred(rules, player)}


def _leaves(name: str, why: str) -> Leave:
    return "leave", "player", name, {ABSENT: f"{name} {why}: the box is free again"}


class Presence:
    """Who is connected to a table, or was heard of a moment ago."""

    def __init__(self, grace: Callable[[], float] = lambda: GONE) -> None:
        self._grace = grace
        self.tell: Callable[[], None] = lambda: None
        """Called when somebody's last connection ends."""
        self._connections = Counter[str]()
        self._heard: dict[str, float] = {}

    def expect(self, names: Iterable[str]) -> None:
        """They were at the table when it was loaded: they have time to come back."""
        self._heard.update(dict.fromkeys(names, time.monotonic() + RETURNS))

    def heard(self, name: str) -> None:
        """Somebody has just asked for the table, or given it a command."""
        self._heard[name] = max(time.monotonic(), self._heard.get(name, 0.0))

    @contextmanager
    def connected(self, name: str) -> Iterator[None]:
        """Somebody is there for as long as one of his connections is open."""
        self._connections[name] += 1
        try:
            yield
        finally:
            self._connections[name] -= 1
            if not self._connections[name]:
                del self._connections[name]
                self.heard(name)
                self.tell()

    def left(self, table: Table) -> dict[str, float]:
        """Seconds until each player is gone, unless he comes back; below zero, how long he is gone already.

        Guests without a device are the dealer's to look after.
        """
        players, now, grace = table.state.players, time.monotonic(), self._grace()
        self._heard = {name: self._heard.get(name, now) for name in players}
        known = (name for name, player in players.items() if player.device)
        return {name: math.inf if self._connections[name] else self._heard[name] + grace - now for name in known}

    def gone(self, table: Table) -> set[str]:
        """The players who are gone."""
        return {name for name, left in self.left(table).items() if left < 0}


def gone_player(table: Table, gone: Collection[str]) -> Leave | None:
    """The first player who is gone and has no wager on the layout: his box is free at once, his chips go with him."""
    laid = {wager.player for wager in (*table.state.placed, *table.state.in_round)}
    free = (name for name in table.state.players if name in gone and name not in laid)
    return next((_leaves(name, "is gone") for name in free), None)


class SittingOut:
    """Players who sit out rounds: after some rounds they leave their box, with their chips."""

    def __init__(self) -> None:
        self._round = 0
        self._out: dict[str, int] = {}

    def count(self, table: Table) -> None:
        """Record who sits out the round in progress, although he may play."""
        state = table.state
        if state.phase == "round" and state.rounds != self._round:
            self._round = state.rounds
            excused = barred_players(table) | {wager.player for wager in state.in_round}
            self._out = {name: self._out.get(name, 0) + 1 for name in state.players if name not in excused}

    def who_goes(self, table: Table) -> Leave | None:
        """The first player who sat out too long."""
        state = table.state
        laid = {wager.player for wager in (*state.placed, *state.in_round)}
        for name, rounds in self._out.items():
            if rounds >= SITS_OUT and name in state.players and name not in laid:
                return _leaves(name, f"sat out {rounds} rounds")
        return None


class Absent:
    """Players who could wager and do not play: after some time they leave their boxes, with their chips."""

    def __init__(self) -> None:
        self._looked = time.monotonic()
        self._for: dict[str, float] = {}

    def left(self, table: Table, waits: bool, most: float) -> list[tuple[str, float]]:
        """Who loses his box if he goes on not to play, in how many seconds; while the table waits for players."""
        state, now = table.state, time.monotonic()
        passed = now - self._looked if waits else 0.0
        self._looked = now
        stay = barred_players(table) | {wager.player for wager in state.in_round}
        self._for = {name: 0.0 if name in stay else self._for.get(name, 0.0) + passed for name in state.players}
        spared = stay | {wager.player for wager in state.placed}
        spared |= {name for name, player in state.players.items() if not player.device}  # the dealer frees their boxes
        return [(name, most - gone) for name, gone in self._for.items() if waits and name not in spared]

    def who_goes(self, table: Table, waits: bool, most: float) -> Leave | None:
        """The first player who was away too long."""
        for name, left in self.left(table, waits, most):
            if left < 0:
                return _leaves(name, f"has not played for {int(most - left)} s")
        return None
