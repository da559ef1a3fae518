"""The shoes of a table: what was committed to, the seed once it is revealed, and the cards that left the shoe.

Only what everybody may know by then is read: a seed that is still sealed stays sealed, and so does its order.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice, takewhile
from typing import Any, NamedTuple

from twentyone.cards import parse_cards
from twentyone.errors import TwentyoneError
from twentyone.ledger.codec import read_body
from twentyone.ledger.face_down import open_events
from twentyone.ledger.identity import given_submission
from twentyone.ledger.reading import readable, whole
from twentyone.ledger.replaying import rules_at
from twentyone.ledger.rows import StoredEvent
from twentyone.ledger.store import Store
from twentyone.rulebook import Rules
from twentyone.table.model import Shoe
from twentyone.table.shoe import ShoeRecord

__all__ = ["NoSuchShoe", "SealedShoe", "list_shoes", "read_shoe", "shoe_after", "shoe_before", "shoe_record"]

SEALED, REVEALED = "shoe_sealed", "shoe_revealed"
Body = dict[str, Any]
LAST_ORDERS = 3
"""Orders among whose shoes one in play is looked for: the next batch may be sealed already."""
TAKEN = ("card_burned", "round_event")
"""What takes cards out of a shoe."""
CHANGED = (
    *TAKEN,
    *("shoe_loaded", "cards_shuffled", "recut_ordered", "rack_reloaded", "cards_returned", "shoe_replaced"),
    *("table_idle", "cards_received"),
)
"""What changes the cards in a shoe."""


class NoSuchShoe(TwentyoneError):
    """A shoe that the ledger does not hold, or whose seed is still sealed."""


class SealedShoe(NamedTuple):
    """One order of cards that a table committed to."""

    version: int
    """The version of the event that sealed its seed: it names the shoe."""
    sealed: int
    """When that was, in seconds UTC."""
    commitment: str
    """SHA-256 of the seed, published then."""
    batch: str
    """The batch of cards."""
    place: str
    """Where its cards were put: `stack` or `shoe`."""
    revealed: int | None = None
    """When the seed was revealed; none: it is still sealed."""
    seed: str = ""
    """The seed, in hexadecimal; empty while it is sealed."""
    cut: int = 0
    """Cards above the cut."""
    cards: str = ""
    """The cards that were shuffled, where it was not the whole batch."""
    ended: int = 0
    """The version of the event that revealed it; 0 while it is sealed."""


def list_shoes(store: Store, table: str, before: int, most: int) -> list[SealedShoe]:
    """The shoes of a table that were sealed before a version, the newest first."""
    seals = (event for event in store.read_seals_back(table, before) if event.type == SEALED)
    found = {shoe.commitment: shoe for shoe in map(_sealed, islice(seals, most))}
    waiting = set(found)
    oldest = min((shoe.version for shoe in found.values()), default=0)
    for event in store.read_seals(table, oldest) if waiting else ():
        with readable(event):
            body = read_body(event)
        if event.type == REVEALED and body["commitment"] in waiting:
            waiting.discard(body["commitment"])
            found[body["commitment"]] = _revealed(found[body["commitment"]], event, body)
        if not waiting:
            break
    return list(found.values())


def read_shoe(store: Store, table: str, version: int) -> SealedShoe:
    """A shoe of a table by the version of its seal."""
    shoe = next(iter(list_shoes(store, table, version + 1, 1)), None)
    if shoe is None or shoe.version != version:
        raise NoSuchShoe(f"{table} sealed no shoe at version {version}")
    return shoe


def _sealed(event: StoredEvent) -> SealedShoe:
    with readable(event):
        body = read_body(event)
        return SealedShoe(event.ver, event.ts, body["commitment"], body["batch"], body["place"])


def _revealed(shoe: SealedShoe, event: StoredEvent, body: Body) -> SealedShoe:
    return shoe._replace(
        revealed=event.ts, seed=body["seed"], cut=body["cut"], cards=body.get("cards", ""), ended=event.ver
    )


def shoe_record(store: Store, table: str, shoe: SealedShoe) -> ShoeRecord:
    """A shoe that is over, with all that is needed to deal it again."""
    if not shoe.ended:
        raise NoSuchShoe(f"shoe {shoe.version} of {table} is not over: its seed is sealed")
    rules = rules_at(store, table, shoe.version)
    events = open_events(whole(store, table, shoe.version - 1), shoe.version, shoe.ended)
    dealt = parse_cards(" ".join(_dealt(events, shoe, rules)))
    batch = parse_cards(shoe.cards) if shoe.cards else None
    submission = given_submission(rules)
    named = (rules.rulebook.id, submission, shoe.seed, shoe.commitment, shoe.cut, dealt, batch)
    return ShoeRecord(*named, rules.rulebook.edition)


def _dealt(events: Iterable[StoredEvent], shoe: SealedShoe, rules: Rules) -> Iterator[str]:
    """The cards that left the shoe, burned ones too; one that is not of this game is none of its order."""
    in_play = shoe.place == "shoe"
    for event in events:
        with readable(event):
            body = read_body(event)
            data = body.get("data", {})
            if in_play and event.ver > shoe.version and _replaces(shoe, event.type, body):
                return
            if event.type == "shoe_loaded":
                in_play = data.get("commitment") == shoe.commitment
            if in_play:
                yield from (name for name in _taken(event.type, data) if name[:-1] not in rules.cards.without)


def shoe_before(store: Store, table: str, version: int) -> Shoe | None:
    """The shoe that was in play at a table before a version; none where its last orders do not tell."""
    seals = (event.ver for event in store.read_seals_back(table, version) if event.type == SEALED)
    found = (_loaded(store.read(table, sealed - 1), version) for sealed in list(islice(seals, LAST_ORDERS)) or [1])
    return next((shoe for shoe in found if shoe is not None), None)


def _loaded(events: Iterable[StoredEvent], version: int) -> Shoe | None:
    shoe = None
    for event in takewhile(lambda event: event.ver < version, events):
        shoe = shoe_after(shoe, event)
    return shoe


def shoe_after(shoe: Shoe | None, event: StoredEvent) -> Shoe | None:
    """The shoe in play after an event; none where it is empty, or filled otherwise than by loading it."""
    if event.type not in CHANGED:
        return shoe
    with readable(event):
        data = read_body(event)["data"]
        if event.type == "shoe_loaded":
            cover = data["size"] - data["cover"] if data["cover"] is not None else None
            return Shoe(0, data["batch"], data["size"], data["size"], cover, data["commitment"])
        if event.type == "cards_shuffled" and shoe is not None and data["batch"] != shoe.batch:
            return shoe
        if event.type not in TAKEN:
            return None
        left = len(_taken(event.type, data))
    return shoe._replace(left=shoe.left - left) if shoe is not None and left else shoe


def _replaces(shoe: SealedShoe, kind: str, body: Body) -> bool:
    """Whether an event seals another order of the shoe in play."""
    return kind == SEALED and (body["place"] == "shoe" or body["batch"] == shoe.batch)


def _taken(kind: str, data: Body) -> list[str]:
    """The cards that an event takes out of the shoe."""
    if kind == "card_burned":
        return [data["card"]]
    return list(data.get("cards", ())) if kind == "round_event" else []
