"""`twentyone simulate`: millions of rounds per second; mean, deviation, frequencies, counting, bankrolls."""

from __future__ import annotations

import argparse
import time
from fractions import Fraction
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from twentyone.cli import DONE, FOUND_WRONG, INTERRUPTED, REFUSED, UsageError
from twentyone.cli.common import exact_number, print_json, say
from twentyone.cli.extras import needs
from twentyone.cli.odds import add_rules, read_rules
from twentyone.cli.parameters import in_options
from twentyone.cli.simulate_charts import advice, charts_of_boxes, note_setup, played_words
from twentyone.cli.simulate_check import check_options, exact_is_known, refuse_exact
from twentyone.cli.simulate_counts import add_count, read_count, read_ramp, with_others
from twentyone.cli.simulate_parquet import check_parquet, write_parts
from twentyone.errors import Refused, TwentyoneError
from twentyone.money import Amount
from twentyone.rulebook import Rules

if TYPE_CHECKING:
    from twentyone.sim.compile import Compiled
    from twentyone.sim.run import Result
    from twentyone.sim.setup import Setup

__all__ = ["add_parser", "run", "setup_of"]

EXAMPLE = """examples:
  twentyone simulate pa-spanish-21 --rounds 1e9
  twentyone simulate classic-blackjack --mode shoe --count hilo --indices --spread 1:2,2:4,3:8,4:12
  twentyone simulate classic-blackjack --mode shoe --count zen --indices --spread=-12:0,0:1,2:2,4:5,6:2x6 --others 2
  twentyone simulate pa-spanish-21 --mode shoe --count hilo --spread=-3:2,-2:5,-1:12 --ramp 1-12
  twentyone simulate pa-spanish-21 --side match_the_dealer=5 --json
  twentyone simulate classic-blackjack --rounds 1e7 --antithetic --exact
  twentyone simulate pa-spanish-21 --rounds 1e6 --parquet rounds.parquet
  twentyone simulate pa-spanish-21 --boxes 3 --mode shoe --rounds 1e7 --control-variate
  twentyone simulate pa-double-back-jack --bankroll 500 --trip-rounds 400 --trips 20000 --plot fan.png

Ctrl-C keeps the work (with --checkpoint: for the next run) and exits with status 130."""

MOST_THREADS = 1024
"""The most threads (or local workers) that may be requested."""


def add_parser(commands: Any) -> None:
    """Describe the command."""
    parser = commands.add_parser(
        "simulate",
        help="simulate rounds: mean, deviation, frequencies, counting, bankrolls",
        description="Simulate rounds of a game. Without options: a fresh shoe each round, one box, the best chart for\n"
        "the submission (made once and kept; the rulebook's own for the default one). The same seed gives the same\n"
        "sums with every engine.",
        epilog=EXAMPLE,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add_rules(parser)
    _add_game(parser)
    _add_work(parser)
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--plot", metavar="FILE", help="draw mean, histogram and bankrolls (PNG, SVG or PDF)")
    parser.add_argument("--parquet", metavar="FILE", help="write a row for each round, or for each real shoe")
    parser.add_argument(
        "--exact", action="store_true", help="compare with the exact value of the strategy (one box, fresh shoes)"
    )
    parser.set_defaults(run=run)


def _add_game(parser: argparse.ArgumentParser) -> None:
    game = parser.add_argument_group("the game")
    game.add_argument(
        "--strategy", metavar="FILE", action="append", help="a strategy; once for all boxes, or once per box"
    )
    game.add_argument("--boxes", type=int, default=1, metavar="N", help="boxes, each with its own player (1 to 7)")
    game.add_argument("--main", default="10", metavar="AMOUNT", help="the main wager in dollars (10)")
    game.add_argument("--side", action="append", default=[], metavar="KIND=AMOUNT", help="a side wager on every box")
    game.add_argument(
        "--meter", action="append", default=[], metavar="NAME=AMOUNT", help="what a meter shows before every round"
    )
    game.add_argument(
        "--mode", choices=("fresh", "shoe"), default="fresh", help="a fresh shoe each round, or a real one"
    )
    game.add_argument(
        "--penetration", metavar="SHARE", help="share of a real shoe dealt before the cover card, as 0.75 or 3/4"
    )
    game.add_argument(
        "--error-rate", default="0", metavar="SHARE", help="probability that a decision on a turn is random"
    )
    add_count(parser)
    trip = parser.add_argument_group("bankrolls")
    trip.add_argument(
        "--bankroll", metavar="AMOUNT", help="play trips with this many dollars instead of rounds (cpu engine only)"
    )
    trip.add_argument("--trip-rounds", type=_whole, metavar="N", help="rounds per trip (1000)")
    trip.add_argument("--trips", type=_whole, metavar="N", help="trips (10000, or as many as --rounds gives)")


def _add_work(parser: argparse.ArgumentParser) -> None:
    work = parser.add_argument_group("the work")
    work.add_argument("--rounds", type=_whole, metavar="N", help="number of rounds, as 1e9 (1e8)")
    work.add_argument("--until-stderr", type=float, metavar="ERROR", help="stop once the standard error is this small")
    work.add_argument("--seed", type=int, default=1, metavar="N", help="the seed (1)")
    work.add_argument("--engine", choices=("cpu", "cuda", "dask"), help="the engine (cpu)")
    work.add_argument("--threads", type=_threads, metavar="N", help="cores, or dask workers on this machine (all)")
    work.add_argument("--scheduler", metavar="tcp://...", help="a dask scheduler (needs --engine dask)")
    work.add_argument("--checkpoint", metavar="FILE", help="store the work there, and resume from it")
    work.add_argument(
        "--plain", action="store_true", help="play every round by the round function, none by the state table"
    )
    reduce = parser.add_argument_group("variance reduction in addition to the plain figures (by the round function)")
    reduce.add_argument("--antithetic", action="store_true", help="play each shoe again with box and dealer exchanged")
    reduce.add_argument("--control-variate", action="store_true", help="adjust by the exact value of every first deal")


def _whole(text: str) -> int:
    """A whole number, written out or as 1e9."""
    try:
        number = exact_number(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text[:40]!r} is not a whole number like 1000 or 1e9") from None
    if number.denominator != 1 or number < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a positive whole number")
    return int(number)


def _threads(text: str) -> int:
    """A number of threads that a machine can have."""
    number = _whole(text)
    if number > MOST_THREADS:
        raise argparse.ArgumentTypeError(f"{number} threads are more than {MOST_THREADS:,}")
    return number


@needs("odds")
def run(options: argparse.Namespace) -> int:
    """Simulate and print the results."""
    try:
        check_options(options)
        if options.plot:
            _check_plot(options.plot)
        if options.parquet:
            check_parquet(options)
        if options.checkpoint and not _lies_in_a_folder(options.checkpoint):
            raise UsageError(f"{options.checkpoint}: the folder of a checkpoint must exist")
        setup, played_by = setup_of(options, read_rules(options.rulebook, options.submission))
        if options.exact:
            refuse_exact(setup)
        return (_bankroll if options.bankroll else _rounds)(options, setup, played_by)
    except (TwentyoneError, ValueError) as refused:
        say(f"twentyone simulate: {in_options(refused)}{advice(options, refused)}")
        return REFUSED


# -- what is simulated


def setup_of(options: argparse.Namespace, rules: Rules) -> tuple[Setup, str]:
    """What is simulated, and the charts that play it in words."""
    from twentyone.round.wagers import Wagers, check_wagers
    from twentyone.sim.setup import Box, Setup

    charts = charts_of_boxes(options, rules)
    sides = dict(_side(rules, text) for text in options.side)
    boxes = tuple(Box(chart.strategy, _amount("--main", options.main), sides) for chart in charts)
    wagers = [Wagers(number + 1, f"player {number + 1}", box.main, box.sides) for number, box in enumerate(boxes)]
    check_wagers(rules, wagers)
    count = read_count(options, rules, wagers)
    boxes = with_others(options, rules, boxes, count)
    penetration = _share("--penetration", options.penetration) if options.penetration else None
    errors = _share("--error-rate", options.error_rate)
    meters = dict(_meter(rules, text) for text in options.meter)
    setup = Setup(rules, boxes, options.mode, penetration, count, errors, meters)
    note_setup(setup, charts, options)
    return setup, played_words(charts)


def _amount(key: str, text: str) -> Amount:
    try:
        amount = Amount(text)
    except ValueError as wrong:
        raise Refused(str(wrong), step=key) from None
    if amount <= 0:
        raise Refused(f"an amount of {amount} is not a wager", step=key)
    return amount


def _share(key: str, text: str) -> Fraction:
    try:
        share = exact_number(text)
    except ValueError:
        raise Refused(f"{text[:40]!r} is not a share like 0.75 or 3/4", step=key) from None
    if not 0 <= share <= 1:
        raise Refused(f"{text} is not between 0 and 1", step=key)
    return share


def _side(rules: Rules, text: str) -> tuple[str, Amount]:
    kind, _, amount = text.partition("=")
    if kind not in rules.wagers or kind == "main":
        known = ", ".join(name for name in rules.wagers if name != "main") or "none"
        raise Refused(f"there is no side wager {kind!r} here, only: {known}", rules.wagers["main"].cite)
    return kind, _amount("--side", amount)


def _meter(rules: Rules, text: str) -> tuple[str, Amount]:
    from twentyone.rulebook.wheels import check_meter

    name, _, amount = text.partition("=")
    check_meter(rules, name)
    shown = _amount("--meter", amount)
    check_meter(rules, name, shown)
    return name, shown


def _check_plot(name: str) -> None:
    path = Path(name)
    if path.suffix not in (".png", ".svg", ".pdf") or not path.parent.is_dir():
        raise UsageError(f"{name}: a plot is a .png, .svg or .pdf file in an existing folder")
    if find_spec("matplotlib") is None:
        raise UsageError("a plot needs the package matplotlib: install `twentyone[plot]`")


def _lies_in_a_folder(name: str) -> bool:
    try:
        return Path(name).absolute().parent.is_dir()
    except OSError:  # a name that is too long
        return False


# -- the work


def _rounds(options: argparse.Namespace, setup: Setup, played_by: str) -> int:
    from twentyone.cli.simulate_reduce import control_of, found_wrong
    from twentyone.cli.simulate_show import body_of, print_result, watched
    from twentyone.sim.cache import compiled_once
    from twentyone.sim.engines import engine_named
    from twentyone.sim.run import Halted, simulate
    from twentyone.sim.winnings import PER_HOUR

    compiled = compiled_once(setup)
    exact = _exact(setup) if options.exact or options.plot else None
    control = control_of(compiled) if options.control_variate else None
    engine = engine_named(options.engine, options.threads, options.scheduler)
    status, path = DONE, Path(options.checkpoint) if options.checkpoint else None
    try:
        with watched(options.rounds) as progress:
            result = simulate(
                compiled, engine, rounds=options.rounds, seed=options.seed, until=options.until_stderr,
                checkpoint=path, fast=not options.plain, progress=progress,
                antithetic=options.antithetic, control=control,
            )  # fmt: skip
    except Halted as halted:
        rounds, kept = halted.result.totals.rounds, halted.kept
        said = "are" if kept == rounds else f"were played, {kept:,} of them are"
        said = f"{said} kept in {path}" if path and kept else "were played"
        say(f"twentyone simulate: {in_options(halted)}; {rounds:,} rounds {said}")
        result, status = halted.result, INTERRUPTED if halted.interrupted else FOUND_WRONG
    finally:
        engine.close()
    ramp = read_ramp(options.ramp)
    body = body_of(compiled, result, exact, options.antithetic, control, options.rounds_per_hour or PER_HOUR, ramp)
    body |= {"played_by": played_by}
    if (wrong := found_wrong(body)) is not None:
        say(f"twentyone simulate: {wrong}")
        status = status or FOUND_WRONG
    try:
        if options.json:
            print_json(body)
        elif body["rounds"]:
            print_result(body)
    finally:  # the reader of a pipe may have closed it
        drawn = _plot(options.plot, body, result) if options.plot and result.path else DONE
    if options.parquet and not status:
        status = write_parts(options, compiled, result)
    return status or drawn


def _exact(setup: Setup) -> float | None:
    """The exact value of the strategy, for one box from fresh shoes without side wagers."""
    from twentyone.cli.progress import progress
    from twentyone.odds.edges import edge_of

    if not exact_is_known(setup):
        return None
    with progress("the exact value") as share:
        return -edge_of(setup.rules, setup.boxes[0].strategy, share)  # type: ignore[arg-type]


def _bankroll(options: argparse.Namespace, setup: Setup, played_by: str) -> int:
    from twentyone.cli.progress import progress
    from twentyone.cli.simulate_show import print_trips, trips_body
    from twentyone.sim.bankroll import TripsHalted, play_bankroll
    from twentyone.sim.cache import compiled_once

    compiled: Compiled = compiled_once(setup)
    status, begun = DONE, time.perf_counter()
    try:
        with progress("trips") as share:
            trips = play_bankroll(
                compiled, bankroll=_amount("--bankroll", options.bankroll), rounds=options.trip_rounds,
                trips=options.trips, seed=options.seed, threads=options.threads, progress=share,
            )  # fmt: skip
    except TripsHalted as halted:
        trips, status = halted.trips, INTERRUPTED
        say(f"twentyone simulate: interrupted; {len(trips.ends):,} of {options.trips:,} trips are kept")
    body = trips_body(compiled, trips, options.seed, time.perf_counter() - begun) | {"played_by": played_by}
    try:
        print_json(body) if options.json else print_trips(body)
    finally:
        drawn = _plot(options.plot, body) if options.plot else DONE
    return status or drawn


def _plot(name: str, body: dict[str, Any], result: Result | None = None) -> int:
    """Draw the plot after the figures are printed: if it fails, they stand."""
    from twentyone.cli.simulate_plot import NotDrawn, plot_rounds, plot_trips

    try:
        plot_trips(name, body) if result is None else plot_rounds(name, body, result.path)
    except NotDrawn as wrong:
        say(f"twentyone simulate: {wrong}")
        return FOUND_WRONG
    return DONE
