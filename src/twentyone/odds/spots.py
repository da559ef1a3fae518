"""The situations of a game as tables for charts: every hand by phase, with the value of each decision and how often it is met."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from twentyone.odds.account import Account
from twentyone.odds.chance import second_chances
from twentyone.odds.core import Core
from twentyone.odds.flow import Flow
from twentyone.odds.model import FloatArray, IntArray, Spots
from twentyone.odds.phase import Phase
from twentyone.odds.tables import CHANCE, DECISIONS, RESCUE, SPLIT

__all__ = ["spots_of"]


class _Part(NamedTuple):
    """Some rows of a table."""

    hands: IntArray
    start: str
    bonus: list[str]
    values: dict[str, FloatArray]
    reach: FloatArray
    best: Any
    pairs: bool


def spots_of(core: Core, account: Account) -> dict[str, Spots]:
    """The situations of each phase, under the strategy analysed."""
    parts: dict[str, list[_Part]] = {"first": [], "split": [], "doubled": [], "busted": []}
    for ranges, phase in core.first.items():
        dealt = np.repeat(core.dealt(ranges)[:, None], len(core.tables.conditions), axis=1)
        chance = phase.stand.dealer.sum(axis=2)[[state.hand for state in phase.kinds.states]]
        _phase(parts, "first", phase, dealt * chance, account.first[ranges].reach, "")
    for start, split in core.splits.items():
        name = core.tables.classes.names[start]
        flows = _flows(core, account, start)
        if split.phases[True] is split.phases[False]:
            flows = {True: flows[True].plus(flows[False])}
        for original, flow in flows.items():
            _phase(parts, "split", split.phases[original], flow.states, flow.reach, name)
    return {name: _table(core, name, rows) for name, rows in parts.items() if rows}


def _flows(core: Core, account: Account, start: int) -> dict[bool, Flow]:
    none = np.zeros(len(core.tables.conditions))
    weight = account.split_weight.get(start, none)
    return {original: flow.times(weight) for original, flow in core.splits[start].flows.items()}


def _phase(
    parts: dict[str, list[_Part]], name: str, phase: Phase, states: FloatArray, reach: FloatArray, start: str
) -> None:
    parts[name] += [_two_cards(phase, states, start), _more_cards(phase, reach, start)]
    parts["doubled"] += _rescues(phase, reach, start)
    parts["busted"] += _chances(phase, reach, start)


def _given(joint: FloatArray, chance: FloatArray) -> FloatArray:
    return np.where(chance > 0, joint / np.where(chance > 0, chance, 1), np.nan)


def _two_cards(phase: Phase, weights: FloatArray, start: str) -> _Part:
    tables = phase.setting.tables
    hands, may = phase.stand.hands, tables.permissions(phase.kinds.start)
    keep = [s for s, state in enumerate(phase.kinds.states) if start or hands.total[state.hand] < tables.rules.limit]
    states = [phase.kinds.states[s] for s in keep]
    at = np.array([state.hand for state in states])
    chance = phase.stand.dealer[at].sum(axis=2)
    values = {}
    for place, decision in enumerate(DECISIONS):
        allowed = (may[at] >> place & 1).astype(bool) & (not (start and place == SPLIT))
        values[decision] = np.where(allowed[:, None], _given(phase.values[keep, :, place], chance), np.nan)
    best = np.array(DECISIONS)[phase.turns[keep]]
    return _Part(at, start, [state.bonus for state in states], values, weights[keep], best, True)


def _more_cards(phase: Phase, reach: FloatArray, start: str) -> _Part:
    hands, may = phase.stand.hands, phase.setting.tables.permissions(phase.kinds.start)
    at = phase.stand.listed[(hands.size[phase.stand.listed] > 2) & ~hands.over[phase.stand.listed]]
    chance = phase.stand.dealer[at].sum(axis=2)
    values = {}
    for place, decision in enumerate(DECISIONS[:SPLIT]):
        joint = _given(phase.solution.values[at, :, place], chance)
        values[decision] = np.where((may[at] >> place & 1).astype(bool)[:, None], joint, np.nan)
    values[DECISIONS[SPLIT]] = np.full(chance.shape, np.nan)
    best = np.array(DECISIONS)[phase.solution.plan.turn[at]]
    return _Part(at, start, [""] * len(at), values, reach[0, at], best, False)


def _rescues(phase: Phase, reach: FloatArray, start: str) -> Iterator[_Part]:
    may = phase.setting.tables.permissions(phase.kinds.start)
    at = phase.stand.listed[(may[phase.stand.listed] >> RESCUE & 1).astype(bool) & (phase.stand.hands.size[phase.stand.listed] > 2)]
    if len(at):
        rows, pays = phase.setting.rows, phase.kinds.pays
        dealer = phase.stand.dealer[at]
        chance = dealer.sum(axis=2)
        values = {
            "rescue": _given((dealer * rows[pays.rescue]).sum(axis=2), chance),
            "decline": _given((dealer * rows[pays.played[1, at]][:, None, :]).sum(axis=2), chance),
        }
        best = np.array(["decline", "rescue"])[phase.solution.plan.offer[1, at]]
        yield _Part(at, start, [""] * len(at), values, reach[1, at], best, False)


def _chances(phase: Phase, reach: FloatArray, start: str) -> Iterator[_Part]:
    setting, stand = phase.setting, phase.stand
    may = setting.tables.permissions(phase.kinds.start)
    worth = second_chances(setting, phase.kinds.pays, stand, phase.removed, may)
    for doubled in (0, 1) if worth is not None else ():
        at = stand.listed[(may[stand.listed] >> (CHANCE + doubled) & 1).astype(bool)]
        dealer = stand.dealer[at]
        chance = dealer.sum(axis=2)
        declined = (dealer * setting.rows[phase.kinds.pays.played[doubled, at]][:, None, :]).sum(axis=2)
        assert worth is not None
        values = {"second_chance": _given(worth[doubled, at], chance), "decline": _given(declined, chance)}
        best = np.array(["decline", "second_chance"])[phase.solution.plan.offer[doubled, at]]
        yield _Part(at, start, [""] * len(at), values, reach[doubled, at], best, False)


def _table(core: Core, name: str, parts: list[_Part]) -> Spots:
    hands, classes = core.tables.hands, core.tables.classes
    at = np.concatenate([part.hands for part in parts])
    asked = ~np.array(core.tables.idle)
    may = core.tables.permissions()
    counts = hands.counts[at]
    pairs = np.concatenate([np.full(len(part.hands), part.pairs) for part in parts])
    paired = pairs & (counts.max(axis=1) > 1) & (may[at] >> SPLIT & 1).astype(bool)
    return Spots(
        phase=name,
        counts=counts,
        total=hands.total[at],
        soft=hands.soft[at],
        cards=hands.size[at],
        pair=tuple(classes.names[int(row.argmax())] if is_pair else "" for row, is_pair in zip(counts, paired, strict=True)),
        start=tuple(part.start for part in parts for _ in part.hands),
        bonus=tuple(bonus for part in parts for bonus in part.bonus),
        values={key: np.concatenate([part.values[key] for part in parts])[:, asked] for key in parts[0].values},
        reach=np.concatenate([part.reach for part in parts])[:, asked],
        best=np.concatenate([part.best for part in parts])[:, asked],
    )
