"""Batches of rounds on one core: fresh shoes, real shoes, trips of one player; sums into an array of whole numbers."""
# mypy: disable-error-code="no-untyped-def, no-untyped-call"

from __future__ import annotations

import numpy as np

from twentyone.sim import stats as sums
from twentyone.sim.draw import FRESH, KEY, SHOE, corrected_bucket, draw, fill_shoe, leaves
from twentyone.sim.jit import inlined, jit
from twentyone.sim.layout import BoxMoney, Parameter, Part, Stride
from twentyone.sim.plain import play_round
from twentyone.sim.sides import money
from twentyone.sim.steps import begin
from twentyone.sim.work import Work

__all__ = [
    "first_wagers",
    "play_left",
    "play_rounds",
    "play_shoes",
    "play_trips",
    "play_trips_of_shoes",
    "record",
    "record_count",
    "record_shoe",
]

MOMENTS = 1024
"""Rounds that a shoe may hold, for numbering them."""


@inlined
def _initial(m, w):
    """The initial wagers of a round, and on how many boxes they are."""
    initial, boxes = np.int64(0), 0
    for box in range(w[Work.BOXES]):
        wager = money(m, box, w[Work.BOX_BUCKET + box], BoxMoney.MAIN)
        initial += wager
        boxes += wager > 0
    return initial, boxes


@inlined
def _record_hands(t, w, s):
    for hand in range(w[Work.HANDS]):
        index = w[Work.PAYOFF + hand] * t[Stride.GAIN] + w[Work.DEALER_STATE]
        s[sums.TALLY + t[t[Part.TALLY] + index]] += 1


@inlined
def _record_spread(t, w, s, total, initial, boxes):
    """Histogram (of rounds with a wager) and count."""
    if boxes:
        index = (2 * total) // (initial // boxes) + sums.MIDDLE
        s[sums.HISTOGRAM + min(max(index, 0), sums.BINS - 1)] += 1
    if t[Parameter.COUNTS]:
        row = sums.BUCKET + w[Work.BOX_BUCKET] * sums.BUCKET_SUMS
        s[row] += 1
        s[row + 1] += initial
        s[row + 2] += total
        s[row + 3] += total * total


@inlined
def record(t, m, w, s):
    """Add a round to the sums; returns its gain and its initial wagers."""
    gain, prize, side = w[Work.GAIN], w[Work.PRIZE], w[Work.SIDE]
    initial, boxes = _initial(m, w)
    total = gain + prize
    s[sums.ROUNDS] += 1
    s[sums.INITIAL] += initial
    s[sums.INITIAL_2] += initial * initial
    s[sums.GAIN_INITIAL] += total * initial
    s[sums.GAIN] += gain
    s[sums.GAIN_2] += gain * gain
    s[sums.PRIZE] += prize
    s[sums.PRIZE_2] += prize * prize
    s[sums.GAIN_PRIZE] += gain * prize
    s[sums.SIDE] += side
    s[sums.SIDE_2] += side * side
    s[sums.TOTAL_SIDE] += total * side
    s[sums.WAGERED] += w[Work.WAGERED]
    s[sums.DOUBLES] += w[Work.DOUBLES]
    s[sums.SPLITS] += w[Work.SPLITS]
    s[sums.INSURED] += w[Work.INSURED_COUNT]
    s[sums.HANDS] += w[Work.HANDS]
    s[sums.FAULTS] += w[Work.FAULT] > 0
    s[sums.RELOADS] += w[Work.RELOADED]
    _record_hands(t, w, s)
    _record_spread(t, w, s, total, initial, boxes)
    return total, initial


@jit
def fresh_round(t, m, w, deck, r, number):
    """Play the round of this number from a fresh shoe."""
    begin(w, number)
    w[Work.ROUND] = number
    w[Work.POSITION] = 0
    w[Work.FILLED] = 0
    play_round(t, m, w, deck, r, FRESH)


@jit
def play_rounds(t, m, w, deck, r, first, last, s):
    """Play rounds of fresh shoes."""
    for number in range(first, last):
        fresh_round(t, m, w, deck, r, number)
        record(t, m, w, s)


@jit
def play_left(t, m, w, deck, r, numbers, count, s):
    """Play the rounds that the fast path left."""
    for index in range(count):
        fresh_round(t, m, w, deck, r, numbers[index])
        record(t, m, w, s)


# -- real shoes


@jit
def new_shoe(t, w, deck, r, shoe):
    """Put a new shoe on the table and burn a card."""
    for index in range(t[Parameter.SIZE]):
        deck[index] = t[t[Part.CARDS] + index]
    w[Work.ROUND] = shoe
    w[Work.FILLED] = 0
    w[Work.POSITION] = 0
    w[Work.RUNNING] = t[Parameter.START_COUNT]
    w[Work.CORRECTED] = np.int64(t[Parameter.START_COUNT]) * t[Parameter.FINENESS]
    if t[Parameter.BURN]:
        draw(t, w, deck, r, SHOE)


@inlined
def record_shoe(s, gain, initial):
    """Add a shoe to the sums."""
    s[sums.SHOES] += 1
    s[sums.SHOE_GAIN_2] += gain * gain
    s[sums.SHOE_INITIAL_2] += initial * initial
    s[sums.SHOE_GAIN_INITIAL] += gain * initial


@inlined
def record_count(t, s, gain, rounds):
    """Add a shoe of counting players to the sums by rounds."""
    if t[Parameter.COUNTS]:
        s[sums.SHOE_ROUNDS_2] += rounds * rounds
        s[sums.SHOE_GAIN_ROUNDS] += gain * rounds


@jit
def play_shoes(t, m, w, deck, r, first, last, s):
    """Play real shoes to their cover cards; a round in which the cover card comes out is finished."""
    for shoe in range(first, last):
        new_shoe(t, w, deck, r, shoe)
        fill_shoe(np.int64(t[Parameter.SIZE]), shoe, w[Work.FILLED], np.int64(t[Parameter.COVER]), deck, r[KEY])
        w[Work.FILLED] = t[Parameter.COVER]
        moment, gain, initial = shoe * MOMENTS, np.int64(0), np.int64(0)
        while w[Work.POSITION] <= t[Parameter.COVER]:
            begin(w, moment)
            moment += 1
            play_round(t, m, w, deck, r, SHOE)
            total, wagered = record(t, m, w, s)
            gain += total
            initial += wagered
            if w[Work.FAULT] or leaves(t, w):
                break
        s[sums.CARDS] += w[Work.POSITION]
        record_shoe(s, gain, initial)
        record_count(t, s, gain, moment - shoe * MOMENTS)


# -- trips


@jit
def _next_round(t, m, w, deck, r, source, number):
    """Make the next round of a trip ready to be dealt; returns what must be wagered on all boxes before its first card.

    A trip numbers its rounds, its shoes by their first round.
    """
    if source == FRESH:
        w[Work.ROUND] = number
        w[Work.POSITION] = 0
        w[Work.FILLED] = 0
    elif w[Work.POSITION] > t[Parameter.COVER] or leaves(t, w):
        new_shoe(t, w, deck, r, number)
    begin(w, number)
    count, wagers = corrected_bucket(t, w, 1), np.int64(0)
    for box in range(t[t[Part.SEATS] + count]):
        wagers += money(m, box, count, BoxMoney.MAIN)
        wagers += money(m, box, count, BoxMoney.MATCH_WAGER)
        wagers += money(m, box, count, BoxMoney.SPIN_WAGER)
        wagers += money(m, box, count, BoxMoney.XTREME_WAGER)
    return wagers


@jit
def first_wagers(t, m, w, deck, r, source):
    """What a trip must wager on its first round, whatever its cards."""
    w[Work.POSITION] = np.int64(t[Parameter.SIZE]) + 1
    return _next_round(t, m, w, deck, r, source, 0)


@jit
def _play_trip(t, m, w, deck, r, source, first, rounds, bankroll, s, marks):
    """One trip: its last bankroll, its longest losing streak, and the round that it could not pay (or -1)."""
    left, streak, longest = np.int64(bankroll), 0, 0
    w[Work.POSITION] = np.int64(t[Parameter.SIZE]) + 1
    for played in range(rounds):
        if left < _next_round(t, m, w, deck, r, source, first + played):
            for mark in range(played * len(marks) // rounds, len(marks)):
                marks[mark] = left
            return left, longest, played
        play_round(t, m, w, deck, r, source)
        total, _ = record(t, m, w, s)
        net = total + w[Work.SIDE]
        left += net
        if net < 0:
            streak += 1
            longest = max(longest, streak)
        elif net > 0:
            streak = 0
        marks[played * len(marks) // rounds] = left
    return left, longest, -1


def _trips_from(source):
    """Play trips from fresh or from real shoes: with the source written out, they share the round function of those."""

    @jit
    def play(t, m, w, deck, r, first, last, rounds, bankroll, s, ends, streaks, ruins, rows, marks, aside):
        for trip in range(first, last):
            index = trip - first
            begun = np.int64(trip) * rounds
            row = rows[index]
            if row >= 0:
                end, streak, ruin = _play_trip(t, m, w, deck, r, source, begun, rounds, bankroll, s, marks[row])
            else:
                end, streak, ruin = _play_trip(t, m, w, deck, r, source, begun, rounds, bankroll, s, aside)
            ends[index], streaks[index], ruins[index] = end, streak, ruin

    return play


play_trips, play_trips_of_shoes = _trips_from(FRESH), _trips_from(SHOE)
"""Play trips of this many rounds with a bankroll, each until it cannot pay a round's wagers before its first card.

`ends`, `streaks`, `ruins` take the last bankroll, the longest losing streak and the rounds before ruin (or -1) of
each trip; `marks` the bankroll along those that have a row there, `aside` is overwritten by all others.
"""
