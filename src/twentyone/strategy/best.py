"""The best chart for a game. What makes it stands a layer higher: here is where it is found, on demand."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

from twentyone.extras import needed
from twentyone.rulebook import Rulebook, Rules, rules_of
from twentyone.strategy.strategy import Strategy

__all__ = ["best_chart"]

Progress = Callable[[float], None]

MAKER = "twentyone.odds.generate:best_chart_for"
"""Who makes charts, as an entry point names it: module and function. Nothing here imports it, so strategies are read,
checked and played without NumPy, and `odds` stays above."""


class ChartMaker(Protocol):
    """Makes the best chart for some rules."""

    def __call__(self, rules: Rules, progress: Progress | None = None) -> Strategy:
        """The chart."""


def best_chart(game: str | Rulebook | Rules, *, progress: Progress | None = None, **submission: Any) -> Strategy:
    """The best chart that a person can hold, found by optimisation on the exact values and kept on disk.

    `game` is a rulebook's id, a `Rulebook` or `Rules`; the keys of its submission are further arguments.

    >>> best_chart("pa-spanish-21")
    <Strategy pa-spanish-21: best chart for Spanish 21, 950 cells>
    """
    module, _, name = MAKER.partition(":")
    make: ChartMaker = getattr(needed(module, "a chart of its own", "twentyone[odds]"), name)
    return make(rules_of(game, submission), progress)
