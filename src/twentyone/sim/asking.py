"""What a player who plays step by step is asked and shown: arrays beside those of `compile.py`, from `Rules`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from twentyone.money import Amount
from twentyone.rulebook import HandFacts, Rules
from twentyone.sim import layout as at
from twentyone.sim.chart import Columns, asked_of, may
from twentyone.sim.compile import Compiled, compile_setup
from twentyone.sim.layout import Channel, Parameter
from twentyone.sim.packing import packed
from twentyone.sim.setup import Box, Setup
from twentyone.sim.states import Hands
from twentyone.sim.stepwise import ShownField
from twentyone.strategy import UPS, Situation, special_hand, value_class

__all__ = ["BONUSES", "PHASES", "StepwiseGame", "stepwise_game"]

PHASES = ("first", "split", "busted", "doubled", "insurance", "early", "settled")
"""Where a player is asked, by number: the phases of a situation in the order of `Channel`, and behind them the round
that is settled."""

BONUSES = ("", "any", "suited", "spades")
"""The best special hand that a hand can still become, by number."""


class StepwiseGame(NamedTuple):
    """A game whose decisions come from outside, as arrays."""

    compiled: Compiled
    """Rules and wagers."""
    rules: NDArray[np.int32]
    """The same, packed (`t` of the round function)."""
    money: NDArray[np.int64]
    """Money, packed (`m`)."""
    may: NDArray[np.int16]
    """Column, state, channel to the decisions that are allowed, one bit each; 0: nothing is asked."""
    hands: NDArray[np.int64]
    """State to what is shown of the hand, by `ShownField`; in place of the hole card what a doubled hand can become."""
    columns: NDArray[np.int64]
    """Column to the numbers of the up card and of what is known of the hole card."""
    holes: tuple[str, ...]
    """What can be known of the hole card, by number."""
    sizes: tuple[int, ...]
    """How many values each field of an observation has."""


class Nobody:
    """A player who is never asked: each decision comes from outside."""

    def decide(self, asked: Situation) -> str:
        """Stand, or decline."""
        return next(name for name in ("stand", "decline") if name in asked.may)


def stepwise_game(rules: Rules, main: Amount, sides: Mapping[str, Amount], boxes: int = 1) -> StepwiseGame:
    """The arrays of a game whose decisions come from outside, all boxes with the same wagers; made once for each."""
    one = _one_box(rules, main, tuple(sorted(sides.items())))
    return one if boxes == 1 else _several(one, boxes)


@lru_cache(maxsize=32)
def _one_box(rules: Rules, main: Amount, sides: tuple[tuple[str, Amount], ...]) -> StepwiseGame:
    compiled = compile_setup(Setup(rules, (Box(Nobody(), main, dict(sides)),)))
    hands, columns = Hands(rules), Columns(rules)
    holes = ("", *sorted({column.hole for column in columns.all} - {""}))
    told = [(UPS.index(column.up), holes.index(column.hole)) for column in columns.all]
    shown = np.array([_shown(rules, hand, hands.most_cards) for hand in hands.facts], np.int64)
    sizes = _sizes(shown.max(axis=0), len(holes), max(int(compiled.game.splits.max()), 1))
    return StepwiseGame(
        compiled, *packed(compiled.game), _may(rules, hands, columns), shown, np.array(told, np.int64), holes, sizes
    )


def _several(one: StepwiseGame, boxes: int) -> StepwiseGame:
    """The same game with more boxes: only their number and their money are told anew."""
    setup, game = one.compiled.setup, one.compiled.game
    number = game.number.copy()
    number[Parameter.BOXES] = boxes
    money, match, firsts = (np.repeat(part, boxes, axis=0) for part in (game.money, game.match, game.firsts))
    compiled = replace(
        one.compiled, setup=replace(setup, boxes=setup.boxes * boxes),
        game=game._replace(number=number, money=money, match=match, firsts=firsts, seats=np.array([boxes], np.int16)),
    )  # fmt: skip
    rules, packed_money = packed(compiled.game)
    return one._replace(compiled=compiled, rules=rules, money=packed_money)


def _sizes(most: NDArray[np.int64], holes: int, hands: int) -> tuple[int, ...]:
    """How many values each field of an observation has."""
    sizes = [int(size) + 1 for size in most]
    sizes[ShownField.PHASE], sizes[ShownField.SOFT], sizes[ShownField.PAIR] = len(PHASES), 2, len(UPS) + 1
    sizes[ShownField.UP], sizes[ShownField.HOLE] = len(UPS), holes
    sizes[ShownField.HANDS], sizes[ShownField.WAITING] = hands + 1, hands
    return tuple(sizes)


def _may(rules: Rules, hands: Hands, columns: Columns) -> NDArray[np.int16]:
    table = np.zeros((len(columns.all), len(hands), at.CHANNELS), np.int16)
    for state, hand in enumerate(hands.facts):
        if len(hand.cards) > 1:
            for number, column in enumerate(columns.all):
                for channel, asked in asked_of(rules, hand, column):
                    table[number, state, channel] = _bits(asked.may)
                if hand.blackjack and not column.ends and not column.early and "surrender" in may(rules, hand):
                    table[number, state, Channel.TURN] = _bits(may(rules, hand))
    return table


def _bits(decisions: Iterable[str]) -> int:
    """Decisions as one bit each."""
    return sum(1 << at.DECISIONS.index(name) for name in decisions)


def _shown(rules: Rules, hand: HandFacts, most_cards: int) -> list[int]:
    row, cards = [0] * len(ShownField), min(len(hand.cards), most_cards)
    row[ShownField.PHASE] = PHASES.index("split" if hand.split else "first")
    row[ShownField.TOTAL], row[ShownField.SOFT], row[ShownField.CARDS] = hand.points, hand.soft, cards
    row[ShownField.BONUS] = BONUSES.index(special_hand(rules, hand.cards, hand.split))
    row[ShownField.HOLE] = BONUSES.index(special_hand(rules, hand.cards, hand.split, doubled=True))
    if len(hand.cards) == 2 and rules.refusal("split", hand) is None:
        row[ShownField.PAIR] = 1 + UPS.index(value_class(rules, hand.cards[0]))
    return row
