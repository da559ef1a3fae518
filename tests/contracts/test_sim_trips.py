"""Trips: ruin is judged by the wagers of the round that comes next, before its first card; no trip is lost."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from twentyone.cards import RANKS
from twentyone.errors import Refused, RulebookError
from twentyone.money import ZERO, Amount
from twentyone.rulebook import Rulebook
from twentyone.sim import bankroll, stats
from twentyone.sim.bankroll import Trips, TripsHalted, play_bankroll
from twentyone.sim.cache import compiled_once
from twentyone.sim.compile import Compiled
from twentyone.sim.counts import count_named, spread_of
from twentyone.sim.job import Job
from twentyone.sim.kernels import new_shoe
from twentyone.sim.layout import Parameter
from twentyone.sim.plain import play_round
from twentyone.sim.setup import Box, Count, Setup
from twentyone.sim.stats import Totals
from twentyone.sim.steps import begin
from twentyone.sim.work import WORK_LENGTH, Work
from twentyone.strategy import default_strategy

FALLING = Count("falling", dict.fromkeys(RANKS, -1), start=20, spread={3: 8})
"""Eight units on the first round of a six-deck shoe (true count 3: 20 * 52 // 311), one on every other: a round shows
four cards or more, and 16 * 52 // 307 is 2."""


def _classic(penetration: Fraction | None = None, count: Count | None = FALLING, boxes: int = 1) -> Compiled:
    rules = Rulebook.load("classic-blackjack").under({})
    return compiled_once(Setup.of(rules, boxes, mode="shoe", penetration=penetration, count=count))


def _spanish(mode: str = "shoe") -> Compiled:
    """Two boxes with a side wager, counting in real shoes."""
    rules = Rulebook.load("pa-spanish-21").under({})
    box = Box(default_strategy(rules), Amount("10"), {"match_the_dealer": Amount("5")})
    count = spread_of(count_named("hilo"), "0:2,1:5,2:9") if mode == "shoe" else None
    return compiled_once(Setup(rules, (box, replace(box, main=Amount("20"))), mode, None, count))


def _money(trips: Trips, figures: Any) -> list[Amount]:
    """Grains as money."""
    return [Amount.from_thousandths(trips.grain * int(grains)) for grains in figures]


# -- by hand


def test_one_wager_that_is_lost_is_ruin_after_one_round() -> None:
    trips = play_bankroll(_classic(count=None), bankroll=Amount("10"), rounds=2, trips=400)
    after = _money(trips, trips.marks[:, 0])
    assert trips.ruins.tolist() == [1 if left < Amount("10") else -1 for left in after]
    assert 0 < trips.risk_of_ruin < 1
    assert all(
        end == left for end, left, ruin in zip(_money(trips, trips.ends), after, trips.ruins, strict=True) if ruin > 0
    )


def test_after_its_last_round_a_trip_owes_nothing() -> None:
    trips = play_bankroll(_classic(count=None), bankroll=Amount("10"), rounds=1, trips=100)
    assert trips.risk_of_ruin == 0


def test_who_can_still_pay_the_smaller_wager_is_not_ruined() -> None:
    trips = play_bankroll(_classic(), bankroll=Amount("100"), rounds=2, trips=400)
    after = _money(trips, trips.marks[:, 0])
    assert trips.ruins.tolist() == [1 if left < Amount("10") else -1 for left in after]
    assert any(Amount("10") <= left < Amount("80") for left in after)


def test_after_a_shuffle_the_wager_of_the_new_shoe_is_due() -> None:
    trips = play_bankroll(_classic(Fraction(1, 100)), bankroll=Amount("100"), rounds=2, trips=400)
    after = _money(trips, trips.marks[:, 0])
    assert trips.ruins.tolist() == [1 if left < Amount("80") else -1 for left in after]
    assert any(Amount("10") <= left < Amount("80") for left in after)


@pytest.mark.parametrize(("asked", "due"), [("10", "15"), ("29", "30")])
def test_a_bankroll_that_does_not_pay_the_first_round_is_refused(asked: str, due: str) -> None:
    rules = Rulebook.load("pa-spanish-21").under({})
    box = Box(default_strategy(rules), Amount("10"), {"match_the_dealer": Amount("5")})
    compiled = compiled_once(Setup(rules, (box,) * (int(due) // 15)))
    with pytest.raises(Refused, match=f"bankroll of {asked} does not pay the first wagers of {due}"):
        play_bankroll(compiled, bankroll=Amount(asked), rounds=5, trips=5)
    assert len(play_bankroll(compiled, bankroll=Amount(due), rounds=5, trips=5).ends) == 5


def test_the_first_wagers_are_those_of_the_first_count() -> None:
    with pytest.raises(Refused, match="bankroll of 75 does not pay the first wagers of 80"):
        play_bankroll(_classic(), bankroll=Amount("75"), rounds=5, trips=5)
    assert len(play_bankroll(_classic(), bankroll=Amount("80"), rounds=5, trips=5).ends) == 5


# -- against the same rounds, led by Python


def _due(setup: Setup, w: Any) -> int:
    """The wagers of the next round in thousandths, from the setup alone."""
    units = 1
    if setup.count is not None:
        true = int(w[Work.RUNNING]) * setup.rules.cards.per_deck // (setup.shoe_cards - int(w[Work.POSITION]))
        units = setup.count.units(min(max(true, setup.count.lowest), setup.count.highest))
    return int(sum((units * box.main + sum(box.sides.values(), ZERO) for box in setup.boxes), ZERO))


def _trip(
    compiled: Compiled, bankroll: Amount, rounds: int, number: int, by_last: bool = False
) -> tuple[int, int, int]:
    """Last bankroll in thousandths, longest losing streak, ruin; `by_last`: judged by the wagers before."""
    setup, job = compiled.setup, Job.of(compiled, 1, fast=False)
    w, deck, keys = np.zeros(WORK_LENGTH, np.int64), np.zeros(1 << 10, np.int16), job.keys.copy()
    left, streak, longest, last, shoe_over = int(bankroll), 0, 0, 0, True
    for played in range(rounds):
        moment = number * rounds + played
        if setup.mode == "fresh":
            w[Work.ROUND], w[Work.POSITION], w[Work.FILLED] = moment, 0, 0
        elif shoe_over:
            new_shoe(job.rules, w, deck, keys, moment)
        due = _due(setup, w)
        if left < (last if by_last else due):
            return left, longest, played
        last = due
        begin(w, moment)
        play_round(job.rules, job.money, w, deck, keys, job.source)
        shoe_over = w[Work.POSITION] > setup.cover
        net = int(w[Work.GAIN] + w[Work.PRIZE] + w[Work.SIDE])
        left += net * int(compiled.grain)
        streak = streak + 1 if net < 0 else streak if net == 0 else 0
        longest = max(longest, streak)
    return left, longest, -1


@pytest.mark.parametrize("mode", ["fresh", pytest.param("shoe", marks=pytest.mark.prove)])
def test_trips_are_what_python_makes_of_the_same_rounds(mode: str) -> None:
    compiled, asked = _spanish(mode), Amount("400")
    trips = play_bankroll(compiled, bankroll=asked, rounds=60, trips=150)
    found = list(zip(map(int, _money(trips, trips.ends)), trips.streaks.tolist(), trips.ruins.tolist(), strict=True))
    assert found == [_trip(compiled, asked, 60, number) for number in range(150)]
    assert 0 < trips.risk_of_ruin < 1
    if mode == "shoe":
        assert found != [_trip(compiled, asked, 60, number, by_last=True) for number in range(150)]


# -- what must hold of any trips


def test_risk_falls_with_the_bankroll_under_a_spread() -> None:
    """The cards do not depend on the bankroll: who is ruined with more is ruined with less, and no later."""
    compiled = _spanish()
    some = [play_bankroll(compiled, bankroll=Amount(asked), rounds=100, trips=500) for asked in ("300", "600", "1200")]
    for less, more in pairwise(some):
        assert less.risk_of_ruin > more.risk_of_ruin
        ruined = more.ruins >= 0
        assert (less.ruins[ruined] >= 0).all()
        assert (less.ruins[ruined] <= more.ruins[ruined]).all()


def test_a_trip_never_ends_below_what_one_round_can_cost_beyond_its_wager() -> None:
    """Four hands, each doubled, are eight wagers, of which one was paid before the deal; nobody insures here."""
    compiled = _classic(count=spread_of(count_named("hilo"), "0:1,1:4"))
    trips = play_bankroll(compiled, bankroll=Amount("50"), rounds=300, trips=3_000)
    assert -7 * Amount("40") <= min(_money(trips, trips.ends)) < 0


@pytest.mark.parametrize("mode", ["fresh", pytest.param("shoe", marks=pytest.mark.prove)])
def test_trips_are_the_same_for_any_number_of_threads(mode: str, monkeypatch: pytest.MonkeyPatch) -> None:
    compiled = _spanish(mode)
    whole = play_bankroll(compiled, bankroll=Amount("300"), rounds=50, trips=203, threads=1)
    monkeypatch.setattr(bankroll, "BATCH", 500)
    monkeypatch.setattr(bankroll, "FAN", 20)
    for threads in (1, 2, None):
        cut = play_bankroll(compiled, bankroll=Amount("300"), rounds=50, trips=203, threads=threads)
        assert cut.totals == whole.totals
        for one, other in ((cut.ends, whole.ends), (cut.streaks, whole.streaks), (cut.ruins, whole.ruins)):
            assert one.tolist() == other.tolist()
        evenly = [number * 203 // 20 for number in range(20)]
        assert cut.marks.tolist() == whole.marks[evenly].tolist()
        assert cut.told()["fan_trips"] == 20


def test_marks_end_where_the_trip_ends() -> None:
    trips = play_bankroll(_spanish(), bankroll=Amount("300"), rounds=130, trips=300)
    assert (trips.ruins >= 0).any()
    assert trips.marks[:, -1].tolist() == trips.ends.tolist()


def test_more_trips_than_memory_holds_are_refused() -> None:
    most = bankroll.MOST_TRIPS
    with pytest.raises(Refused, match=f"{most + 1} trips are not kept: at most {most}"):
        play_bankroll(_classic(count=None), bankroll=Amount("100"), rounds=1, trips=most + 1)


# -- rounds that could not be dealt


def _too_few_cards() -> Compiled:
    """A shoe of one deck for five boxes, by a text that does not shuffle the rack."""
    rules = Rulebook.load("classic-blackjack").under({"decks": 1})
    compiled = compiled_once(Setup.of(rules, 5, mode="shoe"))
    compiled.game.number[Parameter.RELOADS] = 0
    return compiled


def test_trips_whose_cards_run_out_are_refused_with_the_paragraph() -> None:
    with pytest.raises(Refused, match=r"the cards ran out in \d+ rounds.*Classic § 9\(h\)"):
        play_bankroll(_too_few_cards(), bankroll=Amount("1000"), rounds=100, trips=200)


def _stopped(monkeypatch: pytest.MonkeyPatch, after: int) -> None:
    play, calls = bankroll._batch, []

    def stop(*arguments: Any) -> Totals:
        calls.append(arguments)
        if len(calls) > after:
            raise KeyboardInterrupt
        return play(*arguments)

    monkeypatch.setattr(bankroll, "_batch", stop)


def test_stopped_trips_whose_cards_ran_out_are_refused_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bankroll, "BATCH", 5_000)
    _stopped(monkeypatch, 2)
    with pytest.raises(Refused, match="the cards ran out"):
        play_bankroll(_too_few_cards(), bankroll=Amount("1000"), rounds=100, trips=200, threads=1)


def test_stopped_trips_are_the_first_of_all(monkeypatch: pytest.MonkeyPatch) -> None:
    compiled = _spanish()
    monkeypatch.setattr(bankroll, "BATCH", 500)
    monkeypatch.setattr(bankroll, "FAN", 20)
    whole = play_bankroll(compiled, bankroll=Amount("300"), rounds=50, trips=203)
    _stopped(monkeypatch, 3)
    with pytest.raises(TripsHalted) as halted:
        play_bankroll(compiled, bankroll=Amount("300"), rounds=50, trips=203, threads=1)
    part = halted.value.trips
    assert part.ends.tolist() == whole.ends[:33].tolist()
    assert part.marks.tolist() == whole.marks[:4].tolist()
    assert part.totals.rounds < whole.totals.rounds


def test_a_hand_that_no_row_decides_makes_trips_worthless(monkeypatch: pytest.MonkeyPatch) -> None:
    play = bankroll._batch

    def undecided(*arguments: Any) -> Totals:
        totals = play(*arguments)
        totals.sums[stats.TALLY] = 1
        return totals

    monkeypatch.setattr(bankroll, "_batch", undecided)
    with pytest.raises(RulebookError, match="no outcome row decides 1"):
        play_bankroll(_classic(count=None), bankroll=Amount("100"), rounds=5, trips=5)


def test_wagers_that_the_sums_of_trips_do_not_hold_are_refused() -> None:
    """A round of $20,000 fits, a trip of 2^40 of them does not; a wager of a thousand billion fits nowhere."""
    rules = Rulebook.load("pa-spanish-21").under({})
    for main, rounds, why in ((20_000, 1 << 40, "sums of"), (10**12, 10, "sums of 64 bits")):
        box = Box(default_strategy(rules), Amount(str(main)), {"match_the_dealer": Amount("0.5")})
        compiled = compiled_once(Setup(rules, (box,)))
        with pytest.raises(Refused, match=why):
            play_bankroll(compiled, bankroll=Amount(str(main * 10)), rounds=rounds, trips=1)
