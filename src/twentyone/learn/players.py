"""A table of several players as a PettingZoo AEC environment: one box each, the same dealer; an episode is a round."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from twentyone.cards import RANKS, SUITS
from twentyone.errors import Refused
from twentyone.extras import needed
from twentyone.learn.law import law_round, player_name
from twentyone.learn.names import ACTIONS, SETTLED
from twentyone.learn.rounds import REFUSED, PausedRounds, StepTold, game_of
from twentyone.round import Round
from twentyone.sim.layout import BoxMoney, Look, Parameter
from twentyone.sim.stepwise import KEPT, Pause, ShownField
from twentyone.sim.work import Work

__all__ = ["TableEnv"]

AECEnv: Any = needed("pettingzoo", "a table of several players", "twentyone[learn]").AECEnv
Observation = dict[str, NDArray[Any]]


class TableEnv(AECEnv):  # type: ignore[misc]
    """Players `player_1`, `player_2` and so on from the dealer's left; each is asked when the law asks him.

    The rewards come when the round is over, to each what his box gained, in initial wagers. An action that is not
    allowed is refused with its paragraph.
    """

    metadata: dict[str, Any] = {"name": "twentyone_table_v0", "render_modes": ["ansi"], "is_parallelizable": False}

    def __init__(
        self,
        rulebook: str,
        players: int = 3,
        *,
        submission: Mapping[str, Any] | None = None,
        main: str = "10",
        render_mode: str | None = None,
    ) -> None:
        """A rulebook under a submission, and the main wager of every player in dollars."""
        super().__init__()
        self.game = game_of(rulebook, submission, main, None, players)
        self.render_mode = render_mode
        self.possible_agents = [player_name(box) for box in range(players)]
        self.agents: list[str] = []
        self._rounds = PausedRounds(self.game)
        self._taken: list[tuple[int, int]] = []
        self._seeded = False

    @cached_property
    def _spaces(self) -> tuple[dict[str, spaces.Dict], dict[str, spaces.Discrete]]:
        copies = len(SUITS) * int(self.game.compiled.setup.rules.submission["decks"])
        parts = {
            "observation": spaces.MultiDiscrete(np.array(self.game.sizes)),
            "seen": spaces.MultiDiscrete(np.full(len(RANKS), copies + 1)),
            "action_mask": spaces.MultiBinary(len(ACTIONS)),
        }
        agents = self.possible_agents
        return {name: spaces.Dict(parts) for name in agents}, {name: spaces.Discrete(len(ACTIONS)) for name in agents}

    def observation_space(self, agent: str) -> spaces.Dict:
        """What a player is shown, what lies face up of each rank, what he may decide."""
        return self._spaces[0][agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        """The decisions of `ACTIONS`."""
        return self._spaces[1][agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:  # noqa: ARG002
        """Deal a round."""
        if seed is not None or not self._seeded:
            self._rounds.seed([seed if seed is not None else int(np.random.default_rng().integers(1 << 62))])
            self._seeded = True
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {name: {} for name in self.agents}
        self._taken = []
        self._hear(self._rounds.deal())

    def _hear(self, told: StepTold) -> None:
        """Whose turn it is now; a round in which nobody is asked waits for the first player."""
        self._told = told
        self._box = 0 if self._settled else int(self._rounds.work[0, Pause.BOX])
        self.agent_selection = self.possible_agents[self._box]

    @property
    def _settled(self) -> bool:
        return bool(self._told.shown[0, ShownField.PHASE] == SETTLED)

    def observe(self, agent: str) -> Observation:
        """What a player sees; one who is not asked now sees the up card and may decide nothing."""
        shown, mask = self._told.shown[0].copy(), self._told.masks[0].copy()
        if agent != self.possible_agents[self._box]:
            up = shown[ShownField.UP]
            shown[:], mask[:] = 0, 0
            shown[ShownField.PHASE], shown[ShownField.UP] = SETTLED, up
        return {"observation": shown, "seen": self._seen(), "action_mask": mask}

    def _seen(self) -> NDArray[np.int64]:
        """How many cards of each rank lie face up."""
        seen = np.bincount([RANKS.index(card.rank) for card in self._rounds.cards()], minlength=len(RANKS))
        hole = int(self._rounds.work[0, Work.SECOND])
        if hole >= 0 and not self._settled:
            seen[hole // len(SUITS)] -= 1
        return seen.astype(np.int64)

    def step(self, action: int | None) -> None:
        """Take the decision of the player who is asked."""
        if self.terminations[self.agent_selection] or self.truncations[self.agent_selection]:
            self._was_dead_step(action)
            return
        assert action is not None
        asked, box = not self._settled, self._box
        told = self._rounds.advance(np.array([action], np.int64), KEPT)
        if told.results[0] == REFUSED:
            why = self.round.refusal(ACTIONS[action]) if asked else None
            raise why or Refused(f"there is nothing to decide but {ACTIONS.index('decline')}, decline")
        if asked:
            self._taken.append((box, int(action)))
        self._cumulative_rewards[self.agent_selection] = 0.0
        self._clear_rewards()
        self._hear(told)
        if told.results[0]:
            self._end()
        self._accumulate_rewards()
        self._deads_step_first()

    def _end(self) -> None:
        gains = box_gains(self._rounds)
        self.rewards = {name: gains[box] / self.game.compiled.main for box, name in enumerate(self.possible_agents)}
        self.terminations = dict.fromkeys(self.agents, True)

    @property
    def round(self) -> Round:
        """The round as the engine of law deals it from the same cards and decisions."""
        return law_round(self._rounds, self._taken)

    def render(self) -> str | None:
        """The layout as text."""
        return repr(self.round) if self.render_mode == "ansi" else None

    def close(self) -> None:
        """Nothing is held open."""


def box_gains(rounds: PausedRounds, row: int = 0) -> list[int]:
    """What each box gained in a round that is over, in grains, side wagers apart."""
    game, work = rounds.game.compiled.game, rounds.work[row]
    dealer, up, second = int(work[Work.DEALER_STATE]), int(work[Work.UP]) >> 2, int(work[Work.SECOND])
    look = int(game.look[up, max(second, 0) >> 2])
    money, gains = game.money[:, 0], [0] * len(game.money)
    for hand in range(work[Work.HANDS]):
        box, payoff = int(work[Work.OWNER + hand]), int(work[Work.PAYOFF + hand])
        gains[box] += int(game.gain[payoff, dealer]) * int(money[box, BoxMoney.MAIN_UNIT])
        if look & Look.SUPER_UP and game.prize[payoff, dealer]:
            _add_prize(rounds, gains, box)
    for box in range(len(gains)):
        if not work[Work.COVERED + box]:
            continue
        wins = second >= 0 and look & Look.INSURANCE_WINS
        gains[box] += int(money[box, BoxMoney.INSURED_WINS] if wins else -money[box, BoxMoney.INSURED])
    return gains


def _add_prize(rounds: PausedRounds, gains: list[int], winner: int) -> None:
    """The super bonus of a box, and what it brings the others."""
    game = rounds.game.compiled.game
    pays = int(game.money[winner, 0, BoxMoney.SUPER])
    gains[winner] += pays
    if pays or game.number[Parameter.ENVY_ON_HAND]:
        for box in range(len(gains)):
            gains[box] += int(game.number[Parameter.ENVY]) if box != winner else 0
