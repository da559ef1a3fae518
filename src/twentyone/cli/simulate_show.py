"""What `twentyone simulate` shows: progress, figures, JSON."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from twentyone.cli.simulate_reduce import away, error_words, finite, print_reduced, reduced_body
from twentyone.cli.simulate_winnings import print_winnings, ruin_by_formula, winnings_body
from twentyone.rulebook.wheels import KEY, assumed_wheels
from twentyone.sim import stats
from twentyone.sim.bankroll import Trips
from twentyone.sim.compile import Compiled
from twentyone.sim.control import Control
from twentyone.sim.run import Result
from twentyone.sim.setup import Setup
from twentyone.sim.winnings import PER_HOUR

__all__ = ["assumptions", "body_of", "print_result", "print_trips", "trips_body", "watched"]


@contextmanager
def watched(rounds: int) -> Iterator[Callable[[Result], None] | None]:
    """A progress bar with rate, time left and the mean so far; nothing if standard error is not a terminal."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeElapsedColumn

    shown = (TaskProgressColumn(), TimeElapsedColumn(), TextColumn("{task.fields[rate]}"))
    columns = (TextColumn("{task.description}"), BarColumn(), *shown)
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("simulate", total=None, rate="the code is made ready")

        def show(result: Result) -> None:
            totals = result.totals
            rate = f"{result.rate / 1e6:,.1f} M/s, {result.time_left:,.0f} s left, {_mean(totals.mean)} "
            bar.update(task, total=rounds, completed=totals.rounds, rate=f"{rate}± {100 * totals.standard_error:.4f}")

        yield show


def _mean(mean: float) -> str:
    return f"{100 * mean:+.4f} %"


def _rate(rate: float) -> str:
    return f"{rate / 1e6:,.1f} million" if rate >= 1e5 else f"{rate:,.0f}"


def body_of(
    compiled: Compiled,
    result: Result,
    exact: float | None = None,
    antithetic: bool = False,
    control: Control | None = None,
    per_hour: int = PER_HOUR,
    ramp: tuple[int, int] | None = None,
) -> dict[str, Any]:
    """The result as JSON."""
    totals, setup = result.totals, compiled.setup
    body: dict[str, Any] = {
        "rulebook": setup.rules.rulebook.id,
        "mode": setup.mode,
        "boxes": len(setup.boxes),
        "rounds": totals.rounds,
        "mean": totals.mean,
        "standard_error": finite(totals.standard_error),
        "variance": totals.variance,
        "mean_without_prizes": totals.mean_without_prizes,
        "average_wager": totals[stats.WAGERED] / totals[stats.INITIAL] if totals[stats.INITIAL] else 0.0,
        "rounds_per_second": result.rate,
        "seconds": result.seconds,
        "seed": result.seed,
        "engine": result.engine,
        "grain": str(compiled.grain),
        "totals": totals.named(),
        "outcomes": totals.tallies(compiled.tallies),
        "histogram": totals.histogram(),
    }
    if any(box.sides for box in setup.boxes):
        sides = {kind: str(amount) for box in setup.boxes for kind, amount in box.sides.items()}
        body |= {"side_wagers": sides, "side_mean": totals.side_mean, "side_correlation": totals.side_correlation}
    if assumed := assumptions(setup):
        body["assumed"] = assumed
    run_out = setup.rules.irregularities.get("insufficient_cards")
    if totals[stats.RELOADS] and run_out is not None:
        body["rack_shuffled"] = {"rounds": totals[stats.RELOADS], "cite": str(run_out.cite)}
    if setup.count is not None:
        body["by_true_count"] = totals.by_count(setup.count.lowest)
        body["winnings"] = winnings_body(compiled, totals, per_hour, ramp)
    body |= reduced_body(totals, antithetic, control, exact)
    if exact is not None:
        error = totals.part_error if antithetic else totals.standard_error
        body |= {"exact": exact, "standard_errors_from_exact": away(totals.mean_without_prizes, exact, error)}
    return body


def assumptions(setup: Setup) -> list[str]:
    """What the submission leaves open and the figures assume, in words."""
    from twentyone.round.wagers import key_cite

    laid = {kind for box in setup.boxes for kind in box.sides}
    wheels = [wheel for wheel in assumed_wheels(setup.rules) if wheel in laid and not setup.weights]
    why = f"each symbol once, because the submission has no {KEY} for it"
    return [f"wheel of {wheel}: {why} ({key_cite(setup.rules, KEY)})" for wheel in wheels]


def print_result(body: dict[str, Any]) -> None:
    """The figures for a person."""
    boxes = f"{body['boxes']} box{'es' if body['boxes'] > 1 else ''}"
    shoe = "real shoes" if body["mode"] == "shoe" else "fresh shoes"
    print(f"{body['rounds']:,} rounds, {boxes}, {shoe}, ", end="")
    print(f"engine {body['engine']}, seed {body['seed']}: {_rate(body['rounds_per_second'])} per second")
    print(f"played by {body['played_by']}")
    print()
    print(f"  gain per initial wager     {_mean(body['mean'])}   {error_words(body['standard_error'])}")
    if body["totals"]["prizes"]:
        print(f"  without super bonus        {_mean(body['mean_without_prizes'])}")
    print(f"  standard deviation         {body['variance'] ** 0.5:.4f} initial wagers per round")
    print(f"  average wager              {body['average_wager']:.4f} initial wagers")
    if "exact" in body:
        far = body["standard_errors_from_exact"]
        said = "" if far is None else f"   {far:+.2f} standard errors away"
        print(f"  exact                      {_mean(body['exact'])}{said}")
    print_reduced(body)
    if "side_mean" in body:
        kinds = ", ".join(body["side_wagers"])
        print(f"  side wagers                {_mean(body['side_mean'])} of the initial (main) wager: {kinds}", end="")
        print(f"   correlation {body['side_correlation']:+.4f}")
    for assumed in body.get("assumed", ()):
        print(f"  assumed                    {assumed}")
    if "rack_shuffled" in body:
        rounds, cite = body["rack_shuffled"]["rounds"], body["rack_shuffled"]["cite"]
        words = f"in {rounds:,} round{'s' if rounds != 1 else ''}, finished from the discard rack ({cite})"
        print(f"  the shoe ran out           {words}")
    _print_counts(body)
    print()
    hands = sum(body["outcomes"].values())
    for name, count in sorted(body["outcomes"].items(), key=lambda pair: -pair[1]):
        print(f"  {100 * count / hands:9.4f} %  {name}")


def _print_counts(body: dict[str, Any]) -> None:
    print_winnings(body)
    for row in body.get("by_true_count", ()):
        share = 100 * row["rounds"] / body["rounds"]
        mean = "no wager" if row["mean"] is None else f"{_mean(row['mean'])} ± {100 * row['standard_error']:.3f}"
        print(f"  true count {row['true_count']:+3d}   {share:6.2f} %   {mean}")


def trips_body(compiled: Compiled, trips: Trips, seed: int, seconds: float) -> dict[str, Any]:
    """The trips as JSON: their results, then the figures of all their rounds."""
    setup, totals = compiled.setup, trips.totals
    head = {"rulebook": setup.rules.rulebook.id, "mode": setup.mode, "boxes": len(setup.boxes), "seed": seed}
    body = {
        **head,
        **trips.told(),
        "rounds": totals.rounds,
        "mean": totals.mean,
        "standard_error": finite(totals.standard_error),
        "variance": totals.variance,
        "rounds_per_second": totals.rounds / seconds,
        "seconds": seconds,
        "engine": "cpu",
        "grain": str(compiled.grain),
        "totals": totals.named(),
        **ruin_by_formula(compiled, trips),
    }
    if assumed := assumptions(setup):
        body["assumed"] = assumed
    return body


def print_trips(body: dict[str, Any]) -> None:
    """The trips for a person."""
    print(f"{body['trips']:,} trips of {body['trip_rounds']:,} rounds with ${body['bankroll']}")
    print(f"played by {body['played_by']}")
    print()
    risk, error = 100 * body["risk_of_ruin"], 100 * body["risk_of_ruin_standard_error"]
    print(f"  risk of ruin      {risk:.3f} %   standard error {error:.3f} %")
    if body["risk_of_ruin_by_formula"] is not None:
        ever = f"if played for ever {100 * body['lifetime_risk_of_ruin']:.3f} %"
        print(f"  by formula        {100 * body['risk_of_ruin_by_formula']:.3f} %   {ever}")
    print(f"  mean result       {body['mean_result']:+,.2f} dollars")
    for share, amount in body["results"].items():
        streak = body["longest_losing_streak"][share]
        print(
            f"  {100 * float(share):5.0f} % end at or below {amount:12,.2f}; longest losing streak {streak} or shorter"
        )
