"""Cards that lie face down at a table with its own shoe: the ledger calls them unknown until they are turned.

The seal of such a card is that of its shoe: whoever has the key knows the order, and the place in it is the number of
cards that had left before. When a card is turned, at the latest when its round is picked up or its shoe revealed, the
ledger's own event `cards_opened` says what the unknown cards of a command were. The one place that hides and fills in.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import cycle
from typing import TYPE_CHECKING, Any, NamedTuple

from twentyone.cards import UNKNOWN, Card
from twentyone.ledger.canonical import canonical
from twentyone.ledger.codec import COMMAND, OPENED, SCHEMA, read_body
from twentyone.ledger.reading import readable
from twentyone.ledger.rows import NewEvent, StoredEvent
from twentyone.ledger.shoes import Custody, LeftOut
from twentyone.round.events import CardDealt, Event
from twentyone.table import card_events as cards
from twentyone.table.card_changes import kept_out
from twentyone.table.events import RoundEvent
from twentyone.table.model import Command, TableEvent, TableState
from twentyone.table.rack import shuffled_and_lying

if TYPE_CHECKING:
    from twentyone.table import Table

__all__ = [
    "Hidden",
    "NextCard",
    "Sight",
    "filled",
    "hide",
    "open_events",
    "opened_cards",
    "opening",
    "sight_with",
    "unknown_in",
    "until",
]

MARK = f'"{UNKNOWN.name}"'
KEYS = frozenset({"card", "cards", "lying"})
"""Where an event names cards that may lie face down."""
Body = dict[str, Any]
NextCard = Callable[[TableState, Custody], Card | None]
"""The card that leaves the shoe next."""
Sight = Callable[[int, StoredEvent, TableState, Custody], str]
"""What the cards are that an event calls unknown, given the version of its command and the table before it."""


class Hidden(NamedTuple):
    """A command and its events as they are stored."""

    command: Command
    """The command; a card of it that lies face down is unknown."""
    events: tuple[TableEvent, ...]
    """The events of the table, likewise."""
    lying: LeftOut | None = None
    """The cards that they leave out."""


# -- writing


def hide(command: Command, after: Table, custody: Custody, version: int) -> Hidden:
    """What is stored of a command, at a version: what still lies face down after it is left out."""
    events = after.events
    for event in events:
        until, names = _lies(event, after.state)
        if names:
            seal = custody.shoe.commitment if custody.shoe is not None else ""
            lying = LeftOut(version, " ".join(names), until, seal)
            return Hidden(_command(command, names), tuple(_event(one, names) for one in events), lying)
    return Hidden(command, events)


def _lies(event: TableEvent, state: TableState) -> tuple[str, tuple[str, ...]]:
    """Until when the cards of an event lie face down, and their names."""
    if isinstance(event, cards.CardBurned) and event.card is not UNKNOWN:
        return "burn", (event.card.name,)
    if isinstance(event, cards.RackReloaded):
        return "round", tuple(card.name for card in (*event.cards, *event.lying))
    if isinstance(event, RoundEvent) and state.round is not None and not state.round.state.shown:
        return "shown", tuple(card.name for card in map(_dealt_down, event.events) if card is not None)[:1]
    return "", ()


def _dealt_down(event: Event) -> Card | None:
    if isinstance(event, CardDealt) and event.face_down and event.card is not UNKNOWN:
        return event.card
    return None


def _command(command: Command, names: tuple[str, ...]) -> Command:
    if command.args.get("card") not in names:
        return command
    return command._replace(args={**command.args, "card": UNKNOWN.name})


def _event(event: TableEvent, names: tuple[str, ...]) -> TableEvent:
    """An event of the table with its face-down cards unknown."""
    if isinstance(event, cards.CardBurned):
        return replace(event, card=UNKNOWN)
    if isinstance(event, cards.RackReloaded):
        return replace(event, cards=(UNKNOWN,) * len(event.cards), lying=(UNKNOWN,) * len(event.lying))
    if not isinstance(event, RoundEvent):
        return event
    inner = tuple(_laid_down(one) for one in event.events)
    step: Any = event.step
    if getattr(step, "card", None) is not None and step.card.name in names:
        step = replace(step, card=UNKNOWN)
    drawn = tuple(UNKNOWN if card.name in names else card for card in event.cards)
    return replace(event, events=inner, cards=drawn, step=step)


def _laid_down(event: Event) -> Event:
    return replace(event, card=UNKNOWN) if isinstance(event, CardDealt) and event.face_down else event


def opening(custody: Custody, state: TableState, at: int) -> NewEvent | None:
    """The ledger's own event for the cards that were turned or may be known now; none where there are none."""
    over = [[lying.version, lying.cards] for lying in custody.face_down if _turned(lying, custody, state)]
    return NewEvent(OPENED, {"opened": over}, at, SCHEMA) if over else None


def _turned(lying: LeftOut, custody: Custody, state: TableState) -> bool:
    if not lying.cards:
        return False
    if lying.until in ("burn", "shoe"):
        return not any(seal.commitment == lying.seal for seal in custody.closed)
    return lying.until == "now" or state.round is None or (lying.until == "shown" and state.round.state.shown)


# -- reading


def unknown_in(event: StoredEvent) -> bool:
    """Whether a stored event may name a card that lay face down."""
    return MARK in event.body


def filled(body: Body, names: str) -> bool:
    """Put the cards that a body calls unknown into it, in order; whether there are any."""
    known = names.split()
    return _fill(body, cycle(known) if known else None)


def _fill(value: Any, fill: Iterator[str] | None, key: str = "") -> bool:
    """Go through the fields in the order in which they are stored; one name stands for every unknown card."""
    found = False
    places = sorted(value.items()) if isinstance(value, dict) else enumerate(value)
    for place, item in places:
        within = place if isinstance(place, str) else key
        if isinstance(item, dict | list):
            found |= _fill(item, fill, within)
        elif item == UNKNOWN.name and within in KEYS:
            found = True
            if fill is not None:
                value[place] = next(fill)
    return found


def sight_with(next_card: NextCard) -> Sight:
    """The sight of who knows the order of the shoe."""

    def sight(_: int, event: StoredEvent, state: TableState, custody: Custody) -> str:
        if event.type == cards.RackReloaded.kind and state.round is not None:
            shuffled, lying = shuffled_and_lying(state, kept_out(state.round))
            return " ".join(card.name for card in (*shuffled, *lying))
        card = next_card(state, custody)
        return "" if card is None else card.name

    return sight


def until(kind: str) -> str:
    """Until when the cards that an event of a kind leaves out lie face down."""
    return {cards.CardBurned.kind: "burn", cards.RackReloaded.kind: "round"}.get(kind, "shown")


def opened_cards(events: Iterable[StoredEvent]) -> dict[str, dict[int, str]]:
    """The cards that these events open, by stream and by the version of the command that they lay down with."""
    found: dict[str, dict[int, str]] = {}
    for event in events:
        if event.type == OPENED:
            with readable(event):
                known = {int(version): str(names) for version, names in read_body(event)["opened"]}
                found.setdefault(event.stream, {}).update(known)
    return found


def open_events(events: Iterable[StoredEvent], first: int, last: int) -> Iterator[StoredEvent]:
    """The events of a stream to the end of the last one's command; from the first on with the cards opened there."""
    batch: list[StoredEvent] = []
    for event in events:
        if event.ver < first:
            yield event
        elif event.ver > last and event.type == COMMAND:
            break
        else:
            batch.append(event)
    opened = next(iter(opened_cards(batch).values()), {})
    yield from _filled_in(batch, opened)


def _filled_in(events: Iterable[StoredEvent], opened: Mapping[int, str]) -> Iterator[StoredEvent]:
    command = 0
    for event in events:
        command = event.ver if event.type == COMMAND else command
        yield _with(event, opened[command]) if command in opened and unknown_in(event) else event


def _with(event: StoredEvent, names: str) -> StoredEvent:
    body = read_body(event)
    filled(body, names)
    return event._replace(schema=SCHEMA, body=canonical(body))
