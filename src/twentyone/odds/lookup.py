"""The value of every decision for these very cards: a hand looked up in an analysis, suits and all."""

from __future__ import annotations

from typing import Any

import numpy as np

from twentyone.cards import Card
from twentyone.errors import Refused
from twentyone.odds.chance import second_chances
from twentyone.odds.choosers import Best
from twentyone.odds.core import Core
from twentyone.odds.hand_group import HandGroup
from twentyone.odds.insurance import chance_of, gains
from twentyone.odds.kernels import CHANCE, DECISIONS, DOUBLE, HIT, RESCUE, SPLIT, STAND
from twentyone.odds.model import Condition, FloatArray
from twentyone.odds.phase_values import PhaseValues
from twentyone.odds.states import HandState
from twentyone.odds.states import gains as suit_gains

__all__ = ["condition_of", "decisions_on", "hand_in", "insurance_on", "possible"]


def decisions_on(
    core: Core,
    cards: tuple[Card, ...],
    up: Card,
    hole: str,
    split: bool,
    doubled: bool,
    *,
    any_suit: bool = False,
    any_pair: bool = False,
) -> dict[str, float]:
    """The expected net result of each decision that the law allows on these cards.

    `any_suit`: of the up card; `any_pair`: a split is the mean over the suits of a pair, as it is under a strategy.
    """
    possible(core, cards if any_suit else (*cards, up))
    condition = condition_of(core, up, hole)
    phase = _phase(core, cards, split)
    hand = hand_in(core, phase.group, cards)
    chance = phase.held.dealer[hand, condition].sum()
    if chance == 0:
        raise Refused(f"{hole or up} beside {' '.join(map(str, cards))} leaves nothing to decide", _cite(core))
    values = _offers(core, phase, cards, hand, condition, doubled)
    if not values:
        values = _turn(core, phase, cards, hand, condition, None if any_suit else up)
    given = {name: float(value / chance) for name, value in values.items()}
    if "split" in given and not any_pair and _parts_by_suit(core, cards[0]):
        given["split"] = _split_of(core, cards, up, hole, any_suit)
    return given


def _parts_by_suit(core: Core, card: Card) -> bool:
    """Whether a special hand may come of a split of this card, so that the suits of its pair count."""
    at, best = core.tables.classes.index(card.rank), isinstance(core.game.chooser, Best)
    return best and any(special[at] for special in core.tables.special)


def _split_of(core: Core, cards: tuple[Card, ...], up: Card, hole: str, any_suit: bool) -> float:
    from twentyone.odds.hand_values import SeenHand, left_shoes, values_of_hand

    asked = SeenHand(cards, up, hole, any_suit=any_suit)
    return values_of_hand(left_shoes(core.tables.rules), asked)["split"]


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


def _offers(
    core: Core, phase: PhaseValues, cards: tuple[Card, ...], hand: int, k: int, doubled: bool
) -> dict[str, Any]:
    """What is asked of a doubled hand, and of one that went over."""
    rows, pays, dealer = core.game.rows, phase.group.pays, phase.held.dealer[hand, k]
    may = int(phase.group.may[hand])
    declined = (dealer * rows[_settled(core, phase, cards, hand, doubled)]).sum()
    if may >> (CHANCE + doubled) & 1:
        worth = second_chances(core.game, phase.group, phase.held, phase.removed)
        assert worth is not None
        return {"second_chance": worth[int(doubled), hand, k], "decline": declined}
    if doubled and may >> RESCUE & 1:
        return {"rescue": (dealer * rows[pays.rescue]).sum(), "decline": declined}
    return {"decline": declined} if doubled or phase.group.hands.over[hand] else {}


def _turn(
    core: Core, phase: PhaseValues, cards: tuple[Card, ...], hand: int, k: int, up: Card | None
) -> dict[str, Any]:
    """The decisions of a turn; `up`: the very up card, where its suit is known."""
    split = phase.group.start is not None
    if core.tables.rules.hand(cards, split).blackjack:
        return {"stand": (phase.held.dealer[hand, k] * core.game.rows[core.blackjack_rows[k]]).sum()}
    may = int(phase.group.may[hand])
    if len(cards) > 2:
        values = phase.solution.values[hand, k].copy()
        values[STAND] = (phase.held.dealer[hand, k] * core.game.rows[_settled(core, phase, cards, hand, False)]).sum()
        return {name: values[number] for number, name in enumerate(DECISIONS[: len(values)]) if may >> number & 1}
    state = _state(phase, cards, hand)
    values = phase.values[state, k].copy()
    if up is not None:
        hit, double = _suit_of(core, phase, cards, phase.group.states[state], up)
        values[HIT] += hit[k]
        values[DOUBLE] += double[k]
    return {
        name: values[number]
        for number, name in enumerate(DECISIONS)
        if may >> number & 1 and not (split and number == SPLIT)
    }


def _settled(core: Core, phase: PhaseValues, cards: tuple[Card, ...], hand: int, doubled: bool) -> int:
    """The row of a hand that draws no more."""
    counts = tuple(phase.group.hands.counts[hand].tolist())
    if counts in core.tables.special and len({card.suit for card in cards}) == 1:
        return core.tables.suited(phase.group.kind, counts, cards[0].suit)[int(doubled)]
    return int(phase.group.pays.played[int(doubled), hand])


def _suit_of(
    core: Core, phase: PhaseValues, cards: tuple[Card, ...], state: HandState, up: Card
) -> tuple[FloatArray, FloatArray]:
    """[conditions]: what the suit of the up card adds to a hit and a double: it is no card that can come."""
    at, suit = core.tables.classes.index(up.rank), cards[0].suit
    held, same = int(phase.group.hands.counts[state.hand][at]), up.suit == suit
    goals = [
        goal._replace(chance=core.tables.share_of_suit(at, suit, held + same, int(not same)) - goal.chance)
        for goal in state.goals
        if goal.card == at
    ]
    return suit_gains(state._replace(goals=tuple(goals)), phase.held, core.game.rows, phase.group.pays.played)


def _state(phase: PhaseValues, cards: tuple[Card, ...], hand: int) -> int:
    """Which of the hand's states these suits are."""
    suits = {card.suit for card in cards}
    states = [s for s, state in enumerate(phase.group.states) if state.hand == hand]
    for s in states:
        if len(suits) == 1 and suits <= set(phase.group.states[s].suits):
            return s
    return next(s for s in states if not phase.group.states[s].suits)
