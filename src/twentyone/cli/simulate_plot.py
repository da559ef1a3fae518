"""The pictures of `twentyone simulate`: the mean closing on the exact line, the histogram, the fan of bankrolls."""

from __future__ import annotations

from typing import Any

__all__ = ["plot_rounds", "plot_trips"]


def _figure(columns: int) -> Any:
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    return pyplot.subplots(1, columns, figsize=(6 * columns, 4.5), layout="constrained")


def plot_rounds(name: str, body: dict[str, Any], path: list[tuple[int, float, float]]) -> None:
    """Running mean with its band, and the histogram of a round's result."""
    figure, (left, right) = _figure(2)
    rounds = [point[0] for point in path]
    mean = [100 * point[1] for point in path]
    band = [200 * point[2] for point in path]
    left.fill_between(rounds, [m - b for m, b in zip(mean, band, strict=True)],
                      [m + b for m, b in zip(mean, band, strict=True)], alpha=0.25)  # fmt: skip
    left.plot(rounds, mean, label="mean, band of two standard errors")
    if "exact" in body:
        left.axhline(100 * body["exact"], color="black", linewidth=0.8, label="exact")
    left.set(xscale="log", xlabel="rounds", ylabel="gain per initial wager, %", title=body["rulebook"])
    left.legend()
    places = [float(place) for place in body["histogram"]]
    right.bar(places, [count / body["rounds"] for count in body["histogram"].values()], width=0.4)
    right.set(yscale="log", xlabel="initial wagers won or lost in a round", ylabel="share of rounds")
    figure.savefig(name)


def plot_trips(name: str, body: dict[str, Any]) -> None:
    """The fan of bankrolls."""
    figure, axes = _figure(1)
    for share, line in body["fan"].items():
        steps = [(place + 1) * body["trip_rounds"] / len(line) for place in range(len(line))]
        axes.plot(steps, line, label=f"{100 * float(share):.0f} %")
    axes.set(xlabel="rounds", ylabel="bankroll, $", title=f"{body['rulebook']}: {body['trips']:,} trips")
    axes.legend()
    figure.savefig(name)
