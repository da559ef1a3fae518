"""One round as the ledger has it: every event in words with its paragraph, and the players' chips before and after."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from twentyone.ledger.codec import CARDS_HIDDEN, COMMAND, CREATED, amounts_of, decode_event, read_body
from twentyone.ledger.face_down import open_events
from twentyone.ledger.own_words import own_words
from twentyone.ledger.reading import Chips, Progress, counted, quiet, readable, whole
from twentyone.ledger.rounds import RoundRow
from twentyone.ledger.rows import StoredEvent
from twentyone.ledger.store import Store
from twentyone.ledger.wheel_records import WheelSeed
from twentyone.money import ZERO, Amount, dollars
from twentyone.table.words import recorded

__all__ = ["Line", "Transcript", "transcript"]

Body = dict[str, Any]


class Line(NamedTuple):
    """One thing that happened."""

    version: int
    """The version of the stream."""
    ts: int
    """When."""
    by: str
    """Who did it."""
    words: str
    """What happened."""
    cite: str
    """Under which paragraph; empty for what no text speaks of."""
    aside: bool = False
    """Whether it is a command, or something that only the ledger knows."""

    def to_json(self) -> dict[str, Any]:
        """The line for a program."""
        return {"version": self.version, "at": self.ts, "by": self.by, "words": self.words, "cite": self.cite}


@dataclass
class Transcript:
    """A round, event by event."""

    row: RoundRow
    """The round."""
    for_play: bool = True
    """Whether its shoe was for play."""
    before: dict[str, Amount] | None = None
    """The players' chips before their wagers."""
    after: dict[str, Amount] | None = None
    """The players' chips after the round."""
    lines: tuple[Line, ...] = ()
    """Everything that happened, in order."""
    wheel: WheelSeed | None = None
    """What its wheels were committed to with; none, where nothing was."""

    def to_json(self) -> dict[str, Any]:
        """The transcript for a program."""
        return {
            **self.row.to_json(),
            "replay": True,
            "for_play": self.for_play,
            "before": {name: str(amount) for name, amount in (self.before or {}).items()},
            "after": {name: str(amount) for name, amount in (self.after or {}).items()},
            "wheel": None if self.wheel is None else {"commitment": self.wheel.commitment, "seed": self.wheel.seed},
            "events": [line.to_json() for line in self.lines],
        }


def transcript(store: Store, row: RoundRow, progress: Progress = quiet) -> Transcript:
    """Read a round from the ledger's events."""
    record, chips, lines, wheel = Transcript(row), Chips(), list[Line](), WheelSeed(row)
    for event in open_events(counted(whole(store, row.table), progress), row.first, row.last):
        with readable(event):
            wheel.follow(event)
        if event.ver > row.last:
            continue
        if event.ver == row.first:
            record.before = _purses(chips, row)
        with readable(event):
            body = read_body(event)
            if event.type == CREATED:
                record.for_play = body["for_play"]
            elif event.type != COMMAND:
                chips.follow(event.type, body)
            if event.ver >= row.first:
                lines += _lines(event, body if row.over else _discreet(event, body))
    record.after, record.lines = _purses(chips, row), tuple(lines)
    record.wheel = wheel if wheel.commitment else None
    return record


def _purses(chips: Chips, row: RoundRow) -> dict[str, Amount]:
    return {player: chips.accounts.get(player, ZERO) for player in row.net}


def _lines(event: StoredEvent, body: Body) -> Iterator[Line]:
    if event.type == COMMAND:
        yield Line(event.ver, event.ts, body["by"], _asked(body), "", aside=True)
    elif "cite" not in body:
        yield Line(event.ver, event.ts, "", own_words(event.type, body), "", aside=True)
    else:
        for said in recorded(decode_event(event, body)):
            yield Line(event.ver, event.ts, body["by"], said.says, said.cite)


def _discreet(event: StoredEvent, body: Body) -> Body:
    """The event of a round in progress: a command in clear, as earlier forms stored it, may name a face-down card."""
    if event.type != COMMAND or event.schema >= CARDS_HIDDEN:
        return body
    return {**body, "args": {name: value for name, value in body["args"].items() if name != "card"}}


def _asked(body: Body) -> str:
    amounts = amounts_of(body["do"])
    values = ((name, _said(value, name in amounts)) for name, value in sorted(body["args"].items()))
    args = ", ".join(f"{_plain(name)} {value}" for name, value in values)
    return f"the {body['role']} gives the command {_plain(body['do'])}{f' ({args})' if args else ''}"


def _said(value: Any, money: bool) -> str:
    if money and type(value) is int:
        return dollars(Amount.from_thousandths(value))
    return " ".join(map(str, value)) if isinstance(value, list) else str(value)


def _plain(name: str) -> str:
    return name.replace("_", " ")
