"""A game as a Gymnasium environment: one player, one box, a fresh shoe for every round; an episode is a round."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from twentyone.cards import parse_cards
from twentyone.errors import Refused
from twentyone.learn.law import law_round
from twentyone.learn.names import ACTIONS, SETTLED
from twentyone.learn.rounds import REFUSED, PausedRounds, StepTold, game_of
from twentyone.round import Round
from twentyone.sim.stepwise import KEPT, ShownField

__all__ = ["GameEnv"]


class GameEnv(gymnasium.Env[NDArray[np.int64], np.int64]):
    """One player's rounds; the reward is what the round gained, in initial wagers, and comes with its last step.

    An action that is not allowed changes nothing, and `info["refused"]` is true; with `strict` it raises `Refused`.

    >>> env = GameEnv("classic-blackjack", submission={"decks": 2})
    >>> shown, info = env.reset(seed=1, options={"cards": "10S 6H 6C KD"})
    >>> [name for name, allowed in zip(ACTIONS, info["action_mask"]) if allowed]
    ['stand', 'hit', 'double']
    >>> shown, reward, over, _, info = env.step(ACTIONS.index("stand"))
    >>> print(env.round)
    Blackjack  dealer 6♥ K♦ 7♣  = 23
      box 1: 10♠ 6♣  = 16  [player_1 $10.00]  main win $10.00
      next: the round is over
    >>> reward, over
    (1.0, True)
    """

    metadata: dict[str, Any] = {"render_modes": ["ansi"], "render_fps": 1}

    def __init__(
        self,
        rulebook: str,
        *,
        submission: Mapping[str, Any] | None = None,
        main: str = "10",
        sides: Mapping[str, str] | None = None,
        strict: bool = False,
        render_mode: str | None = None,
    ) -> None:
        """A rulebook under a submission (with `readings` in it), the wagers of every round in dollars."""
        if render_mode not in (None, *self.metadata["render_modes"]):
            raise Refused(f"there is no render mode {render_mode!r}; there is 'ansi'", step="render_mode")
        self.game = game_of(rulebook, submission, main, sides)
        self.render_mode = render_mode
        self.strict = strict
        self.observation_space = spaces.MultiDiscrete(np.array(self.game.sizes))
        self.action_space = spaces.Discrete(len(ACTIONS))
        self._rounds = PausedRounds(self.game)
        self._main = self.game.compiled.main
        self._taken: list[tuple[int, int]] = []
        self._asked = False
        self._seeded = False
        self._decision = np.zeros(1, np.int64)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[np.int64], dict[str, Any]]:
        """Deal a round; `options={"cards": "8S 7H"}` gives the first cards of its shoe."""
        super().reset(seed=seed)
        if seed is not None or not self._seeded:
            self._rounds.seed([seed if seed is not None else int(self.np_random.integers(1 << 62))])
            self._seeded = True
        if options and "cards" in options:
            self._rounds.lay(parse_cards(options["cards"]))
        self._taken = []
        return self._shown(self._rounds.deal())

    def step(self, action: np.int64) -> tuple[NDArray[np.int64], float, bool, bool, dict[str, Any]]:
        """Take a decision."""
        self._decision[0] = action
        asked = self._asked
        told = self._rounds.advance(self._decision, KEPT)
        result = told.results[0]
        shown, info = self._shown(told)
        if result == REFUSED:
            return shown, 0.0, False, False, self._refused(int(action), info)
        if asked:
            self._taken.append((0, int(action)))
        return shown, int(told.gains[0]) / self._main, bool(result), False, info

    def _shown(self, told: StepTold) -> tuple[NDArray[np.int64], dict[str, Any]]:
        shown = told.shown[0]
        self._asked = shown[ShownField.PHASE] != SETTLED
        return shown, {"action_mask": told.masks[0]}

    def _refused(self, action: int, info: dict[str, Any]) -> dict[str, Any]:
        if self.strict:
            raise self.refusal(action)
        return {**info, "refused": True}

    def refusal(self, action: int) -> Refused:
        """Why an action is not allowed now, with its paragraph."""
        known = self.round.refusal(ACTIONS[action]) if 0 <= action < len(ACTIONS) else None
        return known or Refused(f"there is nothing to decide: {action} is not {ACTIONS.index('decline')}, decline")

    @property
    def round(self) -> Round:
        """The round as the engine of law deals it from the same cards and decisions: events, paragraphs, `legal()`."""
        return law_round(self._rounds, self._taken)

    def render(self) -> str | None:
        """The layout as text."""
        return repr(self.round) if self.render_mode == "ansi" else None
