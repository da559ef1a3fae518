"""A Hypothesis machine gives a table commands, legal and not, and compares it with a naive model of the texts."""

from __future__ import annotations

from random import Random
from typing import Any

from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
)
from tests.citing import cites_rightly
from tests.property.chance import random_spin
from tests.property.table_model import Model
from tests.property.table_texts import TEXTS, WHO, Text

from twentyone.cards import Card
from twentyone.errors import Refused
from twentyone.money import ZERO, Amount
from twentyone.round import Spin
from twentyone.rulebook import Rulebook
from twentyone.rulebook.clauses import Device
from twentyone.table import Command, NextStep, Table, TableState
from twentyone.table.model import ROLES
from twentyone.table.shoe import full_batch

__all__ = ["DECKS", "TableMachine"]

DECKS = 6
FLOOR = {"floorperson": "Fay", "operator": "Olga"}
NAMES = ("Ann", "Bob", "Cal")
names = st.sampled_from(NAMES)
BETWEEN = ("change_dealer", "reshuffle", "spread_idle", "device_out_of_order", "device_repaired", "cover_device")
ANSWERS = ("insure", "even_money", "decline", "surrender", "stand", "hit", "double", "split", "rescue", "second_chance")
boxes = st.integers(1, 3)
amounts = st.sampled_from(("10", "20", "0", "-5", "7777777", "NaN", ""))


class TableMachine(RuleBasedStateMachine):
    """A table of one rulebook beside its naive model."""

    book = "pa-spanish-21"

    @initialize(seed=st.integers(0, 2**16), ready=st.booleans())
    def begin(self, seed: int, ready: bool) -> None:
        """A table under the simplest submission: closed, or waiting for wagers."""
        self.rng = Random(seed)
        rulebook = Rulebook.load(self.book)
        self.game = rulebook.under({"decks": DECKS, "boxes_per_player": 2, **self._equipment(TEXTS[self.book])})
        self.devices = sorted({clause.name for clause in self.game.all(Device)})
        self.cites = {"", *(rulebook.prefix + paragraph for paragraph in rulebook.entries)}
        self.table = Table.new(self.game)
        self.model = Model(TEXTS[self.book], DECKS)
        self.stack: list[Card] = []
        self.at = 0
        if ready:
            self.get_ready()

    @staticmethod
    def _equipment(text: Text) -> dict[str, Any]:
        """Every device whose failure the model knows, and boxes for three where the text lets players share."""
        shared = {"players_per_box": 3} if text.shares else {}
        if not text.covers:
            return {"shuffler": "manual", **shared}
        return {"shuffler": "automated", "automated_shoe": True, "two_batches": False}

    # -- giving commands

    def apply(self, table: Table, command: Command) -> Table:
        """The table after a command; a planted fault of the tests stands in for it."""
        return table.apply(command)

    def give(self, do: str, role: str, by: str, **args: Any) -> bool:
        """Give a command: the model's verdict holds, and a refusal changes nothing and names its paragraph."""
        self.at += 5
        command = Command(do, role, by, self.at, args)
        verdict, before = self.model.verdict(command), repr(self.table.state)
        try:
            after = self.apply(self.table, command)
        except Refused as refused:
            self._check_refusal(command, refused, verdict)
            assert repr(self.table.state) == before
            return False
        assert verdict is not False, f"{command} was carried out"
        assert all(cites_rightly(event, self.cites) for event in after.events[len(self.table.events) :])
        self.table = after
        self._carry_out(command)
        self.answers()
        self.phases()
        return True

    def _check_refusal(self, command: Command, refused: Refused, verdict: bool | None) -> None:
        assert not verdict, f"{command} was refused: {refused}"
        assert refused.cite in self.cites, refused

    def _carry_out(self, command: Command) -> None:
        if command.do in ("card", "burn"):
            assert self.stack.pop().name == command.args["card"]
        if command.do == "load_shoe":
            self.stack = self._stacked()
        self.model.carry_out(command)
        if self.model.phase == "round":
            self._follow_round()

    def _stacked(self) -> list[Card]:
        """A stack that gives some ranks before the others, aces most often: more pairs and more insurance."""
        early = {"A", *self.rng.sample(("5", "6", "7", "8", "9", "J", "Q", "K"), 3)}
        return sorted(full_batch(self.game), key=lambda card: self.rng.random() + (card.rank in early) / 2)

    def _follow_round(self) -> None:
        """The model knows no game: what a round pays, it takes from the table."""
        state = self.state
        self.model.phase = state.phase
        for name in self.model.purse:
            self.model.purse[name] = state.chips.get(name, ZERO) // Amount("1")
        if state.phase == "settled":
            assert state.chips["(layout)"] == 0

    @property
    def state(self) -> TableState:
        """What stands on the table."""
        return self.table.state

    def staff(self, role: str, player: str) -> str:
        """Who is there in a role."""
        return self.state.dealer or "Dan" if role == "dealer" else FLOOR.get(role, player)

    def follow(self, step: NextStep) -> Command:
        """A command that does what a step asks."""
        speaks = step.about if step.do == "decide" else self.state.cut_offered
        by = self.staff(step.role, speaks or next(iter(self.state.players), "Ann"))
        return Command(step.do, step.role, by, self.at + 5, self._arguments(step, by))

    def _arguments(self, step: NextStep, by: str) -> dict[str, Any]:
        top = self.stack[-1].name if self.stack else "AS"
        if step.do == "spin":
            return self._spin()
        known: dict[str, dict[str, Any]] = {
            "open_table": {"dealer": "Dan"},
            "count_cards": {"cards": self.model.whole},
            "shuffle": {"commitment": "c" * 64},
            "cut": {"place": 100},
            "insert_cover_card": {"from_bottom": 100},
            "burn": {"card": top},
            "card": {"card": top},
            "sit": {"boxes": self.model.seats.get(by) or [self._free_box()]},
            "place_wager": {"box": (self.model.seats.get(by) or [1])[0], "amount": "10"},
            "decide": {"action": step.says, **({"hand": self.rng.randint(1, 2)} if step.says == "designate" else {})},
            "device_repaired": {"device": step.about},
            "cover_device": {"device": step.about},
        }
        return known.get(step.do, {})

    def _free_box(self) -> int:
        taken = {box for own in self.model.seats.values() for box in own}
        return next(box for box in range(1, 9) if box not in taken)

    def _spin(self) -> dict[str, Any]:
        round_ = self.state.round
        assert round_ is not None
        assert isinstance(round_.next, Spin)
        return {"symbol": random_spin(self.game, round_.state, round_.next, self.rng).symbol}

    # -- rules

    @rule()
    def next_step(self) -> None:
        """Somebody does what is asked for."""
        command = self.follow(self.table.next_steps()[0])
        self.give(command.do, command.role, command.by, **command.args)

    @rule()
    def get_ready(self) -> None:
        """The staff works until the table waits for players or wagers."""
        for _ in range(60):
            command = self.follow(self.table.next_steps()[0])
            if command.do in ("place_wager", "card", "decide", "spin", "collect_cards") or self.model.phase == "idle":
                return
            self.give(command.do, command.role, command.by, **command.args)

    @precondition(lambda self: self.model.phase in ("round", "settled"))
    @rule(times=st.sampled_from((1, 5, 60)))
    def play_on(self, times: int) -> None:
        """The round goes on, step by step."""
        for _ in range(times):
            if self.model.phase not in ("round", "settled"):
                return
            command = self.follow(self.rng.choice(self.table.next_steps()))
            self.give(command.do, command.role, command.by, **command.args)

    @rule(name=names, box=boxes)
    def sit(self, name: str, box: int) -> None:
        """A player comes and buys in."""
        if self.give("sit", "player", name, boxes=[box]):
            self.give("buy_in", "dealer", self.staff("dealer", ""), player=name, amount="100")

    @rule(name=names, box=boxes, amount=amounts)
    def wager(self, name: str, box: int, amount: str) -> None:
        """A player wagers."""
        self.give("place_wager", "player", name, box=box, amount=amount)

    @rule(name=names)
    def wager_and_deal(self, name: str) -> None:
        """A player wagers on his own box, and the dealer deals."""
        box = (self.model.seats.get(name) or [1])[0]
        self.give("place_wager", "player", name, box=box, amount="10")
        self.give("deal", "dealer", self.staff("dealer", ""))

    @rule(times=st.sampled_from((20, 60)), trouble=st.sampled_from((0.0, 0.05, 0.2)))
    def busy(self, times: int, trouble: float) -> None:
        """A busy hour: everybody wagers and answers, and at any moment something else may happen."""
        for _ in range(times):
            steps = self.table.next_steps()
            if self.rng.random() < trouble:
                self._trouble()
            elif any(step.do in ("place_wager", "sit", "make_ready") for step in steps):
                self._all_wager()
            else:
                command = self.follow(self.rng.choice(steps))
                self.give(command.do, command.role, command.by, **command.args)

    def _trouble(self) -> None:
        """Devices break and are repaired, dealers change, players speak for others."""
        self.rng.choice(
            (
                lambda: self._by_staff(self.rng.choice(BETWEEN)),
                lambda: self.give("decide", "player", self.rng.choice(NAMES), action=self.rng.choice(ANSWERS)),
                self._deal_while_relieved,
            )
        )()

    def _all_wager(self) -> None:
        """Everybody comes, takes chips and wagers, where boxes are shared often on the same one; the dealer deals."""
        for box, name in enumerate(NAMES, 1):
            if name not in self.model.seats and self.model.phase != "idle":
                if self.model.text.shares and self.model.seats and self.rng.random() < 0.6:
                    self.give("stand_behind", "player", name)
                else:
                    self.give("sit", "player", name, boxes=[box])
            elif self.model.phase == "idle":
                self.give("make_ready", "player", name)
            if self.model.purse.get(name, 100) < 60:
                self.give("buy_in", "dealer", self.staff("dealer", ""), player=name, amount="100")
            if self.model.seats.get(name):
                self.give("place_wager", "player", name, box=self.model.seats[name][0], amount="10")
            elif self.model.text.shares:
                self._share(name, self.rng.choice(("10", "20")))
        self.give("deal", "dealer", self.staff("dealer", ""))

    @precondition(lambda self: self.model.text.shares)
    @rule(name=names, amount=st.sampled_from(("10", "20")))
    def share(self, name: str, amount: str) -> None:
        """A player wagers on another's box, with his consent or, before that, without."""
        if name not in self.model.seats and self.give("stand_behind", "player", name):
            self.give("buy_in", "dealer", self.staff("dealer", ""), player=name, amount="100")
        self._share(name, amount)

    def _share(self, name: str, amount: str) -> None:
        box = next((box for other, box in self.model.bets if other != name), 1)
        first = next((other for other, place in self.model.bets if place == box), "Ann")
        self.give("place_wager", "player", name, box=box, amount=amount)
        self.give("consent", "player", first, box=box, player=name)
        self.give("place_wager", "player", name, box=box, amount=amount)

    @precondition(lambda self: self.model.phase == "round")
    @rule(name=names, action=st.sampled_from(ANSWERS))
    def speak(self, name: str, action: str) -> None:
        """A player says something, asked or not."""
        self.give("decide", "player", name, action=action)

    @rule(role=st.sampled_from(ROLES))
    def usurp(self, role: str) -> None:
        """Somebody does what is asked for, or deals, in whatever role."""
        command = self.follow(self.table.next_steps()[-1])
        by = self.staff(role, command.by if command.role == "player" else "Ann")
        self.give(command.do, role, by, **command.args)

    @rule(do=st.sampled_from(BETWEEN))
    def between_rounds(self, do: str) -> None:
        """What staff does between rounds, or tries to do in one."""
        self._by_staff(do)

    def _by_staff(self, do: str) -> None:
        args: dict[str, Any] = {"device": self.rng.choice(self.devices)} if "device" in do else {}
        role = WHO[do][0]
        by = self.staff(role, "")
        relief = {"dealer": "Dot" if self.state.dealer == "Dan" else "Dan"}
        self.give(do, role, by, **(relief if do == "change_dealer" else args))

    @rule()
    def deals_while_relieved(self) -> None:
        """A dealer who is not on duty does what is the dealer's: nobody else's hand deals."""
        self._deal_while_relieved()

    def _deal_while_relieved(self) -> None:
        steps = self.table.next_steps("dealer")
        if steps:
            command = self.follow(steps[0])
            self.give(command.do, "dealer", "Dot" if self.state.dealer == "Dan" else "Dan", **command.args)

    @rule(do=st.sampled_from(sorted(WHO)), role=st.sampled_from(ROLES), name=names, box=boxes, amount=amounts)
    def anything(self, do: str, role: str, name: str, box: int, amount: str) -> None:
        """Anybody says anything."""
        by = self.staff(role, name)
        device = self.devices[box % len(self.devices)]
        card = self.stack[-1].name if self.stack else "AS"
        known: dict[str, dict[str, Any]] = {
            "open_table": {"dealer": "Dan"},
            "change_dealer": {"dealer": "Dot"},
            "sit": {"boxes": [box]},
            "buy_in": {"player": name, "amount": amount},
            "tip": {"amount": amount},
            "take_back_wager": {"box": box},
            "place_wager": {"box": box, "amount": amount},
            "device_out_of_order": {"device": device},
            "device_repaired": {"device": device},
            "cover_device": {"device": device},
            "cut": {"place": box * 5},
            "card": {"card": card},
            "burn": {"card": card},
            "consent": {"box": box, "player": "Bob"},
            "decide": {"action": ANSWERS[box]},
        }
        self.give(do, role, by, **known.get(do, {}))

    # -- what always holds

    @invariant()
    def money(self) -> None:
        """Chips and cash add up to zero, nobody owes, and the model's purses are the table's."""
        state = self.state
        assert sum(state.chips.values(), ZERO) == 0
        assert sum(state.cash.values(), ZERO) == 0
        assert state.cash.get("(drop)", ZERO) == self.model.drop * Amount("1")
        assert set(state.players) == set(self.model.seats)
        for name, dollars in self.model.purse.items():
            chips = state.chips.get(name, ZERO)
            assert chips >= 0
            assert chips // Amount("1") == dollars, name
        if self.model.phase == "open":
            assert state.chips.get("(layout)", ZERO) == sum(self.model.bets.values()) * Amount("1")

    @invariant()
    def cards(self) -> None:
        """Every card is in the shoe, in the rack or on the layout; hands that were paid may be in the rack already."""
        state, model = self.state, self.model
        rack = sum(len(hand) for bundle in state.rack for hand in bundle.hands)
        paid = rack - model.rack
        assert 0 <= paid <= model.layout
        assert paid == 0 or model.phase in ("round", "settled")
        if state.shoe is not None and model.shoe:
            assert state.shoe.left == model.shoe == len(self.stack)
            assert model.shoe + model.rack + model.layout == model.whole

    @invariant()
    def phases(self) -> None:
        """The table is in the phase of the model, and asks for what the text has next."""
        assert self.state.phase == self.model.phase
        asked = {(step.do, step.role) for step in self.table.next_steps() if step.do != "decide"}
        assert asked in self.model.due(), (asked, self.model.due(), self.model.todo)

    @invariant()
    def answers(self) -> None:
        """Each person in a round is asked what the text lets him answer, and nobody anything else."""
        asked = [step for step in self.table.next_steps() if step.do == "decide"]
        said = {(step.about if step.role == "player" else step.role, step.says) for step in asked}
        assert said == self.model.options()

    @invariant()
    def a_next_step_can_be_taken(self) -> None:
        """At least one thing that the procedure asks for is carried out when it is done."""
        steps = self.table.next_steps()
        assert steps
        assert any(self._accepted(step) for step in steps), steps

    def _accepted(self, step: NextStep) -> bool:
        if step.do == "place_wager":
            return True
        try:
            self.table.apply(self.follow(step))
        except Refused:
            return False
        return True
