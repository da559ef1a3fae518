"""The second chance of a busted hand: one card taken off its total, the wager staked again."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from twentyone.odds.kernels import CHANCE
from twentyone.odds.model import FloatArray, IntArray
from twentyone.odds.player import Plan, Stand

if TYPE_CHECKING:
    from twentyone.odds.family import Family
    from twentyone.odds.flow import Flow
    from twentyone.odds.phase import Setting

__all__ = ["after_card", "second_chances", "settle_chances"]


def second_chances(setting: Setting, family: Family, stand: Stand, removed: IntArray) -> FloatArray | None:
    """[2, hands, conditions]: what a second chance is worth on each busted hand; none: there is no such decision."""
    if not family.pays.chance.size:
        return None
    busted = stand.listed[(family.may[stand.listed] >> CHANCE & 3) > 0]
    worth = np.full((2, *stand.dealer.shape[:2]), setting.rows[0, 0] * 0)
    for card in range(len(setting.tables.shoe)):
        chances = after_card(setting, stand, removed, busted, card)
        for doubled in (0, 1):
            pay = setting.rows[family.pays.chance[doubled, busted, card]]
            worth[doubled, busted] += (chances @ pay[:, :, None])[:, :, 0]
    return worth


def settle_chances(setting: Setting, family: Family, stand: Stand, removed: IntArray, plan: Plan, found: Flow) -> None:
    """Add to a flow how the second chances that are taken are settled."""
    if not family.pays.chance.size:
        return
    for doubled in (0, 1):
        offered = (family.may >> (CHANCE + doubled) & 1).astype(bool)
        weight = np.where(offered[:, None] & (plan.offer[doubled] > 0), found.reach[doubled], found.reach[0, 0, 0] * 0)
        busted = np.flatnonzero((weight != 0).any(axis=1))
        for card in range(len(setting.tables.shoe) if len(busted) else 0):
            chances = weight[busted][:, :, None] * after_card(setting, stand, removed, busted, card)
            np.add.at(found.mass, family.pays.chance[doubled, busted, card], chances)


def after_card(setting: Setting, stand: Stand, removed: IntArray, busted: IntArray, card: int) -> FloatArray:
    """[busted hands, conditions, columns]: the dealer's chances joint with a second chance card of this class."""
    tables, blackjack = setting.tables, setting.blackjack
    one = np.zeros(len(tables.shoe), dtype=np.int64)
    one[card] = 1
    chances: Any = setting.remains.chances(removed + one + stand.hands.counts[busted])
    if blackjack >= 0:
        chances[:, np.flatnonzero(tables.read), blackjack] = chances[0, 0, 0] * 0
    joint: FloatArray = stand.left[busted, card][:, None, None] * chances
    return joint
