"""The second chance of a busted hand: one card taken off its total, the wager laid again."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from twentyone.odds.jit import jit
from twentyone.odds.kernels import CHANCE
from twentyone.odds.model import FloatArray, IntArray
from twentyone.odds.player import HandsAndShoe, Plan, ReachProbabilities

if TYPE_CHECKING:
    from twentyone.odds.hand_group import HandGroup
    from twentyone.odds.phase_values import GameTables

__all__ = ["after_card", "second_chances", "settle_chances"]


def second_chances(game: GameTables, group: HandGroup, held: HandsAndShoe, removed: IntArray) -> FloatArray | None:
    """[2, hands, conditions]: what a second chance is worth on each busted hand; none: there is no such decision."""
    if not group.pays.chance.size:
        return None
    busted = held.listed[(group.may[held.listed] >> CHANCE & 3) > 0]
    worth = np.full((2, *held.dealer.shape[:2]), game.rows[0, 0] * 0)
    read = np.array(game.tables.read) & (game.blackjack >= 0)
    for card, one in enumerate(np.eye(len(game.tables.shoe), dtype=np.int64)):
        chances, at = game.dealer_odds.rows(removed + one + held.hands.counts[busted])
        pays = group.pays.chance[:, :, card]
        _add_worth(busted, at, chances, held.left[:, card], game.rows, pays, read, game.blackjack, worth)
    return worth


@jit
def _add_worth(
    busted: Any, at: Any, chances: Any, left: Any, rows: Any, pays: Any, read: Any, blackjack: int, worth: Any
) -> None:
    """Add what a second chance card of one class brings, a Blackjack that was read left out."""
    for i in range(busted.shape[0]):
        hand = busted[i]
        for k in range(read.shape[0]):
            for doubled in range(2):
                total = left[hand] * 0
                for t in range(rows.shape[1]):
                    if not (read[k] and t == blackjack):
                        total += chances[at[i], k, t] * rows[pays[doubled, hand], t]
                worth[doubled, hand, k] += left[hand] * total


def settle_chances(
    game: GameTables, group: HandGroup, held: HandsAndShoe, removed: IntArray, plan: Plan, reached: ReachProbabilities
) -> None:
    """Add to the reach probabilities how the second chances that are taken are settled."""
    if not group.pays.chance.size:
        return
    for doubled in (0, 1):
        offered = (group.may >> (CHANCE + doubled) & 1).astype(bool)
        weight = np.where(
            offered[:, None] & (plan.offer[doubled] > 0), reached.reach[doubled], reached.reach[0, 0, 0] * 0
        )
        busted = np.flatnonzero((weight != 0).any(axis=1))
        for card in range(len(game.tables.shoe) if len(busted) else 0):
            chances = weight[busted][:, :, None] * after_card(game, held, removed, busted, card)
            np.add.at(reached.mass, group.pays.chance[doubled, busted, card], chances)


def after_card(game: GameTables, held: HandsAndShoe, removed: IntArray, busted: IntArray, card: int) -> FloatArray:
    """[busted hands, conditions, columns]: the dealer's chances joint with a second chance card of this class."""
    tables, blackjack = game.tables, game.blackjack
    one = np.zeros(len(tables.shoe), dtype=np.int64)
    one[card] = 1
    chances: Any = game.dealer_odds.chances(removed + one + held.hands.counts[busted])
    if blackjack >= 0:
        chances[:, np.flatnonzero(tables.read), blackjack] = chances[0, 0, 0] * 0
    joint: FloatArray = held.left[busted, card][:, None, None] * chances
    return joint
