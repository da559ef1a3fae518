"""Counting players in the simulator: how a count is read, who wagers what on which box, when a shoe is left, ruin."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import product
from math import floor, sqrt, trunc
from random import Random
from typing import Any

import numpy as np
import pytest

from twentyone.money import Amount
from twentyone.rulebook import Rulebook
from twentyone.sim import stats
from twentyone.sim.bankroll import play_bankroll
from twentyone.sim.compile import Compiled, compile_setup
from twentyone.sim.counting import DIVISORS, ROUNDINGS, Count, SideCount
from twentyone.sim.counts import count_named, spread_of
from twentyone.sim.draw import bucket, corrected_bucket, see
from twentyone.sim.job import Job, run_batch
from twentyone.sim.layout import BoxMoney, Parameter
from twentyone.sim.packing import packed
from twentyone.sim.setup import Setup
from twentyone.sim.states import card_number
from twentyone.sim.stats import Totals
from twentyone.sim.winnings import trip_ruin
from twentyone.sim.work import WORK_LENGTH, Work

HILO = count_named("hilo")
SHOES = 400


@cache
def _rules() -> Any:
    return Rulebook.load("classic-blackjack").under()


def _compiled(count: Count, boxes: int = 1, others: int = 0) -> Compiled:
    setup = Setup.of(_rules(), boxes, mode="shoe", count=count)
    box = setup.boxes[0]
    return compile_setup(replace(setup, boxes=(replace(box, counts=False),) * others + setup.boxes))


def _played(count: Count, boxes: int = 1, others: int = 0) -> Totals:
    return run_batch(Job.of(_compiled(count, boxes, others), 7), 0, SHOES)


def _rows(totals: Totals) -> list[list[int]]:
    """Rounds, initial wagers, gain and its square by count."""
    sums = totals.sums[stats.BUCKET :]
    return [sums[n * stats.BUCKET_SUMS :][: stats.BUCKET_SUMS] for n in range(stats.MOST_BUCKETS)]


# -- how a count is read


def _nearest(number: Fraction) -> int:
    return floor(number + Fraction(1, 2))


ROUNDED: dict[str, Callable[[Fraction], int]] = {"floor": floor, "truncate": trunc, "round": _nearest}


def _by_hand(count: Count, setup: Setup, gone: list[Any], corrected: bool) -> int:
    """The count after these cards, in fractions."""
    running = Fraction(setup.start_count + sum(count.tag(card) for card in gone), count.scale)
    if corrected and count.side is not None:
        left = setup.shoe_cards - len(gone)
        aces = 24 - sum(card.rank == "A" for card in gone)
        running += count.side.weight * (aces - Fraction(left, 13))
    decks = Fraction(setup.shoe_cards - len(gone), 52)
    if count.divisor == "half":
        decks = Fraction(max(_nearest(decks * 2), 1), 2)
    if count.divisor == "full":
        decks = Fraction(max(_nearest(decks), 1))
    told = running if count.divisor == "none" else running / decks
    return min(max(ROUNDED[count.rounding](told), count.lowest), count.highest) - count.lowest


@pytest.mark.parametrize("name", ["hilo", "halves", "red7", "ko", "hiopt2_aces"])
def test_a_count_is_read_as_by_hand(name: str) -> None:
    base = count_named(name)
    if base.side is not None:
        base = replace(base, side=SideCount({"A": 1}, Fraction(3, 2), ("wagers", "insurance")))
    setup = Setup.of(_rules(), mode="shoe", count=base)
    table, _ = packed(compile_setup(setup).game)
    random, cards = Random(name), list(setup.deck) * 6
    for (rounding, divisor), _ in product(product(ROUNDINGS, DIVISORS), range(20)):
        count = replace(base, rounding=rounding, divisor=divisor)
        table[Parameter.ROUNDING], table[Parameter.DIVISOR] = ROUNDINGS.index(rounding), DIVISORS[divisor]
        random.shuffle(cards)
        gone = cards[: random.randrange(250)]
        w = np.zeros(WORK_LENGTH, np.int64)
        w[Work.RUNNING], w[Work.CORRECTED] = setup.start_count, setup.start_count * count.fineness(setup.deck)
        for card in gone:
            see(table, w, card_number(card))
        w[Work.POSITION] = len(gone)
        assert bucket(table, w) == _by_hand(count, setup, gone, corrected=False)
        assert corrected_bucket(table, w, 1) == _by_hand(count, setup, gone, corrected=True)
        assert corrected_bucket(table, w, 2) == corrected_bucket(table, w, 1)


# -- wagers


def test_wagers_by_count_multiply_what_the_same_rounds_gain_flat() -> None:
    """No decision depends on the wager: the same cards, each count's gain times its units."""
    flat, ramp = _played(HILO), spread_of(HILO, "-6:0,-1:1,1:3,3:10")
    rows = _rows(_played(ramp))
    for count, one, many in zip(ramp.buckets, _rows(flat), rows, strict=False):
        units = ramp.units(count)
        assert many == [one[0], one[1] * units, one[2] * units, one[3] * units**2]
    assert rows[0][1] == 0
    assert sum(row[0] for row in rows) == flat.rounds


@pytest.mark.prove
def test_two_boxes_are_taken_at_high_counts_alone() -> None:
    one, two = _played(spread_of(HILO, "2:4")), _played(spread_of(HILO, "1:1,2:2x4"), boxes=2)
    unit = _rows(one)[0][1] // _rows(one)[0][0]
    for count, row in zip(HILO.buckets, _rows(two), strict=False):
        assert row[1] == row[0] * unit * (8 if count >= 2 else 1)
    assert two.rounds < one.rounds


@pytest.mark.prove
def test_a_shoe_is_left_for_a_new_one() -> None:
    stayed, left = _played(HILO), _played(replace(HILO, leave=-2))
    assert left[stats.SHOES] == stayed[stats.SHOES] == SHOES
    low = [sum(row[0] for row in _rows(totals)[:5]) for totals in (stayed, left)]
    assert low[0] > 5 * low[1] == 0
    assert left.rounds < stayed.rounds


def test_the_cards_of_others_are_dealt_and_their_money_is_not_ours() -> None:
    alone, among = _played(HILO), _played(HILO, others=3)
    assert among[stats.INITIAL] == among.rounds * (alone[stats.INITIAL] // alone.rounds)
    assert among[stats.CARDS] / among.rounds > 2 * alone[stats.CARDS] / alone.rounds


@pytest.mark.prove
def test_others_do_not_follow_the_count() -> None:
    """A departure that always hits, up to 21 and beyond, changes what our own hand gains, not what it costs others."""
    mad = count_named({"tags": dict(HILO.tags), "departures": [{"decision": "hit", "least": -6}]})
    assert _played(mad).mean < -0.5
    compiled = _compiled(mad, others=1)
    strategies = compiled.game.money[:, 0, BoxMoney.STRATEGY]
    assert list(strategies) == [0, 1]
    assert (compiled.game.chart[0] == compiled.game.chart[0, 0]).all()
    assert not (compiled.game.chart[1] == compiled.game.chart[0]).all()


def test_the_sums_by_shoe_are_those_of_every_shoe() -> None:
    job = Job.of(_compiled(spread_of(HILO, "1:4")), 7)
    each = [run_batch(job, shoe, shoe + 1) for shoe in range(20)]
    whole = run_batch(job, 0, 20)
    gains = [shoe[stats.GAIN] for shoe in each]
    assert whole[stats.SHOE_ROUNDS_2] == sum(shoe.rounds**2 for shoe in each)
    assert whole[stats.SHOE_GAIN_ROUNDS] == sum(g * shoe.rounds for g, shoe in zip(gains, each, strict=True))
    assert set(whole.named()) >= {"shoe_rounds_squared", "shoe_gain_times_rounds"}


# -- ruin


@pytest.mark.prove
@pytest.mark.parametrize("count", [None, spread_of(HILO, "1:2,2:4,3:6")])
def test_ruin_by_trips_is_ruin_by_formula(count: Count | None) -> None:
    """The formula is of a walk without steps: that it may be off by half a wager is allowed for, and no more."""
    mode = "fresh" if count is None else "shoe"
    compiled = compile_setup(Setup.of(_rules(), mode=mode, count=count))
    trips = play_bankroll(compiled, bankroll=Amount("600"), rounds=2000, trips=600, seed=5)
    totals, unit = trips.totals, int(compiled.grain) / 1000
    mean = totals[stats.GAIN] / totals.rounds * unit
    deviation = sqrt(totals[stats.GAIN_2] / totals.rounds) * unit
    risk = trips.risk_of_ruin
    error = 4 * sqrt(risk * (1 - risk) / 600)
    near, far = (trip_ruin(600 + off, mean, deviation, 2000) for off in (-deviation / 2, deviation / 2))
    assert far - error <= risk <= near + error
    assert not far - error <= trip_ruin(400, mean, deviation, 2000) <= near + error
