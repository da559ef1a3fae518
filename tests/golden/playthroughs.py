"""Playthroughs of the environments, in the manner of OpenSpiel: what is shown, what is allowed, what it gained.

`make golden` writes them anew. A playthrough takes every decision that its game has at least once; rounds in which
nothing new is decided are left out.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

from twentyone.learn import ACTIONS, FIELDS, env_id
from twentyone.learn.single import GameEnv
from twentyone.money import dollars
from twentyone.rulebook import rulebook_ids

__all__ = ["FOLDER", "playthrough"]

FOLDER = Path(__file__).parent
SEED = 21
MOST_ROUNDS = 3_000

Step = tuple[Any, Any, int, float]
"""What was shown, what was allowed, what was decided, and what it gained."""


def playthrough(book: str) -> str:
    """Some rounds of a rulebook's environment."""
    env = GameEnv(book)
    left = {name for number, name in enumerate(ACTIONS) if (env.game.may >> number & 1).any()}
    lines = _head(book, env, left)
    rng = Random(SEED)
    for number in range(MOST_ROUNDS):
        if not left:
            return "\n".join(lines)
        steps = _played(env, number, left, rng)
        new = left & {ACTIONS[action] for _, mask, action, _ in steps if mask.sum() > 1}
        if new:
            lines += _told(env, number, steps)
        left -= new
    raise AssertionError(f"{book}: {left} never came to be decided")


def _head(book: str, env: GameEnv, decisions: set[str]) -> list[str]:
    sizes = ", ".join(f"{name} {size}" for name, size in zip(FIELDS, env.game.sizes, strict=True))
    return [
        f"environment: {env_id(book)}",
        f"rulebook: {book}, default submission",
        f"actions: {', '.join(f'{number} {name}' for number, name in enumerate(ACTIONS) if name in decisions)}",
        f"observation: {sizes}",
        f"seed: {SEED}",
        "",
    ]


def _played(env: GameEnv, number: int, left: set[str], rng: Random) -> list[Step]:
    """One round; what was never decided before is decided first."""
    shown, info = env.reset(seed=SEED if number == 0 else None)
    steps: list[Step] = []
    over = False
    while not over:
        mask = info["action_mask"]
        allowed = [int(action) for action in np.flatnonzero(mask)]
        action = rng.choice([action for action in allowed if ACTIONS[action] in left] or allowed)
        after, reward, over, _, info = env.step(np.int64(action))
        steps.append((shown, mask, action, reward))
        shown = after
    return steps


def _told(env: GameEnv, number: int, steps: list[Step]) -> Iterator[str]:
    yield f"== round {number}"
    taken = env._taken
    for place, (shown, mask, action, _) in enumerate(steps):
        env._taken = taken[:place]
        yield from repr(env.round).splitlines()
        yield "observation " + " ".join(f"{name}={value}" for name, value in zip(FIELDS, shown, strict=True))
        yield "allowed " + ", ".join(f"{code} {ACTIONS[code]}" for code in np.flatnonzero(mask))
        yield f"# action {action} {ACTIONS[action]}"
    env._taken = taken
    yield from repr(env.round).splitlines()
    for row in env.round.state.rows:
        yield f"{row.cite:46} {row.wager} {row.outcome} {dollars(row.net)}"
    yield f"reward {steps[-1][3]:g}"
    yield ""


if __name__ == "__main__":
    for name in rulebook_ids():
        (FOLDER / f"playthrough-{name}.txt").write_text(playthrough(name), encoding="utf-8")
