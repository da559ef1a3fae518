"""Reading a ledger as a person would: what moved chips, what went wrong, which shift an event belongs to."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple

from twentyone.errors import TwentyoneError
from twentyone.money import NOTHING, Amount

__all__ = ["Chips", "NotAPeriod", "Period", "mishaps", "moment"]

Body = Mapping[str, Any]


class Chips:
    """Chips by account, from the events that move them."""

    def __init__(self) -> None:
        self.accounts: dict[str, Amount] = {}
        """Players, `(layout)`, `(inventory)`, `(cage)`, `(tips)`; they add up to nothing."""
        self._laid: dict[tuple[int, str], Amount] = {}

    def follow(self, kind: str, body: Body) -> None:
        """Let an event of the table move its chips."""
        data = body.get("data", {})
        if kind == "round_event":
            for account, amount in data["chips"]:
                self._add(account, amount)
        elif kind == "round_begun":
            self._laid = {}
        elif kind in ("chips_moved", "coupon_settled"):
            self._move(data["source"], data["target"], data["amount"])
        elif kind == "wager_laid":
            place = (data["box"], data["player"])
            self._laid[place] = self._laid.get(place, NOTHING) + data["amount"]
            self._move(data["player"], "(layout)", data["amount"])
        elif kind == "wager_taken_back":
            amount = self._laid.pop((data["box"], data["player"]), NOTHING)
            self._move("(layout)", data["player"], amount)

    def _move(self, source: str, target: str, amount: int) -> None:
        self._add(source, -amount)
        self._add(target, amount)

    def _add(self, account: str, amount: int) -> None:
        self.accounts[account] = self.accounts.get(account, NOTHING) + amount


# -- what went wrong

FOUND = {"face_up": "face_up", "ten": "ten", "face_up_ten": "ten"}
"""Why a card was set aside that was found in the shoe, and the irregularity that it is."""
IN_ROUND = {
    "round_voided": "round_voided",
    "hand_called_dead": "hand_called_dead",
    "card_refused": "card_refused",
    "rack_shuffled": "insufficient_cards",
}
AT_TABLE = {
    "shuffle_failed": "shuffler_jammed",
    "cards_remixed": "cards_exposed",
    "recut_ordered": "recut",
    "handling_refused": "cards_handled",
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


# -- when


def moment(ts: int) -> str:
    """A moment as a person writes it, in UTC.

    >>> moment(1767254400)
    '2026-01-01 08:00:00'
    """
    return datetime.fromtimestamp(ts, UTC).strftime("%Y-%m-%d %H:%M:%S")


class NotAPeriod(TwentyoneError):
    """Words that name no shift."""


class Period(NamedTuple):
    """A shift: from a moment up to, and without, another; open where there is none."""

    start: int | None = None
    end: int | None = None

    @classmethod
    def parse(cls, text: str) -> Period:
        """`all`, a gaming day (`2026-01-31`), or `FROM/TO` with moments in UTC (`2026-01-31T08:00/2026-01-31T16:00`).

        >>> Period.parse("2026-01-01")
        Period(start=1767225600, end=1767312000)
        """
        if text == "all":
            return cls()
        first, slash, then = text.partition("/")
        start = _seconds(first, text)
        if slash:
            period = cls(start, _seconds(then, text))
        elif len(first) == len("2026-01-31") and start is not None:
            period = cls(start, start + int(timedelta(days=1).total_seconds()))
        else:
            raise NotAPeriod(f"{text!r} names no shift: all, a day as 2026-01-31, or FROM/TO")
        if period.start is not None and period.end is not None and period.start >= period.end:
            raise NotAPeriod(f"the shift {text!r} ends before it begins")
        return period

    def holds(self, ts: int) -> bool:
        """Whether a moment lies in it."""
        return (self.start is None or self.start <= ts) and (self.end is None or ts < self.end)


def _seconds(text: str, whole: str) -> int | None:
    if not text:
        return None
    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        raise NotAPeriod(f"{whole!r} names no shift: {text!r} is not a moment as 2026-01-31T08:00") from None
    if found.tzinfo is None:
        found = found.replace(tzinfo=UTC)
    return int(found.timestamp())
