"""Indices: from which count on another decision is better, by the exact analysis of the cards to be expected then.

The game is analysed before the deal at a row of counts; the count that decides is the one with the hand and the up
card seen. Between two counts of the row a difference of values is taken as straight.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from math import ceil, floor
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from twentyone.odds.compositions import keys_of
from twentyone.odds.core import Core
from twentyone.odds.counted_shoe import CountedShoe
from twentyone.odds.insurance import chance_of, gains, offered
from twentyone.odds.model import Condition, FloatArray, Spots
from twentyone.odds.settlement_mass import SettlementMass
from twentyone.odds.spots import spots_of
from twentyone.odds.tables import Tables
from twentyone.rulebook import Rules

__all__ = ["CountScale", "Index", "IndexCell", "departures", "find_indices"]

MOST_CARDS = 6
"""Cards of the hands that are looked at: every shoe of the row can give them, longer ones are too rare to matter."""
MOST = 1_000
"""Beyond every count."""
STEP = 0.25
"""Between the counts at which values are compared."""


class CountScale(NamedTuple):
    """How a running count is read with so many cards left."""

    deck: int
    """Cards of a deck; 0: the running count counts."""
    scale: int
    """Points of the tags for one of the count."""
    lowest: int
    """The lowest count of the row ..."""
    highest: int
    """... and the highest."""

    def told(self, running: FloatArray, left: FloatArray | int) -> FloatArray:
        """The count."""
        return running * self.deck / (left * self.scale) if self.deck else running / self.scale


class IndexCell(NamedTuple):
    """Hands that a player takes for one."""

    total: int
    """The total."""
    soft: bool
    """Whether an ace counts high."""
    pair: str
    """The class of a pair that may be split, else ``."""
    up: str
    """The class of the up card."""
    hole: str = ""
    """What is known of the hole card."""
    phase: str = "first"
    """`first`, or `insurance`, for which the hand does not matter."""

    def where(self, named: Mapping[str, object]) -> dict[str, object]:
        """The fields of a situation; `named`: further ones of every hand."""
        if self.phase == "insurance":
            return {"phase": self.phase, "up": self.up}
        told: dict[str, object] = {"total": self.total, "soft": self.soft, "pair": self.pair or None, "up": self.up}
        return {**told, **({"hole": self.hole} if self.hole else {}), **named}


@dataclass(frozen=True)
class Index:
    """Where one decision gives way to another as the count rises."""

    cell: IndexCell
    """The hands."""
    below: str
    """What is best below it ..."""
    above: str
    """... and above."""
    at: float
    """The count at which both are worth the same."""
    slope: float
    """What the second gains on the first by a point of the count there, in wagers."""


class _Row(NamedTuple):
    """One analysis."""

    running: int
    """The running count before the deal."""
    spots: Spots
    """The first hands."""
    insurance: dict[int, tuple[FloatArray, FloatArray, FloatArray]]
    """Up card to [hands]: the tags of hand and up card, how often, and what insurance gains."""


def find_indices(
    rules: Rules, shoe: CountedShoe, scale: CountScale, tell: Callable[[float], None] = lambda _: None
) -> list[Index]:
    """Every index between the lowest and the highest count."""
    running, rows = _running(shoe, scale), []
    for number, each in enumerate(running):
        rows.append(_analysed(rules, shoe, each))
        tell((number + 1) / len(running))
    return list(_Search(rules, shoe, scale, rows).found())


def _running(shoe: CountedShoe, scale: CountScale) -> range:
    """The running counts of the row: about a point of the count apart, and beyond both ends by the tags of a hand."""
    point = Fraction(shoe.left * scale.scale, scale.deck) if scale.deck else Fraction(scale.scale)
    step, hand = max(int(point), 1), int(4 * np.abs(shoe.class_tags).max())
    return range(floor(scale.lowest * point) - hand, ceil(scale.highest * point) + hand + step, step)


def _analysed(rules: Rules, shoe: CountedShoe, running: int) -> _Row:
    core = Core(Tables(rules, shoe=shoe.at(running)))
    core.split_all()
    spots = spots_of(core, SettlementMass(core))["first"]
    plain = np.array([not bonus for bonus in spots.bonus]) & (spots.cards <= MOST_CARDS)
    return _Row(running, _only(spots, plain), _insurance(core, shoe))


def _only(spots: Spots, kept: NDArray[np.bool_]) -> Spots:
    """Some rows, in the order of their hands."""
    at = np.flatnonzero(kept)
    at = at[np.argsort(keys_of(spots.counts[at]), kind="stable")]
    parts: dict[str, Any] = {
        name: getattr(spots, name)[at] for name in ("counts", "total", "soft", "cards", "reach", "best")
    }
    parts |= {name: tuple(getattr(spots, name)[row] for row in at) for name in ("pair", "start", "bonus")}
    return replace(spots, values={name: each[at] for name, each in spots.values.items()}, **parts)


def _insurance(core: Core, shoe: CountedShoe) -> dict[int, tuple[FloatArray, FloatArray, FloatArray]]:
    if "insure" not in core.tables.rules.decisions:
        return {}
    found: dict[int, tuple[FloatArray, FloatArray, FloatArray]] = {}
    phase, dealt = core.first[()], core.dealt(())
    states = phase.group.states
    tags = phase.group.hands.counts[[state.hand for state in states]] @ shoe.class_tags
    for up in offered(core):
        chance = np.array([chance_of(core, phase, s, up) for s in range(len(states))])
        gain = np.array([gains(core, phase, s, up)["insure"] for s in range(len(states))])
        found[up] = tags + shoe.class_tags[up], dealt * chance, gain / chance
    return found


class _Search:
    """Looks for the counts at which values cross."""

    def __init__(self, rules: Rules, shoe: CountedShoe, scale: CountScale, rows: list[_Row]) -> None:
        self.rules, self.shoe, self.scale, self.rows = rules, shoe, scale, rows
        self.counts = np.arange(scale.lowest, scale.highest + 1, STEP)
        self.running = np.array([row.running for row in rows], dtype=float)
        self.middle = rows[int(np.abs(self.running).argmin())]
        tables = Tables(rules)
        self.conditions = [c for c, idle in zip(tables.conditions, tables.idle, strict=True) if not idle]
        self.names = tables.classes.names

    def found(self) -> Iterator[Index]:
        """Insurance, then every cell."""
        for up in self.middle.insurance:
            yield from self._crossings(self._insured(up), IndexCell(0, False, "", self.names[up], "", "insurance"))
        for cell, (at, condition) in self._cells().items():
            yield from self._crossings(self._values(at, condition), cell, self._values(at, condition, every=True))

    def _cells(self) -> dict[IndexCell, tuple[list[int], int]]:
        """Every cell with its rows and its column."""
        spots, cells = self.middle.spots, dict[IndexCell, tuple[list[int], int]]()
        for number, condition in enumerate(self.conditions):
            for row in range(len(spots.total)):
                cells.setdefault(_cell(spots, row, condition), ([], number))[0].append(row)
        return {cell: held for cell, held in cells.items() if any(spots.cards[row] == 2 for row in held[0])}

    def _at_counts(self, tags: float, cards: int, values: FloatArray) -> FloatArray:
        """Values by running count before the deal as values by the count with so many cards seen more."""
        told = self.scale.told(self.running + tags, self.shoe.left - cards)
        found: FloatArray = np.interp(self.counts, told, values)
        return found

    def _values(self, at: list[int], condition: int, every: bool = False) -> dict[str, FloatArray]:
        """Decision to its value by count: of two cards, or (`every`) of standing and hitting with any cards."""
        spots = self.middle.spots
        rows = [row for row in at if every or spots.cards[row] == 2]
        weights = np.array([max(float(spots.reach[row, condition]), 1e-12) for row in rows])
        values = {}
        for name in ("stand", "hit") if every else spots.values:
            if np.isnan(spots.values[name][rows, condition]).any():
                continue
            parts = [
                self._at_counts(*self._seen(row, condition), self._row_values(name, row, condition)) for row in rows
            ]
            values[name] = np.average(np.array(parts), axis=0, weights=weights)
        return values

    def _row_values(self, name: str, row: int, condition: int) -> FloatArray:
        return np.array([each.spots.values[name][row, condition] for each in self.rows])

    def _seen(self, row: int, condition: int) -> tuple[float, int]:
        """The tags and the number of the cards of a hand and the up card."""
        spots, tags = self.middle.spots, self.shoe.class_tags
        up = self.names.index(self.conditions[condition].up)
        return float(spots.counts[row] @ tags + tags[up]), int(spots.cards[row]) + 1

    def _insured(self, up: int) -> dict[str, FloatArray]:
        tags, weights, _ = self.middle.insurance[up]
        worth = np.array([row.insurance[up][2] for row in self.rows])
        parts = [self._at_counts(float(tag), 3, worth[:, hand]) for hand, tag in enumerate(tags)]
        gain = np.average(np.array(parts), axis=0, weights=weights)
        return {"decline": gain * 0, "insure": gain}

    def _crossings(
        self, values: Mapping[str, FloatArray], cell: IndexCell, every: Mapping[str, FloatArray] | None = None
    ) -> Iterator[Index]:
        """Where the best decision changes; between standing and hitting all hands of the cell count."""
        names = list(values)
        best = np.array([values[name] for name in names]).argmax(axis=0)
        for index in np.flatnonzero(best[1:] != best[:-1]):
            below, above = names[best[index]], names[best[index + 1]]
            used = every if every and {below, above} <= set(every) else values
            gain = used[above] - used[below]
            crossed = np.flatnonzero((gain[1:] >= 0) & (gain[:-1] < 0))
            if len(crossed):
                near = int(crossed[np.abs(crossed - index).argmin()])
                slope = float(gain[near + 1] - gain[near]) / STEP
                yield Index(cell, below, above, float(self.counts[near] - gain[near] / slope), slope)


def _cell(spots: Spots, row: int, condition: Condition) -> IndexCell:
    pair = spots.pair[row] if spots.cards[row] == 2 else ""
    return IndexCell(int(spots.total[row]), bool(spots.soft[row]), pair, condition.up, condition.hole)


# -- departures


def departures(rules: Rules, indices: list[Index]) -> list[dict[str, Any]]:
    """What a player decides by the count rounded down, below, between and above the indices of every cell.

    A whole count stands for all up to the next: its half decides on which side of an index it is.
    """
    tables = Tables(rules)
    sizes = [size for pattern, _ in tables.patterns() for size in (pattern.cards, pattern.cards_over) if size]
    named: dict[str, object] = {"cards": 2} if max(sizes, default=2) > 2 else {}
    named |= {"bonus": ""} if tables.special else {}
    rows = []
    for cell in dict.fromkeys(index.cell for index in indices):
        mine = sorted((index for index in indices if index.cell == cell), key=lambda index: index.at)
        bounds = [-MOST, *(ceil(index.at - 0.5) for index in mine), MOST + 1]
        decisions = [mine[0].below, *(index.above for index in mine)]
        for decision, least, after in zip(decisions, bounds, bounds[1:], strict=False):
            if least < after:
                rows.append({"where": cell.where(named), "decision": decision, "least": least, "most": after - 1})
    return rows
