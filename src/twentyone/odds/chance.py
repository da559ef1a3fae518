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

__all__ = ["second_chances", "settle_chances"]


def second_chances(game: GameTables, group: HandGroup, held: HandsAndShoe, removed: IntArray) -> FloatArray | None:
    """[2, hands, conditions]: what a second chance is worth on each busted hand; none: there is no such decision."""
    if not group.pays.chance.size:
        return None
    busted = held.listed[(group.may[held.listed] >> CHANCE & 3) > 0]
    worth = np.full((2, *held.dealer.shape[:2]), game.rows[0, 0] * 0)
    read = (np.array(game.tables.read) & (game.blackjack >= 0)).astype(np.int64)
    rows = np.stack([game.rows, game.rows])
    if game.blackjack >= 0:
        rows[1, :, game.blackjack] = rows[0, 0, 0] * 0
    for card, one in enumerate(np.eye(len(game.tables.shoe), dtype=np.int64)):
        chances, at = game.dealer_odds.rows(removed + one + held.hands.counts[busted])
        pays = group.pays.chance[:, :, card]
        _add_worth(busted, at, chances, held.left[:, card], rows, pays, read, worth)
    return worth


@jit
def _add_worth(busted: Any, at: Any, chances: Any, left: Any, rows: Any, pays: Any, read: Any, worth: Any) -> None:
    """Add what a second chance card of one class brings; `rows[1]` leaves a Blackjack out, for where it was read."""
    for i in range(busted.shape[0]):
        hand = busted[i]
        for k in range(read.shape[0]):
            chance = chances[at[i], k]
            once, twice = rows[read[k], pays[0, hand]], rows[read[k], pays[1, hand]]
            first = left[hand] * 0
            second = first
            for t in range(chance.shape[0]):
                first += chance[t] * once[t]
                second += chance[t] * twice[t]
            worth[0, hand, k] += left[hand] * first
            worth[1, hand, k] += left[hand] * second


def settle_chances(
    game: GameTables, group: HandGroup, held: HandsAndShoe, removed: IntArray, plan: Plan, reached: ReachProbabilities
) -> None:
    """Add to the reach probabilities how the second chances that are taken are settled."""
    if not group.pays.chance.size:
        return
    read = np.array(game.tables.read) & (game.blackjack >= 0)
    for doubled in (0, 1):
        offered = (group.may >> (CHANCE + doubled) & 1).astype(bool)
        weight = np.where(
            offered[:, None] & (plan.offer[doubled] > 0), reached.reach[doubled], reached.reach[0, 0, 0] * 0
        )
        busted = np.flatnonzero((weight != 0).any(axis=1))
        for card, one in enumerate(np.eye(len(game.tables.shoe), dtype=np.int64) if len(busted) else ()):
            chances, at = game.dealer_odds.rows(removed + one + held.hands.counts[busted])
            rows, left = group.pays.chance[doubled, :, card], held.left[:, card]
            _add_settled(busted, at, chances, left, weight, rows, read, game.blackjack, reached.mass)


@jit
def _add_settled(
    busted: Any, at: Any, chances: Any, left: Any, weight: Any, rows: Any, read: Any, blackjack: int, mass: Any
) -> None:
    """Add how second chances with a card of one class are settled, a Blackjack that was read left out."""
    for i in range(busted.shape[0]):
        hand = busted[i]
        for k in range(read.shape[0]):
            if weight[hand, k] != 0:
                for t in range(mass.shape[2]):
                    if not (read[k] and t == blackjack):
                        mass[rows[hand], k, t] += weight[hand, k] * (left[hand] * chances[at[i], k, t])
