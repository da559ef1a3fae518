"""Hints: the value of each decision, from the exact odds of a shoe without the cards that the player sees."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from twentyone.cards import Card
from twentyone.errors import Refused
from twentyone.round import Offer, Option, Round
from twentyone.rulebook import Rules

__all__ = ["hint"]

KEPT = 32
"""Number of shoes whose analysis is cached."""


def hint(round_: Round, who: str) -> dict[str, Any]:
    """The value of each decision that is open to a player, in original wagers, and the best."""
    option = _asked(round_, who)
    hand = round_.state.hands[option.box][(option.hand or 1) - 1]
    up, hole = round_.state.dealer[0], _known(round_)
    others = _others(round_, option)
    core = _core(round_.rules, tuple(sorted(card.rank for card in others)))
    from twentyone.odds.lookup import decisions_on

    values = decisions_on(core, hand.cards, up, hole, hand.split, hand.doubled)
    best = max(values, key=lambda name: values[name])
    seen = len(others) + len(hand.cards) + 1
    basis = f"exact for a full shoe without the {seen} cards you can see, in original wagers"
    return {"decisions": values, "best": best, "basis": basis}


def _asked(round_: Round, who: str) -> Option:
    need = round_.next
    mine = [one for one in need.options if one.player == who] if isinstance(need, Offer) else []
    if not mine or need.kind not in ("turn", "rescue", "second_chance", "surrender"):  # type: ignore[union-attr]
        raise Refused("hints are given only when it is your turn to decide", round_.rules.rulebook.decide_cite)
    return mine[0]


def _known(round_: Round) -> str:
    """What the player knows of the hole card: nothing, its range, or the card itself."""
    state = round_.state
    if state.range is None:
        return ""
    if state.shown and len(state.dealer) > 1:
        from twentyone.strategy import value_class

        return f"={value_class(round_.rules, state.dealer[1])}"
    return state.range


def _others(round_: Round, asked: Option) -> list[Card]:
    """The cards that lie face up, except the hand and the up card."""
    state = round_.state
    cards = [card for box in state.boxes for number, hand in enumerate(state.hands[box], 1)
             if (box, number) != (asked.box, asked.hand or 1) for card in hand.cards]  # fmt: skip
    strange = round_.rules.cards.without
    return [card for card in (*cards, *state.set_aside) if card.rank not in strange]


@lru_cache(maxsize=KEPT)
def _core(rules: Rules, gone: tuple[str, ...]) -> Any:
    from twentyone.odds.classes import Classes
    from twentyone.odds.core import Core
    from twentyone.odds.tables import Tables

    classes = Classes.of(rules)
    shoe = classes.shoe
    for rank in gone:
        shoe[classes.index(rank)] -= 1
    core = Core(Tables(rules, shoe))
    core.split_all()
    return core
