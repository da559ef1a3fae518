"""One round as the list of rounds knows it, and how the events of a ledger lead to it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from twentyone.ledger.codec import COMMAND, CREATED, read_body
from twentyone.ledger.reading import gained, mishaps, wagered
from twentyone.ledger.rows import ProjectionRow, StoredEvent
from twentyone.money import Amount

__all__ = ["MARK", "RoundReader", "RoundRow", "key_of", "row_of"]

MARK = "(read up to)"
"""The key of the row that says how far the ledger has been read."""
OPENS = ("wager_laid", "round_begun")
Body = Mapping[str, Any]


@dataclass
class RoundRow:
    """One round as the list of rounds knows it."""

    table: str
    """The table's stream."""
    rulebook: str
    """The rulebook's id."""
    first: int
    """The version of the first event that belongs to it: the first wager."""
    number: int = 0
    """Its number at the table; 0 before the deal."""
    last: int = 0
    """The version of its last event."""
    begun: int = 0
    """When the wagers were closed, in seconds UTC."""
    over: bool = False
    """Whether its cards are collected."""
    void: bool = False
    """Whether it was void."""
    boxes: list[int] = field(default_factory=list)
    """Boxes with a wager."""
    wagered: int = 0
    """Everything wagered in it, in thousandths of a dollar."""
    net: dict[str, int] = field(default_factory=dict)
    """Each player's gain or loss, in thousandths of a dollar."""
    outcomes: list[str] = field(default_factory=list)
    """Outcomes of its wagers."""
    cites: list[str] = field(default_factory=list)
    """Paragraphs that its events cite."""
    irregularities: list[str] = field(default_factory=list)
    """What went wrong in it."""

    @property
    def id(self) -> str:
        """The id by which commands name it.

        >>> RoundRow("table-1", "pa-spanish-21", 1, number=17).id
        'table-1:17'
        """
        return f"{self.table}:{self.number}"

    def to_json(self) -> dict[str, Any]:
        """The row for a program: money as decimal strings."""
        net = {player: str(Amount.from_thousandths(amount)) for player, amount in self.net.items()}
        return {"round": self.id, **vars(self), "wagered": str(Amount.from_thousandths(self.wagered)), "net": net}

    # -- events

    def follow(self, event: StoredEvent, body: Body, command: Body) -> None:
        """Take an event that belongs to the round."""
        self.last = event.ver
        self._cite(body["cite"])
        for name, _ in mishaps(command, event.type, body):
            self._add("irregularities", name)
        data = body.get("data", {})
        if event.type == "round_begun":
            self.number, self.begun = int(data["number"]), event.ts
        for inner in data.get("events", ()):
            self._cite(inner["cite"])
            self._round_event(inner)
        if event.type == "cards_collected":
            self.over = True

    def _cite(self, cite: str) -> None:
        if cite:
            self._add("cites", cite)

    def _add(self, name: str, value: Any) -> None:
        held = getattr(self, name)
        if value not in held:
            held.append(value)

    def _round_event(self, event: Body) -> None:
        kind = event["event"]
        gain = gained(event)
        self.wagered += wagered(event)
        if kind == "wager_placed":
            self._add("boxes", event["box"])
            self.net.setdefault(event["player"], 0)
        elif kind == "wager_settled":
            self._add("outcomes", event["outcome"])
        elif kind == "round_voided":
            self.void = True
        if gain is not None:
            player, net = gain
            self.net[player] = self.net.get(player, 0) + net


# -- the events


class _Table:
    """A table while its stream is read."""

    def __init__(
        self, name: str, rulebook: str = "", read: int = 0, over: int = 0, begun: Mapping[str, Any] | None = None
    ) -> None:
        self.name = name
        self.rulebook = rulebook
        self.round = RoundRow(**begun) if begun is not None else None
        """The round in progress."""
        self.read = read
        """The version up to which it was read before."""
        self.over = over
        """How many of its rounds are over."""
        self._command: Body = {}
        self._at = 0

    def follow(self, event: StoredEvent) -> RoundRow | None:
        """Take the next event; the round that ends with it."""
        if event.type in (CREATED, COMMAND):
            self._begin(event)
            return None
        if self.round is None and event.type in OPENS:
            self.round = RoundRow(self.name, self.rulebook, self._at)
        round_, body = self.round, read_body(event)
        if round_ is None or "cite" not in body:
            return None
        round_.follow(event, body, self._command)
        if not round_.over:
            return None
        self.round = None
        self.over += 1
        return round_

    def _begin(self, event: StoredEvent) -> None:
        body = read_body(event)
        if event.type == CREATED:
            self.rulebook = body["rulebook"]
        else:
            self._command, self._at = body, event.ver

    def mark(self, ver: int) -> list[Any]:
        """What is kept of it: its rulebook, the version up to which it was read, how many rounds are over, and the one
        in progress."""
        kept = [self.rulebook, ver, self.over]
        return kept if self.round is None else [*kept, vars(self.round)]


class RoundReader:
    """Follows the events of a ledger, in order, and finds its rounds."""

    def __init__(self, read: int = 0, tables: Mapping[str, Any] = MappingProxyType({})) -> None:
        self.read = self.last = read
        """The number up to which the ledger was read before, and the last one now."""
        self._tables = {name: _Table(name, *known) for name, known in tables.items()}
        self._heads = {name: table.read for name, table in self._tables.items()}

    def follow(self, event: StoredEvent) -> RoundRow | None:
        """Take the next event; the round that ends with it."""
        self.last, self._heads[event.stream] = event.gseq, event.ver
        table = self._tables.get(event.stream) or self._tables.setdefault(event.stream, _Table(event.stream))
        return None if event.ver <= table.read else table.follow(event)

    def known(self, stream: str) -> int:
        """The version up to which a stream was read before."""
        return self._tables[stream].read if stream in self._tables else 0

    def over(self, stream: str) -> int:
        """How many rounds of a table are over."""
        return self._tables[stream].over if stream in self._tables else 0

    @property
    def events(self) -> int:
        """How many events were read, by the versions of the streams."""
        return sum(self._heads.values())

    @property
    def in_progress(self) -> list[RoundRow]:
        """The rounds that are not over."""
        return [table.round for table in self._tables.values() if table.round is not None and table.round.number]

    def mark(self) -> ProjectionRow:
        """How far the ledger has been read; a round in progress is kept as far as it has come."""
        marks = {name: table.mark(self._heads[name]) for name, table in self._tables.items()}
        body = {"read": self.last, "tables": marks}
        return ProjectionRow(MARK, self.last, json.dumps(body, ensure_ascii=False))


def row_of(round_: RoundRow, gseq: int) -> ProjectionRow:
    """A finished round as it is kept."""
    return ProjectionRow(key_of(round_.table, round_.number), gseq, json.dumps(vars(round_), ensure_ascii=False))


def key_of(table: str, number: int) -> str:
    """The key of a round's row."""
    return f"{table}:{number:09d}"
