"""Limits: so many times in any stretch of some seconds, for whoever asks, and nothing is kept of who asks no more."""

from __future__ import annotations

import threading

from hypothesis import given
from hypothesis import strategies as st

from twentyone.web.moving_window import MovingWindow

SECONDS, MOST = 10, 3
WAITS = st.lists(st.tuples(st.integers(0, 12), st.sampled_from("ab")), max_size=60)


@given(WAITS)
def test_it_admits_as_many_as_may_come_in_every_stretch_and_no_fewer(waits: list[tuple[int, str]]) -> None:
    """Beside a model that remembers every moment: one more is admitted exactly where the last seconds have room."""
    now, admitted = 0, dict[str, list[int]](a=[], b=[])
    window = MovingWindow(SECONDS, clock=lambda: now)
    for wait, who in waits:
        now += wait
        room = sum(now - moment < SECONDS for moment in admitted[who]) < MOST
        assert window.admits(who, MOST) is room
        admitted[who] += [now] * room


def test_who_asks_no_more_is_forgotten() -> None:
    """A visitor who comes from a new address each time leaves nothing behind after two windows."""
    now = 0.0
    window = MovingWindow(SECONDS, clock=lambda: now)
    for number in range(1_000):
        assert window.admits(f"address {number}", MOST)
    now += 2 * SECONDS
    window.admits("Ann", MOST)
    assert len(window) == 1


def test_nothing_works_beside_the_requests() -> None:
    """No thread for what is to be forgotten: a library has one, a hundred times a second."""
    before = threading.active_count()
    window = MovingWindow(SECONDS)
    for number in range(100):
        window.admits(f"address {number}", MOST)
    assert threading.active_count() == before
