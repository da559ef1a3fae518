"""Rounds whose variance is reduced: pairs in which box and dealer change cards, and a control variate.

A part is what is independent of everything else: a round of a fresh shoe, a real shoe, or a pair of either.
"""
# mypy: disable-error-code="no-untyped-def, no-untyped-call"

from __future__ import annotations

import numpy as np

from twentyone.sim import stats as sums
from twentyone.sim.draw import FRESH, KEY, SHOE, corrected_bucket, fill_fresh, fill_shoe, leaves
from twentyone.sim.jit import inlined, jit
from twentyone.sim.kernels import MOMENTS, new_shoe, record, record_count, record_shoe
from twentyone.sim.layout import BoxMoney, MoneyHead, Parameter, Part, Stride
from twentyone.sim.plain import play_round
from twentyone.sim.sides import money
from twentyone.sim.steps import begin
from twentyone.sim.work import MOST_BOXES, Work

__all__ = ["COARSE", "FINE", "play_parts"]

FINE = 1 << 20
"""Parts of a wager in which a control is told."""
COARSE = 1 << 12
"""Parts of the first box's wager in which squares are summed."""


# -- the control


@inlined
def _value(t, card):
    return np.int64(t[t[Part.VALUE] + (card >> 2)])


@inlined
def _control(t, m, w):
    """The control of a round: of every box the value of its first deal, in fine parts of a grain."""
    row, up, control = m[MoneyHead.CONTROL_ROW], _value(t, w[Work.UP]), np.int64(0)
    for box in range(w[Work.BOXES]):
        index = (money(m, box, 0, BoxMoney.STRATEGY) * row + up) * row + _value(t, w[Work.FIRST + box])
        worth = m[m[MoneyHead.CONTROL] + index * row + _value(t, w[Work.OTHER + box])]
        control += worth * money(m, box, w[Work.BOX_BUCKET + box], BoxMoney.MAIN)
    return control


@inlined
def _expected(m, w):
    """The same on average, from what was expected before the round."""
    expected = np.int64(0)
    for box in range(w[Work.BOXES]):
        expected += w[Work.EXPECTED + box] * money(m, box, w[Work.BOX_BUCKET + box], BoxMoney.MAIN)
    return expected


@jit
def _average(m, w, strategy, left):
    """The control of a wager averaged over all deals from the cards left, to the nearest part."""
    row, total = m[MoneyHead.CONTROL_ROW], np.int64(0)
    for up in range(row):
        ups = w[Work.LEFT + up]
        w[Work.LEFT + up] -= 1
        for one in range(row):
            ones = w[Work.LEFT + one] * ups
            if ones > 0:
                index = m[MoneyHead.CONTROL] + ((strategy * row + up) * row + one) * row
                pairs = (w[Work.LEFT + one] - 1) * m[index + one]
                for other in range(one):
                    pairs += 2 * w[Work.LEFT + other] * m[index + other]
                total += ones * pairs
        w[Work.LEFT + up] += 1
    deals = left * (left - 1) * (left - 2)
    return (2 * total + deals) // (2 * deals)


@jit
def _expect(t, m, w, deck):
    """What the controls of the next round are on average, given the cards left in the shoe."""
    for value in range(m[MoneyHead.CONTROL_ROW]):
        w[Work.LEFT + value] = 0
    for index in range(w[Work.POSITION], t[Parameter.SIZE]):
        w[Work.LEFT + _value(t, deck[index])] += 1
    for box in range(t[Parameter.BOXES]):
        strategy = money(m, box, 0, BoxMoney.STRATEGY)
        if box and strategy == money(m, box - 1, 0, BoxMoney.STRATEGY):
            w[Work.EXPECTED + box] = w[Work.EXPECTED + box - 1]
        else:
            w[Work.EXPECTED + box] = _average(m, w, strategy, t[Parameter.SIZE] - w[Work.POSITION])


@inlined
def _record_control(t, m, w, s, control):
    """Add the control of a round to the sums; returns it less what was expected, with what went before."""
    if m[MoneyHead.CONTROL] == 0:
        return control
    told, expected = _control(t, m, w), _expected(m, w)
    s[sums.CONTROL] += told
    s[sums.EXPECTED] += expected
    return control + told - expected


# -- pairs


@inlined
def _boxes(t, w):
    """The boxes of the next round."""
    return np.int64(t[t[Part.SEATS] + corrected_bucket(t, w, 1)])


@inlined
def _exchange(t, w, deck, position):
    """Turn the order of the boxes' cards and the dealer's round in each pass: box and dealer exchange their hands."""
    boxes, index = _boxes(t, w), position
    for number in range(t[Stride.PASSES]):
        if t[t[Part.PASSES] + number] == 0:
            index += boxes
            continue
        for step in range((boxes + 1) >> 1):
            one, other = index - boxes + step, index - step
            deck[one], deck[other] = deck[other], deck[one]
        index += 1


@inlined
def _dealt(t, w):
    """The cards of the initial deal."""
    cards, boxes = np.int64(0), _boxes(t, w)
    for number in range(t[Stride.PASSES]):
        cards += 1 if t[t[Part.PASSES] + number] else boxes
    return cards


# -- parts


@inlined
def _coarse(m, fine):
    return (fine + (m[MoneyHead.COARSE] >> 1)) // m[MoneyHead.COARSE]


@inlined
def _record_part(m, s, gain, initial, control):
    s[sums.PARTS] += 1
    s[sums.PART_GAIN_2] += gain * gain
    s[sums.PART_GAIN_INITIAL] += gain * initial
    s[sums.PART_INITIAL_2] += initial * initial
    if m[MoneyHead.CONTROL]:
        adjusted, coarse = _coarse(m, gain * FINE - control), _coarse(m, control)
        s[sums.ADJUSTED] += adjusted
        s[sums.ADJUSTED_2] += adjusted * adjusted
        s[sums.ADJUSTED_INITIAL] += adjusted * initial
        s[sums.COARSE] += coarse
        s[sums.COARSE_2] += coarse * coarse
        s[sums.COARSE_INITIAL] += coarse * initial


@inlined
def _fresh(t, m, w, deck, r, number, exchanged):
    """Play the round of this number from a fresh shoe."""
    begin(w, number)
    w[Work.ROUND], w[Work.POSITION], w[Work.FILLED] = number, 0, 0
    if exchanged:
        for _ in range(_dealt(t, w)):
            fill_fresh(t, w, deck, r)
        _exchange(t, w, deck, 0)
    play_round(t, m, w, deck, r, FRESH)


@inlined
def _round(t, m, w, deck, r, number, exchanged, s):
    """A round of a fresh shoe: its gain, its initial wagers, its control."""
    _fresh(t, m, w, deck, r, number, exchanged)
    gain, initial = record(t, m, w, s)
    return gain, initial, _record_control(t, m, w, s, np.int64(0))


@inlined
def _ready(t, w, deck, r, last):
    """Shuffle a real shoe at least as far as `last`."""
    if last > w[Work.FILLED]:
        fill_shoe(np.int64(t[Parameter.SIZE]), w[Work.ROUND], w[Work.FILLED], last, deck, r[KEY])
        w[Work.FILLED] = last


@jit
def _shoe(t, m, w, deck, r, shoe, exchanged, s):
    """A real shoe to its cover card: its gain, its initial wagers, its control less what was expected.

    A round whose first cards do not all come from the shoe has no control and is not exchanged.
    """
    new_shoe(t, w, deck, r, shoe)
    _ready(t, w, deck, r, np.int64(t[Parameter.COVER]))
    moment, gain, initial, control = shoe * MOMENTS, np.int64(0), np.int64(0), np.int64(0)
    while w[Work.POSITION] <= t[Parameter.COVER]:
        begin(w, moment)
        moment += 1
        last = w[Work.POSITION] + _dealt(t, w)
        within = last <= t[Parameter.SIZE]
        if m[MoneyHead.CONTROL] and within:
            _expect(t, m, w, deck)
        if exchanged and within:
            _ready(t, w, deck, r, last)
            _exchange(t, w, deck, w[Work.POSITION])
        play_round(t, m, w, deck, r, SHOE)
        total, wagered = record(t, m, w, s)
        gain, initial = gain + total, initial + wagered
        if within:
            control = _record_control(t, m, w, s, control)
        if w[Work.FAULT] or leaves(t, w):
            break
    s[sums.CARDS] += w[Work.POSITION]
    record_shoe(s, gain, initial)
    record_count(t, s, gain, moment - shoe * MOMENTS)
    return gain, initial, control


@jit
def play_parts(t, m, w, deck, r, source, antithetic, first, last, s):
    """Play parts from `first` to before `last`: rounds or shoes, or pairs of one and the same with cards exchanged."""
    for box in range(MOST_BOXES):
        w[Work.EXPECTED + box] = 0
    for part in range(first, last):
        gain, initial, control = np.int64(0), np.int64(0), np.int64(0)
        for exchanged in range(2 if antithetic else 1):
            if source == FRESH:
                won, wagered, told = _round(t, m, w, deck, r, part, exchanged, s)
            else:
                won, wagered, told = _shoe(t, m, w, deck, r, part, exchanged, s)
            gain, initial, control = gain + won, initial + wagered, control + told
        _record_part(m, s, gain, initial, control)
