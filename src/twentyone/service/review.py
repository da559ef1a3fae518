"""After a hand, for who asks for it: whether each decision was the best, or what the other would have been worth."""

from __future__ import annotations

from typing import Any

from twentyone.errors import Refused
from twentyone.ledger.stored_round import StoredRound
from twentyone.round import Offer
from twentyone.round.events import DecisionTaken, Declined
from twentyone.round.play import Play
from twentyone.service.hints import hint
from twentyone.service.last_round import Played
from twentyone.service.phrases import against, begin, plain

__all__ = ["review"]

EVEN = 1e-9
"""What is closer than this is worth the same."""


def review(played: Played, who: str) -> dict[str, Any]:
    """The decisions of a player in a round that is over, each with its value, and the mark in words."""
    decisions = [told for number in range(len(played.round.events)) if (told := _decision(played, number, who))]
    worse = [told["text"] for told in decisions if told["lost"] > EVEN]
    text = " ".join(worse) or ("Best play." if decisions else "")
    return {"round": played.number, "text": text, "decisions": decisions}


def _decision(played: Played, number: int, who: str) -> dict[str, Any] | None:
    """The decision that an event records, if it is his and has a value."""
    event = played.round.events[number]
    if not isinstance(event, DecisionTaken | Declined) or event.player != who:
        return None
    before = StoredRound.of(played.round.rules, played.round.events[:number])
    action = event.action if isinstance(event, DecisionTaken) else "decline"
    try:
        found = hint(before, who)
    except Refused:
        return None
    values, best = found["decisions"], found["best"]
    if action not in values:
        return None
    lost = values[best] - values[action]
    return {
        "action": action,
        "worth": values[action],
        "best": best,
        "best_worth": values[best],
        "lost": lost,
        "text": _words(before, who, f"{_value(best, values)}, {_value(action, values)}"),
    }


def _value(action: str, values: dict[str, float]) -> str:
    number = values[action]
    return f"{plain(action)} {'−' if number < 0 else '+'}{abs(number):.3f}"


def _words(before: StoredRound, who: str, values: str) -> str:
    """What would have been better, what was decided, and on which hand."""
    need, state = before.next, before.state
    assert isinstance(need, Offer)
    option = next(one for one in need.options if one.player == who)
    play = Play(before.rules, state)
    hand = next(ref for ref, _ in play.each_hand() if ref == (option.box, option.hand or 1))
    known = state.dealer if state.shown else state.dealer[:1]
    return f"{begin(f'your {play.facts(hand).points} against {against(card.rank for card in known)}')}: {values}."
