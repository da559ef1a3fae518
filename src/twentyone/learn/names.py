"""What the environments are called, and what the numbers of their actions and observations mean."""

from __future__ import annotations

import numpy as np
from gymnasium.envs.registration import register, registry
from numpy.typing import NDArray

from twentyone.rulebook import rulebook_ids
from twentyone.sim.asking import BONUSES, PHASES, StepwiseGame
from twentyone.sim.layout import DECISIONS
from twentyone.sim.stepwise import ShownField
from twentyone.strategy import UPS, Situation

__all__ = ["ACTIONS", "FIELDS", "env_id", "register_games", "situation_of"]

ACTIONS = DECISIONS
"""The actions by number; `decline` also ends a round in which there was nothing to decide."""

FIELDS = tuple(field.name.lower() for field in ShownField)
"""The fields of an observation, in their order (see `sim.stepwise.ShownField`)."""

SETTLED = PHASES.index("settled")
"""The phase of an observation after which nothing is decided."""


def env_id(rulebook: str) -> str:
    """What a rulebook's environment is called.

    >>> env_id("my-game-21")
    'twentyone/MyGame21-v0'
    """
    return f"twentyone/{''.join(part.capitalize() for part in rulebook.split('-'))}-v0"


def register_games() -> None:
    """Register every rulebook with Gymnasium; one that is registered already stays as it is."""
    for book in rulebook_ids():
        if env_id(book) not in registry:
            register(
                env_id(book),
                entry_point="twentyone.learn.single:GameEnv",
                vector_entry_point="twentyone.learn.vector:GameVectorEnv",
                kwargs={"rulebook": book},
            )


def situation_of(game: StepwiseGame, shown: NDArray[np.int64], mask: NDArray[np.int8]) -> Situation | None:
    """An observation as the situation that a strategy is asked in; None where nothing is asked."""
    if shown[ShownField.PHASE] == SETTLED:
        return None
    phase, total = PHASES[shown[ShownField.PHASE]], int(shown[ShownField.TOTAL])
    if phase == "doubled" and total > game.compiled.setup.rules.limit:
        phase = "busted"
    return Situation(
        phase,
        total,
        bool(shown[ShownField.SOFT]),
        UPS[shown[ShownField.PAIR] - 1] if shown[ShownField.PAIR] else None,
        int(shown[ShownField.CARDS]),
        UPS[shown[ShownField.UP]],
        game.holes[shown[ShownField.HOLE]],
        BONUSES[shown[ShownField.BONUS]],
        frozenset(name for name, allowed in zip(ACTIONS, mask, strict=True) if allowed),
    )
