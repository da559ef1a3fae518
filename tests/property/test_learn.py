"""The environments against the engine of law: the same cards and decisions, the same choices, words and money."""

from __future__ import annotations

from contextlib import suppress
from random import Random

import numpy as np
import pytest
from tests.contracts.sim_driver import default_game
from tests.daily import daily_books
from tests.property.chance import random_rules

from twentyone.errors import Refused
from twentyone.learn.law import law_round
from twentyone.learn.names import ACTIONS, situation_of
from twentyone.learn.rounds import PausedRounds
from twentyone.money import ZERO, Amount
from twentyone.round import Offer, Over, Round, Wagers
from twentyone.round.events import HandRef
from twentyone.round.play import Play
from twentyone.round.wagers import check_wagers
from twentyone.rulebook import Rulebook, Rules
from twentyone.sim import stats
from twentyone.sim.asking import StepwiseGame, stepwise_game
from twentyone.sim.job import Job, run_batch
from twentyone.sim.packing import packed
from twentyone.sim.stepwise import KEPT, Pause, ShownField
from twentyone.sim.work import Work
from twentyone.strategy import Situation, default_strategy, situation, value_class

DEFAULT, RANDOM = 15, 8
"""Rounds under the default submission, and under a random one with up to three boxes."""

SAME = 200
"""Rounds by the rulebook's own chart, in the environment and in the simulator."""

PHASES = {"surrender": "early", "rescue": "doubled", "second_chance": "busted", "insurance": "insurance"}


def law_situation(round_: Round, offer: Offer, most_cards: int) -> tuple[int, Situation]:
    """What the engine of law asks now: the box, counted from 0, and the situation."""
    rules, state = round_.rules, round_.state
    seat = offer.options[0]
    mine = {option.action for option in offer.options if (option.box, option.hand) == (seat.box, seat.hand)}
    facts = Play(rules, state).facts(HandRef(seat.box, seat.hand or 1))
    hole = state.range or ""
    if state.shown and len(state.dealer) > 1:
        hole = f"={value_class(rules, state.dealer[1])}"
    may = mine | ({"decline"} if offer.optional else set())
    up = value_class(rules, state.dealer[0])
    asked = situation(rules, facts, up, may, phase=PHASES.get(offer.kind, ""), hole=hole)
    return seat.box - 1, asked._replace(cards=min(asked.cards, most_cards))


def first_difference(game: StepwiseGame, rng: Random, count: int) -> str | None:
    """The first round in which environment and law differ, in a sentence."""
    rounds = PausedRounds(game)
    rounds.seed([rng.randrange(1 << 30)])
    for number in range(count):
        told = rounds.deal()
        taken: list[tuple[int, int]] = []
        while (asked := situation_of(game, told.shown[0], told.masks[0])) is not None:
            round_ = law_round(rounds, taken)
            box = int(rounds.work[0, Pause.BOX])
            if not isinstance(round_.next, Offer):
                return f"round {number}: {asked} is asked, the law needs {round_.next}"
            wanted = law_situation(round_, round_.next, game.sizes[ShownField.CARDS] - 1)
            if wanted != (box, asked):
                return f"round {number}: {box}, {asked} is asked, by law {wanted}\n{round_}"
            decision = int(rng.choice(np.flatnonzero(told.masks[0])))
            taken.append((box, decision))
            told = rounds.advance(np.array([decision]), KEPT)
        round_ = law_round(rounds, taken)
        if not told.results[0]:
            told = rounds.advance(np.array([ACTIONS.index("decline")]), KEPT)
        gained = int(told.gains[0]) * game.compiled.grain
        if not isinstance(round_.next, Over) or gained != sum(round_.net.values()):
            return f"round {number}: gained {gained}, by law {round_.net}\n{round_}"
        if round_.state.used != rounds.work[0, Work.POSITION]:
            return f"round {number}: {rounds.work[0, Work.POSITION]} cards drawn, by law {round_.state.used}"
    return None


def game(rules: Rules, boxes: int = 1, **sides: str) -> StepwiseGame:
    return stepwise_game(rules, Amount("10"), {kind: Amount(amount) for kind, amount in sides.items()}, boxes)


def playable(book: str, rng: Random) -> tuple[Rules, int]:
    """A random submission under which the wagers here may be laid, and on how many boxes."""
    while True:
        rules = random_rules(Rulebook.load(book), rng)
        for boxes in (3, 2, 1):
            with suppress(Refused):
                check_wagers(rules, [Wagers(box + 1, f"p{box}", Amount("10")) for box in range(boxes)])
                return rules, boxes


@pytest.mark.parametrize("book", daily_books("pa-double-back-jack", "s13-spanish-21"))
def test_environment_and_law_ask_and_pay_alike(book: str) -> None:
    rules = Rulebook.load(book).under()
    assert first_difference(game(rules), Random(book), DEFAULT) is None
    rng = Random(f"{book} submissions")
    rules, boxes = playable(book, rng)
    assert first_difference(game(rules, boxes), rng, RANDOM) is None, rules.submission


@pytest.mark.parametrize("book", daily_books("classic-blackjack", "pa-double-back-jack"))
def test_a_chart_gains_in_the_environment_what_it_gains_in_the_simulator(book: str) -> None:
    """The same seed is the same shoe: round by round the same cards, and in the end the same sum."""
    rules = Rulebook.load(book).under()
    chart, stepwise = default_strategy(rules), game(rules)
    rounds, gained = PausedRounds(stepwise), ZERO
    rounds.seed([5])
    for _ in range(SAME):
        told = rounds.deal()
        while not told.results[0]:
            asked = situation_of(stepwise, told.shown[0], told.masks[0])
            decision = ACTIONS.index(chart.decide(asked) if asked is not None else "decline")
            told = rounds.advance(np.array([decision]), KEPT)
        gained += int(told.gains[0]) * stepwise.compiled.grain
    simulated = default_game(book)
    sums = run_batch(Job.of(simulated, 5, fast=False), 0, SAME).sums
    assert gained == (sums[stats.GAIN] + sums[stats.PRIZE]) * simulated.grain


def test_a_decision_too_many_is_noticed() -> None:
    """A negative control: one permission that the law does not give."""
    right = game(Rulebook.load("classic-blackjack").under())
    may = right.may.copy()
    may[may == 0b111] |= 1 << ACTIONS.index("surrender")
    assert first_difference(right._replace(may=may), Random(1), 50) is not None


def test_a_payout_off_by_one_grain_is_noticed() -> None:
    right = game(Rulebook.load("pa-spanish-21").under())
    gain = right.compiled.game.gain
    rules, money = packed(right.compiled.game._replace(gain=gain + (gain > 0)))
    assert first_difference(right._replace(rules=rules, money=money), Random(1), 50) is not None
