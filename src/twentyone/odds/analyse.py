"""The analysis of a game: what it is worth and how it is best played, from its rules alone."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from time import perf_counter

from twentyone.cards import Card
from twentyone.money import Amount
from twentyone.odds.choosers import Best, FixedStrategy
from twentyone.odds.core import Core
from twentyone.odds.figures import SuperBonusFigures, figures_of, super_bonus_of
from twentyone.odds.lookup import decisions_on
from twentyone.odds.model import Condition, Figures, Spots
from twentyone.odds.results import Distribution
from twentyone.odds.settlement_mass import SettlementMass
from twentyone.odds.spots import spots_of
from twentyone.odds.tables import Tables
from twentyone.rulebook import Rules
from twentyone.strategy import Strategy

__all__ = ["METHOD", "Analysis", "analyse"]

METHOD = (
    "Exact for the finite shoe, by composition: the dealer's final hand from every set of cards left by multisets, "
    "the player's decisions from the largest hands down, values joint with what is known of the hole card. Suits are "
    "carried where a special hand is still possible. Hands out of a split are played by their own cards; the split's "
    "value is exact for such play, the other hands' pair cards out of the shoe; pairs are split again always or never. "
    "In the distribution of results and its standard deviation, every two hands of a split are followed together,"
    " three and more by every two of them; where they have too many sets of cards, as independent given the dealer's"
    " hand."
)
"""How figures are computed."""


@dataclass(frozen=True)
class Analysis:
    """A game analysed under one strategy: the optimum, or the one that was given."""

    rules: Rules
    """What was analysed."""
    classes: tuple[str, ...]
    """The value classes, in the order of the columns of `Spots.counts`."""
    conditions: tuple[Condition, ...]
    """What a player can know of the dealer's hand, in the order of the columns of `Spots.values`."""
    figures: Figures
    """The figures."""
    method: str
    """How they were computed and how exact they are, in a few sentences."""
    seconds: float
    """How long it took."""
    _core: Core = field(repr=False)
    _settled: SettlementMass = field(repr=False)
    _bonus: SuperBonusFigures = field(repr=False)

    @cached_property
    def spots(self) -> Mapping[str, Spots]:
        """Phase to the situations in it."""
        return spots_of(self._core, self._settled)

    @property
    def distribution(self) -> Distribution:
        """Every net result of a round and its probability; worked out when it is first asked for."""
        return self.figures.results.distribution

    def house_edge_at(self, wager: Amount, others: int = 0) -> float:
        """The house edge with the super bonus at this wager, and the envy bonus of this many others who play alike."""
        return float(self.figures.house_edge - self._bonus.worth(wager, others))

    def decisions(
        self, cards: tuple[Card, ...], up: Card, hole: str = "", split: bool = False, doubled: bool = False
    ) -> dict[str, float]:
        """The expected net result of each decision that the law allows on these very cards, in original wagers.

        Cards of a split hand begin with the card that was split. An impossible hand is `Refused` with its paragraph.
        """
        return decisions_on(self._core, cards, up, hole, split, doubled)


def analyse(
    rules: Rules,
    *,
    strategy: Strategy | None = None,
    progress: Callable[[float], None] | None = None,
) -> Analysis:
    """Analyse a game: its optimum, or the exact value of a given strategy."""
    began = perf_counter()
    tell = progress or (lambda _: None)
    tables = Tables(rules)
    core = Core(tables, Best() if strategy is None else FixedStrategy(strategy))
    core.split_all(lambda done: tell(0.8 * done))
    settled = SettlementMass(core)
    bonus = super_bonus_of(core, strategy is not None)
    figures = figures_of(core, settled, bonus)
    tell(1.0)
    asked = tuple(condition for condition, idle in zip(tables.conditions, tables.idle, strict=True) if not idle)
    return Analysis(rules, tables.classes.names, asked, figures, METHOD, perf_counter() - began, core, settled, bonus)
