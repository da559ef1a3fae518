"""Strategies: what a player decides in every situation that the law puts before him, as data.

A `Strategy` is a set of charts (hard, soft, pairs by up card; by what is known of the hole card; apart for hands out
of a split, after a double, over the limit) and an insurance rule. `odds` makes and values them, `sim` plays them.
"""

from twentyone.strategy.best import best_chart
from twentyone.strategy.cells import DECISIONS, LETTERS, MARKS, Cell, legend
from twentyone.strategy.chart_cells import CellKey, chart_cells
from twentyone.strategy.files import charts_of, from_csv, from_json, read_strategy, strategy_hash, to_csv, to_json
from twentyone.strategy.situation import (
    UPS,
    Situation,
    hole_conditions,
    hole_told,
    situation,
    special_hand,
    special_names,
    special_suit,
    value_class,
)
from twentyone.strategy.strategy import ChartRefused, NoChart, Strategy, chart_file, default_strategy

__all__ = [
    "DECISIONS",
    "LETTERS",
    "MARKS",
    "UPS",
    "Cell",
    "CellKey",
    "ChartRefused",
    "NoChart",
    "Situation",
    "Strategy",
    "best_chart",
    "chart_cells",
    "chart_file",
    "charts_of",
    "default_strategy",
    "from_csv",
    "from_json",
    "hole_conditions",
    "hole_told",
    "legend",
    "read_strategy",
    "situation",
    "special_hand",
    "special_names",
    "special_suit",
    "strategy_hash",
    "to_csv",
    "to_json",
    "value_class",
]
