"""Side wagers in the round function: Match-the-Dealer and the prize wheels."""
# mypy: disable-error-code="no-untyped-def, no-untyped-call"

from __future__ import annotations

import numpy as np

from twentyone.sim import layout as at
from twentyone.sim.draw import chance
from twentyone.sim.jit import inlined, jit
from twentyone.sim.wheels import AGAIN, COLUMNS, CUMULATED, METER, OTHERS, PRIZE

__all__ = ["bonus_spin", "money", "settle_match", "xtreme"]


@inlined
def money(m, box, place, what):
    """An amount of a box, in grains."""
    return m[at.MONEY_HEADER + box * m[at.BOX_ROW] + place * at.MONEY + what]


@inlined
def _matches(card, up):
    if card >> 2 != up >> 2:
        return np.int64(0)
    return np.int64(2 if card == up else 1)


@inlined
def settle_match(t, m, w):
    """Settle every Match-the-Dealer Wager."""
    for box in range(t[at.BOXES]):
        if money(m, box, w[at.BOX_BUCKET + box], at.MATCH_STAKE):
            one, two = _matches(w[at.FIRST + box], w[at.UP]), _matches(w[at.OTHER + box], w[at.UP])
            w[at.SIDE] += m[m[at.MATCH_AT] + box * 9 + one * 3 + two]


@jit
def _spin(t, m, w, r, wheel, box, what):
    """The prize of the box that spins, and what every other box with the wager is paid."""
    part = chance(w, r)
    row = m[at.WHEEL_AT] + wheel * m[at.WHEEL_ROW]
    symbol = 0
    while m[row + CUMULATED] <= part:
        symbol += 1
        row += COLUMNS
    w[at.SPUN + w[at.SPINS]] = (wheel * at.SYMBOLS + symbol) * at.MOST_BOXES + box
    w[at.SPINS] += 1
    stake = money(m, box, w[at.BOX_BUCKET + box], what)
    prize = m[row + AGAIN] if w[at.METERS_RESET] & m[row + METER] else m[row + PRIZE]
    w[at.METERS_RESET] |= m[row + METER]
    w[at.SIDE] += prize - stake * t[at.STAKE_KEPT]
    for other in range(t[at.BOXES]):
        if other != box and money(m, other, w[at.BOX_BUCKET + other], what):
            w[at.SIDE] += m[row + OTHERS]


@inlined
def bonus_spin(t, m, w, r):
    """The Bonus Spin: a player's Blackjack turns the wheel, everyone else's wager is lost."""
    for box in range(t[at.BOXES]):
        stake = money(m, box, w[at.BOX_BUCKET + box], at.SPIN_STAKE)
        if stake and t[t[at.KIND_AT] + w[at.STATE + box]] == at.BLACKJACK:
            _spin(t, m, w, r, 0, box, at.SPIN_STAKE)
        else:
            w[at.SIDE] -= stake


@inlined
def xtreme(t, m, w, r):
    """Xtreme 16: the dealer's two cards turn the wheel for the hot spot, one of the boxes with the wager."""
    count = 0
    for box in range(t[at.BOXES]):
        count += money(m, box, w[at.BOX_BUCKET + box], at.XTREME_STAKE) > 0
    if count:
        _settle_xtreme(t, m, w, r, count)


@jit
def _settle_xtreme(t, m, w, r, count):
    triggered = t[t[at.LOOK_AT] + (w[at.UP] >> 2) * at.RANK_COUNT + (w[at.SECOND] >> 2)] & at.XTREME
    hot = 0
    if triggered and count > 1:
        hot = (chance(w, r) * count) >> 32
    for box in range(t[at.BOXES]):
        stake = money(m, box, w[at.BOX_BUCKET + box], at.XTREME_STAKE)
        if stake == 0:
            continue
        if triggered and (hot == 0 or t[at.EACH_SPINS]):
            _spin(t, m, w, r, 1, box, at.XTREME_STAKE)
        elif not triggered or t[at.STAKE_KEPT]:
            w[at.SIDE] -= stake
        hot -= 1
