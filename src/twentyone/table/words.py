"""Events of the table in words, as a floorperson would write them in the log; cards nobody may see stay out."""

from __future__ import annotations

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


def _data(pattern: str) -> Callable[[TableEvent], str]:
    """Words with the event's own data in them; names of devices and meters are written with spaces."""

    def say(event: TableEvent) -> str:
        named = {key: _plain(value) if isinstance(value, str) else value for key, value in event.data.items()}
        return pattern.format(by=event.by, **{key: value for key, value in named.items() if key != "by"})

    return say


def _seated(event: TableEvent) -> str:
    boxes = event.data["boxes"]
    return f"{event.data['player']} sits down at box{'es' if len(boxes) > 1 else ''} {', '.join(map(str, boxes))}"


def _laid(event: TableEvent) -> str:
    data = event.data
    money = dollars(Amount(data["amount"]))
    return f"{data['player']} lays {money} on box {data['box']}: {_plain(data['wager'])}"


ACCOUNTS = {"(inventory)": "the table inventory", "(cage)": "the cage", "(tips)": "the tip box"}


def _moved(event: TableEvent) -> str:
    data: Mapping[str, Any] = event.data
    source, target = (ACCOUNTS.get(data[end], data[end]) for end in ("source", "target"))
    return f"{data['why']}: {dollars(Amount(data['amount']))} from {source} to {target}"


def _device(event: TableEvent) -> str:
    stopped = event.data.get("stopped")
    says = f"{_plain(event.data['device'])}: {_plain(event.data['state'])}"
    return f"{says}; {stopped}" if stopped else says


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
    "cards_received": _data("{decks} decks come to the table ({batch} backs)"),
    "cards_inspected": _data("{by} inspects the cards"),
    "inspection_verified": _data("{by} verifies the inspection"),
    "tens_removed": _data("the tens are taken out and destroyed; {left} cards are left"),
    "cards_spread": _data("the cards are spread face up by deck and suit"),
    "cards_shown": _data("{player} looks at the cards"),
    "cards_washed": _data("the cards are turned face down and mixed"),
    "cards_stacked": _data("the cards are stacked"),
    "cards_remixed": _data("a card showed: the cards are mixed again"),
    "cards_counted": _data("all cards are collected and counted"),
    "cards_shuffled": _data("the cards are shuffled; their order is committed to as {commitment:.12}"),
    "shuffle_failed": _data("the shuffle did not complete: it is done again"),
    "cut_offered": _data("the cut is offered to {player}"),
    "cut_declined": _data("{player} declines the cut"),
    "cut_made": lambda event: f"{event.data['by']} cuts {event.data['place']} cards from the top",
    "recut_ordered": _data("{by} has the cards cut again"),
    "cover_card_inserted": _data("the cover card goes in {from_bottom} cards from the bottom"),
    "shoe_loaded": _data("{size} cards go into the shoe"),
    "card_burned": _data("a card is burned"),
    "burn_card_shown": _burn_shown,
    "cover_card_seen": _cover,
    "reshuffle_ordered": _data("the cards are to be reshuffled"),
    "rack_reloaded": _data("the shoe ran out: {size} cards of the discard rack are shuffled into it, one is burned"),
    "table_idle": _data("no play: the cards are spread {face}"),
    "play_resumed": _data("play begins again"),
    "wager_laid": _laid,
    "wager_taken_back": _data("{player} takes the wager on box {box} back"),
    "wager_confirmed": _data("the {role} confirms the verbal wager on box {box}"),
    "round_ended": lambda event: "the round is void" if event.data["void"] else "the round is over",
    "cards_collected": _data("the cards are picked up into the discard rack"),
    "hands_reconstructed": _data("the hands are rebuilt from the discard rack"),
    "handling_refused": _data("{who} is kept from handling the cards"),
    "bar_set": _bar,
    "chips_moved": _moved,
    "coupon_settled": _moved,
    "meter_set": _data("the meter {meter} starts at ${base}"),
    "meter_contributed": _data("a share of the wager goes to the meter {meter}"),
    "meter_paid": lambda event: f"the meter {_plain(event.data['meter'])} pays ${event.data['paid']}",
}
