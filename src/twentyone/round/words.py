"""Events in words: what a floorperson would write in the log."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from twentyone.money import dollars, gained
from twentyone.round import entry_events
from twentyone.round import events as e

__all__ = ["in_words", "kept_words"]


def in_words(event: e.Event) -> str:
    """One event as a sentence, without its citation.

    >>> from twentyone.cards import Card
    >>> in_words(e.CardDealt("", Card("8S"), 1, 1, False))
    'box 1 is dealt 8♠'
    """
    return _WORDS[type(event)](event)


def _hand_name(box: int | None, hand: int | None = None) -> str:
    if box is None:
        return "the dealer"
    return f"box {box}" if hand in (None, 1) else f"box {box} hand {hand}"


def _plain(name: str) -> str:
    return name.replace("_", " ")


def _card_dealt(event: e.CardDealt) -> str:
    card = "a card face down" if event.face_down else event.card.symbol
    return f"{_hand_name(event.box, event.hand)} is dealt {card}{', sideways' if event.sideways else ''}"


def _decision(event: e.DecisionTaken) -> str:
    amount = f" for {dollars(event.amount)}" if event.amount is not None else ""
    choice = f" {event.choice}" if event.action == "designate" else ""
    return f"{event.player} at {_hand_name(event.box, event.hand)}: {_plain(event.action)}{choice}{amount}"


OUTCOMES = {
    "win": "wins",
    "lose": "loses",
    "push": "goes back",
    "void": "goes back",
    "surrender": "is surrendered",
    "rescued": "is taken back",
}
"""What becomes of a wager, in words."""


def _settled(event: e.WagerSettled) -> str:
    at = f" at {_hand_name(event.box, event.hand)}" if event.box is not None else ""
    odds = f" at {event.odds.win} to {event.odds.lay}" if event.odds is not None else ""
    wager = f"{_plain(event.wager)} {dollars(event.amount)}"
    net = f", {gained(event.net)}" if event.net else ""
    return f"{event.player}{at}: {wager} {OUTCOMES[event.outcome]}{odds}{kept_words(event)}{net}"


def kept_words(row: e.WagerSettled) -> str:
    """What is said of a wager that wins and goes to the operator, because what it wins is paid beside it."""
    return ": the wager is kept, its payment follows" if row.outcome == "win" and row.net < 0 else ""


def _asked(event: e.Asked) -> str:
    return f"{', '.join(event.players)} at {_hand_name(event.box, event.hand)}: asked about {_plain(event.offer)}"


def _declined(event: e.Declined) -> str:
    if event.box is None:
        return f"no more answers: {_plain(event.offer)}"
    return f"{event.player} at box {event.box}: no {_plain(event.offer)}"


def _total(event: e.TotalAnnounced) -> str:
    return f"announced: {_hand_name(event.box, event.hand)} has {event.total}"


def _wheel(event: e.WheelSpun) -> str:
    return f"the {_plain(event.wheel)} wheel is spun for {event.player} at box {event.box}: {event.symbol}"


_WORDS: dict[type[e.Event], Callable[[Any], str]] = {
    e.WagerPlaced: lambda x: f"{x.player} places {dollars(x.amount)} on box {x.box}: {_plain(x.wager)}",
    e.MeterShown: lambda x: f"the meter {_plain(x.meter)} shows {dollars(x.amount)}",
    e.StepBegun: lambda x: f"step: {_plain(x.step)}",
    e.DealBegun: lambda x: f"{len(x.draws)} cards are to be dealt",
    e.CardDealt: _card_dealt,
    e.CardSetAside: lambda x: f"{x.card.symbol} is set aside: {_plain(x.reason)}",
    e.WrongCardBurned: lambda x: f"{x.card.symbol} is burned: {_plain(x.reason)}",
    e.CardDestroyed: lambda x: f"{x.card.symbol} is out of the game: a floorperson is to destroy it",
    e.InsuranceOffered: lambda _: "insurance is offered",
    e.Asked: _asked,
    e.DecisionTaken: _decision,
    e.Declined: _declined,
    e.HandClosed: lambda x: f"{_hand_name(x.box, x.hand)} draws no more, {x.total}",
    e.HoleCardRead: lambda x: f"the hole card is read: {'Blackjack' if x.blackjack else 'no Blackjack'}",
    e.RangeAnnounced: lambda x: f"the {x.light} light: the hole card is {x.range}",
    e.HoleCardExposed: lambda x: f"the hole card is shown to the players: {x.card.symbol}",
    e.HoleCardRevealed: lambda x: f"the hole card is turned: {x.card.symbol}",
    e.BlackjackAnnounced: lambda x: f"announced: box {x.box} has Blackjack",
    e.TotalAnnounced: _total,
    e.Announced: lambda x: f"announced: {x.words}",
    e.WagerSettled: _settled,
    e.HandTakenAway: lambda x: f"the cards of {_hand_name(x.box, x.hand)} go into the discard rack",
    e.SettlementUndone: lambda x: f"undone: {_settled(x.row)}",
    e.HandCalledDead: lambda x: f"{_hand_name(x.box, x.hand)} is called dead",
    e.RoundVoided: lambda x: f"the round is void: {', '.join(map(_plain, x.effects))}",
    e.CardDrawnInError: lambda x: f"a card was drawn in error: {x.card.symbol if x.card else 'face down'}",
    e.CardRefused: lambda x: f"{x.player} at box {x.box} refuses the card",
    e.DealerCardMissed: lambda x: f"the dealer missed his own card {x.card_number}",
    e.BoxMissed: lambda x: f"box {x.box} was missed in the deal",
    e.RequestedCardMissed: lambda x: f"{_hand_name(x.box, x.hand)} was not dealt the card it asked for",
    e.WrongRangeFound: lambda x: f"the wrong range was shown: {x.shown}",
    e.RackShuffled: lambda x: f"the shoe ran out: {', '.join(map(_plain, x.effects))}",
    entry_events.ReaderContradicted: lambda _: "the dealer has a Blackjack that the card reader did not tell",
    entry_events.EntryCorrected: lambda x: f"corrected: {x.wrong} was entered, it is {x.right} ({x.why})",
    e.ReaderFailed: lambda _: "the card reader fails: the round goes on without it",
    e.FloorpersonNotified: lambda x: f"the floorperson is notified: {_plain(x.irregularity)}",
    e.NotificationConfirmed: lambda x: f"{x.by} confirms the notification: {_plain(x.irregularity)}",
    e.PlayContinued: lambda _: "play goes on",
    e.WheelSpun: _wheel,
    e.MeterReset: lambda x: f"the meter {_plain(x.meter)} is reset to {dollars(x.reset)}",
    e.MeterRestored: lambda x: f"the meter {_plain(x.meter)} shows {dollars(x.paid)} again",
    e.CardsCollected: lambda x: f"the cards are collected{', the round is void' if x.void else ''}",
}
