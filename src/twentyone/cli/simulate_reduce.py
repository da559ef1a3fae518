"""Variance reduction of `twentyone simulate`: the control variate from the odds, and how the gain is reported."""

from __future__ import annotations

from math import isfinite
from typing import TYPE_CHECKING, Any

from twentyone.sim import stats
from twentyone.sim.control import COEFFICIENT, Adjusted, Control
from twentyone.sim.stats import Totals

if TYPE_CHECKING:
    from twentyone.sim.compile import Compiled

__all__ = ["CONTROL", "away", "control_of", "error_words", "finite", "found_wrong", "print_reduced", "reduced_body"]

CONTROL = (
    "the exact value of the first deal (two cards and the up card) of every box, by the same strategy in a full shoe"
)
"""Description of the control."""
MOST = 6.0
"""A control further from its exact mean than this many standard errors is not chance."""


def control_of(compiled: Compiled) -> Control:
    """The control variate of a game, from the exact odds of its players' strategies."""
    import numpy as np

    from twentyone.cli.progress import progress
    from twentyone.odds.deals import deals_of

    rules, tables = compiled.setup.rules, []
    with progress("the exact value of every first deal") as share:
        for box in compiled.setup.boxes:
            body = deals_of(rules, box.strategy, share)  # type: ignore[arg-type]
            counts = body["counts"]
            table = np.zeros((max(counts) + 1,) * 3)
            table[np.ix_(counts, counts, counts)] = body["values"]
            tables.append(table)
    return Control.of(compiled, tables)


def reduced_body(totals: Totals, antithetic: bool, control: Control | None, exact: float | None) -> dict[str, Any]:
    """The results of variance reduction, as JSON."""
    plain, body = totals.standard_error, {}
    if antithetic:
        error = totals.part_error
        pairs = totals[stats.PARTS]
        body["antithetic"] = {"pairs": pairs, "standard_error": finite(error), "factor": _factor(plain, error)}
    if control is not None:
        body["control_variate"] = _adjusted(Adjusted(totals, control), plain, exact)
    return body


def _adjusted(adjusted: Adjusted, plain: float, exact: float | None) -> dict[str, Any]:
    error, totals = adjusted.standard_error, adjusted.totals
    prizes = totals.mean - totals.mean_without_prizes
    body = {
        "control": CONTROL,
        "coefficient": COEFFICIENT,
        "control_mean": adjusted.control_mean,
        "control_exact_mean": adjusted.exact_mean,
        "control_standard_errors_from_exact": adjusted.control_away,
        "mean": adjusted.mean,
        "mean_without_prizes": adjusted.mean - prizes,
        "standard_error": finite(error),
        "factor": _factor(plain, error),
    }
    if exact is not None:
        body["standard_errors_from_exact"] = away(adjusted.mean - prizes, exact, error)
    return body


def finite(number: float) -> float | None:
    """A number that JSON can represent, else none: the standard error of a single round is not finite."""
    return number if isfinite(number) else None


def away(mean: float, exact: float, error: float) -> float | None:
    """The distance of a mean from the exact value, in standard errors."""
    return (mean - exact) / error if 0 < error < float("inf") else None


def error_words(error: float | None) -> str:
    """A standard error for a person."""
    return "standard error unknown" if error is None else f"standard error {100 * error:.4f} %"


def _factor(plain: float, error: float) -> float | None:
    """The factor by which the variance was divided: that many times the rounds would have the same effect."""
    return (plain / error) ** 2 if 0 < error < float("inf") else None


def found_wrong(body: dict[str, Any]) -> str | None:
    """What is wrong with a control that is too far from its exact mean."""
    row = body.get("control_variate")
    if row is None or abs(row["control_standard_errors_from_exact"]) <= MOST:
        return None
    away = row["control_standard_errors_from_exact"]
    return f"the control is {away:+.1f} standard errors from its exact mean: simulator and odds deal different games"


def print_reduced(body: dict[str, Any]) -> None:
    """The same for a person."""
    if "antithetic" in body:
        row = body["antithetic"]
        print(f"  antithetic pairs           {row['pairs']:,}   {_gained(row)}")
    if "control_variate" in body:
        row = body["control_variate"]
        print(f"  with control variate       {100 * row['mean']:+.4f} %   {_gained(row)}")
        away = row["control_standard_errors_from_exact"]
        print(f"    the control              {100 * row['control_mean']:+.4f} %   ", end="")
        print(f"exactly {100 * row['control_exact_mean']:+.4f} %, {away:+.2f} standard errors away; ", end="")
        print(f"coefficient {row['coefficient']}")


def _gained(row: dict[str, Any]) -> str:
    error = error_words(row["standard_error"])
    if row["factor"] is None:
        return error
    said = "a gain" if row["factor"] >= 1 else "a loss"
    return f"{error}, variance divided by {row['factor']:.3f} ({said})"
