"""The analysis of a game: what it is worth and how it is best played, from its rules alone."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from time import perf_counter
from typing import Any, NamedTuple

from twentyone.cards import Card
from twentyone.errors import Refused
from twentyone.extras import Tabular
from twentyone.money import Amount
from twentyone.odds.choosers import Best, FixedStrategy
from twentyone.odds.core import Core
from twentyone.odds.figures import SuperBonusFigures, figures_of, super_bonus_of
from twentyone.odds.hand_table import hand_columns
from twentyone.odds.model import Condition, Figures, Spots
from twentyone.odds.results import Distribution
from twentyone.odds.settlement_mass import SettlementMass
from twentyone.odds.side_wagers import SideWagerPrice, side_wagers
from twentyone.odds.spots import spots_of
from twentyone.odds.tables import Tables
from twentyone.odds.written_hands import Written, WrittenHand, chosen_by, values_of
from twentyone.rulebook import Rulebook, Rules, rules_of
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


class Worked(NamedTuple):
    """What an analysis was worked out from; it stays behind when the analysis travels, and is made again."""

    core: Core
    """The values of all hands."""
    settled: SettlementMass
    """How rounds are settled."""
    bonus: SuperBonusFigures
    """The super bonus."""


@dataclass(frozen=True, eq=False, repr=False)
class Analysis(Tabular):
    """A game analysed under one strategy: the optimum, or the one that was given.

    >>> game = analyse("classic-blackjack", decks=6)
    >>> game
    <Analysis classic-blackjack {'decks': 6}: house edge 0.4029 %, best play>
    >>> game.best("T 6", up="T"), round(game.value("T 6", up="T"), 6)
    ('hit', -0.534676)
    """

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
    strategy: Strategy | None = None
    """The strategy; none: the best decision on every hand."""
    worked: Worked | None = None
    """What it was worked out from, where that is at hand."""

    def __repr__(self) -> str:
        by = "best play" if self.strategy is None else self.strategy.title or "a chart without title"
        return f"<Analysis {self.rules.brief}: house edge {100 * self.edge:.4f} %, {by}>"

    def __eq__(self, other: object) -> bool:
        """Whether the same game was analysed under the same strategy, with the same figures."""
        return isinstance(other, Analysis) and self._said == other._said

    def __hash__(self) -> int:
        return hash((self.rules, self.figures.house_edge))

    @property
    def _said(self) -> tuple[object, ...]:
        return self.rules, self.strategy, self.figures, self.classes, self.conditions, self.method

    def __reduce__(self) -> tuple[Any, ...]:
        kept = self.rules, self.classes, self.conditions, self.figures, self.method, self.seconds, self.strategy
        return Analysis, kept

    def __deepcopy__(self, _: object = None) -> Analysis:
        return self

    __copy__ = __deepcopy__

    # -- the game

    @property
    def edge(self) -> float:
        """The house edge: the expected loss in original wagers, super bonus left out."""
        return self.figures.house_edge

    @property
    def deviation(self) -> float:
        """The standard deviation of the net result of a round, in original wagers; worked out when first asked for."""
        return self.figures.standard_deviation

    @property
    def distribution(self) -> Distribution:
        """Every net result of a round and its probability; worked out when first asked for."""
        return self.figures.results.distribution

    def house_edge_at(self, wager: Amount | str | int, others: int = 0) -> float:
        """The house edge with the super bonus at this wager, and the envy bonus of this many others who play alike."""
        return float(self.figures.house_edge - self._bonus.worth(Amount(wager), others))

    @cached_property
    def side_wagers(self) -> Mapping[str, SideWagerPrice]:
        """The wagers beside the main one, by kind, each with its edge as a fraction."""
        return side_wagers(self.rules)

    @cached_property
    def chart(self) -> Strategy:
        """The strategy that was given, or else the best chart that a person can hold (made once and kept on disk)."""
        from twentyone.odds.generate import best_chart_for

        return self.strategy if self.strategy is not None else best_chart_for(self.rules)

    # -- its hands

    def decisions(
        self, cards: Written, up: str | Card, hole: str = "", split: bool = False, doubled: bool = False
    ) -> dict[str, float]:
        """The expected net result of each decision that the law allows on these very cards, in original wagers.

        Suits may be left out where they make no difference. Cards of a split hand begin with the card that was split.
        An impossible hand is `Refused` with its paragraph.
        """
        return values_of(self._core, WrittenHand(cards, up, hole, split, doubled))

    def best(self, cards: Written, up: str | Card, hole: str = "", split: bool = False, doubled: bool = False) -> str:
        """The decision that is taken: the best one, or that of the strategy given."""
        hand = WrittenHand(cards, up, hole, split, doubled)
        return chosen_by(self.strategy, self.rules, hand, values_of(self._core, hand))

    def value(
        self,
        cards: Written,
        up: str | Card,
        hole: str = "",
        split: bool = False,
        doubled: bool = False,
        decision: str = "",
    ) -> float:
        """The expected net result of a hand in original wagers: of the decision that is taken, or of a named one."""
        hand = WrittenHand(cards, up, hole, split, doubled)
        values = values_of(self._core, hand)
        taken = decision or chosen_by(self.strategy, self.rules, hand, values)
        if taken not in values:
            why = f"{taken!r} is not allowed on this hand: {', '.join(values)}"
            raise Refused(why, self.rules.rulebook.options_cite, "decision")
        return values[taken]

    @cached_property
    def spots(self) -> Mapping[str, Spots]:
        """Phase to the situations in it."""
        return spots_of(self._core, self._settled)

    def columns(self) -> dict[str, list[Any]]:
        """Every hand against every up card: what it is, how often it is met, what each decision is worth."""
        return hand_columns(self.spots, self.classes, self.conditions)

    # -- what it was worked out from

    @cached_property
    def _worked(self) -> Worked:
        return self.worked if self.worked is not None else _work_out(self.rules, self.strategy, lambda _: None)

    @property
    def _core(self) -> Core:
        return self._worked.core

    @property
    def _settled(self) -> SettlementMass:
        return self._worked.settled

    @property
    def _bonus(self) -> SuperBonusFigures:
        return self._worked.bonus


def analyse(
    game: str | Rulebook | Rules,
    *,
    strategy: Strategy | None = None,
    progress: Callable[[float], None] | None = None,
    **submission: Any,
) -> Analysis:
    """Analyse a game: its optimum, or the exact value of a given strategy.

    `game` is a rulebook's id, a `Rulebook` or `Rules`; the keys of its submission are further arguments.
    """
    began = perf_counter()
    rules, tell = rules_of(game, submission), progress or (lambda _: None)
    worked = _work_out(rules, strategy, lambda done: tell(0.8 * done))
    figures = figures_of(*worked)
    tell(1.0)
    tables = worked.core.tables
    asked = tuple(condition for condition, idle in zip(tables.conditions, tables.idle, strict=True) if not idle)
    spent = perf_counter() - began
    return Analysis(rules, tables.classes.names, asked, figures, METHOD, spent, strategy, worked)


def _work_out(rules: Rules, strategy: Strategy | None, tell: Callable[[float], None]) -> Worked:
    core = Core(Tables(rules), Best() if strategy is None else FixedStrategy(strategy))
    core.split_all(tell)
    return Worked(core, SettlementMass(core), super_bonus_of(core, strategy is not None))
