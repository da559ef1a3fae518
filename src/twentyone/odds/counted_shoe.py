"""The cards to be expected in a shoe at a count: exact, for every set of cards is as likely as any other."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import comb
from typing import NamedTuple

import numpy as np

from twentyone.cards import SUITS, Card
from twentyone.odds.classes import Classes
from twentyone.odds.model import FloatArray

__all__ = ["CountedShoe", "expected_cards"]


class Group(NamedTuple):
    """Cards of a full shoe that count alike."""

    tag: int
    """What each adds to the count when it is seen."""
    cards: int
    """How many there are."""


def expected_cards(groups: Sequence[Group], left: int) -> Callable[[int], list[float]]:
    """How many cards of each group to expect among those left, by the sum of the tags of the cards left.

    A group holds a card of its own in so many sets as the others and its other cards make up the rest.
    """
    all_sets = _sets(groups, left)
    without = []
    for number, group in enumerate(groups):
        rest = [each._replace(cards=each.cards - (index == number)) for index, each in enumerate(groups)]
        without.append((group, _sets(rest, left - 1)))

    def expected(total: int) -> list[float]:
        whole = _at(all_sets, total)
        if not whole:
            raise ValueError(f"no {left} cards of this shoe add up to {total}")
        return [group.cards * _at(sets, total - group.tag) / whole for group, sets in without]

    return expected


class _Sets(NamedTuple):
    """How many sets of so many cards there are, by the sum of their tags."""

    least: int
    """The lowest sum."""
    ways: FloatArray
    """[sums]: sets, up to a factor."""


def _at(sets: _Sets, total: int) -> float:
    index = total - sets.least
    return float(sets.ways[index]) if 0 <= index < len(sets.ways) else 0.0


def _sets(groups: Sequence[Group], size: int) -> _Sets:
    low = sum(min(group.tag, 0) * min(group.cards, size) for group in groups)
    high = sum(max(group.tag, 0) * min(group.cards, size) for group in groups)
    ways = np.zeros((size + 1, high - low + 1))
    ways[0, -low] = 1.0
    for tag, cards in groups:
        following = np.zeros_like(ways)
        for held in range(min(cards, size) + 1):
            moved = np.roll(ways[: size + 1 - held], held * tag, axis=1)
            following[held:] += moved * float(comb(cards, held))
        ways = following
    return _Sets(low, ways[size])


@dataclass(frozen=True)
class CountedShoe:
    """A shoe of which some cards are left, and a count of those that are gone."""

    classes: Classes
    """The value classes of the game."""
    tag: Callable[[Card], int]
    """What a card adds to the count when it is seen."""
    left: int
    """Cards left."""
    start: int
    """The running count of a new shoe."""

    @cached_property
    def _cards(self) -> list[tuple[int, int]]:
        """Class and tag of every card of a deck."""
        ranks = enumerate(self.classes.ranks)
        return [(number, self.tag(Card(rank + suit))) for number, held in ranks for rank in held for suit in SUITS]

    @cached_property
    def groups(self) -> tuple[Group, ...]:
        """The cards by tag."""
        tags = sorted({tag for _, tag in self._cards})
        decks = self.classes.decks
        return tuple(Group(tag, decks * sum(other == tag for _, other in self._cards)) for tag in tags)

    @cached_property
    def class_tags(self) -> FloatArray:
        """[classes]: what a card of each class adds on average."""
        kinds = range(len(self.classes.names))
        tags = [[tag for number, tag in self._cards if number == kind] for kind in kinds]
        return np.array([sum(each) / len(each) for each in tags])

    @cached_property
    def _expected(self) -> Callable[[int], list[float]]:
        return expected_cards(self.groups, self.left)

    def at(self, running: int) -> FloatArray:
        """[classes]: the cards to be expected in the shoe at a running count."""
        whole = sum(group.tag * group.cards for group in self.groups)
        held = self._expected(whole - (running - self.start))
        shares = {group.tag: number / group.cards for group, number in zip(self.groups, held, strict=True)}
        shoe = np.zeros(len(self.classes.names))
        for number, tag in self._cards:
            shoe[number] += shares[tag] * self.classes.decks
        return shoe
