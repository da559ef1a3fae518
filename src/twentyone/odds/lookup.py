"""The value of every decision for these very cards: a hand looked up in an analysis, suits and all."""

from __future__ import annotations

from typing import Any

import numpy as np

from twentyone.cards import Card
from twentyone.errors import Refused
from twentyone.odds.chance import second_chances
from twentyone.odds.core import Core
from twentyone.odds.hand_group import HandGroup
from twentyone.odds.insurance import chance_of, gains
from twentyone.odds.kernels import CHANCE, DECISIONS, RESCUE, SPLIT
from twentyone.odds.model import Condition
from twentyone.odds.phase_values import PhaseValues

__all__ = ["condition_of", "decisions_on", "hand_in", "insurance_on", "possible"]


def decisions_on(
    core: Core, cards: tuple[Card, ...], up: Card, hole: str, split: bool, doubled: bool
) -> dict[str, float]:
    """The expected net result of each decision that the law allows on these cards."""
    possible(core, (*cards, up))
    condition = condition_of(core, up, hole)
    phase = _phase(core, cards, split)
    hand = hand_in(core, phase.group, cards)
    chance = phase.held.dealer[hand, condition].sum()
    if chance == 0:
        raise Refused(f"{hole or up} beside {' '.join(map(str, cards))} leaves nothing to decide", _cite(core))
    values = _offers(core, phase, hand, condition, doubled)
    if not values:
        values = _turn(core, phase, cards, hand, condition, split)
    return {name: float(value / chance) for name, value in values.items()}


def insurance_on(core: Core, cards: tuple[Card, ...], up: Card) -> dict[str, float]:
    """What insurance and even money gain over declining them on these first cards."""
    possible(core, (*cards, up))
    phase, where = _phase(core, cards, split=False), core.tables.classes.index(up.rank)
    state = _state(phase, cards, hand_in(core, phase.group, cards))
    chance = chance_of(core, phase, state, where)
    return {name: float(gain / chance) for name, gain in gains(core, phase, state, where).items()} | {"decline": 0.0}


def _cite(core: Core) -> str:
    return core.tables.rules.cards.cite


def possible(core: Core, cards: tuple[Card, ...]) -> None:
    """No more of a card than the decks hold."""
    rules, decks = core.tables.rules, core.tables.classes.decks
    for card in cards:
        if card.rank in rules.cards.without:
            raise Refused(f"there is no {card} in these decks", _cite(core))
        if cards.count(card) > decks:
            raise Refused(f"{cards.count(card)} of {card} were asked, but the shoe holds {decks}", _cite(core))


def condition_of(core: Core, up: Card, hole: str) -> int:
    """The condition of an up card and what is known of the hole card; refused where that cannot be known."""
    tables = core.tables
    wanted = Condition(tables.classes.names[tables.classes.index(up.rank)], hole)
    if wanted not in tables.conditions:
        known = sorted({c.hole for c in tables.conditions if c.up == wanted.up})
        options = " or ".join(repr(name) for name in known)
        cite = next(
            (step.cite for step in tables.rules.steps if step.name in ("announce_range", "read_hole")), _cite(core)
        )
        raise Refused(f"of the hole card beside {up}, {hole!r} cannot be known: it is {options}", cite)
    return tables.conditions.index(wanted)


def hand_in(core: Core, group: HandGroup, cards: tuple[Card, ...]) -> int:
    """Where a group has a hand; refused where nobody is asked anything on it."""
    tables = core.tables
    where = [tables.classes.index(card.rank) for card in cards]
    hand = group.find(np.array([where.count(i) for i in range(len(tables.shoe))]))
    if hand < 0 or len(cards) < 2:
        raise Refused(
            f"{' '.join(map(str, cards))} is no hand that is asked anything", tables.rules.rulebook.decide_cite
        )
    return hand


def _phase(core: Core, cards: tuple[Card, ...], split: bool) -> PhaseValues:
    tables = core.tables
    if not split:
        ranges = tables.rules.ranges_of(cards[:2]) if tables.ranged else ()
        return core.first.get(ranges, core.first[()])
    start = tables.classes.index(cards[0].rank)
    if start not in core.splits:
        raise Refused(f"a pair of {cards[0]} may not be split", tables.rules.decisions["split"].cite)
    return core.splits[start].phases[True]


def _offers(core: Core, phase: PhaseValues, hand: int, k: int, doubled: bool) -> dict[str, Any]:
    """What is asked of a doubled hand, and of one that went over."""
    rows, pays, dealer = core.game.rows, phase.group.pays, phase.held.dealer[hand, k]
    may = int(phase.group.may[hand])
    declined = (dealer * rows[pays.played[int(doubled), hand]]).sum()
    if may >> (CHANCE + doubled) & 1:
        worth = second_chances(core.game, phase.group, phase.held, phase.removed)
        assert worth is not None
        return {"second_chance": worth[int(doubled), hand, k], "decline": declined}
    if doubled and may >> RESCUE & 1:
        return {"rescue": (dealer * rows[pays.rescue]).sum(), "decline": declined}
    return {"decline": declined} if doubled or phase.group.hands.over[hand] else {}


def _turn(core: Core, phase: PhaseValues, cards: tuple[Card, ...], hand: int, k: int, split: bool) -> dict[str, Any]:
    facts = core.tables.rules.hand(cards, split)
    if facts.blackjack:
        return {"stand": (phase.held.dealer[hand, k] * core.game.rows[core.blackjack_rows[k]]).sum()}
    may = int(phase.group.may[hand])
    if len(cards) > 2:
        values = phase.solution.values[hand, k]
        counts = tuple(phase.group.hands.counts[hand].tolist())
        if counts in core.tables.special and len({card.suit for card in cards}) == 1:
            row, _ = core.tables.suited(phase.group.kind, counts, cards[0].suit)
            values = [(phase.held.dealer[hand, k] * core.game.rows[row]).sum()]
        return {name: values[number] for number, name in enumerate(DECISIONS[: len(values)]) if may >> number & 1}
    values = phase.values[_state(phase, cards, hand), k]
    return {
        name: values[number]
        for number, name in enumerate(DECISIONS)
        if may >> number & 1 and not (split and number == SPLIT)
    }


def _state(phase: PhaseValues, cards: tuple[Card, ...], hand: int) -> int:
    """Which of the hand's states these suits are."""
    suits = {card.suit for card in cards}
    states = [s for s, state in enumerate(phase.group.states) if state.hand == hand]
    for s in states:
        if len(suits) == 1 and suits <= set(phase.group.states[s].suits):
            return s
    return next(s for s in states if not phase.group.states[s].suits)
