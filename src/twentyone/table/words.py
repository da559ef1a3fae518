"""Events of the table in words, as a floorperson would write them in the log; cards nobody may see stay out."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

from twentyone.cards import Card
from twentyone.money import dollars
from twentyone.round.words import in_words
from twentyone.table import card_events as cards
from twentyone.table import events as e
from twentyone.table import meter_events as meters
from twentyone.table import wager_events as w

__all__ = ["SILENT", "Sentence", "described", "recorded"]


class Sentence(NamedTuple):
    """One thing that happened, in words."""

    says: str
    """What happened."""
    cite: str
    """The paragraph it happened under."""
    kind: str
    """The kind of the event, of the table or of the round."""


HASH = re.compile(r"[0-9a-f]{64}")
"""A commitment to the order that a seed makes."""

SILENT = ("agenda_set", "round_begun", "StepBegun", "WagerPlaced", "DealBegun")
"""Events that say what comes next, or a wager that was told when it was laid: in the record, and not in the story."""


def described(event: e.TableEvent) -> Iterator[Sentence]:
    """What an event tells everybody at the table; a card dealt face down is not named.

    >>> next(described(cards.CutMade("", 0, "Ann", cutter="Ann", place=42, batch="red", turned=False))).says
    'Ann cuts 42 cards from the top'
    """
    return (line for line in recorded(event) if line.kind not in SILENT)


def recorded(event: e.TableEvent) -> Iterator[Sentence]:
    """Everything that an event says: what happened at the table, then what happened in the round."""
    if not isinstance(event, e.RoundEvent):
        yield Sentence(_WORDS[type(event)](event), event.cite, event.kind)
    if isinstance(event, e.RoundBegun | e.RoundEvent):
        for inner in event.events:
            yield Sentence(in_words(inner), inner.cite, type(inner).__name__)


def _plain(name: str) -> str:
    return name.replace("_", " ")


def _symbols(cards: Iterable[Card]) -> str:
    return " and ".join(card.symbol for card in cards)


def _count(number: int, thing: str) -> str:
    return f"{number} {thing}{'' if number == 1 else 's'}"


def _agenda(event: e.AgendaSet) -> str:
    return f"to be done next: {', '.join(_plain(' '.join(todo).strip()) for todo in event.todo) or 'nothing'}"


def _seated(event: e.PlayerSeated) -> str:
    many = "es" if len(event.boxes) > 1 else ""
    where = f"box{many} {', '.join(map(str, event.boxes))}"
    himself = event.device or event.by == event.player
    return f"{event.player} sits down at {where}" if himself else f"{event.by} seats {event.player} at {where}"


def _laid(event: e.WagerLaid) -> str:
    cash = ", verbally with cash" if event.cash else ""
    beside = f", with a coupon of {dollars(event.coupon)}" if event.coupon else ""
    what = f"{_plain(event.wager)}{cash}{beside}"
    return f"{event.player} lays {dollars(event.amount)} on box {event.box}: {what}"


def _coupon(event: w.CouponLaid | w.CouponReturned | w.CouponUsed) -> str:
    return f"the coupon {event.number} of {dollars(event.amount)}"


def _coupon_laid(event: w.CouponLaid) -> str:
    where = f"beside the {_plain(event.wager)} wager of {event.player} on box {event.box}"
    return f"{event.by} lays {_coupon(event)} {where}"


def _spoken(event: w.VerbalMade) -> str:
    return f"{event.player} says {dollars(event.amount)} for box {event.box}, with cash: {_plain(event.wager)}"


def _taken_back(event: e.WagerTakenBack) -> str:
    """A floorperson hands a wager back; a player takes his own."""
    which = f"{_plain(event.wager)} wager" if event.wager else "wager"
    if event.by == event.player:
        return f"{event.player} takes the {which} on box {event.box} back"
    return f"{event.by} hands {event.player} the {which} on box {event.box} back"


def _burn_shown(event: cards.BurnCardShown) -> str:
    to = f" to {event.player}" if event.player else ""
    return f"the burn card is shown{to}: {event.card.symbol}"


ACCOUNTS = {"(inventory)": "the table inventory", "(cage)": "the cage", "(tips)": "the tip box"}
MOVES = {
    "buy-in": "{target} buys in for {money}",
    "verbal": "{target} gets {money} in chips for cash",
    "tip": "{source} gives {money} into the tip box",
    "brings": "{target} brings {money} along",
    "opens": "the table opens with {money} in its inventory",
    "leaves": "{source} takes {money} to the cage",
    "the table closes": "the table closes: {source} takes {money} to the cage",
}
"""Why chips move, in words."""


def _moved(event: e.ChipsMoved) -> str:
    source, target = (ACCOUNTS.get(account, account) for account in (event.source, event.target))
    pattern = MOVES.get(event.why, "{why}: {money} from {source} to {target}")
    return pattern.format(why=event.why, money=dollars(event.amount), source=source, target=target)


STANDS = {"working": "works again", "out_of_order": "is out of order", "covered": "is covered", "removed": "is removed"}
"""The state of a device, in words."""


def _device(event: e.DeviceReported) -> str:
    says = f"the {_plain(event.device)} {STANDS[event.state]}"
    if not event.stopped:
        return says
    return event.stopped if event.stopped.startswith(says) else f"{says}; {event.stopped}"


def _shuffled(event: cards.CardsShuffled) -> str:
    """An order that a seed makes is committed to; that of a real shuffle nobody knows."""
    made = HASH.fullmatch(event.commitment)
    known = f"their order is committed to as {event.commitment:.12}" if made else "nobody knows the order"
    return f"the cards are shuffled ({event.batch} backs); {known}"


def _received(event: cards.CardsReceived) -> str:
    come = "comes" if event.decks == 1 else "come"
    without = "" if event.whole else ", without tens"
    return f"{_count(event.decks, 'deck')} {come} to the table ({event.batch} backs){without}"


def _loaded(event: cards.ShoeLoaded) -> str:
    if event.device:
        return f"the {_plain(event.device)} puts {event.size} cards into the shoe ({event.batch} backs)"
    return f"{event.size} cards go into the {'shuffler' if event.continuous else 'shoe'} ({event.batch} backs)"


def _reloaded(event: cards.RackReloaded) -> str:
    says = f"{_count(event.size, 'card')} of the discard rack {'is' if event.size == 1 else 'are'} shuffled for it"
    kept = (
        f"; {_symbols(event.kept)}, found face up, {'stays' if len(event.kept) == 1 else 'stay'} in it"
        if event.kept
        else ""
    )
    return f"the shoe ran out: {says}{'' if event.burn is None else ', one is burned'}{kept}"


def _looked(event: cards.CardsShown) -> str:
    """The player says that he has looked; the dealer, that he let him."""
    return f"{event.player} {'has looked' if event.by == event.player else 'was given time to look'} at the cards"


def _idle(event: cards.TableIdle) -> str:
    asked = f", as {event.asked_by} asked" if event.asked_by else ""
    return f"no play: the cards are spread face {event.face}{asked}"


RECUTTERS = {"": "", "last": " by the last cutter", "next": " by the next one entitled"}
"""Who cuts again, in words."""


def _rebuilt(event: e.HandsReconstructed) -> str:
    if not event.rounds:
        return "the discard rack holds no hand to rebuild"
    aside = [card.symbol for cards in event.aside for card in cards]
    told = "the hands are rebuilt from the discard rack"
    if not aside:
        return told
    were = "was set aside and is in no hand" if len(aside) == 1 else "were set aside and are in no hand"
    return f"{told}; {' '.join(aside)} {were}"


def _collected(event: cards.CardsPickedUp) -> str:
    where = "go back into the shuffler" if event.returned else "are picked up into the discard rack"
    removed = len(event.removed)
    taken = f"; {_count(removed, 'card')} {'leaves' if removed == 1 else 'leave'} the game" if removed else ""
    return f"the cards {where}{taken}"


def _cover(event: cards.CoverCardSeen) -> str:
    where = f" at box {event.box}" if event.box is not None else ""
    return f"the cover card comes out{where}: this round is finished first"


def _opened(event: e.TableOpened) -> str:
    floor = f", the assigned floorperson {event.floorperson}" if event.floorperson else ""
    return f"{event.by} opens the table; the dealer is {event.dealer}{floor}"


_WORDS: dict[type[e.TableEvent], Callable[[Any], str]] = {
    e.TableOpened: _opened,
    e.FloorpersonAssigned: lambda event: f"{event.floorperson} is the floorperson assigned to the table",
    e.TableClosed: lambda event: f"{event.by} closes the table",
    e.AgendaSet: _agenda,
    e.DealerChanged: lambda event: f"{event.dealer} comes to deal",
    e.PlayerSeated: _seated,
    w.PlayerStanding: lambda event: f"{event.player} stands at the table",
    e.PlayerLeft: lambda event: f"{event.player} leaves the table",
    e.DeviceInspected: lambda event: f"{event.by} inspects the {_plain(event.device)}",
    e.DeviceInspectedAgain: lambda event: f"{event.by} inspects the {_plain(event.device)}",
    e.DeviceReported: _device,
    cards.CardsReceived: _received,
    cards.CardsInspected: lambda event: f"{event.by} inspects the cards",
    cards.InspectionVerified: lambda event: f"{event.by} verifies the inspection",
    cards.TensTakenOut: lambda event: f"{event.by} takes the tens out: {_count(event.cards, 'card')}",
    cards.TensRemoved: lambda event: f"{event.floorperson} destroys the tens; {event.left} cards are left",
    cards.CardsSpread: lambda _: "the cards are spread face up by deck and suit",
    cards.CardsTurnedUp: lambda _: "the cards are turned face up",
    cards.CardsShown: _looked,
    cards.CardsWashed: lambda _: "the cards are turned face down and mixed",
    cards.CardsStacked: lambda _: "the cards are stacked",
    cards.CardsRemixed: lambda _: "a card showed: the cards are mixed again",
    cards.CardsCounted: lambda event: f"all cards are collected and counted{f': {event.cards}' if event.cards else ''}",
    cards.CardsMiscounted: lambda event: (
        f"{event.counted} cards are counted where {event.cards} belong: the floorperson is called"
    ),
    cards.RecountOrdered: lambda event: f"{event.by} has the cards counted again",
    cards.CardsShuffled: _shuffled,
    cards.ShuffleFailed: lambda _: "the shuffle did not complete: it is done again",
    cards.CutOffered: lambda event: f"the cut is offered to {event.player}",
    cards.CutDeclined: lambda event: f"{event.player} declines the cut",
    cards.CutMade: lambda event: f"{event.cutter} cuts {_count(event.place, 'card')} from the top",
    cards.RecutOrdered: lambda event: f"{event.by} has the cards cut again{RECUTTERS[event.cutter]}",
    cards.CoverCardInserted: lambda event: (
        f"the cover card goes in {_count(event.from_bottom, 'card')} from the bottom"
    ),
    cards.ShoeLoaded: _loaded,
    cards.ShoeReplaced: lambda event: f"{_count(event.left, 'card')} go into another shoe as they stand",
    cards.CardBurned: lambda _: "a card is burned",
    w.BurnCardAsked: lambda event: f"{event.player} asks to see the burn card",
    cards.BurnCardShown: _burn_shown,
    cards.TenFound: lambda event: f"{event.card.symbol} is found in the shoe: it is not of this game and lies aside",
    cards.FoundTensDestroyed: lambda event: f"{event.by} destroys {_symbols(event.cards)}, found in the shoe",
    cards.CoverCardSeen: _cover,
    cards.ReshuffleOrdered: lambda _: "the cards are to be reshuffled",
    cards.RackReloaded: _reloaded,
    cards.TableIdle: _idle,
    cards.FaceUpAsked: lambda event: f"{event.player} asks for the cards face up",
    cards.BatchSpreadAsked: lambda event: f"{event.player} asks that the {event.batch} batch is spread and shuffled",
    cards.PlayResumed: lambda _: "play begins again",
    e.ConsentGiven: lambda event: f"{event.by} lets {event.player} wager on box {event.box}",
    w.ConsentEnded: lambda event: f"{event.by} lets {event.player} wager on box {event.box} no longer",
    e.WagerLaid: _laid,
    e.WagerTakenBack: _taken_back,
    w.VerbalMade: _spoken,
    e.WagerConfirmed: lambda event: f"the {_plain(event.role)} confirms the verbal wager on box {event.box}",
    w.VerbalDeclined: lambda event: f"the verbal wager of {event.player} on box {event.box} is not accepted",
    e.RoundBegun: lambda event: f"round {event.number} begins: the wagers are closed",
    e.RoundEnded: lambda event: f"the round is {'void' if event.void else 'over'}",
    e.RoundResumed: lambda _: "the round is not over yet",
    cards.CardsPickedUp: _collected,
    cards.CardsReturned: lambda event: f"the cards go back into the shuffler, which holds {event.cards} again",
    e.HandsReconstructed: _rebuilt,
    e.HandlingRefused: lambda event: f"{event.who} is kept from handling the cards",
    w.PlayerAdmitted: lambda event: f"{event.by} lets {event.player} wager again",
    e.BarSet: lambda event: f"those who sit out may {'not enter before the reshuffle' if event.on else 'enter again'}",
    w.CouponLaid: _coupon_laid,
    w.CouponReturned: lambda event: f"{_coupon(event)} goes back to {event.player}",
    w.CouponUsed: lambda event: f"{_coupon(event)} is used; it won {dollars(event.paid)}",
    w.LimitSet: lambda event: (
        f"{event.by} sets the most that one command may move ({_plain(event.about)}) to {dollars(event.most)}"
    ),
    e.ChipsMoved: _moved,
    e.CouponSettled: _moved,
    meters.MeterSet: lambda event: f"the meter {_plain(event.meter)} starts at {dollars(event.base)}",
    meters.MeterContributed: lambda event: f"a share of the wager goes to the meter {_plain(event.meter)}",
    meters.MeterShareTakenBack: lambda event: f"the share of a returned wager leaves the meter {_plain(event.meter)}",
    meters.JackpotPaid: lambda event: f"the meter {_plain(event.meter)} pays {dollars(event.paid)}",
    meters.JackpotTakenBack: lambda event: (
        f"the meter {_plain(event.meter)} has the {dollars(event.paid)} back that it paid"
    ),
}
