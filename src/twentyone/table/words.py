"""Events of the table in words, as a floorperson would write them in the log; cards nobody may see stay out."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

from twentyone.cards import Card
from twentyone.money import Amount, dollars
from twentyone.round.events import StepBegun
from twentyone.round.words import in_words
from twentyone.table.model import TableEvent

__all__ = ["Told", "told"]


class Told(NamedTuple):
    """One thing that happened, in words."""

    says: str
    """What happened."""
    cite: str
    """The paragraph it happened under."""
    kind: str
    """The kind of the event, of the table or of the round."""


HASH = re.compile(r"[0-9a-f]{64}")
"""A commitment to the order that a seed makes."""

SILENT = ("agenda_set",)
"""Events that only say what comes next."""

ROUND = ("round_begun", "round_event")
"""Events of the table that carry events of the round."""


def told(event: TableEvent) -> Iterator[Told]:
    """What an event tells everybody at the table; a card dealt face down is not named.

    >>> next(told(TableEvent("cut_made", "", 0, "Ann", {"by": "Ann", "place": 42}))).says
    'Ann cuts 42 cards from the top'
    """
    if event.kind in ROUND:
        for inner in event.data["events"]:
            if not isinstance(inner, StepBegun):
                yield Told(in_words(inner), inner.cite, type(inner).__name__)
    elif event.kind not in SILENT:
        say = _WORDS.get(event.kind)
        says = say(event) if say is not None else f"{_plain(event.kind)} by {event.by}"
        yield Told(says, event.cite, event.kind)


def _plain(name: str) -> str:
    return name.replace("_", " ")


THINGS = ("device", "meter", "role")
"""Data that names things of the table, not people: written with spaces."""


def _data(pattern: str) -> Callable[[TableEvent], str]:
    """Words with the event's own data in them."""

    def say(event: TableEvent) -> str:
        named = {key: _plain(value) if key in THINGS else value for key, value in event.data.items()}
        return pattern.format(by=event.by, **{key: value for key, value in named.items() if key != "by"})

    return say


def _count(number: int, thing: str) -> str:
    return f"{number} {thing}{'' if number == 1 else 's'}"


def _seated(event: TableEvent) -> str:
    boxes = event.data["boxes"]
    return f"{event.data['player']} sits down at box{'es' if len(boxes) > 1 else ''} {', '.join(map(str, boxes))}"


def _laid(event: TableEvent) -> str:
    data = event.data
    money = dollars(Amount(data["amount"]))
    cash = ", in words with cash" if data.get("cash") else ""
    coupon = Amount(data.get("coupon", 0))
    beside = f", with a coupon of {dollars(coupon)}" if coupon else ""
    return f"{data['player']} lays {money} on box {data['box']}: {_plain(data['wager'])}{cash}{beside}"


ACCOUNTS = {"(inventory)": "the table inventory", "(cage)": "the cage", "(tips)": "the tip box"}
MOVES = {
    "buy-in": "{target} buys in for {money}",
    "verbal": "{target} gets {money} in chips for cash",
    "tip": "{source} gives {money} into the tip box",
    "leaves": "{source} takes {money} to the cage",
    "the table closes": "the table closes: {source} takes {money} to the cage",
}
"""Why chips move, in words."""


def _moved(event: TableEvent) -> str:
    data: Mapping[str, Any] = event.data
    source, target = (ACCOUNTS.get(data[end], data[end]) for end in ("source", "target"))
    pattern = MOVES.get(data["why"], "{why}: {money} from {source} to {target}")
    return pattern.format(why=data["why"], money=dollars(Amount(data["amount"])), source=source, target=target)


STANDS = {"working": "works again", "out_of_order": "is out of order", "covered": "is covered", "removed": "is removed"}
"""How a device stands, in words."""


def _device(event: TableEvent) -> str:
    stopped = event.data.get("stopped")
    says = f"the {_plain(event.data['device'])} {STANDS[event.data['state']]}"
    if not stopped:
        return says
    return str(stopped) if stopped.startswith(says) else f"{says}; {stopped}"


def _shuffled(event: TableEvent) -> str:
    """An order that a seed makes is committed to; that of a real shuffle nobody knows."""
    commitment = event.data["commitment"]
    known = (
        f"their order is committed to as {commitment:.12}" if HASH.fullmatch(commitment) else "nobody knows the order"
    )
    return f"the cards are shuffled; {known}"


def _received(event: TableEvent) -> str:
    decks = event.data["decks"]
    return f"{_count(decks, 'deck')} {'comes' if decks == 1 else 'come'} to the table ({event.data['batch']} backs)"


def _reloaded(event: TableEvent) -> str:
    size = event.data["size"]
    says = f"{_count(size, 'card')} of the discard rack {'is' if size == 1 else 'are'} shuffled into it"
    return f"the shoe ran out: {says}{'' if event.data.get('burn') == '' else ', one is burned'}"


def _collected(event: TableEvent) -> str:
    where = "go back into the shuffler" if event.data.get("returned") else "are picked up into the discard rack"
    removed = len(event.data.get("removed", ()))
    taken = f"; {_count(removed, 'card')} {'leaves' if removed == 1 else 'leave'} the game" if removed else ""
    return f"the cards {where}{taken}"


def _cover(event: TableEvent) -> str:
    box = event.data.get("box")
    return f"the cover card comes out{f' at box {box}' if box is not None else ''}: this round is finished first"


def _burn_shown(event: TableEvent) -> str:
    return f"the burn card is shown: {Card(event.data['card']).symbol}"


def _bar(event: TableEvent) -> str:
    barred = "may not enter before the reshuffle" if event.data["on"] else "may enter again"
    return f"those who sit out {barred}"


_WORDS: dict[str, Callable[[TableEvent], str]] = {
    "table_opened": _data("{by} opens the table; the dealer is {dealer}"),
    "table_closed": _data("{by} closes the table"),
    "dealer_changed": _data("{dealer} comes to deal"),
    "player_seated": _seated,
    "player_left": _data("{player} leaves the table"),
    "device_inspected": _data("{by} inspects the {device}"),
    "device_inspected_again": _data("{by} inspects the {device}"),
    "device_reported": _device,
    "cards_received": _received,
    "cards_inspected": _data("{by} inspects the cards"),
    "inspection_verified": _data("{by} verifies the inspection"),
    "tens_removed": _data("the tens are taken out and destroyed; {left} cards are left"),
    "cards_spread": _data("the cards are spread face up by deck and suit"),
    "cards_turned_up": _data("the cards are turned face up"),
    "cards_shown": _data("{player} looks at the cards"),
    "cards_washed": _data("the cards are turned face down and mixed"),
    "cards_stacked": _data("the cards are stacked"),
    "cards_remixed": _data("a card showed: the cards are mixed again"),
    "cards_counted": _data("all cards are collected and counted"),
    "cards_shuffled": _shuffled,
    "shuffle_failed": _data("the shuffle did not complete: it is done again"),
    "cut_offered": _data("the cut is offered to {player}"),
    "cut_declined": _data("{player} declines the cut"),
    "cut_made": lambda event: f"{event.data['by']} cuts {_count(event.data['place'], 'card')} from the top",
    "recut_ordered": _data("{by} has the cards cut again"),
    "cover_card_inserted": lambda event: (
        f"the cover card goes in {_count(event.data['from_bottom'], 'card')} from the bottom"
    ),
    "shoe_loaded": _data("{size} cards go into the shoe"),
    "card_burned": _data("a card is burned"),
    "burn_card_shown": _burn_shown,
    "cover_card_seen": _cover,
    "reshuffle_ordered": _data("the cards are to be reshuffled"),
    "rack_reloaded": _reloaded,
    "table_idle": _data("no play: the cards are spread face {face}"),
    "play_resumed": _data("play begins again"),
    "consent_given": _data("{by} lets {player} wager on box {box}"),
    "wager_laid": _laid,
    "wager_taken_back": _data("{player} takes the wager on box {box} back"),
    "wager_confirmed": _data("the {role} confirms the verbal wager on box {box}"),
    "round_ended": lambda event: "the round is void" if event.data["void"] else "the round is over",
    "round_resumed": _data("the round is not over yet"),
    "cards_collected": _collected,
    "hands_reconstructed": _data("the hands are rebuilt from the discard rack"),
    "handling_refused": _data("{who} is kept from handling the cards"),
    "bar_set": _bar,
    "chips_moved": _moved,
    "coupon_settled": _moved,
    "meter_set": lambda event: (
        f"the meter {_plain(event.data['meter'])} starts at {dollars(Amount(event.data['base']))}"
    ),
    "meter_contributed": _data("a share of the wager goes to the meter {meter}"),
    "meter_paid": lambda event: f"the meter {_plain(event.data['meter'])} pays {dollars(Amount(event.data['paid']))}",
}
