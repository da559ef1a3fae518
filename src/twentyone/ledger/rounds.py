"""The rounds of a ledger: a projection of its events that can be dropped and built again, and filters over it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from twentyone.errors import TwentyoneError
from twentyone.ledger.codec import COMMAND, CREATED, read_body
from twentyone.ledger.reading import Progress, counted, gained, mishaps, quiet, readable, wagered
from twentyone.ledger.rows import HOUSE, ProjectionRow, StoredEvent
from twentyone.ledger.store import Store, table_streams
from twentyone.money import Amount
from twentyone.script.replay import names

__all__ = ["NoSuchRound", "RoundRow", "Wanted", "find_round", "list_rounds", "refresh"]

PROJECTION = "rounds"
MARK = "(read up to)"
"""The key of the row that says how far the ledger has been read."""
AT_ONCE = 5_000
"""Rounds written at a time."""
OPENS = ("wager_laid", "round_begun")
Body = Mapping[str, Any]


class NoSuchRound(TwentyoneError):
    """A round that the ledger does not hold."""


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
        net = {player: str(Amount(amount)) for player, amount in self.net.items()}
        return {"round": self.id, **vars(self), "wagered": str(Amount(self.wagered)), "net": net}

    # -- events

    def follow(self, event: StoredEvent, body: Body, command: Body) -> None:
        """Take an event that belongs to the round."""
        self.last = event.ver
        self._cite(body["cite"])
        for name, _ in mishaps(command, event.type, body):
            self._add("irregularities", name)
        data = body.get("data", {})
        if event.type == "round_begun":
            self.number, self.begun = data["number"], event.ts
        for inner in data.get("events", ()):
            self._cite(inner["cite"])
            self._round_event(inner)
        if event.type == "cards_collected":
            self.over = True

    def _cite(self, cite: str) -> None:
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


# -- the projection


class _Table:
    """A table while its stream is read."""

    def __init__(self, name: str, rulebook: str = "", read: int = 0) -> None:
        self.name = name
        self.rulebook = rulebook
        self.round: RoundRow | None = None
        self.read = read
        """The version up to which it was read before."""
        self.opened = 0
        """The number in the ledger of the command that the round in progress began with."""
        self._command: Body = {}
        self._at = (0, 0)

    def follow(self, event: StoredEvent) -> RoundRow | None:
        """Take the next event; the round that it belongs to."""
        if event.ver <= self.read:
            return None
        if event.type in (CREATED, COMMAND):
            self._begin(event)
            return None
        if self.round is None and event.type in OPENS:
            self.opened, first = self._at
            self.round = RoundRow(self.name, self.rulebook, first)
        round_, body = self.round, read_body(event)
        if round_ is None or "cite" not in body:
            return None
        round_.follow(event, body, self._command)
        if round_.over:
            self.round = None
        return round_

    def _begin(self, event: StoredEvent) -> None:
        body = read_body(event)
        if event.type == CREATED:
            self.rulebook = body["rulebook"]
        else:
            self._command, self._at = body, (event.gseq, event.ver)

    def mark(self, ver: int) -> list[Any]:
        """What is kept of it: its rulebook, and the version from which it is to be read on."""
        return [self.rulebook, ver if self.round is None else self.round.first - 1]


def refresh(store: Store, rebuild: bool = False, progress: Progress = quiet) -> None:
    """Bring the list of rounds up to the ledger's last event, or rebuild it."""
    if rebuild:
        store.drop_projection(PROJECTION)
    mark = store.find_projection(PROJECTION, MARK)
    kept: dict[str, Any] = json.loads(mark.body) if mark is not None else {"read": 0, "tables": {}}
    tables = {name: _Table(name, *known) for name, known in kept["tables"].items()}
    rows: dict[str, ProjectionRow] = {}
    last, heads = kept["read"], {name: table.read for name, table in tables.items()}
    for event in counted(store.read_all(kept["read"]), progress, sum(heads.values())):
        last = event.gseq
        if event.stream == HOUSE:
            continue
        heads[event.stream] = event.ver
        table = tables.setdefault(event.stream, _Table(event.stream))
        with readable(event):
            round_ = table.follow(event)
        if round_ is not None and round_.over:
            rows[_key(round_)] = _row(round_, event.gseq)
        if len(rows) >= AT_ONCE:
            store.upsert_projection(PROJECTION, rows.values())
            rows.clear()
    open_ = [table for table in tables.values() if table.round is not None]
    rows |= {_key(table.round): _row(table.round, last) for table in open_ if table.round and table.round.number}
    read = min((table.opened - 1 for table in open_), default=last)
    body = {"read": read, "tables": {name: table.mark(heads[name]) for name, table in tables.items()}}
    store.upsert_projection(PROJECTION, [*rows.values(), ProjectionRow(MARK, last, json.dumps(body))])


def _key(round_: RoundRow) -> str:
    return f"{round_.table}:{round_.number:09d}"


def _row(round_: RoundRow, gseq: int) -> ProjectionRow:
    return ProjectionRow(_key(round_), gseq, json.dumps(vars(round_), ensure_ascii=False))


# -- the list


class Wanted(NamedTuple):
    """Which rounds somebody wants to see; what is not named does not matter."""

    table: str | None = None
    """Its table."""
    box: int | None = None
    """A box with a wager."""
    player: str | None = None
    """A player with a wager."""
    outcome: str | None = None
    """An outcome of a wager, or `void`."""
    paragraph: str | None = None
    """A paragraph that an event of it cites, with or without its prefix."""
    irregularity: str | None = None
    """What went wrong in it; `any`: anything."""

    def holds(self, row: RoundRow) -> bool:
        """Whether a round is wanted."""
        return all(
            [
                self.table in (None, row.table),
                self.box is None or self.box in row.boxes,
                self.player is None or self.player in row.net,
                self.outcome is None or self.outcome in row.outcomes,
                self.paragraph is None or any(names(cite, self.paragraph) for cite in row.cites),
                self.irregularity is None or self._went_wrong(row),
            ]
        )

    def _went_wrong(self, row: RoundRow) -> bool:
        return bool(row.irregularities) if self.irregularity == "any" else self.irregularity in row.irregularities


def list_rounds(store: Store, wanted: Wanted = Wanted()) -> Iterator[RoundRow]:
    """The rounds of a ledger, table by table; call `refresh` first."""
    for row in store.read_projection(PROJECTION):
        if row.key != MARK:
            round_ = RoundRow(**json.loads(row.body))
            if wanted.holds(round_):
                yield round_


def find_round(store: Store, name: str) -> RoundRow:
    """A round by its id: `TABLE:NUMBER`, or its number alone where the ledger has one table."""
    table, _, number = name.rpartition(":")
    streams = table_streams(store)
    if not table and len(streams) == 1:
        table = streams[0]
    if not number.isdecimal() or not table:
        raise NoSuchRound(f"{name!r} names no round: say TABLE:NUMBER, the tables are {_list(streams)}")
    if table not in streams:
        raise NoSuchRound(f"there is no table {table!r} in this ledger, there are {_list(streams)}")
    refresh(store)
    row = store.find_projection(PROJECTION, f"{table}:{int(number):09d}")
    if row is None:
        raise NoSuchRound(f"{table} has no round {number}: `twentyone rounds` lists them")
    return RoundRow(**json.loads(row.body))


def _list(streams: Iterable[str]) -> str:
    return ", ".join(streams) or "none"
