"""A table with both wheels in a ledger: Ann and Bob lay every wager on them and stand, until the wheels have turned."""

from __future__ import annotations

import json
from typing import Any

from tests.contracts.runner_driver import KEYRING, seeded_source

from twentyone.ledger.runner import Answer, Runner
from twentyone.ledger.store import Store
from twentyone.money import ZERO, Amount
from twentyone.round import Offer, Spin
from twentyone.rulebook import Rulebook, Rules
from twentyone.rulebook.clauses import Symbol
from twentyone.table import Command, TableState
from twentyone.table.follow import Follower
from twentyone.table.health import Source

__all__ = ["JACKPOT", "WHEELS", "WheelTable"]

STAFF = {"dealer": "Dan", "floorperson": "Fay"}
METERS = {
    "bonus_spin": {"rate": "0.07", "reset": "5000"},
    "xtreme_16_primary": {"rate": "0.1", "reset": "12000"},
    "xtreme_16_secondary": {"rate": "0.0333", "reset": "6000"},
}
WHEELS: Rules = Rulebook.load("md-spanish-21").under(
    {"shuffler": "manual", "bonus_spin": "A", "xtreme_16": True, "progressive": METERS}
)
JACKPOT = next(row.name for row in WHEELS.all(Symbol) if row.wheel == "bonus_spin" and row.meter is not None)
PLAYERS, PURSE = ("Ann", "Bob"), Amount("100")
WAGERS = {"main": "10", "bonus_spin": "1", "xtreme_16": "5"}


class WheelTable:
    """A table that goes on by itself, command after command."""

    def __init__(
        self, store: Store, seed: int = 3, stream: str = "t", source: Source | None = None, every: int = 2000
    ) -> None:
        self.store, self.clock = store, 0
        self.runner = Runner(store, stream, KEYRING, source or seeded_source(seed), lambda: self.clock, every)
        self.runner.create(WHEELS, for_play=False)
        self.spins: list[dict[str, Any]] = []
        """Where the wheels stopped."""

    @property
    def state(self) -> TableState:
        """What stands on the table."""
        return self.runner.table.state

    @property
    def spin_due(self) -> bool:
        """Whether a wheel is to be turned now."""
        return self.state.round is not None and self.state.phase == "round" and isinstance(self.state.round.next, Spin)

    def give(self, do: str, role: str = "dealer", by: str = "", **args: Any) -> Answer:
        """Give a command."""
        self.clock += 5
        answer = self.runner.handle(
            Command(do, role, by or STAFF[role], args=args), f"{self.runner.stream} {self.clock}"
        )
        if do == "spin":
            self.spins.append({"round": self.state.rounds, **_drawn(answer)})
        return answer

    def until_spins(self, count: int) -> None:
        """Work until the wheels have turned so often and the round is over."""
        while len(self.spins) < count or self.state.phase in ("round", "settled"):
            self.step()

    def until_spin_due(self) -> None:
        """Work until a wheel is to be turned."""
        while not self.spin_due:
            self.step()

    def step(self) -> None:
        """Do what comes next."""
        state, need = self.state, self.runner.table.next_steps()[0]
        round_ = state.round
        if state.phase == "round" and round_ is not None and isinstance(round_.next, Offer):
            option = round_.next.options[0]
            action = "stand" if round_.next.kind == "turn" else "decline"
            self.give("decide", "player", option.player, action=action, box=option.box)
        elif not state.players and need.role == "player":
            self._seat()
        elif need.do == "place_wager":
            self._wager()
        else:
            do, role, by, _, args = Follower(STAFF).command(self.runner.table, need)
            self.give(do, role, by, **args)

    def _seat(self) -> None:
        for box, name in enumerate(PLAYERS, 1):
            self.give("sit", "player", name, boxes=[box])

    def _wager(self) -> None:
        for box, name in enumerate(PLAYERS, 1):
            if self.state.chips.get(name, ZERO) < PURSE:
                self.give("buy_in", player=name, amount="5000")
            for wager, amount in WAGERS.items():
                self.give("place_wager", "player", name, box=box, wager=wager, amount=amount)
        self.give("deal")


def _drawn(answer: Answer) -> dict[str, Any]:
    args: dict[str, Any] = json.loads(answer.events[0].body)["args"]
    return args
