"""A simulation in one call: what is played, in the words of a person; what came out; and how to play it again."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path
from typing import Any

from twentyone.errors import Refused
from twentyone.extras import Tabular
from twentyone.money import Amount
from twentyone.rulebook import Rulebook, Rules, rules_of
from twentyone.rulebook.wagers import Wagers, check_wagers
from twentyone.rulebook.wheels import check_meter
from twentyone.sim.cache import compiled_once
from twentyone.sim.compile import Compiled
from twentyone.sim.counts import count_named, spread_of
from twentyone.sim.engines import engine_named
from twentyone.sim.run import Result
from twentyone.sim.run import simulate as play
from twentyone.sim.setup import Box, Count, Setup
from twentyone.strategy import Strategy, best_chart, read_strategy, to_json
from twentyone.version import __version__

__all__ = ["Simulation", "simulate"]

Charts = Strategy | str | Sequence[Strategy | str] | None
MOST_BOXES = 7


@dataclass(frozen=True, eq=False, repr=False)
class Simulation(Tabular):
    """What a simulation has come to, and how it is played again."""

    how: Mapping[str, Any]
    """The arguments of `simulate`, as JSON has them: `simulate(**how)` plays the same rounds again."""
    result: Result
    """Its exact sums."""
    tallies: tuple[str, ...]
    """The ways in which a hand ends."""

    def __repr__(self) -> str:
        named = f"{self.how['game']}, {self.rounds:,} rounds, seed {self.how['seed']}"
        return f"<Simulation {named}: {100 * self.mean:+.4f} %, standard error {100 * self.standard_error:.4f} %>"

    def __eq__(self, other: object) -> bool:
        """Whether the same was played, with the same sums."""
        return isinstance(other, Simulation) and (self.how, self.result.totals) == (other.how, other.result.totals)

    def __hash__(self) -> int:
        return hash((self.how["game"], self.how["seed"], self.mean))

    @property
    def rounds(self) -> int:
        """How many rounds were played."""
        return self.result.totals.rounds

    @property
    def mean(self) -> float:
        """The gain per initial wager, prizes included, side wagers not."""
        return self.result.totals.mean

    @property
    def standard_error(self) -> float:
        """Of the mean; in a real shoe from whole shoes."""
        return self.result.totals.standard_error

    @property
    def deviation(self) -> float:
        """The standard deviation of the gain of a round, in initial wagers."""
        return float(self.result.totals.variance**0.5)

    @property
    def side_mean(self) -> float:
        """The gain on side wagers per initial (main) wager."""
        return self.result.totals.side_mean

    @property
    def outcomes(self) -> dict[str, int]:
        """How many hands ended in each way."""
        return self.result.totals.tallies(self.tallies)

    def columns(self) -> dict[str, list[Any]]:
        """The results of the rounds: `gain` in initial wagers, `rounds`, and their `share` of all."""
        told = self.result.totals.histogram()
        shares = [many / self.rounds for many in told.values()]
        return {"gain": [float(gain) for gain in told], "rounds": list(told.values()), "share": shares}

    def again(self, **changes: Any) -> Simulation:
        """The same rounds played again, or what else the changed arguments ask for (`seed=2`)."""
        return simulate(**{**self.how, **changes})

    def to_json(self) -> dict[str, Any]:
        """The figures, the exact sums, and all that is needed to play it again."""
        figures = {name: getattr(self, name) for name in ("rounds", "mean", "standard_error", "deviation", "outcomes")}
        return {"version": __version__, "how": dict(self.how), **figures, "totals": dict(self.result.totals.named())}


def simulate(
    game: str | Rulebook | Rules,
    *,
    rounds: float = 1_000_000,
    seed: int = 1,
    strategy: Charts = None,
    boxes: int = 1,
    main: Amount | str | int = "10",
    sides: Mapping[str, Amount | str | int] | None = None,
    mode: str = "fresh",
    penetration: Fraction | str | float | None = None,
    count: Count | Mapping[str, Any] | str | None = None,
    spread: Mapping[int, int] | str | None = None,
    error_rate: Fraction | str | float = 0,
    meters: Mapping[str, Amount | str | int] | None = None,
    until: float | None = None,
    engine: str = "cpu",
    threads: int | None = None,
    checkpoint: str | Path | None = None,
    progress: Callable[[float], None] | None = None,
    **submission: Any,
) -> Simulation:
    """Play rounds of a game: by default from fresh shoes, on one box, by the best chart for the submission.

    `game` is a rulebook's id, a `Rulebook` or `Rules`; the keys of its submission are further arguments. Amounts are
    dollars, as text, whole numbers or `Amount`. `strategy` is a chart for all boxes or one for each (also as JSON or
    CSV text); `mode="shoe"` deals real shoes down to `penetration`, where a `count` may raise the wager by `spread`
    (`{2: 4}`: four units from a true count of two on). The same arguments give the same rounds with every engine.

    >>> simulate("pa-spanish-21", rounds=200_000, seed=7)
    <Simulation pa-spanish-21, 200,000 rounds, seed 7: -0.4483 %, standard error 0.2602 %>
    """
    rules = rules_of(game, submission)
    setup = _setup(rules, _charts(rules, strategy, boxes), _dollars("main", main), _amounts("sides", sides))
    setup = replace(setup, mode=mode, penetration=_share(penetration), error_rate=_share(error_rate) or Fraction(0))
    setup = replace(setup, count=_count(count, spread, mode), meters=_amounts("meters", meters))
    _check(setup)
    compiled = compiled_once(setup)
    with_engine = engine_named(engine, threads)
    try:
        wanted = _whole(rounds)
        told = None if progress is None else lambda result: progress(min(1.0, result.totals.rounds / wanted))
        kept = Path(checkpoint) if checkpoint is not None else None
        result = play(compiled, with_engine, rounds=wanted, seed=seed, until=until, checkpoint=kept, progress=told)
    finally:
        with_engine.close()
    return Simulation(_how(compiled, result, until), result, compiled.tallies)


# -- what is played


def _setup(rules: Rules, charts: list[Strategy], main: Amount, sides: Mapping[str, Amount]) -> Setup:
    return Setup(rules, tuple(Box(chart, main, sides) for chart in charts))


def _charts(rules: Rules, given: Charts, boxes: int) -> list[Strategy]:
    if not 1 <= boxes <= MOST_BOXES:
        raise Refused(f"{boxes} boxes cannot be simulated: 1 to {MOST_BOXES}", step="boxes")
    if given is None:
        return [best_chart(rules)] * boxes
    charts = [given] if isinstance(given, Strategy | str) else list(given)
    if len(charts) not in (1, boxes):
        raise Refused(f"{len(charts)} charts for {boxes} boxes: give one for all, or one per box", step="strategy")
    read = [chart.check(rules) if isinstance(chart, Strategy) else read_strategy(chart, rules) for chart in charts]
    return read * boxes if len(read) == 1 else read


def _dollars(name: str, amount: Amount | str | int) -> Amount:
    try:
        return Amount(amount)
    except (TypeError, ValueError) as wrong:
        raise Refused(str(wrong), step=name) from None


def _amounts(name: str, amounts: Mapping[str, Amount | str | int] | None) -> dict[str, Amount]:
    return {kind: _dollars(f"{name}.{kind}", amount) for kind, amount in (amounts or {}).items()}


def _share(share: Fraction | str | float | None) -> Fraction | None:
    return Fraction(str(share)) if share is not None else None


def _whole(rounds: float) -> int:
    if rounds != int(rounds):
        raise Refused(f"{rounds} is no whole number of rounds", step="rounds")
    return int(rounds)


def _count(
    count: Count | Mapping[str, Any] | str | None, spread: Mapping[int, int] | str | None, mode: str
) -> Count | None:
    if count is None:
        if spread:
            raise Refused('a spread needs a count: count="hilo"', step="spread")
        return None
    if mode != "shoe":
        raise Refused("a count needs a real shoe: mode='shoe'", step="count")
    known = count if isinstance(count, Count) else count_named(count)
    steps = spread if isinstance(spread, str) else ",".join(f"{at}:{units}" for at, units in (spread or {}).items())
    return spread_of(known, steps) if steps else known


def _check(setup: Setup) -> None:
    """Every wager that will be laid is one that the text allows, every meter can show what it shows."""
    if setup.mode not in ("fresh", "shoe"):
        raise Refused(f"there is no mode {setup.mode!r}: fresh or shoe", step="mode")
    if setup.penetration is not None and setup.mode != "shoe":
        raise Refused("a fresh shoe each round has no cover card: mode='shoe'", step="penetration")
    if not 0 <= setup.error_rate <= 1:
        raise Refused(f"{setup.error_rate} is not between 0 and 1", step="error_rate")
    raised = {setup.count.units(true) for true in setup.count.buckets} if setup.count is not None else {1}
    for units in sorted({1, *raised} - {0}):
        boxes = enumerate(setup.boxes, 1)
        laid = [Wagers(at, f"player {at}", box.main * units, box.sides) for at, box in boxes]
        check_wagers(setup.rules, laid)
    for name, shown in setup.meters.items():
        check_meter(setup.rules, name, shown)


def _how(compiled: Compiled, result: Result, until: float | None) -> dict[str, Any]:
    setup = compiled.setup
    charts = [to_json(box.strategy) for box in setup.boxes if isinstance(box.strategy, Strategy)]
    first = setup.boxes[0]
    how: dict[str, Any] = {
        "game": setup.rules.rulebook.id,
        **{name: _plain(value) for name, value in setup.rules.submission.given.items()},
        "rounds": result.wanted,
        "seed": result.seed,
        "strategy": charts[:1] if len(set(charts)) == 1 else charts,
        "boxes": len(setup.boxes),
        "main": str(first.main),
        "sides": {kind: str(amount) for kind, amount in first.sides.items()},
        "mode": setup.mode,
        "penetration": str(setup.penetration) if setup.penetration is not None else None,
        "count": _plain(setup.count.told()) if setup.count is not None else None,
        "error_rate": str(setup.error_rate),
        "meters": {name: str(amount) for name, amount in setup.meters.items()},
        "until": until,
        "engine": result.engine,
    }
    return {name: value for name, value in how.items() if value not in (None, {}, "0")}


def _plain(value: Any) -> Any:
    """A value as JSON has it."""
    if isinstance(value, Mapping):
        return {str(key): _plain(inner) for key, inner in value.items() if inner is not None}
    if isinstance(value, list | tuple):
        return [_plain(inner) for inner in value]
    return value if isinstance(value, bool | str) or type(value) in (int, float) else str(value)
