"""The pictures of `twentyone simulate`: the running mean and the exact line, the histogram, the fan of bankrolls."""

from __future__ import annotations

from io import BytesIO
from math import isfinite
from pathlib import Path
from typing import Any

from twentyone.cli import UsageError
from twentyone.cli.writing import write_file
from twentyone.errors import TwentyoneError

__all__ = ["NotDrawn", "plot_rounds", "plot_trips"]

FEW = 40
"""Up to this many points are marked, each with its error bar; more become a line with a band."""
BELOW = {"loc": "upper center", "bbox_to_anchor": (0.5, -0.13), "ncols": 2, "frameon": False}
"""A legend below the plot, where it covers nothing."""


class NotDrawn(TwentyoneError):
    """A plot that could not be drawn or written."""


def _figure(columns: int, width: float = 13) -> Any:
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    return pyplot.subplots(1, columns, figsize=(width, 5), layout="constrained")


def _write(figure: Any, name: str) -> None:
    """Draw into memory, then write: a failure leaves no partial file."""
    from matplotlib import pyplot

    drawn = BytesIO()
    try:
        figure.savefig(drawn, format=Path(name).suffix[1:])
        write_file(name, drawn.getvalue())
    except UsageError as wrong:
        raise NotDrawn(f"the plot cannot be written ({wrong})") from None
    except (ArithmeticError, LookupError, RuntimeError, TypeError, ValueError) as wrong:
        raise NotDrawn(f"the plot {name} cannot be drawn ({wrong})") from None
    finally:
        pyplot.close(figure)


def plot_rounds(name: str, body: dict[str, Any], path: list[tuple[int, float, float]]) -> None:
    """Running mean with its band, and the histogram of a round's result."""
    figure, (left, right) = _figure(2)
    _draw_mean(left, body, path)
    results = [float(result) for result in body["histogram"]]
    right.bar(results, [count / body["rounds"] for count in body["histogram"].values()], width=0.4)
    right.set(yscale="log", xlabel="initial wagers won or lost in a round", ylabel="share of rounds")
    right.set_title(f"{body['rounds']:,} rounds")
    _write(figure, name)


def _draw_mean(axes: Any, body: dict[str, Any], path: list[tuple[int, float, float]]) -> None:
    rounds = [point[0] for point in path]
    mean = [100 * point[1] for point in path]
    band = [200 * point[2] if isfinite(point[2]) else 0.0 for point in path]
    low = [m - b for m, b in zip(mean, band, strict=True)]
    high = [m + b for m, b in zip(mean, band, strict=True)]
    axes.fill_between(rounds, low, high, alpha=0.25)
    if len(path) <= FEW:
        axes.errorbar(rounds, mean, yerr=band, fmt="o-", markersize=4, capsize=3, label="mean, two standard errors")
    else:
        axes.plot(rounds, mean, label="mean, band of two standard errors")
    if "exact" in body:
        axes.axhline(100 * body["exact"], color="black", linewidth=0.8, label=f"exact {100 * body['exact']:+.4f} %")
    axes.set(xscale="log", xlabel="rounds", ylabel="gain per initial wager, %", title=body["rulebook"])
    if len(path) == 1:
        axes.set_xlim(rounds[0] / 10, rounds[0] * 10)
    axes.legend(**BELOW)


def plot_trips(name: str, body: dict[str, Any]) -> None:
    """The fan of bankrolls, from the initial bankroll."""
    figure, axes = _figure(1, 9)
    begun, rounds = float(body["bankroll"]), body["trip_rounds"]
    for share, line in reversed(body["fan"].items()):
        steps = [-(-index * rounds // len(line)) for index in range(len(line) + 1)]
        middle = share == "0.5"
        axes.plot(steps, [begun, *line], linewidth=2 if middle else 1, label=_quantile(share))
    axes.axhline(0, color="black", linewidth=0.8)
    shown = f"{body['fan_trips']:,} of " if body["fan_trips"] < body["trips"] else ""
    axes.set(xlabel="rounds", ylabel="bankroll, $", xlim=(0, rounds))
    axes.set_title(f"{body['rulebook']}: {shown}{body['trips']:,} trips with ${body['bankroll']}")
    axes.legend(loc="upper left", bbox_to_anchor=(1.01, 1), frameon=False, title="trips at or below")
    _write(figure, name)


def _quantile(share: str) -> str:
    percent = f"{100 * float(share):.0f} %"
    return f"{percent} (median)" if share == "0.5" else percent
