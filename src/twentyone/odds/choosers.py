"""Who decides: the optimum, the plan for hands that were not split, or a strategy that was given."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import NDArray

from twentyone.odds.hand_group import HandGroup
from twentyone.odds.kernels import CHANCE, DECISIONS, RESCUE, SPLIT, SURRENDER
from twentyone.odds.model import FloatArray
from twentyone.odds.player import Plan
from twentyone.odds.states import HandState
from twentyone.odds.tables import Tables
from twentyone.strategy import Situation, Strategy

if TYPE_CHECKING:
    from twentyone.odds.phase_values import PhaseValues

__all__ = ["AsFirst", "Best", "Chooser", "FixedStrategy"]

Turns = NDArray[np.int8]


class Chooser(Protocol):
    """Takes the decisions of an analysis."""

    def plan(self, tables: Tables, group: HandGroup, /) -> Plan | None:
        """The decisions on hands of three cards or more and on offers; none: the best are to be found."""

    def turn(self, tables: Tables, group: HandGroup, values: FloatArray, allowed: Turns, /) -> Turns:
        """[states, conditions]: the decisions on two cards; values and permissions are [.., .., decisions]."""

    def resplits(self, tables: Tables, group: HandGroup, always: FloatArray, never: FloatArray, /) -> NDArray[np.bool_]:
        """[conditions]: whether a pair out of a split is split again, wherever it may be."""

    def insures(self, group: HandGroup, state: HandState, up: str, offers: dict[str, Any], /) -> str:
        """The answer to insurance: `insure`, `even_money` or `decline`; `offers`: what each gains over declining."""


class Best:
    """The best decision by composition, each time."""

    def plan(self, _: Tables, __: HandGroup, /) -> Plan | None:
        """To be found."""
        return None

    def turn(self, _: Tables, __: HandGroup, values: FloatArray, allowed: Turns, /) -> Turns:
        """The allowed decision of the highest value; standing wins a tie."""
        least = values.min() - 1
        chosen: Turns = np.where(allowed.astype(bool), values, least).argmax(axis=2).astype(np.int8)
        return chosen

    def resplits(self, _: Tables, __: HandGroup, always: FloatArray, never: FloatArray, /) -> NDArray[np.bool_]:
        """Whichever is better."""
        return (always > never).astype(np.bool_)

    def insures(self, _: HandGroup, __: HandState, ___: str, offers: dict[str, Any], /) -> str:
        """Whatever gains."""
        gaining = [name for name in offers if offers[name] > 0]
        return max(gaining, key=lambda name: offers[name], default="decline")


class AsFirst(Best):
    """Hands out of a split are played like the same cards unsplit: a convention of some published figures."""

    def __init__(self, first: PhaseValues) -> None:
        self.first = first

    def plan(self, _: Tables, group: HandGroup, /) -> Plan | None:
        """The best of what is allowed after a split, by the values of hands that were not split."""
        if group.start is None:
            return None
        at = self.first.group.hands.find(group.hands.counts)
        allowed = (group.may[:, None, None] >> np.arange(SPLIT) & 1).astype(bool)
        values = np.where(allowed, self.first.solution.values[at], self.first.solution.values.min() - 1)
        return Plan(values.argmax(axis=2).astype(np.int8), self.first.solution.plan.offer[:, at])

    def turn(self, tables: Tables, group: HandGroup, values: FloatArray, allowed: Turns, /) -> Turns:
        """The same for two cards."""
        if group.start is not None:
            at = self.first.group.hands.find(group.hands.counts[group.two])
            values = np.concatenate([self.first.solution.values[at], values[:, :, SPLIT:]], axis=2)
        return super().turn(tables, group, values, allowed)


class FixedStrategy:
    """A strategy that was given."""

    def __init__(self, strategy: Strategy) -> None:
        self.strategy = strategy

    def plan(self, tables: Tables, group: HandGroup, /) -> Plan:
        """Each situation asked once."""
        hands, conditions, may = group.hands, tables.conditions, group.may
        plan = Plan.blank(len(hands), len(conditions))
        key = ((hands.total * 2 + hands.soft) * 64 + hands.size) * 1024 + may
        _, first, back = np.unique(key, return_index=True, return_inverse=True)
        for k, condition in enumerate(conditions):
            if tables.idle[k]:
                continue
            turns = np.zeros(len(first), dtype=np.int8)
            offers = np.zeros((2, len(first)), dtype=np.int8)
            for at, hand in enumerate(first):
                bits = int(may[hand])
                asked = Situation(
                    _name(group), int(hands.total[hand]), bool(hands.soft[hand]), None,
                    int(hands.size[hand]), condition.up, condition.hole,
                )  # fmt: skip
                if hands.size[hand] > 2 and bits & 0b1110:
                    turns[at] = self._turn(asked, bits)
                if hands.size[hand] > 2 and bits >> RESCUE & 1:
                    offers[1, at] = self._offer(asked, "doubled", "rescue")
                for doubled in (0, 1):
                    if bits >> (CHANCE + doubled) & 1:
                        offers[doubled, at] = self._offer(asked, "busted", "second_chance")
            plan.turn[:, k] = turns[back]
            plan.offer[:, :, k] = offers[:, back]
        return plan

    def _turn(self, asked: Situation, bits: int) -> int:
        may = frozenset(name for number, name in enumerate(DECISIONS) if bits >> number & 1)
        return DECISIONS.index(self.strategy.decide(asked._replace(may=may)))

    def _offer(self, asked: Situation, phase: str, name: str) -> bool:
        return self.strategy.decide(asked._replace(phase=phase, may=frozenset({name, "decline"}))) == name

    def turn(self, tables: Tables, group: HandGroup, _: FloatArray, allowed: Turns, /) -> Turns:
        """Asked for each hand."""
        turns = np.zeros(allowed.shape[:2], dtype=np.int8)
        for s, state in enumerate(group.states):
            for k in range(len(tables.conditions)):
                bits = int(sum(int(bit) << number for number, bit in enumerate(allowed[s, k])))
                if bits > 1 and not tables.idle[k] and not _is_blackjack(tables, group, state):
                    turns[s, k] = self._decide(tables, group, state, k, bits)
        return turns

    def _decide(self, tables: Tables, group: HandGroup, state: HandState, k: int, bits: int) -> int:
        asked = self._situation(tables, group, state, k, bits)
        if bits >> SURRENDER & 1 and tables.early[k]:
            if self._offer(asked, "early", "surrender"):
                return SURRENDER
            bits &= ~(1 << SURRENDER)
        return self._turn(asked, bits)

    def _situation(self, tables: Tables, group: HandGroup, state: HandState, k: int, bits: int) -> Situation:
        hands, condition = group.hands, tables.conditions[k]
        pair = tables.classes.names[int(hands.counts[state.hand].argmax())] if bits >> SPLIT & 1 else None
        return Situation(
            _name(group), int(hands.total[state.hand]), bool(hands.soft[state.hand]), pair,
            2, condition.up, condition.hole, state.bonus,
        )  # fmt: skip

    def resplits(self, tables: Tables, group: HandGroup, _: FloatArray, __: FloatArray, /) -> NDArray[np.bool_]:
        """Asked with the split among the decisions."""
        pair = next(
            state for state, paired in zip(group.states, group.pairs, strict=True) if paired and not state.suits
        )
        bits = int(group.may[pair.hand]) & 0b11111
        if not bits >> SPLIT & 1:
            return np.zeros(len(tables.conditions), dtype=np.bool_)
        asked = [not idle and self._decide(tables, group, pair, k, bits) == SPLIT for k, idle in enumerate(tables.idle)]
        return np.array(asked, dtype=np.bool_)

    def insures(self, group: HandGroup, state: HandState, up: str, offers: dict[str, Any], /) -> str:
        """As the strategy says."""
        hands = group.hands
        total, soft = int(hands.total[state.hand]), bool(hands.soft[state.hand])
        return self.strategy.decide(
            Situation("insurance", total, soft, None, 2, up, may=frozenset({*offers, "decline"}))
        )


def _name(group: HandGroup) -> str:
    return "first" if group.start is None else "split"


def _is_blackjack(tables: Tables, group: HandGroup, state: HandState) -> bool:
    return group.start is None and bool(group.hands.total[state.hand] == tables.rules.limit)
