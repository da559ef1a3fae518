"""What an analysis answers with: conditions, spots and figures, each field with its definition."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from statistics import NormalDist
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from twentyone.odds.results import Results

__all__ = ["NINE_IN_TEN", "Condition", "Figures", "FloatArray", "IntArray", "Spots"]

FloatArray = NDArray[Any]
"""Floats, or objects of `Fraction` where a small shoe is worked exactly."""
IntArray = NDArray[np.int64]
"""Whole numbers."""
NINE_IN_TEN = NormalDist().inv_cdf(0.95)
"""Deviations to either side within which a normal result lies nine times in ten."""


class Condition(NamedTuple):
    """What a player knows of the dealer's hand when he decides."""

    up: str
    """The value class of the up card: `A`, `2` .. `10`."""
    hole: str = ""
    """`` nothing; the announced range (`small`); or `=7`, the class of an exposed hole card."""


@dataclass(frozen=True)
class Spots:
    """Every situation of one phase in which a player decides: one row per hand, one column per `Condition`."""

    phase: str
    """`first`, `split`, `doubled` or `busted` (as `strategy.Situation.phase`)."""
    counts: IntArray
    """[rows, classes]: how many cards of each value class the hand holds."""
    total: IntArray
    """[rows]: its total point count."""
    soft: NDArray[np.bool_]
    """[rows]: whether an ace counts high in it."""
    cards: IntArray
    """[rows]: how many cards it has."""
    pair: tuple[str, ...]
    """The class of its pair where its two cards may be split by the text's rule, else ``."""
    start: tuple[str, ...]
    """Phase `split`: the class of the pair it came from; else ``."""
    bonus: tuple[str, ...]
    """The special hand it can still become: `` none, `any`, `suited`, or a suit's name."""
    values: Mapping[str, FloatArray]
    """Decision to [rows, conditions]: its expected net result in original wagers, given the situation; nan: illegal."""
    reach: FloatArray
    """[rows, conditions]: how often in a round it is reached by the strategy analysed."""
    best: NDArray[np.str_]
    """[rows, conditions]: the decision taken."""


@dataclass(frozen=True)
class Figures:
    """The figures of a game under one strategy. All per round that starts with a full shoe and one box in play."""

    house_edge: float
    """The expected loss in original wagers, super bonus and envy bonus left out."""
    house_edge_with_super_bonus: float
    """The same with the super bonus, for a wager of `super_bonus_wager` and no other player."""
    average_wager: float
    """Original, split, double and second chance wagers together, in original wagers; insurance left out."""
    element_of_risk: float
    """House edge divided by the average wager."""
    super_bonus_probability: float
    """How often a round earns the super bonus, played for it."""
    super_bonus_wager: str
    """The wager in dollars for which the super bonus is counted in."""
    outcomes: Mapping[str, float] = field(default_factory=dict)
    """Result of a hand (win, push, lose, blackjack, surrender, rescue ...) to how many such hands a round has."""
    bonuses: Mapping[str, float] = field(default_factory=dict)
    """Paragraph of a pay row that pays more than even money to how often per round it is paid."""
    bonus_shares: Mapping[str, float] = field(default_factory=dict)
    """The same rows to what they pay above even money, in original wagers per round."""
    decisions: Mapping[str, float] = field(default_factory=dict)
    """Decision to how often per round it is taken."""
    dealer: Mapping[str, float] = field(default_factory=dict)
    """The dealer's final hand (`blackjack`, `17` ..) to its probability from a full shoe, were it always played out."""
    dealer_by_up: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    """Up card to the same, given that card: a Blackjack that a reader would find counted in."""
    results: Results = field(repr=False, compare=False, kw_only=True)
    """What the distribution of a round's result is worked out from, when it is asked for."""

    @property
    def standard_deviation(self) -> float:
        """Of the net result in original wagers (super bonus left out); worked out when it is first asked for."""
        return self.results.distribution.standard_deviation

    @property
    def return_to_player(self) -> float:
        """What comes back of the original wager on average, as a share of it."""
        return 1 - self.house_edge

    @property
    def volatility_index(self) -> float:
        """Over n rounds the average net result lies within this, divided by the root of n, nine times in ten."""
        return NINE_IN_TEN * self.standard_deviation
