"""The environments: rounds a second beside Gymnasium's own Blackjack, one round at a time and many at once."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np
from numpy.typing import NDArray

from twentyone.learn import ACTIONS, FIELDS, env_id
from twentyone.rulebook import rulebook_ids

PEER = "Blackjack-v1"
TIMES = 20
"""Rounds a second of many at once against the peer's, at least; one at a time at least as many."""
SECONDS = 1.0
SIDE_BY_SIDE = 1024
STANDS = 17
"""Everybody here hits below this total, and stands from it on."""

STAND, HIT, DECLINE = (ACTIONS.index(name) for name in ("stand", "hit", "decline"))
TOTAL = FIELDS.index("total")


def peer_round(env: Any) -> None:
    """One round of Gymnasium's own Blackjack."""
    shown, _ = env.reset()
    over = False
    while not over:
        shown, _, over, _, _ = env.step(1 if shown[0] < STANDS else 0)


def our_round(env: Any) -> None:
    """One round of ours by the same player; offers are declined."""
    shown, info = env.reset()
    over = False
    while not over:
        mask = info["action_mask"]
        action = DECLINE if mask[DECLINE] else HIT if shown[TOTAL] < STANDS and mask[HIT] else STAND
        shown, _, over, _, info = env.step(action)


def per_second(job: Callable[[], int], seconds: float = SECONDS) -> float:
    """Rounds a second of processor time, after warming up."""
    job()
    done, start = 0, time.process_time()
    while (spent := time.process_time() - start) < seconds:
        done += job()
    return done / spent


def _rounds(play: Callable[[Any], None], env: Any) -> Callable[[], int]:
    def job() -> int:
        for _ in range(100):
            play(env)
        return 100

    return job


def actions_for(shown: NDArray[np.int64], masks: NDArray[np.int8]) -> NDArray[np.int64]:
    """The same player, for many rounds."""
    hits = np.where((shown[:, TOTAL] < STANDS) & (masks[:, HIT] > 0), HIT, STAND)
    return np.where(masks[:, DECLINE] > 0, DECLINE, hits)


def vector_rate(book: str, mode: str) -> float:
    """Rounds a second of many at once."""
    envs: Any = gymnasium.make_vec(env_id(book), SIDE_BY_SIDE, autoreset_mode=mode)
    shown, info = envs.reset(seed=1)

    def job() -> int:
        nonlocal shown, info
        ended = 0
        for _ in range(50):
            shown, _, over, _, info = envs.step(actions_for(shown, info["action_mask"]))
            ended += int(over.sum())
        return ended

    return per_second(job)


def run() -> bool:
    """Print the figures; false where one misses its bar."""
    env: Any = gymnasium.make(PEER)
    env.reset(seed=1)
    peer = per_second(_rounds(peer_round, env))
    print(f"{f'Gymnasium {PEER}':42}{peer:>12,.0f} rounds/s")
    good = [_row(book, peer) for book in rulebook_ids()]
    return all(good)


def _row(book: str, peer: float) -> bool:
    env: Any = gymnasium.make(env_id(book))
    env.reset(seed=1)
    one = per_second(_rounds(our_round, env))
    next_step, same_step = (vector_rate(book, mode) for mode in ("NextStep", "SameStep"))
    print(
        f"{'learn, ' + book:42}{one:>12,.0f} rounds/s {one / peer:>6.1f}x, {SIDE_BY_SIDE} at once "
        f"{next_step:,.0f} ({next_step / peer:.0f}x), dealt again at once {same_step:,.0f} ({same_step / peer:.0f}x)"
    )
    return one >= peer and next_step >= TIMES * peer
