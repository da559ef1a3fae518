"""Many rounds at once: a vector environment on the compiled kernel."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from twentyone.learn.names import ACTIONS, SETTLED
from twentyone.learn.rounds import REFUSED, PausedRounds, StepTold, game_of
from twentyone.sim.stepwise import KEPT, NEXT_STEP, SAME_STEP, ShownField

__all__ = ["GameVectorEnv"]

Observations = NDArray[np.int64]
Stepped = tuple[Observations, NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]

MODES = {AutoresetMode.DISABLED: KEPT, AutoresetMode.NEXT_STEP: NEXT_STEP, AutoresetMode.SAME_STEP: SAME_STEP}
"""What becomes of a round that is over."""


class GameVectorEnv(VectorEnv[Observations, NDArray[np.int64], NDArray[Any]]):
    """This many players, each alone with the dealer and a fresh shoe for every round.

    Round `i` is that of `GameEnv` with the seed `seed + i`. With `AutoresetMode.SAME_STEP` every step is a decision.
    """

    def __init__(
        self,
        rulebook: str,
        num_envs: int = 1,
        *,
        submission: Mapping[str, Any] | None = None,
        main: str = "10",
        sides: Mapping[str, str] | None = None,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
    ) -> None:
        """A rulebook under a submission, the wagers of every round in dollars."""
        mode = AutoresetMode(autoreset_mode)
        self.metadata = {"autoreset_mode": mode, "render_modes": []}
        self.game = game_of(rulebook, submission, main, sides)
        self.num_envs = num_envs
        self.single_observation_space = spaces.MultiDiscrete(np.array(self.game.sizes))
        self.single_action_space = spaces.Discrete(len(ACTIONS))
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._mode = MODES[mode]
        self._rounds = PausedRounds(self.game, num_envs)
        self._seeded = False

    def reset(
        self, *, seed: int | Sequence[int] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observations, dict[str, Any]]:
        """Deal a round to everybody; with `options={"reset_mask": rows}` only there."""
        super().reset(seed=seed if isinstance(seed, int) else None)
        if seed is not None or not self._seeded:
            first = int(self.np_random.integers(1 << 62)) if seed is None else seed
            self._rounds.seed(range(first, first + self.num_envs) if isinstance(first, int) else first)
            self._seeded = True
        told = self._rounds.deal((options or {}).get("reset_mask"))
        return told.shown, self._info(told)

    def step(self, actions: NDArray[np.int64]) -> Stepped:
        """Take a decision for everybody."""
        told = self._rounds.advance(np.ascontiguousarray(actions, np.int64), self._mode)
        over, info = told.results == 1, self._info(told)
        refused = told.results == REFUSED
        if refused.any():
            info |= {"refused": refused, "_refused": refused}
        if self._mode == SAME_STEP and over.any():
            info |= {"final_obs": self._final(), "_final_obs": over}
        return told.shown, told.gains / self.game.compiled.main, over, np.zeros(self.num_envs, np.bool_), info

    def _info(self, told: StepTold) -> dict[str, Any]:
        return {"action_mask": told.masks, "_action_mask": np.ones(self.num_envs, np.bool_)}

    def _final(self) -> Observations:
        """What is shown of rounds that are over."""
        final = np.zeros((self.num_envs, len(ShownField)), np.int64)
        final[:, ShownField.PHASE] = SETTLED
        return final
