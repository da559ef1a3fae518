"""Seeded staff and players who work a table by `next_steps` alone, from a shoe with a real order of cards.

day = Day(rules, seed=1)
day.run(Plan(rounds=60))
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from random import Random
from typing import Any

from tests.contracts.table_cards import Camera
from tests.contracts.table_noise import DEALERS, FLOORPERSON, PLAYERS, random_command, snapshot
from tests.property.chance import random_spin

from twentyone.errors import Refused
from twentyone.money import ZERO, Amount
from twentyone.round import Spin
from twentyone.rulebook import Rules
from twentyone.rulebook.clauses import Coupon, FixedWager, Verbal
from twentyone.table import Command, NextStep, Table, TableEvent, TableState
from twentyone.table.card_devices import is_barred
from twentyone.table.fallback_rules import rules_in_force
from twentyone.table.follow import Follower, consent
from twentyone.table.people import seated_at
from twentyone.table.play import ENTERED_BY
from twentyone.table.verbal import missing

__all__ = ["FLOORPERSON", "Day", "face_up_once"]

PURSE, LEAST = Amount("5000"), Amount("1000")
"""What a player buys in for, when he has less than the least."""
CLOSELY = ("collect_cards", "reload_rack", "load_shoe")
"""Commands after which the faces of all cards are compared; after the others, and now and then, their number."""
STEPS = 60
"""Commands that a round with all its procedure may take at most, on average."""

Watch = Callable[[Table, tuple[TableEvent, ...]], None]


def face_up_once(day: Day) -> bool:
    """The first card of each round is found face up in the shoe."""
    round_ = day.state.round
    if round_ is None or round_.state.face_ups or day.table.next_steps()[0].do != "card":
        return False
    day.give("card", "dealer", day.dealer, card=day.cards.top.name if day.cards.shoe else "", face_up=True)
    return True


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
    cards: Camera = field(init=False)
    """The cards themselves."""
    mischief: Callable[[Day], bool] | None = None
    """Asked before each step: whether something irregular was done instead."""
    command: Command | None = None
    """The last command that was carried out."""
    reloads: int = 0
    done: int = 0
    """Rounds whose cards are collected."""
    clock: int = 0
    refused: Counter[str] = field(default_factory=Counter)
    allowed: Counter[str] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        self.rng = Random(self.seed)
        self.table = Table.new(self.rules)
        self.cards = Camera(self.rules, self.rng)
        self.seats = self._seats()

    def _seats(self) -> dict[str, list[int]]:
        """One to three players, on boxes beside each other, now and then on a box that another one has too."""
        most = min(2, self.rules.submission.get("boxes_per_player", 1))
        last, room = self.rules.boxes, Counter[int]()
        seats, box = {}, 1
        for name in PLAYERS[: 1 + self.seed % 3]:
            boxes = list(range(box, box + self.rng.randint(1, most)))
            room.update(boxes)
            seats[name] = [place for place in boxes if place <= last]
            full = room[box] >= self.rules.submission.get("players_per_box", 1)
            box = boxes[-1] + 1 if full or self.rng.random() < 0.3 else box
        return {name: boxes for name, boxes in seats.items() if boxes}

    @property
    def state(self) -> TableState:
        """What stands on the table."""
        return self.table.state

    @property
    def dealer(self) -> str:
        """The dealer on duty."""
        return self.state.dealer or DEALERS[0]

    # -- commands

    def give(self, do: str, role: str, by: str, **args: Any) -> None:
        """Give a command, and keep the cards in step with it; the dealer enters what a guest without a device says."""
        self.clock += 5
        player = self.state.players.get(by) if role == "player" else None
        entered = {ENTERED_BY: self.dealer} if player is not None and not player.device else {}
        self.apply(Command(do, role, by, self.clock, {**args, **entered}))

    def apply(self, command: Command) -> None:
        """Apply a command."""
        before = self.table
        self.table = before.apply(command)
        new = self.table.new_events
        self.command = command
        self.cards.follow(command, new)
        for event in new:
            self.done += event.kind == "cards_collected"
            self.reloads += event.kind == "rack_reloaded"
        self.cards.check(self.state, closely=command.do in CLOSELY or len(self.table.events) % 16 == 0)
        self.watch(before, new)

    # -- following the procedure

    def work(self, rounds: int) -> None:
        """Follow the next steps until so many rounds are over and the table waits for wagers."""
        for _ in range(max(rounds - self.done, 1) * STEPS + 200):
            if self.noise and self.rng.random() < self.noise:
                self._disturb()
                continue
            if self.mischief is not None and self.mischief(self):
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
            self._by_the_book(step)

    def _by_the_book(self, step: NextStep) -> None:
        follower = Follower(
            {"dealer": DEALERS[0], "floorperson": FLOORPERSON, "operator": FLOORPERSON},
            cut_at=self.rng.choice,
            cover_at=lambda positions: positions[self.rng.randrange(20)],
            bring=self._brought,
        )
        do, role, by, _, args = follower.command(self.table, step)
        if (do, role) == ("cut", "player") and self.rng.random() < 0.5:
            self.give("decline_cut", role, by)
        else:
            self.give(do, role, by, **args)

    def _who(self, role: str) -> str:
        return {"dealer": self.dealer, "player": self._anybody()}.get(role, FLOORPERSON)

    def _anybody(self) -> str:
        return next(iter(self.state.players), PLAYERS[0])

    def _brought(self, step: NextStep) -> Mapping[str, Any]:
        """What the holder of the shoe brings."""
        if step.do in ("burn", "card"):
            return {"card": self.cards.top.name}
        shuffled = step.do in ("shuffle", "reload_rack")
        return {"commitment": f"{self.rng.getrandbits(256):064x}"} if shuffled else {}

    def _do_sit(self, _: NextStep) -> None:
        for name, boxes in self.seats.items():
            seated = self.state.players.get(name)
            if seated is None or self.state.phase == "idle":
                own = boxes if seated is None else list(seated.boxes)
                taken = any(seated_at(self.state, box) not in ("", name) for box in own)
                if taken or not own:
                    self._attempt("stand_behind", "player", name)
                else:
                    self._attempt("sit", "player", name, boxes=own)
            if name in self.state.players:
                self._fill_purse(name)

    def _fill_purse(self, name: str) -> None:
        if self.state.chips.get(name, ZERO) < LEAST:
            self.give("buy_in", "dealer", self._who("dealer"), player=name, amount=str(PURSE))

    def _do_decide(self, _: NextStep) -> None:
        """Somebody takes one of the decisions on offer; the dealer closes an offer that nobody takes."""
        steps = list(self.table.next_steps())
        closing = [step for step in steps if step.role == "dealer"]
        if closing and self.rng.random() < 0.6:
            self.give("decide", "dealer", self._who("dealer"), action=self.rng.choice(closing).says)
            return
        asked = self._left_lying([step for step in steps if step.role == "player"])
        step = self.rng.choice(asked) if asked else steps[0]
        by = step.about if step.role == "player" else self._who("dealer")
        which = {"hand": self.rng.randint(1, 2)} if step.says == "designate" else {}
        self._attempt("decide", step.role, by, action=step.says, **which)

    def _left_lying(self, asked: list[NextStep]) -> list[NextStep]:
        """A card that was drawn in error is left lying by most."""
        assert self.state.round is not None
        if self.state.round.state.held is None or self.rng.random() < 0.2:
            return asked
        return [step for step in asked if step.says in ("refuse", "stand")] or asked

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
            if not self._sits_out(name):
                for box in self.seats.get(name, [1]):
                    if seated_at(self.state, box) in ("", name, *self._on(box)):
                        self._wager(name, box)
        if self.noise and self.rng.random() < self.noise:
            self._disturb()
        if self.state.placed:
            self._inspect_if_due()
            self._attempt("deal", "dealer", self._who("dealer"))
        elif all(self._barred(name) for name in self.state.players) or self.noise:
            self._answer()
            self._attempt("bar_mid_shoe_entry", "operator", FLOORPERSON, on=False)
            self._attempt("sit", "player", self._anybody(), boxes=self.seats.get(self._anybody(), [1]))

    def _inspect_if_due(self) -> None:
        """A gaming day that began while the wagers were laid: the devices are inspected before the deal."""
        for step in self.table.next_steps("floorperson", self.clock + 5):
            if step.do == "inspect_device":
                self._by_the_book(step)

    def _on(self, box: int) -> set[str]:
        """Whose wagers lie on a box."""
        return {wager.player for wager in self.state.placed if wager.box == box}

    def _sits_out(self, name: str) -> bool:
        """Now and then a player does not wager; where he is barred for it, his next wager is refused."""
        if self._barred(name) and not self.noise:
            refusal = self._refusal(Command("place_wager", "player", name, self.clock, {"box": 1, "amount": "10"}))
            assert refusal is not None, f"{name} is barred"
            return True
        return self.rng.random() < 0.05

    def _barred(self, name: str) -> bool:
        """Whether a player sat out and waits for the shuffle; a continuous device shuffles before every round."""
        player = self.state.players.get(name)
        return player is not None and is_barred(rules_in_force(self.rules, self.state), player)

    def _wager(self, name: str, box: int) -> None:
        if self.noise and self.rng.random() < self.noise:
            self._disturb()
        unit = self.rules.submission["chip_unit"]
        main = Amount(unit * self.rng.choice((20, 20, 21, 50)))
        for do, role, by, _, args in consent(self.rules, self.state, box, name):
            self._attempt(do, role, by, **args)
        self._attempt("place_wager", "player", name, box=box, amount=str(main), **self._manner())
        self._answer()
        if name not in self._on(box):
            return
        if self.rules.all(Coupon) and self.rng.random() < 0.1:
            number = f"C-{self.rng.randrange(10**9)}"
            self._attempt(
                "lay_coupon", "dealer", self._who("dealer"), box=box, player=name, number=number, amount=str(main)
            )
        for kind in self.rules.wagers:
            if kind != "main" and self.rng.random() < 0.5:
                fixed = [clause.amount for clause in self.rules.all(FixedWager) if clause.wager == kind]
                amount = str(fixed[0] if fixed else Amount(unit * 4))
                self._attempt("place_wager", "player", name, box=box, amount=amount, wager=kind)

    def _manner(self) -> dict[str, Any]:
        """In chips, or in words with cash."""
        return {"cash": True} if self.rules.all(Verbal) and self.rng.random() < 0.05 else {}

    def _answer(self) -> None:
        """Spoken wagers are confirmed by whom the text says, or turned away."""
        for wager in self.state.verbal:
            named = {"box": wager.box, "player": wager.player}
            for role in missing(self.rules, wager):
                if self.rng.random() < 0.1:
                    self._attempt("decline_verbal_wager", role, self._who(role), **named)
                    break
                self._attempt("confirm_verbal_wager", role, self._who(role), **named)

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
        command = random_command(self.table, self.clock, self.rng, self.cards.shoe)
        before = self.state
        held = snapshot(before)
        refusal = self._refusal(command)
        assert held == snapshot(before), command
        if refusal is None:
            self.allowed[command.do] += 1
            return
        self.refused[command.do] += 1
        self.check_cite(refusal)
        assert self.state is before, command

    def check_cite(self, refusal: Refused) -> None:
        """A refusal names a paragraph of the text, or none."""
        prefix = self.rules.rulebook.prefix
        assert not refusal.cite or refusal.cite.removeprefix(prefix) in self.rules.rulebook.entries, refusal

    def _refusal(self, command: Command) -> Refused | None:
        try:
            self.apply(command)
        except Refused as refusal:
            return refusal
        return None
