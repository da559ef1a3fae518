"""What each first deal is worth: the exact value of two cards against an up card, under one strategy."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from twentyone.odds.analysis import Analysis, analyse
from twentyone.odds.cache import kept, key_of
from twentyone.odds.core import Core
from twentyone.odds.model import FloatArray
from twentyone.odds.phase_values import PhaseValues
from twentyone.rulebook import Rules
from twentyone.strategy import Strategy, to_json

__all__ = ["deal_values", "deals_of", "joint_worth"]


def deals_of(rules: Rules, strategy: Strategy, progress: Callable[[float], None] | None = None) -> dict[str, Any]:
    """The first deals of a strategy, from the cache if they are there.

    `counts`: what a card of each class counts, an ace low; `shoe`: how many cards of each it holds; `values`: class of
    one card, of the other, of the up card to the expected net result in original wagers, insurance left out.
    """

    def make() -> dict[str, Any]:
        analysis = analyse(rules, strategy=strategy, progress=progress)
        classes = analysis._core.tables.classes
        return {
            "counts": list(classes.low),
            "shoe": [int(held) for held in classes.shoe],
            "values": deal_values(analysis).tolist(),
        }

    return kept(key_of(rules, "deals", to_json(strategy)), make)[0]


def deal_values(analysis: Analysis) -> FloatArray:
    """[classes, classes, classes]: the expected net result of two cards and an up card; zero where there is none."""
    joint, met = _joint(analysis._core)
    values: FloatArray = np.where(met > 0, joint / np.where(met > 0, met, 1), 0.0)
    return values


def _joint(core: Core) -> tuple[FloatArray, FloatArray]:
    """The net result of every deal times its chance, and the chance."""
    count, shoe = len(core.tables.shoe), core.tables.shoe.astype(float)
    joint, met = np.zeros((count,) * 3), np.zeros((count,) * 3)
    names = np.array(core.tables.classes.names)
    ups = [np.flatnonzero(names == condition.up) for condition in core.tables.conditions]
    for ranges, phase in core.first.items():
        worth = joint_worth(core, phase)
        for s, dealt in enumerate(core.dealt(ranges)):
            cards = phase.group.hands.counts[phase.group.states[s].hand]
            one, two = np.repeat(np.arange(count), cards)
            left = shoe - cards
            for up, value in zip(ups, worth[s], strict=True):
                for pair in {(one, two), (two, one)}:
                    joint[*pair, up] += float(dealt * value) * left[up] / left[up].sum()
            for pair in {(one, two), (two, one)}:
                met[pair] += float(dealt) * left / left.sum()
    return joint, met


def joint_worth(core: Core, phase: PhaseValues) -> FloatArray:
    """[states, conditions]: the value of two cards joint with the condition, Blackjacks on either side included."""
    worth, game, limit = phase.best.copy(), core.game, core.tables.rules.limit
    for s, state in enumerate(phase.group.states):
        seen, dealer = phase.seen[state.hand], phase.held.dealer[state.hand]
        if phase.group.hands.total[state.hand] == limit:
            dealer = dealer.copy()
            if game.blackjack >= 0:
                dealer[:, game.blackjack] += seen
            worth[s] = (dealer * game.rows[core.blackjack_rows]).sum(axis=1)
        elif game.blackjack >= 0:
            worth[s] += seen * game.rows[phase.group.pays.played[0, state.hand], game.blackjack]
    return worth
