"""Automatic people at a table in memory: a shoe with a real order of cards, and no ledger.

felt = Felt(rules, ShiftPeople(rules, "seed", Fraction(1, 50), 100), seed=1)
felt.work()
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from random import Random
from typing import Any

from tests.property.chance import random_spin

from twentyone.cards import Card
from twentyone.errors import Refused
from twentyone.round import Spin
from twentyone.rulebook import Rules
from twentyone.service.shift.people import ShiftPeople
from twentyone.table import Command, Table, TableEvent, TableState
from twentyone.table import card_events as e
from twentyone.table.model import RACK
from twentyone.table.shoe import after_cut, full_batch

__all__ = ["Felt"]

PACE = 7
"""Seconds that an event takes."""
Watch = Callable[[TableState, TableEvent], None]


class Felt:
    """A table without a ledger, and whoever brings its cards."""

    def __init__(self, rules: Rules, people: ShiftPeople, seed: int, watch: Watch | None = None) -> None:
        self.rules = rules
        self.people = people
        self.rng = Random(seed)
        self.table = Table.new(rules)
        self.version = 1
        self.watch = watch
        self.refused: list[tuple[Command, Refused]] = []
        self.shoe: list[Card] = []
        self.stacks: dict[str, list[Card]] = {}
        self.cuts: dict[str, int] = {}

    @property
    def state(self) -> TableState:
        """What stands on the table."""
        return self.table.state

    def work(self) -> None:
        """Work until the shift is over at this table."""
        while not self.people.is_done(self.state):
            self.step()

    def step(self) -> None:
        """Somebody does something."""
        for command in self.people.commands(self.table, self.version, self.version * PACE):
            try:
                after = self.table.apply(self._with_cards(command))
            except Refused as refused:
                self.refused.append((command, refused))
                continue
            self._take_over(after)
            return
        raise AssertionError(f"nobody does anything: {self.table.next_steps()} {self.refused[-5:]}")

    def _take_over(self, after: Table) -> None:
        before = self.state
        for event in after.events:
            self._keep_cards(event, before)
            if self.watch is not None:
                self.watch(after.state, event)
        self.version += 1 + len(after.events)
        self.table = Table(after.rules, after.state)
        left = after.state.shoe.left if after.state.shoe is not None else len(self.shoe)
        assert left <= len(self.shoe), "a card that is on the table would be dealt again"
        del self.shoe[left:]

    def _with_cards(self, command: Command) -> Command:
        more: dict[str, Any] = {}
        if command.do in ("shuffle", "reload_rack"):
            more["commitment"] = f"{self.rng.getrandbits(256):064x}"
        if self._draws(command) and self.shoe:
            more["card"] = self.shoe[-1].name
        if command.do == "spin":
            more.update(self._spin())
        return command._replace(args={**more, **command.args})

    def _draws(self, command: Command) -> bool:
        past = command.args.get("name") == "dealer_drew_past_17"
        seen = command.do == "happened" and (past or command.args.get("exposed") is True)
        return command.do in ("card", "burn") or seen

    def _spin(self) -> dict[str, Any]:
        round_ = self.state.round
        assert round_ is not None
        assert isinstance(round_.next, Spin)
        spun = random_spin(self.rules, round_.state, round_.next, self.rng)
        return {"symbol": spun.symbol} | ({} if spun.hot_spot is None else {"hot_spot": spun.hot_spot})

    def _keep_cards(self, event: TableEvent, before: TableState) -> None:
        full = full_batch(self.rules)
        if isinstance(event, e.CardsShuffled):
            self.stacks[event.batch] = self._shuffled(self._left(before) if before.phase == "round" else full)
            self.cuts.pop(event.batch, None)
        elif isinstance(event, e.ShoeLoaded):
            name = event.batch
            stack = self.stacks.pop(name, None) or self._shuffled(full)
            self.shoe = list(after_cut(stack, self.cuts.get(name, 0)))[::-1]
        elif isinstance(event, e.RackReloaded):
            self.shoe = self._shuffled(event.cards)
        elif isinstance(event, e.CutMade) and event.batch == RACK:
            self.shoe = list(after_cut(self.shoe[::-1], event.place))[::-1]
        elif isinstance(event, e.CutMade):
            self.cuts[event.batch] = event.place
        elif isinstance(event, e.CardsReturned):
            self.shoe = self._shuffled(full)

    def _left(self, state: TableState) -> list[Card]:
        """The cards that did not leave the shoe."""
        gone = Counter(Card(name) for name, count in state.gone.items() for _ in range(count))
        return list((Counter(full_batch(self.rules)) - gone).elements())

    def _shuffled(self, cards: tuple[Card, ...] | list[Card]) -> list[Card]:
        order = list(cards)
        self.rng.shuffle(order)
        return order
