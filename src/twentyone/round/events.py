"""What happened in a round: frozen, in the past tense, each with the paragraph it happened under."""

from __future__ import annotations

from fractions import Fraction

from twentyone.cards import Card
from twentyone.money import Amount, Odds
from twentyone.round.event_base import Event, HandRef, frozen

__all__ = [
    "Announced",
    "Asked",
    "BlackjackAnnounced",
    "BoxMissed",
    "CardDealt",
    "CardDestroyed",
    "CardDrawnInError",
    "CardRefused",
    "CardSetAside",
    "CardsCollected",
    "DealBegun",
    "DealerCardMissed",
    "DecisionTaken",
    "Declined",
    "Event",
    "FloorpersonNotified",
    "HandCalledDead",
    "HandClosed",
    "HandRef",
    "HandTakenAway",
    "HoleCardExposed",
    "HoleCardRead",
    "HoleCardRevealed",
    "InsuranceOffered",
    "MeterReset",
    "MeterRestored",
    "MeterShown",
    "NotificationConfirmed",
    "PlayContinued",
    "RackShuffled",
    "RangeAnnounced",
    "ReaderFailed",
    "RequestedCardMissed",
    "RoundVoided",
    "SettlementUndone",
    "StepBegun",
    "TotalAnnounced",
    "WagerPlaced",
    "WagerSettled",
    "WheelSpun",
    "WrongCardBurned",
    "WrongRangeFound",
]


@frozen
class WagerPlaced(Event):
    """A wager was placed before the first card."""

    box: int
    player: str
    wager: str
    amount: Amount


@frozen
class StepBegun(Event):
    """A step of the procedure began."""

    step: str
    number: int


@frozen
class DealBegun(Event):
    """The initial deal began: the cards it calls for, as (box, hand, face down)."""

    draws: tuple[tuple[int | None, int | None, bool], ...]


@frozen
class MeterShown(Event):
    """What a progressive meter showed before the round, and what it held beside that."""

    meter: str
    amount: Amount
    waits: Fraction = Fraction(0)


@frozen
class CardDealt(Event):
    """A card was dealt to a hand of a box, or to the dealer (`box` none)."""

    card: Card
    box: int | None
    hand: int | None
    face_down: bool
    sideways: bool = False


@frozen
class CardSetAside(Event):
    """A card left the shoe and was not used."""

    card: Card
    reason: str


@frozen
class WrongCardBurned(CardSetAside):
    """A card left the shoe, was not used, and was burned."""


@frozen
class CardDestroyed(Event):
    """A card that was set aside is out of the game: a floorperson is to destroy it."""

    card: Card


@frozen
class InsuranceOffered(Event):
    """Insurance (and even money, where there is such) was offered."""

    players: tuple[tuple[int, str], ...]


@frozen
class Asked(Event):
    """One or more players of a hand were asked something beside the ordinary decision."""

    offer: str
    box: int
    hand: int
    players: tuple[str, ...]


@frozen
class DecisionTaken(Event):
    """A decision was taken, with the wager it made."""

    box: int
    hand: int | None
    player: str
    action: str
    amount: Amount | None = None
    choice: int | None = None


@frozen
class Declined(Event):
    """A player said no to an offer on a box; without a player, the dealer closed it for those who had not answered."""

    offer: str
    box: int | None = None
    player: str = ""


@frozen
class HandClosed(Event):
    """A hand draws no more."""

    box: int
    hand: int
    total: int


@frozen
class HoleCardRead(Event):
    """The hole card was put into the card reader."""

    blackjack: bool


@frozen
class RangeAnnounced(Event):
    """The Masque reader told the value range of the hole card."""

    range: str
    light: str


@frozen
class HoleCardExposed(Event):
    """The hole card was shown to the players before they act."""

    card: Card


@frozen
class HoleCardRevealed(Event):
    """The hole card was turned face up."""

    card: Card


@frozen
class BlackjackAnnounced(Event):
    """A player's Blackjack was announced; its payment waits."""

    box: int


@frozen
class TotalAnnounced(Event):
    """The dealer announced a total, his own (`box` none) or a player's."""

    box: int | None
    hand: int | None
    total: int


@frozen
class Announced(Event):
    """The dealer said words that the text orders."""

    words: str


@frozen
class WagerSettled(Event):
    """A wager was settled: one row of the result."""

    box: int | None
    hand: int | None
    player: str
    wager: str
    amount: Amount
    """The wager; of a bonus, what was paid."""
    outcome: str
    odds: Odds | None
    net: Amount
    """The player's gain or loss."""
    staked: Amount
    """Chips of this wager that lay on the layout until now."""


@frozen
class HandTakenAway(Event):
    """The cards of a settled hand went into the discard rack, before the round was over."""

    box: int
    hand: int
    cards: tuple[Card, ...]


@frozen
class SettlementUndone(Event):
    """A settlement was undone, because the round was void."""

    row: WagerSettled


@frozen
class HandCalledDead(Event):
    """A hand was called dead; its wagers go back."""

    box: int
    hand: int


@frozen
class RoundVoided(Event):
    """The round of play is void."""

    effects: tuple[str, ...]


@frozen
class CardDrawnInError(Event):
    """A card was drawn in error; it is the next card (`card` only where its face was seen)."""

    card: Card | None


@frozen
class CardRefused(Event):
    """A player refused the card that was drawn in error: for all hands, or for this one."""

    box: int
    player: str
    hand: int | None = None


@frozen
class DealerCardMissed(Event):
    """The dealer missed dealing a card to himself; it is dealt after the players'."""

    card_number: int


@frozen
class BoxMissed(Event):
    """The dealer missed a box in the initial deal."""

    box: int


@frozen
class RequestedCardMissed(Event):
    """The dealer failed to deal a card that a player had asked for."""

    box: int
    hand: int


@frozen
class WrongRangeFound(Event):
    """The reader lit the wrong light, or the hand lay in the wrong area."""

    shown: str
    hands: tuple[tuple[int, int], ...]


@frozen
class ReaderFailed(Event):
    """The card reader does not work: the round goes on by the procedure without one."""


@frozen
class FloorpersonNotified(Event):
    """The dealer told the floorperson of an irregularity."""

    irregularity: str


@frozen
class NotificationConfirmed(Event):
    """A floorperson confirmed that he was told of an irregularity."""

    irregularity: str
    by: str


@frozen
class PlayContinued(Event):
    """After an irregularity play went on."""


@frozen
class RackShuffled(Event):
    """The shoe ran out: the discard rack was shuffled and cut, one card drawn off, the round goes on."""

    effects: tuple[str, ...]


@frozen
class WheelSpun(Event):
    """The prize wheel was spun."""

    wheel: str
    symbol: str
    box: int
    player: str


@frozen
class MeterReset(Event):
    """A progressive meter was paid out and started again: what it shows then, and what it holds beside that."""

    meter: str
    paid: Amount
    reset: Amount
    waits: Fraction = Fraction(0)


@frozen
class MeterRestored(Event):
    """A jackpot was undone: its meter shows again what it paid, and holds beside that what waited then."""

    meter: str
    paid: Amount


@frozen
class CardsCollected(Event):
    """The dealer picked up the cards; the round is over."""

    void: bool
