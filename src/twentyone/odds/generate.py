"""The chart of a game with its worth; and, run as a module, the default charts of all rulebooks.

`python -m twentyone.odds.generate [RULEBOOK ...]` writes `strategies/<rulebook>.json`.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from twentyone.odds.cache import kept, key_of
from twentyone.odds.prices import play_of
from twentyone.rulebook import Rulebook, Rules, rulebook_ids
from twentyone.strategy import Strategy, default_strategy, from_json, to_json
from twentyone.strategy.strategy import FOLDER

__all__ = ["Worth", "chart_of", "generate"]

Progress = Callable[[float], None]


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
    body, _ = kept(key_of(rules, "chart"), lambda: _chart(rules, progress))
    return Worth(from_json(body["strategy"]), body["house_edge"], body["cost"], tuple(body["departures"]))


def _chart(rules: Rules, progress: Progress | None) -> dict[str, Any]:
    from twentyone.odds.analyse import analyse
    from twentyone.odds.charts import best_chart
    from twentyone.odds.exceptions import departures

    if play_of(rules) == play_of(rules.rulebook.under()):
        own = default_strategy(rules)
        optimum, chart = analyse(rules), analyse(rules, strategy=own)
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
    """Write the default chart of a rulebook; answers what it costs against the optimum."""
    from twentyone.odds.charts import best_chart

    rules = Rulebook.load(name).under()
    best = best_chart(rules)
    (FOLDER / f"{name}.json").write_text(to_json(best.strategy.check(rules)), encoding="utf-8")
    return best.cost


def main(names: list[str]) -> None:
    """Write the default charts of these rulebooks, or of all."""
    for name in names or rulebook_ids():
        cost = generate(name)
        sys.stderr.write(f"{name}: costs {cost * 100:.5f} % against the optimum\n")


if __name__ == "__main__":
    main(sys.argv[1:])
