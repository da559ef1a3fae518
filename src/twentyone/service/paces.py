"""The pace of the automatic staff: what the operator chose for a table, and who may choose another."""

from __future__ import annotations

import json
from collections.abc import Collection
from dataclasses import astuple, dataclass
from typing import Any

from twentyone.errors import Refused
from twentyone.service.live import LiveTable
from twentyone.service.people import NotAllowed, Person

__all__ = ["PACES", "PREPARING", "Settings", "check_pace", "paces_for", "read_settings"]

BY_HAND, INSTANT = "by hand", "instant"
PACES = {BY_HAND: None, "slow": 1.2, "normal": 0.45, "fast": 0.08, INSTANT: 0.0}
"""Seconds between two steps; none: people work the table. `instant` is for a player who is alone."""
LONGEST = 86_400.0
"""Seconds that any clock of a table lasts at most."""
PREPARING = {"normal": 0.08}
"""The same while cards are made ready and players wait for it, where it is not the pace itself."""


@dataclass
class Settings:
    """What the operator chose for the automatic staff of one table."""

    pace: str = "normal"
    """One of `PACES`."""
    clock: float = 45.0
    """Seconds a player has for a decision or a cut, or to look at the cards unless he says that he has looked, where
    no people work the table."""
    patience: float = 8.0
    """Seconds the dealer waits for more wagers after the first one."""
    absence: float = 300.0
    """Seconds in which a player could wager and did not play, after which he loses his box; where people work
    the table, also those after which it is decided for him."""
    player: str = ""
    """A player who chose a pace for himself."""
    own: str = ""
    """The pace that he chose."""

    def __post_init__(self) -> None:
        for pace in (self.pace, self.own or self.pace):
            if pace not in PACES:
                raise Refused(f"there is no pace {pace!r}; there are {', '.join(PACES)}")

    @property
    def works(self) -> bool:
        """Whether the staff works the table, and people do not."""
        return PACES[self.pace] is not None

    def pace_at(self, players: Collection[str]) -> str:
        """The pace with these players: one who is alone has his own, if he chose one; several have the house's."""
        pace = self.own if self.works and self.own and set(players) == {self.player} else self.pace
        return "normal" if pace == INSTANT and len(players) > 1 else pace

    def stored(self) -> list[Any]:
        """All of it, as it is kept."""
        return list(astuple(self))

    def to_json(self, players: Collection[str]) -> dict[str, Any]:
        """What is told of it."""
        times = {"clock": self.clock, "patience": self.patience, "absence": self.absence}
        return {"pace": self.pace_at(players), **times}


def read_settings(stored: str) -> Settings:
    """Settings as they are kept; what is none any more is as if nobody had chosen."""
    try:
        pace, clock, patience, absence, player, own = json.loads(stored)
        sane = all(0 <= time <= LONGEST for time in (clock, patience, absence)) and isinstance(player, str)
        return Settings(pace, clock, patience, absence, player, own) if sane else Settings()
    except (ValueError, TypeError, RecursionError, Refused):
        return Settings()


def check_pace(live: LiveTable, settings: Settings, person: Person, pace: str) -> None:
    """Refuse who may not set this pace: staff may, and a player where he plays alone and no people deal."""
    why = _why_not(live, settings, person, pace)
    if why:
        raise NotAllowed(why)


def _why_not(live: LiveTable, settings: Settings, person: Person, pace: str) -> str:
    state = live.runner.table.state
    if person.role == "auditor":
        return "an auditor may only read"
    if person.role == "dealer" and state.dealer != person.name:
        return "a dealer sets the pace only of the table where he is on duty"
    if person.role != "player":
        return ""
    if person.name not in state.players:
        return "only players at the table and staff set its pace"
    if BY_HAND in (pace, settings.pace) or live.entered:
        return "this table is run by people: its pace cannot be set"
    if len(state.players) > 1:
        return "others play here, too: a player sets the pace where he is alone"
    return ""


def paces_for(live: LiveTable, settings: Settings, person: Person) -> list[str]:
    """The paces that a person may set now; none where people enter the cards."""
    return [pace for pace in PACES if not live.entered and not _why_not(live, settings, person, pace)]
