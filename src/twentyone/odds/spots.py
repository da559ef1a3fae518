"""The situations of a game as tables for charts: the value of each decision, and how often each hand is met."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from twentyone.odds.chance import second_chances
from twentyone.odds.core import Core
from twentyone.odds.hand_group import HandGroup
from twentyone.odds.kernels import CHANCE, DECISIONS, RESCUE, SPLIT
from twentyone.odds.model import FloatArray, IntArray, Spots
from twentyone.odds.phase_values import PhaseValues
from twentyone.odds.player import ReachProbabilities
from twentyone.odds.settlement_mass import SettlementMass

__all__ = ["spots_of"]


SHORT = 3
"""Busted hands of this many cards are listed even where nobody meets them, so that every total has one."""


class _Part(NamedTuple):
    """Some rows of a table."""

    group: HandGroup
    hands: IntArray
    start: str
    bonus: list[str]
    values: dict[str, FloatArray]
    reach: FloatArray
    best: Any


def spots_of(core: Core, settled: SettlementMass) -> dict[str, Spots]:
    """The situations of each phase, under the strategy analysed."""
    parts: dict[str, list[_Part]] = {"first": [], "split": [], "doubled": [], "busted": []}
    for ranges, phase in core.first.items():
        dealt = np.repeat(core.dealt(ranges)[:, None], len(core.tables.conditions), axis=1)
        chance = phase.held.dealer[phase.group.two].sum(axis=2)
        _phase(parts, "first", phase, dealt * chance, settled.first[ranges].reach, "")
    for start, split in core.splits.items():
        name = core.tables.classes.names[start]
        for original, reached in _reached(core, settled, start).items():
            _phase(parts, "split", split.phases[original], reached.states, reached.reach, name)
    return {name: _table(core, name, rows) for name, rows in parts.items() if rows}


def _reached(core: Core, settled: SettlementMass, start: int) -> dict[bool, ReachProbabilities]:
    none = np.zeros(len(core.tables.conditions))
    weight = settled.split_weight.get(start, none)
    return {original: reached.times(weight) for original, reached in core.splits[start].reached.items()}


def _phase(
    parts: dict[str, list[_Part]], name: str, phase: PhaseValues, states: FloatArray, reach: FloatArray, start: str
) -> None:
    parts[name] += [_two_cards(phase, states, start), _more_cards(phase, reach, start)]
    parts["doubled"] += _rescues(phase, reach, start)
    parts["busted"] += _chances(phase, reach, start)


def _given(joint: FloatArray, chance: FloatArray) -> FloatArray:
    return np.where(chance > 0, joint / np.where(chance > 0, chance, 1), np.nan)


def _two_cards(phase: PhaseValues, weights: FloatArray, start: str) -> _Part:
    group, limit = phase.group, phase.game.tables.rules.limit
    may = group.may
    keep = [s for s, hand in enumerate(group.two) if start or group.hands.total[hand] < limit]
    states, at = [group.states[s] for s in keep], group.two[keep]
    chance = phase.held.dealer[at].sum(axis=2)
    values = {}
    for number, decision in enumerate(DECISIONS):
        allowed = (may[at] >> number & 1).astype(bool) & (not (start and number == SPLIT))
        values[decision] = np.where(allowed[:, None], _given(phase.values[keep, :, number], chance), np.nan)
    best = np.array(DECISIONS)[phase.turns[keep]]
    return _Part(group, at, start, [state.bonus for state in states], values, weights[keep], best)


def _more_cards(phase: PhaseValues, reach: FloatArray, start: str) -> _Part:
    group = phase.group
    hands, may = group.hands, group.may
    at = np.flatnonzero((hands.size > 2) & ~hands.over)
    chance = phase.held.dealer[at].sum(axis=2)
    values = {}
    for number, decision in enumerate(DECISIONS[:SPLIT]):
        joint = _given(phase.solution.values[at, :, number], chance)
        values[decision] = np.where((may[at] >> number & 1).astype(bool)[:, None], joint, np.nan)
    values[DECISIONS[SPLIT]] = np.full(chance.shape, np.nan)
    best = np.array(DECISIONS)[phase.solution.plan.turn[at]]
    return _Part(group, at, start, [""] * len(at), values, reach[0, at], best)


def _rescues(phase: PhaseValues, reach: FloatArray, start: str) -> Iterator[_Part]:
    group = phase.group
    at = np.flatnonzero((group.may >> RESCUE & 1).astype(bool) & (group.hands.size > 2))
    if len(at):
        rows, pays = phase.game.rows, group.pays
        dealer = phase.held.dealer[at]
        chance = dealer.sum(axis=2)
        values = {
            "rescue": _given((dealer * rows[pays.rescue]).sum(axis=2), chance),
            "decline": _given((dealer * rows[pays.played[1, at]][:, None, :]).sum(axis=2), chance),
        }
        best = np.array(["decline", "rescue"])[phase.solution.plan.offer[1, at]]
        yield _Part(group, at, start, [""] * len(at), values, reach[1, at], best)


def _chances(phase: PhaseValues, reach: FloatArray, start: str) -> Iterator[_Part]:
    game, held, group = phase.game, phase.held, phase.group
    worth = second_chances(game, group, held, phase.removed)
    for doubled in (0, 1) if worth is not None else ():
        met = (reach[doubled] != 0).any(axis=1) | (group.hands.size <= SHORT)
        at = np.flatnonzero((group.may >> (CHANCE + doubled) & 1).astype(bool) & met)
        dealer = held.dealer[at]
        chance = dealer.sum(axis=2)
        declined = (dealer * game.rows[group.pays.played[doubled, at]][:, None, :]).sum(axis=2)
        assert worth is not None
        values = {"second_chance": _given(worth[doubled, at], chance), "decline": _given(declined, chance)}
        best = np.array(["decline", "second_chance"])[phase.solution.plan.offer[doubled, at]]
        yield _Part(group, at, start, [""] * len(at), values, reach[doubled, at], best)


def _table(core: Core, name: str, parts: list[_Part]) -> Spots:
    asked = ~np.array(core.tables.idle)
    counts = _all(parts, "counts")
    pairs = [_pairs(core, part) for part in parts]
    return Spots(
        phase=name,
        counts=counts,
        total=_all(parts, "total"),
        soft=_all(parts, "soft"),
        cards=_all(parts, "size"),
        pair=tuple(pair for some in pairs for pair in some),
        start=tuple(part.start for part in parts for _ in part.hands),
        bonus=tuple(bonus for part in parts for bonus in part.bonus),
        values={key: np.concatenate([part.values[key] for part in parts])[:, asked] for key in parts[0].values},
        reach=np.concatenate([part.reach for part in parts])[:, asked],
        best=np.concatenate([part.best for part in parts])[:, asked],
    )


def _all(parts: list[_Part], field: str) -> Any:
    return np.concatenate([getattr(part.group.hands, field)[part.hands] for part in parts])


def _pairs(core: Core, part: _Part) -> list[str]:
    """The class of each hand that may be split, by the text's rule alone."""
    names, counts = core.tables.classes.names, part.group.hands.counts[part.hands]
    may = (part.group.may[part.hands] >> SPLIT & 1).astype(bool)
    return [names[int(row.argmax())] if can else "" for row, can in zip(counts, may, strict=True)]
