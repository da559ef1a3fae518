"""Seeded staff and players who work a table by `next_steps` alone, from a shoe with a real order of cards.

day = Day(rules, seed=1)
day.run(Plan(rounds=60))
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from random import Random
from typing import Any

from tests.property.chance import random_spin

from twentyone.cards import Card
from twentyone.errors import Refused
from twentyone.money import NOTHING, Amount
from twentyone.round import Spin
from twentyone.round.actions import ACTIONS
from twentyone.rulebook import Rules
from twentyone.rulebook.clauses import Boxes, CoverCard, Cut, Device, FixedStake
from twentyone.table import Command, NextStep, Table, TableEvent, TableState
from twentyone.table.model import ROLES
from twentyone.table.play import COMMANDS, task_of
from twentyone.table.shoe import after_cut, full_batch

__all__ = ["FLOORPERSON", "Day", "random_command"]

FLOORPERSON = "Fay"
DEALERS = ("Dan", "Dot")
PLAYERS = ("Ann", "Bob", "Cy")
PURSE, LEAST = Amount("5000"), Amount("1000")
"""What a player buys in for, when he has less than the least."""
STEPS = 60
"""Commands that a round with all its procedure may take at most, on average."""

Watch = Callable[[Table, tuple[TableEvent, ...]], None]


@dataclass
class Day:
    """A table at work: its staff, its players, and the order of the cards in its shoe."""

    rules: Rules
    seed: int
    watch: Watch
    """Sees the table before each command, and the events it led to."""
    noise: float = 0.0
    """How often somebody gives a command at random."""
    table: Table = field(init=False)
    rng: Random = field(init=False)
    seats: dict[str, list[int]] = field(init=False)
    shoe: list[Card] = field(default_factory=list)
    """The cards in the shoe, the next one last."""
    stacks: dict[str, list[Card]] = field(default_factory=dict)
    """The shuffled batches, the top card first."""
    reloads: int = 0
    done: int = 0
    """Rounds whose cards are collected."""
    clock: int = 0
    refused: Counter[str] = field(default_factory=Counter)
    allowed: Counter[str] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        self.rng = Random(self.seed)
        self.table = Table.new(self.rules)
        self.seats = self._seats()

    def _seats(self) -> dict[str, list[int]]:
        """One to three players, on one box or on two beside each other."""
        most = 2 if self.rules.submission.get("boxes_per_player", 1) > 1 else 1
        last = self.rules.one(Boxes).most
        seats, box = {}, 1
        for name in PLAYERS[: 1 + self.seed % 3]:
            count = self.rng.randint(1, most)
            if box + count - 1 <= last:
                seats[name] = list(range(box, box + count))
            box += count
        return seats

    @property
    def state(self) -> TableState:
        """What stands on the table."""
        return self.table.state

    # -- commands

    def give(self, do: str, role: str, by: str, **args: Any) -> None:
        """Give a command, and keep the cards in step with what it led to."""
        self.clock += 5
        self.apply(Command(do, role, by, self.clock, args))

    def apply(self, command: Command) -> None:
        """Apply a command."""
        before = self.table
        self.table = before.apply(command)
        new = self.table.events[len(before.events) :]
        for event in new:
            self._keep_cards(event, before.state)
        shoe = self.state.shoe
        while shoe is not None and len(self.shoe) > shoe.left:
            self.shoe.pop()
        self.watch(before, new)

    def _keep_cards(self, event: TableEvent, before: TableState) -> None:
        if event.kind == "cards_shuffled":
            self.stacks[event.data["batch"]] = self._shuffled(full_batch(self.rules))
        elif event.kind == "shoe_loaded":
            name = event.data["batch"]
            stack = self.stacks.pop(name, None) or self._shuffled(full_batch(self.rules))
            self.shoe = list(after_cut(stack, self.state.cuts.get(name, 0)))[::-1]
        elif event.kind == "rack_reloaded":
            self.reloads += 1
            cards = [card for bundle in before.rack for hand in bundle.hands for card in hand]
            burned = Card(event.data["burn"])
            if burned in cards:
                cards.remove(burned)
            self.shoe = self._shuffled(cards)
        elif event.kind == "cards_collected":
            self.done += 1
            if event.data["returned"]:
                self.shoe = self._shuffled(full_batch(self.rules))

    def _shuffled(self, cards: tuple[Card, ...] | list[Card]) -> list[Card]:
        order = list(cards)
        self.rng.shuffle(order)
        return order

    # -- following the procedure

    def work(self, rounds: int) -> None:
        """Follow the next steps until so many rounds are over and the table waits for wagers."""
        for _ in range(max(rounds - self.done, 1) * STEPS + 200):
            if self.noise and self.rng.random() < self.noise:
                self._disturb()
                continue
            step = self.table.next_steps()[0]
            if self.done >= rounds and step.do == "place_wager":
                return
            self.follow(step)
        raise AssertionError(f"stuck: {self.table.next_steps()}, {self.state}")

    def follow(self, step: NextStep) -> None:
        """Do what one step asks."""
        own = getattr(self, f"_do_{step.do}", None)
        if own is not None:
            own(step)
        else:
            self.give(step.do, step.role, self._who(step.role), **self._arguments(step))

    def _who(self, role: str) -> str:
        return {"dealer": self.state.dealer or DEALERS[0], "player": self._anybody()}.get(role, FLOORPERSON)

    def _anybody(self) -> str:
        return next(iter(self.state.players), PLAYERS[0])

    def _arguments(self, step: NextStep) -> Mapping[str, Any]:
        if step.do == "burn":
            return {"card": self._top()}
        return {
            "open_table": {"dealer": DEALERS[0]},
            "remove_tens": {"floorperson": FLOORPERSON},
            "shuffle": {"commitment": f"{self.rng.getrandbits(256):064x}"},
            "device_repaired": {"device": step.about},
        }.get(step.do, {})

    def _top(self) -> str:
        return self.shoe[-1].name

    def _do_sit(self, _: NextStep) -> None:
        for name, boxes in self.seats.items():
            if name not in self.state.players:
                self.give("sit", "player", name, boxes=boxes)
            self._fill_purse(name)

    def _fill_purse(self, name: str) -> None:
        if self.state.chips.get(name, NOTHING) < LEAST:
            self.give("buy_in", "dealer", self._who("dealer"), player=name, amount=str(PURSE))

    def _do_cut(self, step: NextStep) -> None:
        size, least = self.state.batches[step.about].cards, self.rules.one(Cut).least
        place = self.rng.randint(least, size - least)
        offered = self.state.cut_offered
        if not offered:
            self.give("cut", "dealer", self._who("dealer"), place=place)
        elif self.rng.random() < 0.5:
            self.give("cut", "player", offered, place=place)
        else:
            self.give("decline_cut", "player", offered)

    def _do_insert_cover_card(self, step: NextStep) -> None:
        size = self.state.batches[step.about].cards
        least = -(-size * self.rules.one(CoverCard).share // 1)
        self.give(step.do, step.role, self._who(step.role), from_bottom=int(least) + self.rng.randrange(20))

    def _do_card(self, step: NextStep) -> None:
        self.give("card", step.role, self._who(step.role), card=self._top())

    def _do_reload_rack(self, step: NextStep) -> None:
        cards = [card for bundle in self.state.rack for hand in bundle.hands for card in hand]
        burn, commitment = self.rng.choice(cards).name, f"{self.rng.getrandbits(256):064x}"
        self.give(step.do, step.role, self._who(step.role), burn=burn, commitment=commitment)

    def _do_decide(self, _: NextStep) -> None:
        """Somebody takes one of the decisions on offer; the dealer closes an offer that nobody takes."""
        steps = list(self.table.next_steps())
        closing = [step for step in steps if step.role == "dealer"]
        if closing and self.rng.random() < 0.6:
            self.give("decide", "dealer", self._who("dealer"), action=closing[0].says)
            return
        asked = [step for step in steps if step.role == "player"]
        step = self.rng.choice(asked) if asked else steps[0]
        by = step.about if step.role == "player" else self._who("dealer")
        try:
            self.give("decide", step.role, by, action=step.says)
        except Refused:
            if not self.noise:
                raise

    def _do_spin(self, step: NextStep) -> None:
        round_ = self.state.round
        assert round_ is not None
        assert isinstance(round_.next, Spin)
        spun = random_spin(self.rules, round_.state, round_.next, self.rng)
        more = {} if spun.hot_spot is None else {"hot_spot": spun.hot_spot}
        self.give("spin", step.role, self._who(step.role), symbol=spun.symbol, **more)

    def _do_place_wager(self, _: NextStep) -> None:
        """Everybody who sits here wagers on his boxes, and the dealer deals."""
        for name in list(self.state.players):
            if name in self.state.players:
                self._fill_purse(name)
            for box in self.seats.get(name, [1]):
                self._wager(name, box)
        if self.noise and self.rng.random() < self.noise:
            self._disturb()
        if self.state.placed:
            for role in ("dealer", "floorperson"):
                self._confirm(role)
            self._attempt("deal", "dealer", self._who("dealer"))
        elif self.noise:
            self._attempt("bar_mid_shoe_entry", "floorperson", FLOORPERSON, on=False)
            self._attempt("sit", "player", self._anybody(), boxes=self.seats.get(self._anybody(), [1]))

    def _wager(self, name: str, box: int) -> None:
        if self.noise and self.rng.random() < self.noise:
            self._disturb()
        unit = self.rules.submission["chip_unit"]
        main = Amount(unit * self.rng.choice((20, 20, 21, 50)))
        self._attempt("place_wager", "player", name, box=box, amount=str(main))
        for kind in self.rules.wagers:
            if kind != "main" and self.rng.random() < 0.5:
                fixed = [stake.amount for stake in self.rules.all(FixedStake) if stake.wager == kind]
                amount = str(fixed[0] if fixed else Amount(unit * 4))
                self._attempt("place_wager", "player", name, box=box, amount=amount, wager=kind)

    def _confirm(self, role: str) -> None:
        for wager in self.state.placed:
            if wager.cash and role not in wager.confirmed:
                self._attempt("confirm_verbal_wager", role, self._who(role), box=wager.box, player=wager.player)

    def _attempt(self, do: str, role: str, by: str, **args: Any) -> None:
        """Give a command; only at a table where others disturb may it be refused."""
        try:
            self.give(do, role, by, **args)
        except Refused:
            if not self.noise:
                raise

    # -- what the floor does between rounds

    def change_dealer(self) -> None:
        """The other dealer comes."""
        other = DEALERS[self.state.dealer == DEALERS[0]]
        self.give("change_dealer", "floorperson", FLOORPERSON, dealer=other)

    def stand_idle(self) -> None:
        """All players go, the cards are spread, and the next steps bring the players back."""
        for name in list(self.state.players):
            self.give("leave", "player", name)
        self.give("spread_idle", "dealer", self._who("dealer"))

    # -- disturbance

    def _disturb(self) -> None:
        """A command at random: refused, and then nothing has changed, or allowed."""
        command = random_command(self.table, self.clock, self.rng, self.shoe)
        before = self.state
        held = _snapshot(before)
        refusal = self._refusal(command)
        assert held == _snapshot(before), command
        if refusal is None:
            self.allowed[command.do] += 1
            return
        self.refused[command.do] += 1
        assert refusal.cite.startswith(self.rules.rulebook.prefix), (command, refusal)
        assert self.state is before, command

    def _refusal(self, command: Command) -> Refused | None:
        try:
            self.apply(command)
        except Refused as refusal:
            return refusal
        return None


def _snapshot(state: TableState) -> dict[str, Any]:
    """What a state holds now, apart from the state: a frozen table holds the same for ever."""
    values = {spec.name: getattr(state, spec.name) for spec in fields(TableState) if spec.compare}
    held = {name: dict(value) if isinstance(value, dict) else value for name, value in values.items()}
    return {**held, "round": None if state.round is None else repr(state.round.state)}


# -- commands at random

NONSENSE: tuple[Any, ...] = (None, -1, 0, 10**9, "", "XX", "-5", "NaN", True, (), [], {}, [0], "Ann", 3.5)


def random_command(table: Table, at: int, rng: Random, shoe: list[Card]) -> Command:
    """A command of any name in any role by anybody, with arguments that mostly make sense."""
    do = rng.choice((*COMMANDS, "fly"))
    if rng.random() < 0.3:
        do = rng.choice(table.next_steps()).do
    role = rng.choice((*ROLES, "barber"))
    task, handler = task_of(table.rules, do), COMMANDS.get(do)
    roles = task.role if task is not None else handler.roles if handler is not None else ()
    if roles and rng.random() < 0.7:
        role = rng.choice(roles)
    by = rng.choice(PLAYERS if role == "player" else (*PLAYERS, *DEALERS, FLOORPERSON, "Zoe"))
    args: dict[str, Any] = {}
    for name, value in _sensible(table, rng, shoe).items():
        if rng.random() < _likelihood(do, name):
            args[name] = value if rng.random() < 0.9 else rng.choice(NONSENSE)
    return Command(do, role, by, at, args)


def _likelihood(do: str, name: str) -> float:
    """Arguments that change what a command means are left out more often."""
    rare = {"cash", "coupon", "hand", "exposed", "shown", "face_up", "decks", "face"}
    if name in rare:
        return 0.4 if do == "place_wager" else 0.15
    if do in ("decide", "decline_cut"):
        return 0.9 if name == "action" else 0.2
    return 0.5 if do in ("happened", "place_wager") and name not in ("name", "box", "amount") else 0.9


def _sensible(table: Table, rng: Random, shoe: list[Card]) -> dict[str, Any]:
    rules = table.rules
    box = rng.randint(1, 4)
    card = shoe[-1].name if shoe else "2S"
    return {
        "dealer": rng.choice(DEALERS),
        "player": rng.choice(PLAYERS),
        "box": box,
        "boxes": rng.choice(([box], [box, box + 1], [box, box], [True], ["1"])),
        "amount": rng.choice(("10", "2", "5", "0.30", "1000000")),
        "wager": rng.choice((*rules.wagers, "odd_one")),
        "card": card,
        "burn": card,
        "commitment": "c" * 64,
        "place": rng.randrange(300),
        "from_bottom": rng.randrange(300),
        "action": rng.choice((*ACTIONS, "decline", "dance")),
        "name": rng.choice((*rules.irregularities, "earthquake")),
        "symbol": rng.choice(("10", "Jackpot", "25")),
        "hot_spot": box,
        "device": rng.choice([*(clause.name for clause in rules.all(Device)), "toaster"]),
        "floorperson": FLOORPERSON,
        "who": "Zoe",
        "on": rng.random() < 0.3,
        "cash": True,
        "coupon": "10",
        "hand": rng.randint(1, 3),
        "exposed": rng.random() < 0.5,
        "shown": rng.choice(("low", "high", "17-21")),
        "face_up": True,
        "decks": rng.choice((6, 8)),
        "face": rng.choice(("up", "down")),
    }
