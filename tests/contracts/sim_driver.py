"""The same round by two readers: dealt by the simulator, then by the round of law from the same cards."""

from __future__ import annotations

import json
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
from itertools import chain
from random import Random
from zlib import crc32

import numpy as np
from tests.property.chance import random_meters, random_rules, random_wagers

from twentyone.cards import RANKS, SUITS, Card, parse_cards
from twentyone.errors import Refused
from twentyone.round import Decision, Draw, Drawn, Offer, Over, Round, Spin, Spun, Wagers
from twentyone.rulebook import Rulebook, Rules
from twentyone.rulebook.wheels import meters_of, weights_of
from twentyone.script.export import export
from twentyone.sim.cache import compiled_once
from twentyone.sim.compile import Compiled
from twentyone.sim.draw import FRESH, GIVEN
from twentyone.sim.packing import packed
from twentyone.sim.plain import play_round
from twentyone.sim.rng import key_of
from twentyone.sim.setup import Box, Setup
from twentyone.sim.states import card_number
from twentyone.sim.steps import begin
from twentyone.sim.wheels import WHEELS
from twentyone.sim.work import MOST_BOXES, SYMBOLS, WORK_LENGTH, Work
from twentyone.strategy import Situation, Strategy, default_strategy, situation, value_class
from twentyone.table.wheel import paytable_at

PRIZES = ("super_bonus", "envy_bonus")
SIDES = ("match_the_dealer", "perfect_pairs", "twenty_one_plus_three", "bonus_spin", "xtreme_16", "community_pay")
PHASES = {"rescue": "doubled", "second_chance": "busted", "insurance": "insurance", "surrender": "early"}


@dataclass
class Dealt:
    """What the simulator made of a round."""

    cards: tuple[Card, ...]
    gain: int
    prize: int
    side: int
    spins: list[tuple[str, int, int]] = field(default_factory=list)
    """Wheel, symbol, box."""

    @property
    def sums(self) -> tuple[int, int, int, int]:
        return self.gain, self.prize, self.side, len(self.cards)


class Simulator:
    """Deals rounds of a game one by one."""

    def __init__(self, compiled: Compiled, seed: int = 1) -> None:
        self.compiled = compiled
        self.w = np.zeros(WORK_LENGTH, np.int64)
        self.deck = np.zeros(compiled.setup.shoe_cards, np.int16)
        self.r = np.array([key_of(seed), 0, key_of(seed, 1), 0], np.uint64)
        self.t, self.m = packed(compiled.game)

    def deal(self, number: int) -> Dealt:
        """The round of this number."""
        begin(self.w, number)
        self.w[Work.ROUND] = number
        self.w[Work.POSITION] = self.w[Work.FILLED] = 0
        play_round(self.t, self.m, self.w, self.deck, self.r, FRESH)
        return self._dealt(self.compiled.game.cards[self.deck[: self.w[Work.POSITION]]])

    def deal_cards(self, cards: str) -> Dealt:
        """A round from these cards."""
        return self.deal_numbers([card_number(card) for card in parse_cards(cards)])

    def deal_numbers(self, numbers: list[int]) -> Dealt:
        """A round from cards by number."""
        self.deck[: len(numbers)] = numbers
        begin(self.w, 0)
        self.w[Work.POSITION], self.w[Work.FILLED] = 0, len(numbers)
        play_round(self.t, self.m, self.w, self.deck, self.r, GIVEN)
        return self._dealt(self.deck[: self.w[Work.POSITION]])

    def _dealt(self, numbers: np.ndarray) -> Dealt:
        w = self.w
        assert not w[Work.FAULT]
        cards = tuple(Card(RANKS[int(n) // 4] + SUITS[int(n) % 4]) for n in numbers)
        grain = int(self.compiled.grain)
        spins = [_spun(int(w[Work.SPUN + n])) for n in range(w[Work.SPINS])]
        return Dealt(cards, int(w[Work.GAIN]) * grain, int(w[Work.PRIZE]) * grain, int(w[Work.SIDE]) * grain, spins)


def _spun(log: int) -> tuple[str, int, int]:
    box, rest = log % MOST_BOXES, log // MOST_BOXES
    return WHEELS[rest // SYMBOLS], rest % SYMBOLS, box


def first_difference(
    compiled: Compiled, rounds: int | range, given: Iterable[Dealt] = (), setup: Setup | None = None
) -> str | None:
    """The first round that the two readers settle differently, as a sentence and a round script, or None."""
    simulator, setup = Simulator(compiled), setup or compiled.setup
    numbers = rounds if isinstance(rounds, range) else range(rounds)
    for dealt in chain(given, map(simulator.deal, numbers)):
        try:
            round_ = play(setup, dealt)
        except (Refused, AssertionError, StopIteration) as wrong:
            return f"{dealt.sums}: the round of law goes another way ({wrong!r})\n{_script(setup, dealt)}"
        if sums(round_) != dealt.sums:
            return f"sim {dealt.sums}, round {sums(round_)}\n{json.dumps(export(round_))}"
    return None


def _script(setup: Setup, dealt: Dealt) -> str:
    """What can be said of a round that the round of law did not finish."""
    cards = " ".join(card.name for card in dealt.cards)
    return json.dumps({"format": "round-script/1", "rulebook": setup.rules.rulebook.id, "cards": cards})


def play(setup: Setup, dealt: Dealt) -> Round:
    """The round of law from the same cards, each box deciding by its own strategy."""
    wagers = [Wagers(number + 1, f"p{number + 1}", box.main, dict(box.sides)) for number, box in enumerate(setup.boxes)]
    round_ = Round.start(setup.rules, wagers, setup.meters)
    cards, spins = iter(dealt.cards), list(dealt.spins)
    while not isinstance(need := round_.next, Over):
        if isinstance(need, Draw):
            round_ = round_.apply(Drawn(next(cards)))
        elif isinstance(need, Spin):
            round_ = round_.apply(_spin(setup, round_, need, spins))
        else:
            assert isinstance(need, Offer)
            round_ = answer(setup, round_, need)
    assert next(cards, None) is None, "the simulator drew more cards"
    assert not spins
    return round_


def _spin(setup: Setup, round_: Round, need: Spin, spins: list[tuple[str, int, int]]) -> Spun:
    place = next(n for n, (wheel, _, box) in enumerate(spins) if wheel == need.wheel and need.box in (None, box + 1))
    _, symbol, box = spins.pop(place)
    weights = (setup.weights or weights_of(setup.rules))[paytable_at(round_.rules, round_.state, need).name]
    names = [name for name, weight in weights.items() if weight]
    return Spun(names[symbol], box + 1 if need.box is None else None)


def answer(setup: Setup, round_: Round, need: Offer) -> Round:
    """The first box that is asked answers by its strategy."""
    box, hand = need.options[0].box, need.options[0].hand
    return round_.apply(Decision(_decide(setup, round_, need, box, hand or 1), box))


def _decide(setup: Setup, round_: Round, need: Offer, box: int, number: int) -> str:
    rules, state = round_.rules, round_.state
    hands = state.hands[box]
    hand = hands[number - 1]
    facts = rules.hand(hand.cards, hand.split, hand.doubled, len(hands))
    may = {option.action for option in need.options if option.box == box}
    if need.optional:
        may.add("decline")
    up = value_class(rules, state.dealer[0])
    hole = state.range or ""
    if hole and state.shown:
        hole = f"={value_class(rules, state.dealer[1])}"
    phase = "" if need.kind == "turn" else PHASES[need.kind]
    return setup.boxes[box - 1].strategy.decide(situation(rules, facts, up, may, phase=phase, hole=hole))


def sums(round_: Round) -> tuple[int, int, int, int]:
    """Gain on the main wagers, prizes, side wagers, cards used."""
    gain = sum(row.net for row in round_.state.rows if row.wager not in PRIZES + SIDES)
    prize = sum(row.net for row in round_.state.rows if row.wager in PRIZES)
    side = sum(row.net for row in round_.state.rows if row.wager in SIDES)
    return int(gain), int(prize), int(side), round_.state.used


@cache
def default_game(book: str, mode: str = "fresh") -> Compiled:
    """A rulebook's own chart under its default submission."""
    return compiled_once(Setup.of(Rulebook.load(book).under(), mode=mode))


# -- random games


@dataclass(frozen=True)
class Dice:
    """A player who decides anything, but always the same in the same situation."""

    seed: int

    def decide(self, asked: Situation) -> str:
        told = (self.seed, asked.phase, asked.total, asked.soft, asked.pair, asked.up, asked.hole, asked.bonus)
        options = sorted(asked.may)
        return options[crc32(repr((told, options)).encode()) % len(options)]


def random_setup(rulebook: Rulebook, rng: Random) -> Setup:
    """A random submission, random boxes and wagers, players with charts or with dice."""
    rules = random_rules(rulebook, rng)
    rows = random_wagers(rules, rng)
    one_each = list({row.box: row for row in rows}.values())
    deciders = [_decider(rules, rng) for _ in one_each]
    boxes = tuple(Box(who, row.main, row.sides) for who, row in zip(deciders, one_each, strict=True))
    floors = {name: terms.base for name, terms in meters_of(rules).items()}
    return Setup(rules, boxes, meters=random_meters(rules, rng) or floors)


def _decider(rules: Rules, rng: Random) -> Strategy | Dice:
    """The rulebook's chart where it fits the submission, else dice."""
    if rng.random() < 0.3:
        with suppress(Refused):
            return default_strategy(rules).check(rules)
    return Dice(rng.randrange(100))
