"""What leaves the server: a round as its people may see it, and as a person reads it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from twentyone.money import dollars
from twentyone.round import events as e
from twentyone.round.commands import Draw, Need, Offer, Over, Spin
from twentyone.round.state import Hand, State
from twentyone.rulebook import Rules

__all__ = ["HIDDEN", "ROLES", "describe", "seen_by"]

HIDDEN = "hidden"
"""Stands for a card that is not exposed."""

ROLES = ("player", "dealer", "floorperson", "operator", "auditor")
"""Who may look; in a round none of them sees the hole card before the rule shows it, the dealer neither."""


def seen_by(rules: Rules, state: State, events: Iterable[e.Event], role: str) -> dict[str, Any]:
    """The round as `role` may see it."""
    if role not in ROLES:
        raise ValueError(f"there is no role {role!r}")
    cards = [card.name for card in state.dealer]
    if not state.shown:
        cards[-1] = HIDDEN
    return {
        "rulebook": rules.rulebook.id,
        "dealer": {"cards": cards, "range": state.range},
        "boxes": [
            {"box": box, "hands": [_hand(rules, hand, len(state.hands[box])) for hand in state.hands[box]]}
            for box in state.boxes
        ],
        "set_aside": [card.name for card in state.set_aside],
        "events": [_event(event, state.shown) for event in events],
        "over": state.over,
    }


def _hand(rules: Rules, hand: Hand, hands: int) -> dict[str, Any]:
    return {
        "cards": [card.name for card in hand.cards],
        "total": rules.hand(hand.cards, hand.split, hand.doubled, hands).points,
        "status": hand.status,
        "wagers": [{"player": stake.player, "main": str(stake.amount)} for stake in hand.stakes],
    }


def _event(event: e.Event, shown: bool) -> dict[str, Any]:
    body = e.as_json(event)
    if isinstance(event, e.CardDealt) and event.face_down and not shown:
        body["card"] = HIDDEN
    return body


# -- for a person


def describe(rules: Rules, state: State, need: Need) -> str:
    """The layout as a few lines of text; the hole card stays hidden until it is shown."""
    cards = [card.symbol for card in state.dealer]
    if not state.shown:
        cards[-1] = "??"
    lines = [f"{rules.rulebook.title}  dealer {' '.join(cards) or '-'}" + _total(rules, state)]
    for box in state.boxes:
        for number, hand in enumerate(state.hands[box], 1):
            lines.append(_hand_line(rules, state, box, number, hand))
    return "\n".join([*lines, f"  next: {_need(need)}"])


def _total(rules: Rules, state: State) -> str:
    if not state.dealer or not state.shown:
        return f"  ({state.range})" if state.range else ""
    return f"  = {rules.dealer_hand(state.dealer).points}"


def _hand_line(rules: Rules, state: State, box: int, number: int, hand: Hand) -> str:
    facts = rules.hand(hand.cards, hand.split, hand.doubled, len(state.hands[box]))
    name = f"box {box}" if len(state.hands[box]) == 1 else f"box {box} hand {number}"
    cards = " ".join(card.symbol for card in hand.cards) or "-"
    stakes = ", ".join(f"{stake.player} {dollars(stake.amount + stake.double)}" for stake in hand.stakes)
    rows = [row for row in state.rows if (row.box, row.hand) == (box, number)]
    result = "  " + ", ".join(f"{row.wager} {row.outcome} {dollars(row.net)}" for row in rows) if rows else ""
    return f"  {name}: {cards}  = {facts.points}{' soft' if facts.soft else ''}  [{stakes}]{result}"


def _need(need: Need) -> str:
    if isinstance(need, Over):
        return "the round is over"
    if isinstance(need, Draw):
        return "a card for " + (f"box {need.box}" if need.box is not None else "the dealer")
    if isinstance(need, Spin):
        return f"a spin of the {need.wheel} wheel"
    assert isinstance(need, Offer)
    actions = dict.fromkeys(option.action for option in need.options)
    return f"{need.kind}: {', '.join(actions)}" + (" or decline" if need.optional else "")
