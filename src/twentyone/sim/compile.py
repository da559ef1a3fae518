"""Rules, wagers and strategies into arrays: `Rules` is asked about every kind of hand; no fence is interpreted here.

What the arrays cannot express is refused with its paragraph.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from twentyone.cards import RANKS, SUITS, Card
from twentyone.money import Amount
from twentyone.rulebook import HandFacts, Rules
from twentyone.rulebook.clauses import Deal, InfiniteDeck
from twentyone.sim.amounts import Amounts
from twentyone.sim.chart import Columns, chart, legal
from twentyone.sim.dealer import DealerHands
from twentyone.sim.layout import BoxMoney, GameArrays, Look, Parameter
from twentyone.sim.payoffs import UNDECIDED, HandPayoffs, WagerKind
from twentyone.sim.setup import Counting, Setup
from twentyone.sim.state_table import Fast
from twentyone.sim.states import CannotCompile, Hands, card_number
from twentyone.sim.table import fast_table
from twentyone.sim.wheels import WHEELS, wheel_table
from twentyone.sim.work import MOST_BOXES, MOST_HANDS

__all__ = ["Compiled", "compile_setup"]

STEPS = (
    "deal", "settle_match", "settle_pairs", "settle_threes", "spin_bonus", "pay_blackjacks", "offer_insurance",
    "offer_surrender", "read_hole", "announce_range", "collect_insurance", "decide", "second_card", "reveal",
    "spin_xtreme", "draw", "settle", "collect",
)  # fmt: skip
"""The order of steps that the round function follows; a rulebook's own order must agree with it."""

WAGER_KINDS = tuple(WagerKind(wager, doubled) for wager in ("main", "split") for doubled in (False, True))
"""By twice the wager's number and one for a double."""


@dataclass(frozen=True)
class Compiled:
    """A game as arrays, and what its numbers mean."""

    setup: Setup
    game: GameArrays
    tallies: tuple[str, ...]
    """What is counted, by number."""
    grain: Amount
    """The money that one grain is."""
    kept_table: Fast | None = None
    """The state table, where it was made before."""

    @cached_property
    def table(self) -> Fast | None:
        """The state table, where the game has one."""
        return self.kept_table if self.kept_table is not None else fast_table(self.game)

    @property
    def main(self) -> int:
        """The initial wager of the first box, in grains."""
        return int(self.game.money[0, 0, BoxMoney.MAIN])


def compile_setup(setup: Setup) -> Compiled:
    """The arrays of a simulation."""
    return _Compiler(setup).compiled()


class _Compiler:
    def __init__(self, setup: Setup) -> None:
        self.setup = setup
        self.rules: Rules = setup.rules
        self._check()
        self.hands = Hands(self.rules, self._chart_cards())
        self.dealer = DealerHands(self.rules)
        self.payoffs = HandPayoffs(self.rules, self.dealer)
        self.columns = Columns(self.rules)

    def compiled(self) -> Compiled:
        payoff, paid, chance = self._payoff_table(), self._paid_table(), self._chance_table()
        fixed = self._fixed_payoffs()
        tables = self._gain_tables()
        charts = self._charts()
        amounts = Amounts(self.setup, self.payoffs.unit, self._strategies)
        grain = amounts.grain
        number = self._numbers(fixed, grain)
        facts = self.hands.facts
        kind = [1 if hand.blackjack else 2 if hand.points > self.rules.limit else 0 for hand in facts]
        game = GameArrays(
            number=number,
            cards=self._shoe(),
            step=self.hands.step,
            split=np.array([self.hands.number((card,), True) for card in self.hands.cards], np.int16),
            splits=self._splits(),
            kind=np.array(kind, np.int8),
            payoff=payoff,
            paid=paid,
            chance=chance,
            points=np.array([hand.points for hand in facts], np.int16),
            gain=tables[0],
            tally=tables[1],
            prize=tables[2],
            mark=np.array([payoff.marks for payoff in self.payoffs.all], np.int8),
            dealer=self.dealer.step,
            draws=self.dealer.draws,
            look=self._look(),
            cond=self.columns.table,
            chart=charts,
            legal=legal(self.rules, self.hands),
            value=np.array([self.rules.low_value_of(Card(rank + SUITS[0])) for rank in RANKS], np.int16),
            match=amounts.match,
            firsts=amounts.firsts,
            money=amounts.money,
            tags=np.array([self.setup.count.tags.get(rank, 0) if self.setup.count else 0 for rank in RANKS], np.int64),
            wheel=wheel_table(self.setup, grain),
            passes=np.array([row.to == "dealer" for row in self.rules.all(Deal)], np.int8),
            errors=self.setup.error_parts,
        )
        return Compiled(self.setup, game, self._tallies, grain)

    # -- what is refused

    def _check(self) -> None:
        order = [name for name in self.rules.rulebook.order if self.rules.has_step(name)]
        self._check_order([name for name in order if name != "collect_insurance"])
        passes = [row.to for row in self.rules.all(Deal)]
        if passes.count("boxes") != 2 or passes.count("dealer") not in (1, 2):
            raise CannotCompile(
                "the initial deal is not two cards per box and one or two to the dealer", self._cite("deal")
            )
        if len(self.setup.boxes) not in range(1, MOST_BOXES):
            raise CannotCompile(f"{len(self.setup.boxes)} boxes are not simulated", self._cite("deal"))
        for name in ("hit", "double"):
            if name not in self.rules.decisions:
                raise CannotCompile(f"a game without {name} is not simulated", self.rules.rulebook.options_cite)

    def _check_order(self, order: list[str]) -> None:
        for step in self.rules.steps:
            if step.name not in STEPS:
                raise CannotCompile(f"the step {step.name} is not simulated", step.cite)
        if order != sorted(order, key=STEPS.index):
            raise CannotCompile("this order of steps is not simulated", self._cite("decide"))

    def _cite(self, step: str) -> str:
        return next(clause.cite for clause in self.rules.steps if clause.name == step)

    def _chart_cards(self) -> int:
        """The number of cards from which no chart counts them."""
        cells = [cell for box in self.setup.boxes for cell in getattr(box.strategy, "cells", {}).values()]
        counted = [cell.number for cell in cells if cell.number]
        departures = self.setup.count.departures if self.setup.count else ()
        counted += [int(str(rule.where["cards"])) + 1 for rule in departures if "cards" in rule.where]
        return max(counted, default=0)

    # -- hands

    def _splits(self) -> NDArray[np.int16]:
        table = np.zeros(len(self.hands), np.int16)
        for state, hand in enumerate(self.hands.facts):
            if len(hand.cards) == 2 and not hand.blackjack:
                table[state] = self._split_most(hand)
        return table

    def _split_most(self, hand: HandFacts) -> int:
        first = 2 if hand.split else 1
        allowed = [
            self.rules.refusal("split", hand._replace(hands=hands)) is None for hands in range(first, MOST_HANDS)
        ]
        if allowed != sorted(allowed, reverse=True):
            raise CannotCompile("a pair that may split only once the box holds more hands", self._cite("decide"))
        if allowed[-1]:
            cite = self.rules.decisions["split"].cite
            raise CannotCompile(f"more than {MOST_HANDS} hands per box are not simulated", cite)
        return first + sum(allowed) if any(allowed) else 0

    def _payoff_table(self) -> NDArray[np.int16]:
        table = np.zeros((len(self.hands), len(WAGER_KINDS)), np.int16)
        for state, hand in enumerate(self.hands.facts):
            for number, kind in enumerate(WAGER_KINDS):
                if len(hand.cards) > 1 and (hand.split or kind.wager == "main"):
                    table[state, number] = self.payoffs.closed(hand._replace(doubled=kind.doubled), kind)
        return table

    def _paid_table(self) -> NDArray[np.int16]:
        table = np.zeros(len(self.hands), np.int16)
        for state, hand in enumerate(self.hands.facts):
            if hand.blackjack:
                table[state] = self.payoffs.paid(hand, WagerKind())
        return table

    def _chance_table(self) -> NDArray[np.int16]:
        """Points before, card value, kind of wager to payoff, the hand's other marks making no difference."""
        most = max(hand.points for hand in self.hands.facts) + 1
        values = sorted({*self.rules.values.values(), self.rules.aces[0].low})
        table = np.full((most, max(values) + 1, len(WAGER_KINDS)), -1, np.int16)
        if "second_chance" not in self.rules.decisions:
            return np.maximum(table, 0)
        for hand in self.hands.facts:
            if hand.points > self.rules.limit:
                self._chances_of(hand, values, table)
        return np.maximum(table, 0)

    def _chances_of(self, hand: HandFacts, values: list[int], table: NDArray[np.int16]) -> None:
        for value in values:
            for number, kind in enumerate(WAGER_KINDS):
                payoff = self.payoffs.chance(hand._replace(doubled=kind.doubled), kind, value)
                if table[hand.points, value, number] not in (-1, payoff):
                    cite = self.rules.decisions["second_chance"].cite
                    raise CannotCompile("a second chance that depends on more than the total", cite)
                table[hand.points, value, number] = payoff

    def _fixed_payoffs(self) -> dict[int, int]:
        """Payoffs that depend on no hand."""
        decisions = self.rules.decisions
        payoffs: dict[int, int] = {}
        if "surrender" in decisions:
            payoffs[Parameter.ONCE_PAYOFF] = self.payoffs.surrendered(False)
            payoffs[Parameter.WAIT_PAYOFF] = self.payoffs.surrendered(True)
        if "rescue" in decisions:
            payoffs[Parameter.RESCUE_MAIN] = self.payoffs.rescued("main")
            payoffs[Parameter.RESCUE_SPLIT] = self.payoffs.rescued("split")
        if "even_money" in decisions:
            blackjack = next(hand for hand in self.hands.facts if hand.blackjack)
            payoffs[Parameter.EVEN_PAYOFF] = self.payoffs.even_money(blackjack)
        return payoffs

    # -- payoffs

    def _gain_tables(self) -> tuple[NDArray[np.int32], NDArray[np.int16], NDArray[np.int8]]:
        unit, payoffs = self.payoffs.unit, self.payoffs.all
        gains = np.array([[int(gain * unit) for gain in payoff.gains] for payoff in payoffs], np.int32)
        numbers = {name: number for number, name in enumerate(self._tallies)}
        tallies = np.array([[numbers[name] for name in payoff.tallies] for payoff in payoffs], np.int16)
        return gains, tallies, np.array([payoff.prizes for payoff in payoffs], np.int8)

    @cached_property
    def _tallies(self) -> tuple[str, ...]:
        names = {name for payoff in self.payoffs.all for name in payoff.tallies} - {UNDECIDED}
        return (UNDECIDED, *sorted(names))

    # -- the dealer's cards

    def _look(self) -> NDArray[np.int16]:
        table = np.zeros((len(RANKS), len(RANKS)), np.int16)
        held = [rank for rank in RANKS if rank not in self.rules.cards.without]
        for up in held:
            for hole in held:
                marks = self._marks(Card(up + SUITS[0]), Card(hole + SUITS[0]))
                table[RANKS.index(up), RANKS.index(hole)] = sum(mark for mark, holds in marks.items() if holds)
        return table

    def _marks(self, up: Card, hole: Card) -> dict[int, bool]:
        rules = self.rules
        return {
            Look.ENDS: rules.blackjack_ends(up, hole),
            Look.SURRENDER_WAITS: rules.surrender_waits(up),
            Look.BLACKJACK_PAID: rules.blackjack_paid_on_turn(up),
            Look.INSURABLE: rules.insurable(up),
            Look.ASKED_EARLY: rules.surrender_before_reader(up),
            Look.CAN_BE_BLACKJACK: rules.can_be_blackjack(up),
            Look.SUPER_UP: any(rules.super_bonus(hand, up, ()) is not None for hand in self.hands.facts),
            Look.INSURANCE_WINS: rules.insurance_wins(hole),
            Look.XTREME: rules.wheel_triggered("xtreme_16", up, hole),
        }

    # -- charts

    def _charts(self) -> NDArray[np.int8]:
        """Strategy, count, column, state, channel to the decision."""
        count = self.setup.count
        made = []
        for strategy in self._strategies:
            deciders = [Counting(strategy, count, bucket) for bucket in count.buckets] if count else [strategy]
            made.append([chart(self.rules, self.hands, self.columns, decider) for decider in deciders])
        return np.array(made, np.int8)

    @cached_property
    def _strategies(self) -> list[Any]:
        strategies: list[Any] = []
        for box in self.setup.boxes:
            if not any(box.strategy is strategy for strategy in strategies):
                strategies.append(box.strategy)
        return strategies

    # -- numbers

    def _shoe(self) -> NDArray[np.int16]:
        cards = [
            card_number(Card(rank + suit)) for rank in RANKS if rank not in self.rules.cards.without for suit in SUITS
        ]
        if len(cards) != self.rules.cards.per_deck:
            raise CannotCompile("the decks hold other cards than the ranks say", self.rules.cards.cite)
        return np.array(cards * self.setup.decks, np.int16)

    def _numbers(self, fixed: dict[int, int], grain: Amount) -> NDArray[np.int64]:
        rules, setup = self.rules, self.setup
        stops, envy, count = rules.dealer_stops, rules.envy(paid=True), setup.count
        insure, run_out = rules.decisions.get("insure"), rules.irregularities.get("insufficient_cards")
        reload = run_out.effects if run_out is not None else ()
        table = np.zeros(len(Parameter), np.int64)
        values = {
            Parameter.SIZE: setup.shoe_cards,
            Parameter.BOXES: len(setup.boxes),
            Parameter.HOLE: sum(row.to == "dealer" for row in rules.all(Deal)) > 1,
            Parameter.SECOND_STEP: rules.has_step("second_card"),
            Parameter.SECOND_ALWAYS: stops is None or stops.second_card,
            Parameter.STOPS: stops is not None,
            Parameter.PAY_FIRST: rules.has_step("pay_blackjacks"),
            Parameter.INSURE_PAID: insure is not None and insure.paid_hands,
            Parameter.CHANCE_UNITS: self._chance_units(),
            Parameter.THRESHOLD: (1 << 16) % setup.shoe_cards,
            Parameter.ENVY_ON_HAND: rules.envy(paid=False) is not None,
            Parameter.ENVY: envy.pays // grain if envy is not None else 0,
            Parameter.COVER: setup.cover,
            Parameter.BURN: setup.burns,
            Parameter.COUNTS: count is not None,
            Parameter.BUCKETS: len(count.buckets) if count else 1,
            Parameter.LOW_BUCKET: count.lowest if count else 0,
            Parameter.DECK_CARDS: rules.cards.per_deck,
            Parameter.START_COUNT: setup.start_count,
            Parameter.EACH_SPINS: "xtreme_16" in rules.wagers and rules.each_spins("xtreme_16"),
            Parameter.WAGER_KEPT: self._wager_kept(),
            Parameter.INFINITE: rules.maybe(InfiniteDeck) is not None,
            Parameter.RELOADS: "shuffle_rack" in reload,
            Parameter.RELOAD_BURN: "burn" in reload,
            **fixed,
        }
        for name, value in values.items():
            table[name] = value
        return table

    def _wager_kept(self) -> bool:
        """Whether a wheel's prize is all that is paid."""
        wheels = [wheel for wheel in WHEELS if wheel in self.rules.wagers]
        returned = {self.rules.wager_returned(wheel) for wheel in wheels}
        if len(returned) > 1:
            cite = self.rules.wagers[wheels[0]].cite
            raise CannotCompile("wheels of which only one returns the wager are not simulated", cite)
        return returned != {True}

    def _chance_units(self) -> int:
        """Whether a second chance is taken for original and double together."""
        return self.rules.chance_wager(1, 1) - 1 if "second_chance" in self.rules.decisions else 0
