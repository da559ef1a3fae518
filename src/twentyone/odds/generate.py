"""The chart of a game with its worth; and, run as a module, the default charts of rulebooks.

`python -m twentyone.odds.generate RULEBOOK ...` writes `strategies/<rulebook>.json`, or `chart.json` in the folder of a
rulebook that lies outside the package; without a name it makes the charts of all rulebooks.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from twentyone.errors import TwentyoneError
from twentyone.odds.cache import kept, key_of
from twentyone.odds.prices import play_of
from twentyone.rulebook import Rulebook, Rules, rulebook_ids
from twentyone.strategy import Strategy, chart_file, default_strategy, from_json, to_json

__all__ = ["Worth", "best_chart_for", "chart_of", "generate"]

Progress = Callable[[float], None]

REFUSED = 2
"""The exit status of a chart that is refused."""


class Worth(NamedTuple):
    """A chart and what it is worth."""

    strategy: Strategy
    """The chart."""
    house_edge: float
    """House edge of the game played by it."""
    cost: float
    """House edge above the optimum's."""
    departures: tuple[Mapping[str, Any], ...] = ()
    """The hands on which the optimum departs from it, the dearest first (fields of `Departure`)."""


def chart_of(rules: Rules, progress: Progress | None = None) -> Worth:
    """The best chart for some rules: the rulebook's own where it fits, else found now; kept on disk."""
    own = _own_chart(rules)
    body, _ = kept(key_of(rules, "chart", own), lambda: _chart(rules, own, progress))
    return Worth(from_json(body["strategy"]), body["house_edge"], body["cost"], tuple(body["departures"]))


def best_chart_for(rules: Rules, progress: Progress | None = None) -> Strategy:
    """The best chart for some rules, without its worth: the rulebook's own where it fits, at once."""
    own = _own_chart(rules)
    return from_json(own).check(rules) if own else chart_of(rules, progress).strategy


def _own_chart(rules: Rules) -> str:
    """The rulebook's own chart as JSON, where it is one for games played like this; else empty."""
    return to_json(default_strategy(rules)) if play_of(rules) == play_of(rules.rulebook.under()) else ""


def _chart(rules: Rules, own_chart: str, progress: Progress | None) -> dict[str, Any]:
    from twentyone.odds.analysis import analyse
    from twentyone.odds.charts import best_chart
    from twentyone.odds.exceptions import departures

    if own_chart:
        own = from_json(own_chart).check(rules)
        tell = progress or (lambda _: None)
        optimum = analyse(rules, progress=lambda share: tell(share / 2))
        chart = analyse(rules, strategy=own, progress=lambda share: tell((1 + share) / 2))
    else:
        best = best_chart(rules, progress=progress)
        own, optimum, chart = best.strategy, best.optimum, best.chart
    edge = float(chart.figures.house_edge)
    return {
        "strategy": to_json(own),
        "house_edge": edge,
        "cost": edge - float(optimum.figures.house_edge),
        "departures": [row._asdict() for row in departures(optimum, own, chart)[:MOST]],
    }


MOST = 30
"""How many departures are kept: those that gain most."""


def generate(name: str) -> float:
    """Write the default chart of a rulebook; returns what it costs against the optimum."""
    from twentyone.odds.charts import best_chart

    rules = Rulebook.load(name).under()
    best = best_chart(rules)
    chart_file(name).write_text(to_json(best.strategy.check(rules)), encoding="utf-8")
    return best.cost


def main(names: list[str]) -> int:
    """Write the default charts of these rulebooks, or of all; a chart that cannot be made keeps no other from it."""
    status = 0
    for name in names or rulebook_ids():
        try:
            cost = generate(name)
            sys.stderr.write(f"{name}: costs {cost * 100:.5f} % against the optimum; written: {chart_file(name)}\n")
        except (TwentyoneError, OSError) as refused:
            sys.stderr.write(f"{name}: {refused}\n")
            status = REFUSED
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
