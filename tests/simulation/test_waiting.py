"""Nobody waits longer at an automatic table than the clock says, and two seconds; every planted fault is found."""

from __future__ import annotations

from contextlib import ExitStack

import pytest

from tests.simulation.waiting import WaitingDay
from tests.simulation.waiting_plants import PLANTS
from twentyone.rulebook import rulebook_ids

DAYS, TRIES = 3, 60
"""Days of each book; days within which a planted fault is found."""


@pytest.mark.parametrize("book", rulebook_ids())
def test_nobody_waits_longer_than_the_clock_says(book: str) -> None:
    for seed in range(DAYS):
        assert WaitingDay(book, seed).run() == [], f"python -m bench.prove_waiting --part {book} --seed {seed}"


def test_a_day_is_lived_again_to_the_last_command() -> None:
    days = [WaitingDay("pa-spanish-21", 3) for _ in range(2)]
    assert [day.run() for day in days] == [[], []]
    assert days[0].counts == days[1].counts
    assert days[0].counts["auto deal"] > 0


@pytest.mark.parametrize("name", PLANTS)
def test_a_planted_fault_is_found(name: str) -> None:
    """Each fault that was once there, put back."""
    book, plant = PLANTS[name]
    with ExitStack() as planted:
        for one in plant():
            planted.enter_context(one)
        assert any(WaitingDay(book, seed).run() for seed in range(TRIES)), "no day found it"
