"""Where the optimum departs from a chart: the very hands on which the cards themselves decide otherwise."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from twentyone.strategy import CellKey, Situation, Strategy

if TYPE_CHECKING:
    from twentyone.odds.analysis import Analysis
    from twentyone.odds.model import Condition, Spots

__all__ = ["Departure", "departures", "lost_by_cell"]

Floats = NDArray[np.float64]

LEAST = 1e-10
"""A gain below this, in wagers per round, is rounding."""


class Departure(NamedTuple):
    """A hand on which the optimum does something else than the chart."""

    phase: str
    """Where the player is asked."""
    hand: str
    """Its cards by value, as in `3 3 10`."""
    bonus: str
    """The special hand it can still become, if any."""
    up: str
    """The up card's value class."""
    hole: str
    """What is known of the hole card."""
    chart: str
    """What the chart says."""
    best: str
    """What is best."""
    gain: float
    """What the departure gains, in wagers per round."""


def departures(
    optimum: Analysis, chart: Strategy, played: Analysis | None = None, least: float = LEAST
) -> tuple[Departure, ...]:
    """The departures that gain at least so much, the dearest first.

    A hand counts as often as the optimum meets it, or as the game `played` by the chart does: then the gains together
    are what the chart costs.
    """
    rows = (row for _, row in _lost(optimum, chart, played, least))
    return tuple(sorted(rows, key=lambda row: -row.gain))


def lost_by_cell(optimum: Analysis, chart: Strategy, played: Analysis) -> dict[CellKey, float]:
    """What each cell of the chart loses against the optimum, in wagers per round, the dearest first."""
    lost: dict[CellKey, float] = {}
    for key, row in _lost(optimum, chart, played, LEAST):
        lost[key] = lost.get(key, 0.0) + row.gain
    return dict(sorted(lost.items(), key=lambda pair: -pair[1]))


def _lost(
    optimum: Analysis, chart: Strategy, played: Analysis | None, least: float
) -> Iterator[tuple[CellKey, Departure]]:
    met = played.spots if played is not None else {}
    for phase, spots in optimum.spots.items():
        yield from _of_phase(optimum, spots, chart, _reach(spots, met.get(phase)), least)


def _reach(spots: Spots, met: Spots | None) -> Floats:
    """How often each hand is met: by the other game where it lists the same hands, else by the optimum."""
    same = met is not None and np.array_equal(met.counts, spots.counts) and met.start == spots.start
    return (met if met is not None and same and met.bonus == spots.bonus else spots).reach.astype(float)


def _of_phase(
    optimum: Analysis, spots: Spots, chart: Strategy, reach: Floats, least: float
) -> Iterator[tuple[CellKey, Departure]]:
    names = list(spots.values)
    values = np.stack([spots.values[name].astype(float) for name in names], axis=2)
    best = np.nanmax(np.where(np.isnan(values), -np.inf, values), axis=2)
    worst = np.nanmin(np.where(np.isnan(values), np.inf, values), axis=2)
    apart = np.where(np.isfinite(best), best - worst, 0.0)
    for row, column in np.argwhere(reach * apart > least):
        may = frozenset(name for number, name in enumerate(names) if not np.isnan(values[row, column, number]))
        asked = _situation(spots, row, optimum.conditions[column], may)
        decision = chart.decide(asked)
        number = int(np.nanargmax(values[row, column]))
        lost = float(reach[row, column] * (best[row, column] - values[row, column, names.index(decision)]))
        if lost > least:
            condition = optimum.conditions[column]
            hand = _hand(optimum.classes, spots.counts[row])
            known = (spots.bonus[row], condition.up, condition.hole)
            yield CellKey.of(asked), Departure(spots.phase, hand, *known, decision, names[number], lost)


def _situation(spots: Spots, row: int, condition: Condition, may: frozenset[str]) -> Situation:
    pair = spots.pair[row] if "split" in may else None
    total, soft, cards = int(spots.total[row]), bool(spots.soft[row]), int(spots.cards[row])
    return Situation(spots.phase, total, soft, pair, cards, condition.up, condition.hole, spots.bonus[row], may)


def _hand(classes: tuple[str, ...], counts: NDArray[np.int64]) -> str:
    return " ".join(name for name, count in zip(classes, counts, strict=True) for _ in range(count))
