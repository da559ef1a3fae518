"""Hands that are played for the same: first hands, or hands out of the split of one pair."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from twentyone.odds.compositions import Compositions
from twentyone.odds.model import IntArray
from twentyone.odds.payoffs import Kind
from twentyone.odds.states import HandState
from twentyone.odds.tables import Pays, Tables

__all__ = ["HandGroup"]


@dataclass(frozen=True)
class HandGroup:
    """The hands of a phase, by themselves: their indices are not those in `Tables.hands`."""

    kind: Kind
    """What lies on them."""
    start: int | None
    """The class of the pair they came from; none: they were not split."""
    hands: Compositions
    """The hands, of two cards and more."""
    may: IntArray
    """[hands]: what each may do, as bits."""
    pays: Pays
    """Which rows settle them."""
    states: tuple[HandState, ...]
    """The hands of two cards, told apart by suit where it matters."""
    two: IntArray
    """[states]: the hand of each."""
    pairs: NDArray[np.bool_]
    """[states]: whether its two cards are of one class."""

    @classmethod
    def of(
        cls,
        tables: Tables,
        kind: Kind,
        pays: Pays,
        states: tuple[HandState, ...],
        start: int | None,
        like: HandGroup | None = None,
    ) -> HandGroup:
        """The hands that began with a class, or all; `like`: a group of the same hands."""
        hands = tables.hands
        own = np.ones(len(hands), dtype=np.bool_) if start is None else hands.counts[:, start] > 0
        ids = np.flatnonzero(own & (hands.size >= 2))
        moved = np.full(len(hands), -1)
        moved[ids] = np.arange(len(ids))
        mine = tuple(_moved(state, moved) for state in states if own[state.hand])
        two = np.array([state.hand for state in mine])
        some = hands.only(ids) if like is None else like.hands
        held = replace(
            pays, played=pays.played[:, ids], chance=pays.chance[:, ids] if pays.chance.size else pays.chance
        )
        return cls(kind, start, some, tables.permissions(start)[ids], held, mine, two, some.counts[two].max(axis=1) > 1)

    def find(self, counts: IntArray) -> int:
        """The index of a hand; -1: it is not listed."""
        return int(self.hands.find(np.asarray(counts)[None, :])[0])


def _moved(state: HandState, moved: IntArray) -> HandState:
    goals = tuple(goal._replace(hand=int(moved[goal.hand])) for goal in state.goals)
    return state._replace(hand=int(moved[state.hand]), goals=goals)
