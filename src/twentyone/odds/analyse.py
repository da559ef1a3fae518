"""The analysis of a game: what it is worth and how it is best played, from its rules alone."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from twentyone.cards import Card
from twentyone.odds.model import Condition, Figures, Spots
from twentyone.rulebook import Rules

if TYPE_CHECKING:
    from twentyone.strategy import Strategy

__all__ = ["Analysis", "analyse"]


@dataclass(frozen=True)
class Analysis:
    """A game analysed under one strategy: the optimum, or the one that was given."""

    rules: Rules
    """What was analysed."""
    classes: tuple[str, ...]
    """The value classes, in the order of the columns of `Spots.counts`."""
    conditions: tuple[Condition, ...]
    """What a player can know of the dealer's hand, in the order of the columns of `Spots.values`."""
    spots: Mapping[str, Spots]
    """Phase to the situations in it."""
    figures: Figures
    """The figures."""
    method: str
    """How they were found and how exact they are, in a few sentences."""
    seconds: float
    """How long it took."""

    def decisions(
        self, cards: tuple[Card, ...], up: Card, hole: str = "", split: bool = False, doubled: bool = False
    ) -> dict[str, float]:
        """The expected net result of each decision that the law allows on these very cards, in original wagers.

        An impossible hand is `Refused` with the paragraph that says how many cards there are.
        """
        raise NotImplementedError


def analyse(
    rules: Rules,
    *,
    strategy: Strategy | None = None,
    progress: Callable[[float], None] | None = None,
) -> Analysis:
    """Analyse a game: its optimum, or the exact value of a given strategy."""
    raise NotImplementedError
