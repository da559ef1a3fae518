"""The contract of simulator and round: the same cards, the same decisions, the same money, cent for cent."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import numpy as np
import pytest
from tests.contracts.sim_driver import Dice, Simulator, default_game, first_difference, random_setup
from tests.daily import daily_books

from twentyone.cards import Card
from twentyone.money import Amount
from twentyone.rulebook import Rulebook
from twentyone.sim import layout as at
from twentyone.sim.compile import Compiled, compile_setup
from twentyone.sim.layout import DecisionCode, GameArrays
from twentyone.sim.setup import Box, Setup

DEFAULT_ROUNDS = 3_000
"""Rounds a rulebook with its own chart ..."""
SUBMISSIONS, ROUNDS_EACH = 2, 400
"""... and under random submissions, readings, boxes, wagers and players."""


@pytest.mark.parametrize("book", daily_books("s13-spanish-21"))
def test_the_rulebooks_own_chart_is_played_alike(book: str) -> None:
    compiled = default_game(book)
    assert first_difference(compiled, DEFAULT_ROUNDS) is None


@pytest.mark.parametrize("book", daily_books("md-spanish-21", "pa-double-back-jack"))
def test_random_submissions_and_players_are_played_alike(book: str) -> None:
    for number in range(SUBMISSIONS):
        setup = random_setup(Rulebook.load(book), Random(f"{book} {number}"))
        assert first_difference(compile_setup(setup), ROUNDS_EACH) is None, number


def test_a_super_bonus_is_paid_alike() -> None:
    """Three sevens of one suit against a seven: $1,000 to the player on $10, $50 to the other, by 635a.12(c)."""
    rules = Rulebook.load("pa-spanish-21").under()
    always = Always("hit")
    compiled = compile_setup(Setup(rules, (Box(always, Amount("10")), Box(Always("stand"), Amount("30")))))
    dealt = Simulator(compiled).deal_cards("7S KH 7H 7S 9H KD 7S")
    assert (dealt.gain, dealt.prize) == (30_000 + 30_000, 1_000_000 + 50_000)
    assert first_difference(compiled, 0, [dealt]) is None


class Always:
    """A player who always says the same, where he may."""

    def __init__(self, decision: str) -> None:
        self.decision = decision

    def decide(self, asked: object) -> str:
        may: frozenset[str] = asked.may  # type: ignore[attr-defined]
        return next(name for name in (self.decision, "stand", "decline") if name in may)


# -- negative controls: a simulator that is wrong in one place is found out


def _broken(compiled: Compiled, **changes: Any) -> Compiled:
    game = compiled.game._replace(**changes)
    return Compiled(compiled.setup, game, compiled.tallies, compiled.grain)


def test_a_payout_off_by_one_is_found() -> None:
    compiled = default_game("pa-spanish-21")
    gain = compiled.game.gain.copy()
    gain[gain == 3] += 1
    assert first_difference(_broken(compiled, gain=gain), DEFAULT_ROUNDS) is not None


def test_a_wrong_split_rule_is_found() -> None:
    compiled = default_game("pa-spanish-21")
    splits = np.minimum(compiled.game.splits, 2)
    difference = first_difference(_broken(compiled, splits=splits), DEFAULT_ROUNDS)
    assert difference is not None


def test_a_dealer_who_draws_one_card_too_many_is_found() -> None:
    compiled = default_game("classic-blackjack")
    wrong = compile_setup(Setup.of(Rulebook.load("classic-blackjack").under({"dealer_hits_soft_17": True})))
    assert first_difference(_broken(wrong, **_but_setup(wrong.game)), 10, setup=compiled.setup) is None
    assert first_difference(wrong, DEFAULT_ROUNDS, setup=compiled.setup) is not None


def _but_setup(game: GameArrays) -> dict[str, np.ndarray]:
    """The same arrays again: a control of the control."""
    return {"gain": game.gain.copy()}


def test_the_first_difference_is_a_round_script() -> None:
    compiled = default_game("classic-blackjack")
    gain = compiled.game.gain.copy()
    gain[gain < 0] -= 1
    told = first_difference(_broken(compiled, gain=gain), 100)
    assert told is not None
    script = json.loads(told.splitlines()[-1])
    assert script["format"] == "round-script/1"
    assert script["rulebook"] == "classic-blackjack"


def test_dice_decide_the_same_in_the_same_situation() -> None:
    assert Card("8S") is Card("8S")
    assert Dice(3) == Dice(3)
    assert at.DECISIONS[DecisionCode.SPLIT] == "split"
