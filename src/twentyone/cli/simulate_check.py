"""Which options of `twentyone simulate` go together: none that was given is ignored."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from twentyone.errors import Refused

if TYPE_CHECKING:
    from twentyone.sim.setup import Setup

__all__ = ["check_options", "exact_is_known", "refuse_exact"]

DEFAULTS: dict[str, Any] = {"rounds": 100_000_000, "engine": "cpu", "trip_rounds": 1000, "trips": 10_000}
"""Defaults; the parser leaves these options unset, so that given values can be distinguished from them."""
TRIPS_ONLY = ("trip_rounds", "trips")
"""Options that apply to trips only."""
TEXTS = ("penetration", "spread", "checkpoint", "plot", "parquet", "bankroll", "scheduler")
"""Options that need a value."""
ROUNDS_ONLY = ("until_stderr", "checkpoint", "scheduler", "exact", "plain", "antithetic", "control_variate")
"""Options that do not apply to trips."""


def check_options(options: argparse.Namespace) -> None:
    """Refuse options that would have no effect, then fill in the defaults."""
    for name in TEXTS:
        if getattr(options, name) == "":
            raise Refused(f"{_written(name)} is empty: give a value or leave it out")
    _check_repeated("--side", options.side)
    _check_repeated("--meter", options.meter)
    _check_trips(options)
    if options.penetration is not None and options.mode != "shoe":
        raise Refused("a fresh shoe each round has no cover card: add --mode shoe", step="--penetration")
    if options.scheduler is not None and options.engine != "dask":
        raise Refused("only workers of a cluster have a scheduler: add --engine dask", step="--scheduler")
    for name, value in DEFAULTS.items():
        if getattr(options, name) is None and (
            name not in TRIPS_ONLY if options.bankroll is None else name != "rounds"
        ):
            setattr(options, name, value)


def _check_trips(options: argparse.Namespace) -> None:
    if options.bankroll is None:
        given = _given(options, TRIPS_ONLY[::-1])
        if given:
            raise Refused(f"trips are played with a bankroll: add --bankroll or leave out {given}", step="--bankroll")
        return
    engine = [] if options.engine in (None, "cpu") else [f"--engine {options.engine}"]
    given = _listed([*engine, *_given_names(options, ROUNDS_ONLY)])
    if given:
        why = f"trips are played by all cores, round by round: leave out {given}"
        raise Refused(why, step="--bankroll")
    if options.rounds is not None:
        _share_out(options)


def _share_out(options: argparse.Namespace) -> None:
    """The number of trips from the number of rounds."""
    if options.trips is not None:
        raise Refused("--rounds and --trips both set the number of trips: leave out one", step="--rounds")
    options.trip_rounds = options.trip_rounds or min(DEFAULTS["trip_rounds"], options.rounds)
    options.trips = max(1, options.rounds // options.trip_rounds)
    options.rounds = None


def _check_repeated(option: str, texts: list[str]) -> None:
    kinds = [text.partition("=")[0] for text in texts]
    for kind in kinds:
        if kinds.count(kind) > 1:
            raise Refused(f"{kind} is named {kinds.count(kind)} times: which amount applies?", step=option)


def _given(options: argparse.Namespace, names: tuple[str, ...]) -> str:
    return _listed(_given_names(options, names))


def _given_names(options: argparse.Namespace, names: tuple[str, ...]) -> list[str]:
    return [_written(name) for name in names if getattr(options, name) not in (None, False)]


def _listed(names: list[str]) -> str:
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


def _written(name: str) -> str:
    return "--" + name.replace("_", "-")


def exact_is_known(setup: Setup) -> bool:
    """Whether the exact odds describe what is simulated: one box from fresh shoes, by a strategy without errors."""
    from twentyone.strategy import Strategy

    one = setup.mode == "fresh" and len(setup.boxes) == 1 and not setup.error_rate
    return one and isinstance(setup.boxes[0].strategy, Strategy)


def refuse_exact(setup: Setup) -> None:
    """Refuse to compare where no exact value is known."""
    if not exact_is_known(setup):
        why = (
            "an exact value is known only for one box from fresh shoes and a strategy without errors: leave out --exact"
        )
        raise Refused(why, step="--exact")
