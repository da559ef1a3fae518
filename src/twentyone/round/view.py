"""What leaves the server: a round as its people may see it, and as a person reads it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from twentyone.cards import UNKNOWN
from twentyone.money import dollars
from twentyone.round import events as e
from twentyone.round.commands import Draw, Need, Offer, Over, ReaderReport, Spin, Told, TurnUp
from twentyone.round.event_base import as_json
from twentyone.round.events import HandRef
from twentyone.round.play import Play
from twentyone.round.state import Hand, HandWager, State
from twentyone.rulebook import Rules

__all__ = ["HIDDEN", "ROLES", "describe", "hand_seen", "seen_by"]

HIDDEN = "hidden"
"""Stands for a card that is not exposed; one that nobody has seen is called unknown."""

ROLES = ("player", "dealer", "floorperson", "operator", "auditor")
"""Who may look; in a round none of them sees the hole card before the rule shows it, the dealer neither."""


def seen_by(rules: Rules, state: State, events: Iterable[e.Event], role: str) -> dict[str, Any]:
    """The round as `role` may see it."""
    if role not in ROLES:
        raise ValueError(f"there is no role {role!r}")
    cards = [card.name for card in state.dealer]
    if not state.shown and state.dealer[-1] is not UNKNOWN:
        cards[-1] = HIDDEN
    return {
        "rulebook": rules.rulebook.id,
        "dealer": {"cards": cards, "range": state.range},
        "boxes": [
            {
                "box": box,
                "hands": [
                    hand_seen(rules, state, HandRef(box, number), hand)
                    for number, hand in enumerate(state.hands[box], 1)
                ],
            }
            for box in state.boxes
        ],
        "side_wagers": [{"box": side.box, "player": side.player, side.wager: str(side.amount)} for side in state.sides],
        "set_aside": [card.name for card in state.set_aside],
        "events": [_event(event, state.shown) for event in events],
        "over": state.over,
    }


def hand_seen(rules: Rules, state: State, ref: HandRef, hand: Hand) -> dict[str, Any]:
    """A hand of a box: its cards on the layout, what they count, the wagers on it."""
    facts = Play(rules, state).facts(ref)
    return {
        "cards": [card.name for card in hand.lying],
        "sideways": [card.name for card in hand.sideways if not hand.away],
        "total": facts.points,
        "soft": facts.soft,
        "status": hand.status,
        "wagers": [_hand_wager(hand_wager) for hand_wager in hand.wagers],
    }


def _hand_wager(hand_wager: HandWager) -> dict[str, str]:
    parts = {"double": hand_wager.double, "second_chance": hand_wager.chance}
    laid = {name: str(amount) for name, amount in parts.items() if amount}
    return {"player": hand_wager.player, hand_wager.wager: str(hand_wager.amount), **laid}


def _event(event: e.Event, shown: bool) -> dict[str, Any]:
    body = as_json(event)
    if isinstance(event, e.CardDealt) and event.face_down and not shown and event.card is not UNKNOWN:
        body["card"] = HIDDEN
    body.pop("again", None)
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
            lines.append(_hand_line(rules, state, HandRef(box, number), hand))
    return "\n".join([*lines, f"  next: {_need(need)}"])


def _total(rules: Rules, state: State) -> str:
    if not state.dealer or not state.shown:
        return f"  ({state.range})" if state.range else ""
    return f"  = {rules.dealer_hand(state.dealer).points}"


def _hand_line(rules: Rules, state: State, ref: HandRef, hand: Hand) -> str:
    facts = Play(rules, state).facts(ref)
    name = f"box {ref.box}" if len(state.hands[ref.box]) == 1 else f"box {ref.box} hand {ref.number}"
    cards = " ".join(card.symbol for card in hand.lying) or "-"
    wagers = ", ".join(f"{s.player} {dollars(s.amount + s.double + s.chance)}" for s in hand.wagers)
    rows = [row for row in state.rows if (row.box, row.hand) == ref]
    result = "  " + ", ".join(f"{row.wager} {row.outcome} {dollars(row.net)}" for row in rows) if rows else ""
    return f"  {name}: {cards}  = {facts.points}{' soft' if facts.soft else ''}  [{wagers}]{result}"


def _need(need: Need) -> str:
    if isinstance(need, Over):
        return "the round is over"
    if isinstance(need, Draw):
        return "a card for " + (f"box {need.box}" if need.box is not None else "the dealer")
    if isinstance(need, Told):
        return f"a floorperson's confirmation: {need.irregularity.replace('_', ' ')}"
    if isinstance(need, Spin):
        return f"a spin of the {need.wheel} wheel"
    if isinstance(need, ReaderReport):
        return "what the reader tells of the hole card"
    if isinstance(need, TurnUp):
        return "the hole card turned up"
    assert isinstance(need, Offer)
    actions = dict.fromkeys(option.action for option in need.options)
    return f"{need.kind}: {', '.join(actions)}" + (" or decline" if need.optional else "")
