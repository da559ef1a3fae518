"""A strategy: charts and an insurance rule, looked up."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from twentyone.errors import Refused, TwentyoneError
from twentyone.extras import Tabular
from twentyone.rulebook import Rules
from twentyone.rulebook.folders import own_folder_of
from twentyone.strategy.cells import DECISIONS, OFFERS, Cell
from twentyone.strategy.chart_cells import CellKey, chart_cells, refusal_in_cell
from twentyone.strategy.situation import UPS, Situation

__all__ = ["FOLDER", "ChartRefused", "NoChart", "Strategy", "chart_file", "default_strategy"]

FOLDER = Path(__file__).parent.parent / "strategies"
"""The generated charts of the package, one file per rulebook."""
OWN_CHART = "chart.json"
"""The chart in the folder of a rulebook that lies outside the package."""

OFFERED = ("doubled", "busted", "early")
"""Phases in which an offer is answered, not a turn taken."""


class ChartRefused(Refused):
    """A chart that is none for these rules: a cell is missing, or decides what the text does not allow there."""


class NoChart(TwentyoneError):
    """A rulebook whose own chart has not been made."""

    def __init__(self, name: str) -> None:
        super().__init__(f"{name} has no chart yet: `python -m twentyone.odds.generate {name}` makes it")


@dataclass(frozen=True, eq=True, repr=False)
class Strategy(Tabular):
    """What a player decides, as data.

    >>> from twentyone.rulebook import Rulebook
    >>> rules = Rulebook.load("classic-blackjack").under()
    >>> ask = Situation("first", 16, False, None, 2, "6", may=frozenset({"hit", "stand"}))
    >>> default_strategy(rules).decide(ask)
    'stand'
    """

    rulebook: str
    """The rulebook it is for."""
    cells: Mapping[CellKey, Cell] = field(repr=False)
    """The charts, cell by cell."""
    insurance: Mapping[str, bool] = field(default_factory=dict)
    """`insure` and `even_money`: whether they are taken; what is not named is not."""
    title: str = ""
    """What it is, for a person."""
    made: str = ""
    """Where it comes from."""
    submission: Mapping[str, Any] = field(default_factory=dict)
    """The choices of the operator it was made for."""

    def __repr__(self) -> str:
        return f"<Strategy {self.rulebook}: {self.title or 'without title'}, {len(self.cells)} cells>"

    def columns(self) -> dict[str, list[str]]:
        """The charts row by row: phase, hole, hand, row, then a cell for each up card."""
        from twentyone.strategy.files import charts_of

        lines = [(*chart, row, *cells) for chart, rows in charts_of(self).items() for row, cells in rows.items()]
        return {
            name: list(values) for name, *values in zip(("phase", "hole", "hand", "row", *UPS), *lines, strict=True)
        }

    def __hash__(self) -> int:
        return hash((self.rulebook, self.title, frozenset(self.cells.items()), frozenset(self.insurance.items())))

    def decide(self, asked: Situation) -> str:
        """The decision in a situation, always one that is allowed; an offer that no chart knows of is declined."""
        if asked.phase == "insurance":
            return self._insure(asked)
        cell = self.cell(CellKey.of(asked))
        if cell is None and asked.phase in OFFERED:
            return "decline"
        if cell is None:
            raise Refused(f"the strategy {self.title!r} has no cell for {CellKey.of(asked)}")
        if asked.phase in OFFERED:
            wanted = OFFERS.get(cell.letter[0], ("decline",))
        elif cell.hits_instead(asked.cards, asked.bonus):
            wanted = DECISIONS["H"]
        else:
            wanted = DECISIONS[cell.letter]
        return next(decision for decision in (*wanted, "stand", "decline") if decision in asked.may)

    def _insure(self, asked: Situation) -> str:
        for decision in ("even_money", "insure"):
            if decision in asked.may and self.insurance.get(decision, False):
                return decision
        return "decline"

    def cell(self, key: CellKey) -> Cell | None:
        """The cell under this key.

        A chart without this hole condition is read as the one for nothing known, a chart for surrender before the
        reader that is not there as the first chart, and a total with nothing left to gain stands.
        """
        cell = self.cells.get(key) or self.cells.get(key._replace(hole=""))
        if cell is None and key.phase == "early":
            cell = self.cell(key._replace(phase="first"))
        if cell is None and key.hand != "pairs" and key.phase in ("first", "split"):
            cell = Cell("S") if int(key.row) >= self.highest else None
        return cell

    @cached_property
    def highest(self) -> int:
        """The total above every hard row of the charts: nothing is left to gain there."""
        return 1 + max((int(key.row) for key in self.cells if key[::2][:2] == ("first", "hard")), default=0)

    def with_cell(self, key: CellKey, cell: Cell) -> Strategy:
        """The same strategy with one cell changed."""
        return replace(self, cells={**self.cells, key: cell})

    def check(self, rules: Rules) -> Strategy:
        """This strategy, if it is one for these rules: no cell missing, none illegal."""
        if self.rulebook != rules.rulebook.id:
            why = f"the strategy is for {self.rulebook}, not for {rules.rulebook.id}"
            raise Refused(why, rules.rulebook.decide_cite, "rulebook")
        wanted = chart_cells(rules)
        for key in self.cells:
            if key not in wanted:
                raise ChartRefused("no hand of this game is ever asked there", rules.rulebook.decide_cite, str(key))
        for key, may in wanted.items():
            self._check_cell(rules, key, may)
        return self

    def _check_cell(self, rules: Rules, key: CellKey, may: frozenset[str]) -> None:
        cell = self.cell(key)
        if cell is None:
            cite = rules.rulebook.decide_cite
            raise ChartRefused(f"the cell is missing; one of {', '.join(sorted(may))} belongs there", cite, str(key))
        name = _refused(key, cell, may)
        if name:
            refusal = refusal_in_cell(rules, key, name)
            why = f"{cell}: the hand may not {name.replace('_', ' ')}: {refusal.why}"
            raise ChartRefused(why, refusal.cite, str(key))
        wrong = _wrong(key, cell)
        if wrong:
            raise ChartRefused(f"{cell}: {wrong}", rules.rulebook.options_cite, str(key))


def _refused(key: CellKey, cell: Cell, may: frozenset[str]) -> str | None:
    """The decision of a cell that the law does not allow there."""
    meanings = OFFERS if key.phase in OFFERED else DECISIONS
    wanted = meanings.get(cell.letter, ())
    first = wanted[:2] if wanted[:2] == ("rescue", "surrender") else wanted[:1]
    if wanted and not may & set(first):
        return wanted[0] if key.phase != "early" else first[-1]
    return "hit" if (cell.number or cell.mark) and "hit" not in may else None


def _wrong(key: CellKey, cell: Cell) -> str | None:
    """What else is wrong with a cell."""
    if cell.letter not in (OFFERS if key.phase in OFFERED else DECISIONS):
        return f"the letter has no meaning in a chart for the phase {key.phase!r}"
    if cell.number is not None and (cell.number < 3 or key.hand == "pairs"):
        return f"{cell.number} cards or more is no exception: the hand has two"
    return None


def default_strategy(rules: Rules) -> Strategy:
    """The rulebook's own chart: generated by `odds` for the default submission."""
    from twentyone.strategy.files import from_json

    try:
        return from_json(chart_file(rules.rulebook.id).read_text(encoding="utf-8", errors="replace"))
    except FileNotFoundError:
        raise NoChart(rules.rulebook.id) from None


def chart_file(name: str) -> Path:
    """Where a rulebook's own chart lies: in the package, or in the book's folder where that lies elsewhere."""
    own = own_folder_of(name)
    return FOLDER / f"{name}.json" if own is None else own / OWN_CHART
