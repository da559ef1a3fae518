"""The small steps of a round: what `plain.py` plays through and `stepwise.py` stops between.

`t`, `m` and `w` are those of `plain.py`.
"""
# mypy: disable-error-code="no-untyped-def, no-untyped-call"

from __future__ import annotations

import numpy as np

from twentyone.sim import layout as at
from twentyone.sim.draw import bucket, corrected_bucket
from twentyone.sim.jit import inlined
from twentyone.sim.layout import BoxMoney, Channel, DecisionCode, Look, Parameter, Part, Stride
from twentyone.sim.sides import money
from twentyone.sim.work import Work

__all__ = [
    "begin",
    "close_hand",
    "dealer_step",
    "decision_of",
    "entry",
    "given_up",
    "insure",
    "lay_more",
    "look_of",
    "payoff_of",
    "split_hand",
    "step",
]


@inlined
def begin(w, moment):
    """Begin a round: clear everything but the shoe and the count."""
    w[Work.MOMENT] = moment
    w[Work.BEGUN] = w[Work.POSITION]
    w[Work.BEGUN_COUNT] = w[Work.RUNNING]
    w[Work.BEGUN_CORRECTED] = w[Work.CORRECTED]
    for index in range(Work.HALF, Work.FIRST):
        w[index] = 0


@inlined
def entry(t, section, index):
    return np.int64(t[t[section] + index])


@inlined
def step(t, state, card):
    return np.int64(t[t[Part.STEP] + state * at.CARD_COUNT + card])


@inlined
def payoff_of(t, state, wager):
    return np.int64(t[t[Part.PAYOFF] + state * t[Stride.PAYOFF] + wager])


@inlined
def look_of(t, up, second):
    return np.int64(t[t[Part.LOOK] + (up >> 2) * at.RANK_COUNT + (second >> 2)])


@inlined
def dealer_step(t, state, card):
    return np.int64(t[t[Part.DEALER] + state * at.RANK_COUNT + (card >> 2)])


@inlined
def decision_of(t, m, w, box, state, channel):
    count = corrected_bucket(t, w, 2) if channel == Channel.INSURANCE else bucket(t, w)
    strategy = money(m, box, 0, BoxMoney.STRATEGY) * t[Parameter.BUCKETS] + count
    index = strategy * t[Stride.CHART_COUNT] + w[Work.COND] * t[Stride.CHART_COLUMN] + state * at.CHANNELS + channel
    return np.int64(t[t[Part.CHART] + index])


@inlined
def lay_more(m, w, box):
    w[Work.WAGERED] += money(m, box, w[Work.BOX_BUCKET + box], BoxMoney.MAIN)


@inlined
def insure(t, m, w, box, decision):
    """What a box decides when insurance is offered."""
    if decision == DecisionCode.INSURE:
        w[Work.COVERED + box] = 1
        w[Work.INSURED_COUNT] += 1
        w[Work.WAGERED] += money(m, box, w[Work.BOX_BUCKET + box], BoxMoney.INSURED)
    elif decision == DecisionCode.EVEN_MONEY:
        w[Work.CLOSED + box] = t[Parameter.EVEN_PAYOFF] + 1


@inlined
def given_up(t, w):
    """The payoff of a surrendered hand."""
    return np.int64(t[Parameter.WAIT_PAYOFF] if w[Work.LOOK] & Look.SURRENDER_WAITS else t[Parameter.ONCE_PAYOFF])


@inlined
def split_hand(t, m, w, box, card, waiting):
    """Put the second card aside with an equal wager; the first is played on."""
    w[Work.STACK + waiting] = card
    w[Work.HANDS_OF_BOX] += 1
    w[Work.SPLITS] += 1
    lay_more(m, w, box)
    return entry(t, Part.SPLIT, w[Work.FIRST_CARD])


@inlined
def close_hand(t, w, box, payoff):
    """A hand draws no more."""
    hands = w[Work.HANDS]
    w[Work.PAYOFF + hands] = payoff
    w[Work.OWNER + hands] = box
    w[Work.HANDS] = hands + 1
    w[Work.MATTER_MARKS] |= entry(t, Part.MARK, payoff)
