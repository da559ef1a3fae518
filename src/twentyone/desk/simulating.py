"""Simulations that are asked for by options of `twentyone simulate`: the same figures, with the way they came."""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from twentyone.cli.parameters import in_options
from twentyone.cli.simulate import add_parser, setup_of
from twentyone.cli.simulate_check import check_options, exact_is_known
from twentyone.cli.simulate_counts import read_ramp
from twentyone.cli.simulate_show import body_of, trips_body
from twentyone.desk.answers import Asked, Stopped, Tell, rules_asked
from twentyone.errors import NotAScript, Refused, TwentyoneError
from twentyone.money import Amount
from twentyone.odds.edges import edge_of
from twentyone.sim.bankroll import TripsHalted, play_bankroll
from twentyone.sim.cache import compiled_once
from twentyone.sim.counts import COUNTS
from twentyone.sim.engines import engine_named
from twentyone.sim.run import Halted, Result, simulate
from twentyone.sim.winnings import PER_HOUR

if TYPE_CHECKING:
    from twentyone.sim.setup import Setup

__all__ = ["OPTIONS", "simulated"]

OPTIONS = (
    "rounds", "seed", "mode", "penetration", "boxes", "main", "side", "error_rate", "count", "indices", "spread",
    "leave", "others", "rounds_per_hour", "ramp", "bankroll", "trip_rounds", "trips",
)  # fmt: skip
"""What may be asked: names of options of the command."""
READY, EXACT = 0.02, 0.05
"""The share of the work after which the chart is there, and the exact value."""
POINTS = 200
"""Points of the running mean that are told."""

Path_ = list[tuple[int, float, float]]


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise Refused(message.removeprefix("argument "))


def simulated(asked: Asked, tell: Tell, work: str) -> dict[str, Any]:
    """The figures of a simulation; work that was stopped goes on."""
    try:
        with _options(asked) as options:
            check_options(options)
            setup, played_by = setup_of(options, rules_asked(asked))
        tell(READY, at_once=True)
        body = (_trips if options.bankroll else _rounds)(options, setup, tell, work)
    except TwentyoneError as refused:
        cite = refused.cite if isinstance(refused, Refused) else ""
        raise Refused(in_options(refused).removesuffix(f" ({cite})"), cite) from None
    return body | {"played_by": played_by}


@contextmanager
def _options(asked: Asked) -> Iterator[argparse.Namespace]:
    """The options as the command reads them; a chart of one's own lies in a file for as long as the block runs."""
    parser = _Parser(prog="simulate", add_help=False)
    add_parser(parser.add_subparsers(parser_class=_Parser))
    with tempfile.TemporaryDirectory() as folder:
        words = _words(asked.get("options", {}))
        if asked.get("chart"):
            chart = Path(folder) / "your chart"
            chart.write_text(asked["chart"], encoding="utf-8")
            words.append(_word("strategy", chart))
        yield parser.parse_args(["simulate", asked["rulebook"], *words])


def _words(options: Mapping[str, Any]) -> list[str]:
    unknown = [name for name in options if name not in OPTIONS]
    if unknown:
        raise NotAScript("options", f"{unknown[0][:40]!r} is none of {', '.join(OPTIONS)}")
    if options.get("count") not in (None, "", *COUNTS):
        raise NotAScript("count", f"{str(options['count'])[:40]!r} is none of {', '.join(COUNTS)}")
    words = []
    for name, value in options.items():
        given = value if isinstance(value, list) else [value]
        words += [_word(name, one) for one in given if one not in (None, False, "")]
    return words


def _word(name: str, value: object) -> str:
    option = f"--{name.replace('_', '-')}"
    return option if value is True else f"{option}={value}"


def _rounds(options: argparse.Namespace, setup: Setup, tell: Tell, work: str) -> dict[str, Any]:
    compiled, exact = compiled_once(setup), None
    if exact_is_known(setup):
        exact = -edge_of(setup.rules, setup.boxes[0].strategy)  # type: ignore[arg-type]
    tell(EXACT, exact=exact, at_once=True)

    def told(result: Result) -> None:
        share = EXACT + (1 - EXACT) * min(1.0, result.totals.rounds / result.wanted)
        tell(share, exact=exact, **_so_far(result))

    engine = engine_named("cpu", 1, None)
    try:
        result = simulate(
            compiled, engine, rounds=options.rounds, seed=options.seed, checkpoint=Path(work), progress=told
        )
    except Halted as halted:
        if halted.interrupted:
            raise Stopped({**_so_far(halted.result), "exact": exact, "kept": halted.kept}) from None
        raise
    finally:
        engine.close()
    per_hour, ramp = options.rounds_per_hour or PER_HOUR, read_ramp(options.ramp)
    return body_of(compiled, result, exact, per_hour=per_hour, ramp=ramp) | {"path": _thinned(result.path)}


def _so_far(result: Result) -> dict[str, Any]:
    return {
        "rounds": result.totals.rounds,
        "wanted": result.wanted,
        "rate": result.rate,
        "seconds_left": result.time_left,
        "mean": result.totals.mean,
        "path": _thinned(result.path),
    }


def _thinned(path: Path_) -> list[tuple[int, float, float]]:
    """Rounds, mean and standard error on the way: evenly chosen, the last always."""
    step = -(-len(path) // POINTS) or 1
    points = [point for number, point in enumerate(reversed(path)) if number % step == 0]
    return [(rounds, mean, error if isfinite(error) else 0.0) for rounds, mean, error in reversed(points)]


def _trips(options: argparse.Namespace, setup: Setup, tell: Tell, _: str) -> dict[str, Any]:
    compiled, begun = compiled_once(setup), time.perf_counter()
    try:
        bankroll = Amount(options.bankroll)
    except ValueError as wrong:
        raise Refused(str(wrong), step="bankroll") from None
    try:
        trips = play_bankroll(
            compiled, bankroll=bankroll, rounds=options.trip_rounds, trips=options.trips, seed=options.seed,
            threads=1, progress=lambda share: tell(READY + (1 - READY) * share),
        )  # fmt: skip
    except TripsHalted as halted:
        raise Stopped({"trips": len(halted.trips.ends)}) from None
    return trips_body(compiled, trips, options.seed, time.perf_counter() - begun)
