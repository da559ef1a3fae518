"""The entries of a round told again from its events: what was drawn, said and reported, in order.

Whoever plays them again gets the same events; where that is not so, the round is not told at all.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import Any, NamedTuple

from twentyone.cards import UNKNOWN, Card
from twentyone.errors import Refused
from twentyone.money import Amount
from twentyone.round import events as e
from twentyone.round.actions import ACTIONS
from twentyone.round.commands import (
    Command,
    Confirmed,
    Decision,
    Draw,
    Drawn,
    Happened,
    Need,
    Offer,
    ReaderReport,
    ReaderTold,
    Spin,
    Spun,
    TurnedUp,
)
from twentyone.round.entry_events import EntryCorrected
from twentyone.round.round import Round
from twentyone.round.wagers import Wagers

__all__ = ["Entered", "begin_again", "named", "retold", "standing"]


class Entered(NamedTuple):
    """One entry of a round."""

    command: Command
    """What was brought."""
    need: Need
    """What the round needed then."""


def standing(events: tuple[e.Event, ...]) -> tuple[e.Event, ...]:
    """The events of a round that stand: those before a correction are replaced by the corrected ones."""
    for index in range(len(events) - 1, -1, -1):
        event = events[index]
        if isinstance(event, EntryCorrected):
            return (*event.again, *events[index + 1 :])
    return events


def named(events: tuple[e.Event, ...]) -> tuple[e.Event, ...]:
    """The events of a round with every card that was turned up later called by its name from the beginning."""
    return tuple(
        replace(event, card=_turned(events[index:])) if isinstance(event, e.CardDealt) else event
        for index, event in enumerate(events)
    )


def _turned(events: tuple[e.Event, ...]) -> Card:
    """The card of the first event; what it is turned up as, where it was dealt unseen."""
    dealt, *later = events
    assert isinstance(dealt, e.CardDealt)
    if dealt.card is not UNKNOWN:
        return dealt.card
    turned = (event.card for event in later if isinstance(event, e.HoleCardExposed | e.HoleCardRevealed))
    return next(turned, UNKNOWN)


def retold(round_: Round) -> list[Entered]:
    """The entries that lead to a round."""
    events, again = standing(round_.events), begin_again(round_)
    entries: list[Entered] = []
    while len(again.events) < len(events):
        command = _command(again.next, events[len(again.events)])
        entries.append(Entered(command, again.next))
        again = again.apply(command)
        if events[: len(again.events)] != again.events:
            break
    if again.events != events:
        raise Refused("the record of this round cannot be played again", round_.events[-1].cite)
    return entries


def begin_again(round_: Round) -> Round:
    """The round with its wagers placed, before the first card."""
    rows: dict[tuple[int, str], dict[str, Amount]] = {}
    meters, waits = dict[str, Amount](), dict[str, Fraction]()
    for event in standing(round_.events):
        if isinstance(event, e.WagerPlaced):
            rows.setdefault((event.box, event.player), {})[event.wager] = event.amount
        elif isinstance(event, e.MeterShown):
            meters[event.meter], waits[event.meter] = event.amount, event.waits
    wagers = [Wagers(*holder, kinds.pop("main"), kinds) for holder, kinds in rows.items()]
    return Round.start(round_.rules, wagers, meters, waits)


# -- the entry that begins with an event


def _command(need: Need, event: e.Event) -> Command:
    tell = _TOLD.get(type(event))
    if tell is None:
        raise Refused("the record of this round cannot be played again", event.cite)
    return tell(need, event)


_BESIDE = {
    "past_17": "dealer_drew_past_17",
    "ten_past_17": "dealer_drew_past_17",
    "ten_at_burn": "ten_at_burn",
}
"""Why a card was set aside that was not due to anybody, and what was reported."""


def _set_aside(need: Need, event: e.CardSetAside) -> Command:
    if event.reason == "turned_ten":
        return TurnedUp(event.card)
    if event.reason in _BESIDE:
        return Happened(_BESIDE[event.reason], card=event.card)
    if isinstance(need, Draw):
        return Drawn(event.card, event.reason in ("face_up", "face_up_ten"))
    return Happened("card_drawn_in_error", card=event.card, exposed=True)


def _decision(need: Need, event: e.DecisionTaken) -> Decision:
    amount = event.amount if ACTIONS[event.action].most is not None else None
    about = isinstance(need, Offer) and need.kind in ("wrong_range", "late_card")
    hand = event.hand if about else event.choice if event.action == "designate" else None
    return Decision(event.action, event.box, event.player, amount, hand)


def _read(need: Need, event: e.HoleCardRead) -> Command:
    return ReaderTold(blackjack=event.blackjack) if isinstance(need, ReaderReport) else Happened("hole_card_read")


def _spun(need: Need, event: e.WheelSpun) -> Spun:
    named = isinstance(need, Spin) and need.box != event.box
    return Spun(event.symbol, event.box if named else None)


def _in_error(_: Need, event: e.CardDrawnInError) -> Happened:
    return Happened("card_drawn_in_error", card=event.card, exposed=event.card is not None)


def _reported(name: str) -> Callable[[Need, Any], Happened]:
    return lambda _, event: Happened(name, box=getattr(event, "box", None), shown=getattr(event, "shown", None))


_TOLD: dict[type[e.Event], Callable[[Need, Any], Command]] = {
    e.CardDealt: lambda _, event: Drawn(event.card),
    e.CardSetAside: _set_aside,
    e.WrongCardBurned: _set_aside,
    e.DecisionTaken: _decision,
    e.Declined: lambda _, event: Decision("decline", event.box, event.player or None),
    e.CardRefused: lambda _, event: Decision("refuse", event.box, event.player),
    e.CardDrawnInError: _in_error,
    e.HoleCardRead: _read,
    e.RangeAnnounced: lambda _, event: ReaderTold(range=event.range),
    e.HoleCardExposed: lambda _, event: TurnedUp(event.card),
    e.HoleCardRevealed: lambda _, event: TurnedUp(event.card),
    e.WheelSpun: _spun,
    e.DealerCardMissed: _reported("dealer_card_missed"),
    e.BoxMissed: _reported("box_missed"),
    e.RequestedCardMissed: _reported("requested_card_missed"),
    e.WrongRangeFound: _reported("wrong_range"),
    e.ReaderFailed: _reported("reader_failed"),
    e.RackShuffled: _reported("insufficient_cards"),
    e.NotificationConfirmed: lambda _, event: Confirmed(event.by),
}
"""By the first event of an entry: what was entered."""
