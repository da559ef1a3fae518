"""Side wagers in the round function: Match-the-Dealer and the prize wheels."""
# mypy: disable-error-code="no-untyped-def, no-untyped-call"

from __future__ import annotations

import numpy as np

from twentyone.sim import layout as at
from twentyone.sim.draw import chance
from twentyone.sim.jit import inlined, jit
from twentyone.sim.layout import BoxMoney, HandKind, Look, MoneyHead, Parameter, Part
from twentyone.sim.wheels import AGAIN, COLUMNS, CUMULATED, METER, OTHERS, OTHERS_SECOND, PRIZE, SECOND
from twentyone.sim.work import MOST_BOXES, SYMBOLS, Work

__all__ = ["bonus_spin", "money", "settle_firsts", "settle_match", "xtreme"]


@inlined
def money(m, box, bucket, what):
    """An amount of a box, in grains."""
    return m[at.MONEY_HEADER + box * m[MoneyHead.BOX_ROW] + bucket * at.MONEY + what]


@inlined
def _matches(card, up):
    if card >> 2 != up >> 2:
        return np.int64(0)
    return np.int64(2 if card == up else 1)


@inlined
def settle_match(t, m, w):
    """Settle every Match-the-Dealer Wager."""
    for box in range(t[Parameter.BOXES]):
        if money(m, box, w[Work.BOX_BUCKET + box], BoxMoney.MATCH_WAGER):
            one, two = _matches(w[Work.FIRST + box], w[Work.UP]), _matches(w[Work.OTHER + box], w[Work.UP])
            w[Work.SIDE] += m[m[MoneyHead.MATCH] + box * 9 + one * 3 + two]


@inlined
def settle_firsts(t, m, w):
    """Settle every wager on the kind of the first cards."""
    for box in range(t[Parameter.BOXES] if m[MoneyHead.FIRSTS] < m[MoneyHead.WHEEL] else 0):
        one, two, up = w[Work.FIRST + box], w[Work.OTHER + box], w[Work.UP]
        row = m[MoneyHead.FIRSTS] + box * at.FIRSTS
        wager = money(m, box, w[Work.BOX_BUCKET + box], BoxMoney.PAIRS_WAGER)
        w[Work.SIDE] += m[row + (one & 3) * 4 + (two & 3)] if wager and one >> 2 == two >> 2 else -wager
        if money(m, box, w[Work.BOX_BUCKET + box], BoxMoney.THREES_WAGER):
            ranks = ((one >> 2) * at.RANK_COUNT + (two >> 2)) * at.RANK_COUNT + (up >> 2)
            suited = one & 3 == two & 3 and one & 3 == up & 3
            w[Work.SIDE] += m[row + at.PAIRS + 2 * ranks + suited]


@jit
def _spin(t, m, w, r, wheel, box, what):
    """The prize of the box that spins, and what every other box with the wager is paid."""
    part = chance(w, r)
    row = m[MoneyHead.WHEEL] + wheel * m[MoneyHead.WHEEL_ROW]
    symbol = 0
    while m[row + CUMULATED] <= part:
        symbol += 1
        row += COLUMNS
    w[Work.SPUN + w[Work.SPINS]] = (wheel * SYMBOLS + symbol) * MOST_BOXES + box
    w[Work.SPINS] += 1
    wager = money(m, box, w[Work.BOX_BUCKET + box], what)
    prize = m[row + AGAIN] if w[Work.METERS_RESET] & m[row + METER] else m[row + PRIZE]
    w[Work.METERS_RESET] |= m[row + METER]
    w[Work.SIDE] += prize - wager * t[Parameter.WAGER_KEPT]
    for other in range(t[Parameter.BOXES]):
        if other != box and money(m, other, w[Work.BOX_BUCKET + other], what):
            second = wheel != 1 and money(m, other, 0, BoxMoney.SPIN_WHEEL) == SECOND
            w[Work.SIDE] += m[row + OTHERS_SECOND] if second else m[row + OTHERS]


@inlined
def bonus_spin(t, m, w, r):
    """The Bonus Spin: a player's Blackjack turns the wheel, everyone else's wager is lost."""
    for box in range(t[Parameter.BOXES]):
        wager = money(m, box, w[Work.BOX_BUCKET + box], BoxMoney.SPIN_WAGER)
        if wager and t[t[Part.KIND] + w[Work.STATE + box]] == HandKind.BLACKJACK:
            _spin(t, m, w, r, money(m, box, 0, BoxMoney.SPIN_WHEEL), box, BoxMoney.SPIN_WAGER)
        else:
            w[Work.SIDE] -= wager


@inlined
def xtreme(t, m, w, r):
    """Xtreme 16: the dealer's two cards turn the wheel for the hot spot, one of the boxes with the wager."""
    count = 0
    for box in range(t[Parameter.BOXES]):
        count += money(m, box, w[Work.BOX_BUCKET + box], BoxMoney.XTREME_WAGER) > 0
    if count:
        _settle_xtreme(t, m, w, r, count)


@jit
def _settle_xtreme(t, m, w, r, count):
    triggered = t[t[Part.LOOK] + (w[Work.UP] >> 2) * at.RANK_COUNT + (w[Work.SECOND] >> 2)] & Look.XTREME
    hot = 0
    if triggered and count > 1:
        hot = (chance(w, r) * count) >> 32
    for box in range(t[Parameter.BOXES]):
        wager = money(m, box, w[Work.BOX_BUCKET + box], BoxMoney.XTREME_WAGER)
        if wager == 0:
            continue
        if triggered and (hot == 0 or t[Parameter.EACH_SPINS]):
            _spin(t, m, w, r, 1, box, BoxMoney.XTREME_WAGER)
        elif not triggered or t[Parameter.WAGER_KEPT]:
            w[Work.SIDE] -= wager
        hot -= 1
