"""The same staff and players, at a table that lives in a ledger: the runner brings cards, commitments and symbols."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from random import Random
from typing import Any

from tests.contracts.table_driver import Day

from twentyone.ledger.coupons import issued
from twentyone.ledger.keys import Keyring
from twentyone.ledger.rows import HOUSE
from twentyone.ledger.runner import Answer, Runner
from twentyone.ledger.store import Store
from twentyone.money import Amount
from twentyone.rulebook import Rules
from twentyone.table import Command, NextStep, Table
from twentyone.table.health import Source

__all__ = ["KEYRING", "LedgerDay", "begin", "seeded_source"]

BROUGHT = ("burn", "commitment", "symbol", "hot_spot", "card")
"""What the runner draws itself."""


def seeded_source(seed: int) -> Source:
    """A test source of entropy: sound bytes that anyone can foretell."""
    return Source(Random(seed).randbytes)


KEYRING = Keyring.new(seeded_source(21))


@dataclass
class LedgerDay(Day):
    """A day whose every command goes through a runner."""

    runner: Runner | None = None
    answers: list[Answer] = field(default_factory=list)
    given: list[tuple[Command, str]] = field(default_factory=list)
    """Every command that was taken, with its key."""

    def apply(self, command: Command) -> None:
        """Hand a command to the runner."""
        assert self.runner is not None
        args = {name: value for name, value in command.args.items() if _may_bring(name, value)}
        command, key = command._replace(args=args), f"{self.runner.stream} {self.runner.version}"
        before = Table(self.rules, self.state)
        if command.do == "lay_coupon" and str(command.args.get("number")).startswith("C-"):
            self._issue(command, key)
        answer = self.runner.handle(command, key)
        self.given.append((command, key))
        self.answers.append(answer)
        self.table = self.runner.table
        self.rules = self.table.rules
        self.done += sum(event.kind == "cards_collected" for event in self.table.events)
        self.watch(before, self.table.events)

    def _issue(self, command: Command, key: str) -> None:
        """The house issues the coupon that is to be laid."""
        number, amount = command.args["number"], Amount(command.args["amount"])
        event = issued(number, amount, "Fay", self.clock, self.clock + 1000)
        assert self.runner is not None
        self.runner._store.append(HOUSE, 0, [event], f"issue {key}", number)

    def _brought(self, step: NextStep) -> Mapping[str, Any]:
        """The runner holds the shoe."""
        self.reloads += step.do == "reload_rack"
        return {}

    def _do_spin(self, step: NextStep) -> None:
        self.give(step.do, step.role, self._who(step.role))


def _may_bring(name: str, value: Any) -> bool:
    return name not in BROUGHT and not isinstance(value, float)


def begin(store: Store, rules: Rules, seed: int, noise: float = 0.0, stream: str = "t", every: int = 2000) -> LedgerDay:
    """A new table in a ledger, with its people."""
    day = LedgerDay(rules, seed, lambda *_: None, noise)
    day.runner = Runner(store, stream, KEYRING, seeded_source(seed), lambda: day.clock, every)
    day.runner.create(rules, for_play=False)
    day.table = day.runner.table
    return day
