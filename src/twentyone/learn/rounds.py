"""Rounds side by side on the compiled kernel, each with its own shoe: what every environment here plays."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from twentyone.cards import Card
from twentyone.errors import Refused
from twentyone.money import Amount
from twentyone.round import Wagers
from twentyone.round.wagers import check_wagers
from twentyone.rulebook import Rulebook
from twentyone.sim.asking import StepwiseGame, stepwise_game
from twentyone.sim.layout import DECISIONS
from twentyone.sim.rng import key_of
from twentyone.sim.states import DECK, card_number
from twentyone.sim.stepwise import DEAL, KEPT, ROW_LENGTH, Pause, ShownField, advance
from twentyone.sim.work import Work

__all__ = ["PausedRounds", "StepTold", "game_of"]

REFUSED = 2
"""The result of a decision that is not allowed."""


class StepTold(NamedTuple):
    """What the players of all rounds are told after a step; arrays that nobody changes any more."""

    shown: NDArray[np.int64]
    """The observations, by `ShownField`."""
    masks: NDArray[np.int8]
    """1 for each decision that is allowed."""
    gains: NDArray[np.int64]
    """What a round that is over gained, in grains."""
    results: NDArray[np.int8]
    """0 the round goes on, 1 it is over, 2 the decision was refused."""


def game_of(
    rulebook: str, submission: Mapping[str, Any] | None, main: str, sides: Mapping[str, str] | None, boxes: int = 1
) -> StepwiseGame:
    """The game of an environment; wagers that the table would not take are refused with the paragraph."""
    rules = Rulebook.load(rulebook).under(submission)
    amounts = {kind: Amount(amount) for kind, amount in (sides or {}).items()}
    check_wagers(rules, [Wagers(box + 1, f"player_{box + 1}", Amount(main), amounts) for box in range(boxes)])
    return stepwise_game(rules, Amount(main), amounts, boxes)


class PausedRounds:
    """This many rounds of a game."""

    def __init__(self, game: StepwiseGame, count: int = 1) -> None:
        self.game = game
        self.count = count
        self.work = np.zeros((count, ROW_LENGTH), np.int64)
        """The work spaces."""
        self.decks = np.zeros((count, game.compiled.setup.shoe_cards), np.int16)
        """The cards drawn, as indices into the unshuffled shoe."""
        self._keys = np.zeros((count, 4), np.uint64)
        self._fixed = (
            game.rules, game.money, game.may, game.hands, game.columns, self.work, self.decks, self._keys,
        )  # fmt: skip

    def seed(self, seeds: Iterable[int]) -> None:
        """Give every round the random words of a seed, from the first on."""
        for row, seed in enumerate(seeds):
            self._keys[row] = key_of(seed, 0), 0, key_of(seed, 1), 0
        self.work[:, Pause.NUMBER] = 0

    def lay(self, cards: Iterable[Card], row: int = 0) -> None:
        """Let the next round of a row begin with these cards; refused where the shoe does not hold them."""
        left = list(self.game.compiled.game.cards)
        for place, card in enumerate(cards):
            try:
                index = left.index(card_number(card))
            except ValueError:
                rules = self.game.compiled.setup.rules
                raise Refused(f"the shoe holds no further {card}", rules.cards.cite, "cards") from None
            left[index] = -1
            self.decks[row, place] = index
            self.work[row, Pause.LAID] = place + 1

    def deal(self, rows: NDArray[np.bool_] | None = None) -> StepTold:
        """Deal a new round; with `rows` only there, the others get a decision that changes nothing."""
        decisions = np.full(self.count, DEAL, np.int64)
        if rows is not None:
            decisions[~rows] = len(DECISIONS)
        return self.advance(decisions, KEPT)

    def advance(self, decisions: NDArray[np.int64], mode: int) -> StepTold:
        """Carry out a decision in every round."""
        count = self.count
        told = StepTold(
            np.empty((count, len(ShownField)), np.int64), np.empty((count, len(DECISIONS)), np.int8),
            np.empty(count, np.int64), np.empty(count, np.int8),
        )  # fmt: skip
        if advance(*self._fixed, decisions, mode, *told):
            cite = self.game.compiled.setup.rules.cards.cite
            raise Refused("the shoe ran out in a round: more decks or fewer boxes are needed", cite)
        return told

    def cards(self, row: int = 0) -> list[Card]:
        """The cards of a round in the order in which they left the shoe, the hole card among them."""
        drawn = self.decks[row, : self.work[row, Work.POSITION]]
        return [DECK[number] for number in self.game.compiled.game.cards[drawn]]
