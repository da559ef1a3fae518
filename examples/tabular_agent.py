"""A tabular agent that learns a game from rewards alone, measured by the exact value of what it has learned.

    python examples/tabular_agent.py classic-blackjack --rounds 30e6 --csv curve.csv --svg curve.svg --chart learned.csv

Monte Carlo policy iteration: in each round one decision is explored, every other one is taken by the policy of the
stage before, and the reward of the round counts for the explored one. Each stage is twice as long as the one before.
What was learned is a chart as a person would hold it; `twentyone.odds` says what it is worth, to the last digit.
"""

from __future__ import annotations

import argparse
import csv
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import gymnasium
import numpy as np
from numpy.typing import NDArray

from twentyone.learn import ACTIONS, FIELDS, env_id
from twentyone.odds import analyse
from twentyone.rulebook import Rulebook, Rules
from twentyone.sim.asking import PHASES
from twentyone.strategy import UPS, CellKey, Strategy, chart_cells, to_csv
from twentyone.strategy.cells import Cell

AT_ONCE = 4096
"""Rounds that are played side by side."""
FIRST_STAGE = 1 << 17
"""Rounds of the first stage."""
FORGOTTEN = 0.7
"""How much of what was seen is forgotten before the next stage, whose policy is another."""
DOUBT = 10.0
"""Decisions are explored while they may be the best: within so many standard errors of a reward of about one ..."""
MARGIN = 0.5
"""... and this much in the first stage, half of it in the next: the policy that is followed after them gets better."""
FIRST, SPLIT, HANDS = PHASES.index("first"), PHASES.index("split"), FIELDS.index("hands")
UNSEEN = -9.0
"""The mean of a decision that was never explored: worse than any other."""

Numbers = NDArray[np.int64]


class Learned(NamedTuple):
    """What the agent knows after a stage."""

    rounds: int
    """Rounds that were played for it."""
    chart: Strategy
    """How it would play."""
    edge: float
    """The exact house edge against that chart."""


class Agent:
    """Sums of rewards by situation and decision."""

    def __init__(self, holes: int) -> None:
        self.sizes = (len(PHASES), 40, 2, len(UPS) + 1, 2, len(UPS), holes)
        states = int(np.prod(self.sizes))
        self.total = np.zeros((states, len(ACTIONS)))
        self.count = np.zeros((states, len(ACTIONS)))
        self.mean = np.zeros((states, len(ACTIONS)))
        self.open = np.ones((states, len(ACTIONS)), np.bool_)
        """Whether a decision may still be the best."""
        self.margin = MARGIN

    def states(self, shown: Numbers) -> Numbers:
        """Observations as situations: phase, total, soft, pair, more than two cards, up card, hole card.

        A hand out of a split is played like the same hand that was not split.
        """
        phase, total, soft, pair, cards, up, hole = (shown[:, FIELDS.index(name)] for name in FIELDS[:7])
        phase = np.where(phase == SPLIT, FIRST, phase)
        index: Numbers = np.ravel_multi_index((phase, total, soft, pair, cards > 2, up, hole), self.sizes)
        return index

    def credit(self, states: Numbers, actions: Numbers, rewards: NDArray[np.float64]) -> None:
        """Count the rewards of explored decisions."""
        np.add.at(self.total, (states, actions), rewards)
        np.add.at(self.count, (states, actions), 1)

    def improve(self) -> None:
        """Take the best decision everywhere from now on, and explore what may still be better."""
        seen = self.count > 0
        self.mean = np.where(seen, self.total / np.maximum(self.count, 1e-9), UNSEEN)
        error = DOUBT / np.sqrt(np.maximum(self.count, 1e-9))
        best = np.max(np.where(seen, self.mean - error, -np.inf), axis=1, keepdims=True)
        self.open = ~seen | (self.mean + error >= best - self.margin)
        self.margin /= 2
        self.total *= 1 - FORGOTTEN
        self.count *= 1 - FORGOTTEN

    def greedy(self, states: Numbers, masks: NDArray[np.int8]) -> Numbers:
        """The best decision that is allowed."""
        chosen: Numbers = np.where(masks > 0, self.mean[states], -np.inf).argmax(axis=1)
        return chosen


def play(agent: Agent, envs: Any, rounds: int, rng: np.random.Generator) -> int:
    """Play a stage; returns how many rounds were played."""
    shown, info = envs.reset(seed=int(rng.integers(1 << 31)))
    rows, ended = np.arange(envs.num_envs), 0
    patience = rng.geometric(0.5, envs.num_envs)
    explored = np.full((2, envs.num_envs), -1)
    while ended < rounds:
        masks, states = info["action_mask"], agent.states(shown)
        actions = agent.greedy(states, masks)
        doubtful = (masks > 0) & agent.open[states] & (shown[:, HANDS] == 1)[:, None]
        patience -= doubtful.sum(axis=1) > 1
        now = rows[(patience == 0) & (explored[0] < 0)]
        dice = rng.random((len(now), len(ACTIONS))) * doubtful[now]
        actions[now] = dice.argmax(axis=1)
        explored[:, now] = states[now], actions[now]
        shown, rewards, over, _, info = envs.step(actions)
        told = rows[over & (explored[0] >= 0)]
        agent.credit(explored[0, told], explored[1, told], rewards[told])
        explored[:, over] = -1
        patience[over] = rng.geometric(0.5, int(over.sum()))
        ended += int(over.sum())
    return ended


# -- what was learned, as a chart


def chart_of(agent: Agent, rules: Rules, holes: tuple[str, ...]) -> Strategy:
    """The agent's decisions as a chart."""
    cells = {key: Cell(_letter(agent, key, may, holes)) for key, may in chart_cells(rules).items()}
    insures = {name: _insures(agent, name) for name in ("insure", "even_money")}
    return Strategy(rules.rulebook.id, cells, insures, "learned by a tabular agent")


def _letter(agent: Agent, key: CellKey, may: frozenset[str], holes: tuple[str, ...]) -> str:
    two, more = (_row(agent, key, cards, holes) for cards in (0, 1))
    if key.phase in ("doubled", "busted", "early"):
        offers = [name for name in may if name != "decline"]
        row = two if key.phase == "early" else more
        return offers[0][0].upper() if _better(row, offers[0], "decline") else "N"
    best = max((name for name in ACTIONS if name in may), key=lambda name: float(two[0][ACTIONS.index(name)]))
    if best == "split":
        return "P"
    alone = [more] if best in ("double", "surrender") else [two, more]
    unseen = all(mean[ACTIONS.index("stand")] == UNSEEN for mean, _ in (two, more))
    hits = "hit" in may and (unseen or sum(_gain(row) for row in alone) > 0)
    return {"double": "D" if hits else "Ds", "surrender": "Rh" if hits else "Rs"}.get(best, "H" if hits else "S")


def _row(agent: Agent, key: CellKey, more: int, holes: tuple[str, ...]) -> tuple[Any, Any]:
    """Means and counts of a cell's decisions with two cards, or with more."""
    paired, aces = key.hand == "pairs", key.row == "A"
    total = 12 if aces else int(key.row) * (2 if paired else 1)
    pair = 1 + UPS.index(key.row) if paired and not more else 0
    phase = "first" if key.phase == "split" else key.phase
    hole = 0 if phase == "early" else holes.index(key.hole)
    place = (PHASES.index(phase), total, int(aces or key.hand == "soft"), pair, more, UPS.index(key.up), hole)
    state = int(np.ravel_multi_index(place, agent.sizes))
    return agent.mean[state], agent.count[state]


def _gain(row: tuple[Any, Any]) -> float:
    """How much better a hit is than to stand, by how often both were seen."""
    mean, count = row
    stand, hit = ACTIONS.index("stand"), ACTIONS.index("hit")
    seen = min(count[stand], count[hit])
    return float(seen * (mean[hit] - mean[stand])) if seen else 0.0


def _better(row: tuple[Any, Any], one: str, other: str) -> bool:
    return bool(row[0][ACTIONS.index(one)] > row[0][ACTIONS.index(other)])


def _insures(agent: Agent, name: str) -> bool:
    """Whether insurance (or even money) gained, all hands together."""
    first, last = (np.ravel_multi_index((PHASES.index("insurance") + n, *[0] * 6), agent.sizes) for n in (0, 1))
    mean, count = agent.mean[first:last], agent.count[first:last]
    taken, left = ACTIONS.index(name), ACTIONS.index("decline")
    seen = np.minimum(count[:, taken], count[:, left])
    return bool((seen[seen > 0] * (mean[:, taken] - mean[:, left])[seen > 0]).sum() > 0)


# -- stages


def learn(book: str, rounds: int, seed: int, submission: dict[str, Any] | None = None) -> Iterator[Learned]:
    """Learn a game; after each stage, what is known."""
    envs: Any = gymnasium.make_vec(env_id(book), AT_ONCE, autoreset_mode="SameStep", submission=submission)
    rules, holes, rng = Rulebook.load(book).under(submission), envs.game.holes, np.random.default_rng(seed)
    agent, played, stage = Agent(len(holes)), 0, FIRST_STAGE
    while played < rounds:
        played += play(agent, envs, stage, rng)
        agent.improve()
        stage *= 2
        chart = chart_of(agent, rules, holes)
        yield Learned(played, chart, float(analyse(rules, strategy=chart).figures.house_edge))


# -- the curve


def svg_of(rows: list[tuple[int, float]], title: str) -> str:
    """What the charts cost compared with the optimum, by rounds; both axes by powers of ten."""
    xs = [np.log10(rounds) for rounds, _ in rows]
    ys = [np.log10(max(cost, 1e-7)) for _, cost in rows]
    left, right, low, high = np.floor(min(xs)), np.ceil(max(xs)), np.floor(min(ys)), np.ceil(max(ys))
    across, down = 500 / (right - left), 260 / (high - low)
    places = [(60 + across * (x - left), 20 + down * (high - y)) for x, y in zip(xs, ys, strict=True)]
    marks = [
        f'<text x="{60 + across * n:.0f}" y="300" text-anchor="middle">10{_power(int(left + n))}</text>'
        for n in range(int(right - left) + 1)
    ]
    for n in range(int(high - low) + 1):
        y = 20 + down * n
        marks.append(f'<path d="M60 {y:.0f}H560" stroke="#ccc"/>')
        marks.append(f'<text x="54" y="{y + 4:.0f}" text-anchor="end">{100 * 10.0 ** int(high - n):g} %</text>')
    line = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
    dots = "".join(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3"/>' for x, y in places)
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 580 330" font-family="sans-serif" font-size="12">'
        f'<title>{title}</title><rect width="580" height="330" fill="#fff"/>{"".join(marks)}'
        f'<polyline points="{line}" fill="none" stroke="#06c" stroke-width="2"/><g fill="#06c">{dots}</g>'
        '<text x="310" y="322" text-anchor="middle">rounds played</text>'
        f'<text x="310" y="14" text-anchor="middle">{title}</text></svg>\n'
    )


def _power(number: int) -> str:
    return f'<tspan dy="-5" font-size="9">{number}</tspan>'


def main(arguments: list[str] | None = None) -> int:
    """Learn, tell after each stage, and write down what was asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("rulebook")
    parser.add_argument("--rounds", type=float, default=30e6, help="at least this many (30e6)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--csv", type=Path, help="write the curve: rounds, house edge, cost")
    parser.add_argument("--svg", type=Path, help="draw it")
    parser.add_argument("--chart", type=Path, help="write the chart that was learned, for `twentyone value --strategy`")
    options = parser.parse_args(arguments)
    optimum = float(analyse(Rulebook.load(options.rulebook).under()).figures.house_edge)
    print(f"{options.rulebook}: house edge {optimum:.4%} by the best decision on every hand")
    rows: list[tuple[int, float]] = []
    for known in learn(options.rulebook, int(options.rounds), options.seed):
        rows.append((known.rounds, known.edge - optimum))
        print(f"{known.rounds:>12,} rounds: house edge {known.edge:.4%}, cost {known.edge - optimum:.4%}", flush=True)
        if options.chart:
            options.chart.write_text(to_csv(known.chart), encoding="utf-8")
    if options.csv:
        with options.csv.open("w", newline="", encoding="utf-8") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(["rounds", "house_edge", "cost"])
            writer.writerows([rounds, f"{optimum + cost:.8f}", f"{cost:.8f}"] for rounds, cost in rows)
    if options.svg:
        options.svg.write_text(svg_of(rows, f"Cost of the learned chart, {options.rulebook}"), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
