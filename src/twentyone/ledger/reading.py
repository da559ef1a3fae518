"""Reading a ledger as a person would: what moved chips, what went wrong."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from twentyone.errors import TwentyoneError
from twentyone.ledger.chain import Chain
from twentyone.ledger.codec import CARRIED
from twentyone.ledger.rows import LedgerRefused, StoredEvent
from twentyone.ledger.store import Store
from twentyone.money import ZERO, Amount
from twentyone.round.evolve import STRANGERS

__all__ = [
    "AT_TABLE",
    "Chips",
    "Progress",
    "counted",
    "gained",
    "mishaps",
    "quiet",
    "readable",
    "readable_part",
    "wagered",
    "whole",
]

Progress = Callable[[int], None]
"""Called with the number of events read."""
TELL_EVERY = 1_000
"""Events between two calls."""

Body = Mapping[str, Any]


def quiet(_: int) -> None:
    """Report no progress."""


def counted(events: Iterable[StoredEvent], progress: Progress, before: int = 0) -> Iterator[StoredEvent]:
    """The same events, while `progress` is called with their number, counted on from `before`."""
    count = before
    for count, event in enumerate(events, before + 1):
        yield event
        if count % TELL_EVERY == 0:
            progress(count)
    progress(count)


@contextmanager
def readable(event: StoredEvent) -> Iterator[None]:
    """Turn any error in reading an altered event into a refusal that names the event."""
    try:
        yield
    except (KeyError, TypeError, ValueError, AttributeError, LookupError, ArithmeticError) as wrong:
        what = f"{type(wrong).__name__} {wrong}"
        raise LedgerRefused(f"{event.stream} version {event.ver} cannot be read ({what}): verify this ledger") from None


@contextmanager
def readable_part(name: str) -> Iterator[None]:
    """Turn any error in what altered events lead to, a round or a report, into a refusal that names it."""
    try:
        yield
    except TwentyoneError:
        raise
    except Exception as wrong:  # an altered event can lead to anything
        what = f"{type(wrong).__name__} {wrong}"
        raise LedgerRefused(f"{name} cannot be read ({what}): verify this ledger") from None


def whole(store: Store, stream: str, after: int = 0) -> Iterator[StoredEvent]:
    """The events of a stream after a version, each chained to the one before it; refused at the first that is not."""
    chain = Chain()
    if after:
        chain.heads[stream] = (after, store.hash_at(stream, after) or "")
    for event in store.read(stream, after):
        if (fault := chain.follow(event)) is not None:
            raise LedgerRefused(f"{fault}: verify this ledger")
        yield event


class Chips:
    """Chips by account, as the events say that they moved; `Accounts` checks that against the settlements."""

    def __init__(self) -> None:
        self.accounts: dict[str, Amount] = {}
        """Players, `(layout)`, `(inventory)`, `(cage)`, `(tips)`; they add up to zero."""
        self._laid: dict[tuple[int, str, str], Amount] = {}

    def follow(self, kind: str, body: Body) -> None:
        """Let an event of the table move its chips."""
        data = body.get("data", {})
        if kind == CARRIED:
            for account, amount in body["state"]["chips"].items():
                self._add(account, Amount.from_thousandths(amount))
        elif kind == "round_event":
            for account, amount in data["chips"]:
                self._add(account, Amount.from_thousandths(amount))
        elif kind == "round_begun":
            self._laid = {}
        elif kind in ("chips_moved", "coupon_settled"):
            self._move(data["source"], data["target"], Amount.from_thousandths(data["amount"]))
        elif kind == "wager_laid":
            wager = (data["box"], data["player"], data["wager"])
            self._laid[wager] = self._laid.get(wager, ZERO) + Amount.from_thousandths(data["amount"])
            self._move(data["player"], "(layout)", Amount.from_thousandths(data["amount"]))
        elif kind == "wager_taken_back":
            self._take_back(data["box"], data["player"], data.get("wager", ""))

    def _take_back(self, box: int, player: str, named: str) -> None:
        """The wager that is named goes back, or all of its player on its box."""
        for wager in [key for key in self._laid if key[:2] == (box, player) and named in ("", key[2])]:
            self._move("(layout)", player, self._laid.pop(wager))

    def _move(self, source: str, target: str, amount: Amount) -> None:
        self._add(source, -amount)
        self._add(target, amount)

    def _add(self, account: str, amount: Amount) -> None:
        self.accounts[account] = self.accounts.get(account, ZERO) + amount


# -- what an event of the round says of money, in thousandths


def wagered(event: Body) -> int:
    """What it adds to the wagers."""
    return (event["amount"] or 0) if event["event"] in ("wager_placed", "decision_taken") else 0


def gained(event: Body) -> tuple[str, int] | None:
    """Who gains or loses by it, and how much."""
    if event["event"] == "wager_settled":
        return event["player"], event["net"]
    if event["event"] == "settlement_undone":
        return event["row"]["player"], -event["row"]["net"]
    return None


# -- what went wrong

FOUND = {"face_up": "face_up", **dict.fromkeys(STRANGERS, "ten")}
"""Why a card from the shoe was set aside, and the irregularity that it is."""
IN_ROUND = {
    "round_voided": "round_voided",
    "hand_called_dead": "hand_called_dead",
    "card_refused": "card_refused",
    "rack_shuffled": "insufficient_cards",
    "reader_contradicted": "reader_contradicted",
    "entry_corrected": "entry_corrected",
}
AT_TABLE = {
    "shuffle_failed": "shuffler_jammed",
    "cards_remixed": "cards_exposed",
    "recut_ordered": "recut",
    "handling_refused": "cards_handled",
    "ten_found": "ten",
    "cards_miscounted": "cards_miscounted",
}


def mishaps(command: Body, kind: str, body: Body) -> Iterator[tuple[str, str]]:
    """The irregularities that an event shows, each with its paragraph; `command` is the one that led to it."""
    if kind == "round_event":
        if command.get("do") == "happened":
            yield command["args"]["name"], body["cite"]
        for event in body["data"]["events"]:
            yield from _in_round(event)
    elif kind in AT_TABLE:
        yield AT_TABLE[kind], body["cite"]
    elif kind == "device_reported" and body["data"]["state"] == "out_of_order":
        yield "device_out_of_order", body["cite"]


def _in_round(event: Body) -> Iterator[tuple[str, str]]:
    name = event["event"]
    if name == "card_set_aside" and event["reason"] in FOUND:
        yield FOUND[event["reason"]], event["cite"]
    elif name in IN_ROUND:
        yield IN_ROUND[name], event["cite"]
