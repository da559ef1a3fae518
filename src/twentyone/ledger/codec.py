"""The table's commands and events as JSON and back, exactly: names of their own, money in whole thousandths.

The live round under an event's `round` is left out: it is the fold of the round's own events, and is built of them
again.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import fields
from typing import Any, NamedTuple

from twentyone.cards import Card
from twentyone.ledger.resumed import Resumed, find_rules, round_rules
from twentyone.ledger.rows import LedgerRefused, NewEvent, StoredEvent
from twentyone.money import Amount, Odds
from twentyone.round import events as round_events
from twentyone.round.events import Event
from twentyone.rulebook import Rules
from twentyone.table.model import Command, TableEvent

__all__ = [
    "COMMAND",
    "CREATED",
    "OWN",
    "ROUND_EVENTS",
    "SCHEMA",
    "Decoder",
    "command_event",
    "decode_command",
    "decode_round_event",
    "encode_round_event",
    "read_body",
    "table_event",
]

SCHEMA = 1
"""The form of bodies that is written now."""
CREATED, COMMAND = "table_created", "command"
OWN = ("shoe_sealed", "shoe_revealed", "clock_went_back")
"""Events of the ledger itself, beside those of the table."""

Body = dict[str, Any]
Upcaster = Callable[[Body], Body]

UPCASTERS: dict[tuple[str, int], Upcaster] = {}
"""By type and schema: how a body of an older form becomes one of the next."""


def read_body(event: StoredEvent) -> Body:
    """The body of a stored event in the form of today; refused where it is of a newer one."""
    if event.schema > SCHEMA:
        raise LedgerRefused(
            f"{event.stream} version {event.ver} is written in form {event.schema}, this software reads up to "
            f"{SCHEMA}: use the version that wrote it, or a newer one"
        )
    body: Body = json.loads(event.body)
    for schema in range(event.schema, SCHEMA):
        body = UPCASTERS.get((event.type, schema), _same)(body)
    return body


def _same(body: Body) -> Body:
    return body


# -- events of the round


class _Field(NamedTuple):
    name: str
    write: Callable[[Any], Any] | None
    read: Callable[[Any], Any] | None


def _lists(value: Any) -> Any:
    return [_lists(item) for item in value] if isinstance(value, tuple) else value


def _tuples(value: Any) -> Any:
    return tuple(_tuples(item) for item in value) if isinstance(value, list) else value


def _or_none(function: Callable[[Any], Any]) -> Callable[[Any], Any]:
    return lambda value: None if value is None else function(value)


def _field(name: str, annotation: str) -> _Field:
    kind, _, none = annotation.partition(" | ")
    pair = (_lists, _tuples) if kind.startswith("tuple") else _FORMS.get(kind)
    if pair is None:
        return _Field(name, None, None)
    write, read = pair
    return _Field(name, _or_none(write), _or_none(read)) if none else _Field(name, write, read)


def encode_round_event(event: Event) -> Body:
    """An event of the round as JSON values."""
    name, columns = _WRITE[type(event)]
    body: Body = {"event": name}
    for field, write, _ in columns:
        value = getattr(event, field)
        body[field] = value if write is None else write(value)
    return body


def decode_round_event(body: Mapping[str, Any]) -> Event:
    """The event of the round that JSON values say."""
    kind, columns = _READ[body["event"]]
    return kind(*[body[field] if read is None else read(body[field]) for field, _, read in columns])


_FORMS: dict[str, tuple[Callable[[Any], Any], Callable[[Any], Any]]] = {
    "Card": (lambda card: card.name, Card),
    "Amount": (int, Amount),
    "Odds": (str, Odds.parse),
    "WagerSettled": (encode_round_event, decode_round_event),
}


def _snake(name: str) -> str:
    return re.sub(r"(?<=.)([A-Z])", r"_\1", name).lower()


_KINDS: list[type[Event]] = [
    kind
    for name in round_events.__all__
    if isinstance(kind := getattr(round_events, name), type) and issubclass(kind, Event) and kind is not Event
]
_WRITE = {
    kind: (_snake(kind.__name__), tuple(_field(field.name, str(field.type)) for field in fields(kind)))
    for kind in _KINDS
}
_READ = {name: (kind, columns) for kind, (name, columns) in _WRITE.items()}

ROUND_EVENTS = frozenset(_READ)
"""The names of the round's events."""


# -- commands

MONEY_ARGUMENTS = ("amount", "coupon")


def command_event(command: Command) -> NewEvent:
    """A command as the first event of its batch."""
    args = {name: _write_money(value) if name in MONEY_ARGUMENTS else value for name, value in command.args.items()}
    body = {"do": command.do, "role": command.role, "by": command.by, "at": command.at, "args": args}
    return NewEvent(COMMAND, body, command.at, SCHEMA)


def _write_money(value: Any) -> Any:
    """Money in thousandths, where the text says an amount; a command may name what it does not need."""
    try:
        return int(Amount(value)) if isinstance(value, str) else value
    except ValueError:
        return value


def decode_command(body: Mapping[str, Any]) -> Command:
    """The command that a stored body says."""
    args = {name: _read_money(value) if name in MONEY_ARGUMENTS else value for name, value in body["args"].items()}
    return Command(body["do"], body["role"], body["by"], body["at"], args)


def _read_money(value: Any) -> Any:
    return str(Amount(value)) if type(value) is int else value


# -- events of the table

MONEY: dict[str, tuple[str, ...]] = {
    "wager_laid": ("amount", "coupon"),
    "chips_moved": ("amount", "cash"),
    "coupon_settled": ("amount", "cash"),
    "meter_set": ("base", "limit"),
    "meter_paid": ("paid",),
}
"""Where the table's events carry money, by kind."""
BEGUN, IN_ROUND = "round_begun", "round_event"


def table_event(event: TableEvent, rules: Rules) -> NewEvent:
    """An event of the table that is played under these rules, to be stored."""
    body: Body = {"cite": event.cite, "by": event.by}
    if event.data:
        body["data"] = _write_data(event.kind, event.data, rules)
    return NewEvent(event.kind, body, event.at, SCHEMA)


def _write_data(kind: str, data: Mapping[str, Any], rules: Rules) -> Body:
    if kind == IN_ROUND:
        chips = [[account, int(Amount(amount))] for account, amount in data["chips"]]
        return {
            "events": [encode_round_event(event) for event in data["events"]],
            "cards": data["cards"],
            "chips": chips,
        }
    if kind == BEGUN:
        events = [encode_round_event(event) for event in data["events"]]
        return {"number": data["number"], "events": events, **round_rules(data["round"].rules, rules)}
    written = dict(data)
    for name in MONEY.get(kind, ()):
        if written.get(name) is not None:
            written[name] = int(Amount(written[name]))
    return written


class Decoder:
    """Reads the events of one stream, in order; it carries the round in progress."""

    def __init__(self, rules: Rules, round_: Resumed | None = None) -> None:
        self._rules = rules
        self._round = round_

    def decode(self, event: StoredEvent, body: Body) -> TableEvent:
        """The table's event that a stored one says."""
        data = body.get("data")
        if data is None:
            return TableEvent(event.type, body["cite"], event.ts, body["by"])
        return TableEvent(event.type, body["cite"], event.ts, body["by"], self._read_data(event.type, data))

    def _read_data(self, kind: str, data: Body) -> Body:
        if kind == IN_ROUND:
            events = tuple(map(decode_round_event, data["events"]))
            assert self._round is not None
            self._round = self._round.after(events)
            chips = [(account, Amount(amount)) for account, amount in data["chips"]]
            return {"round": self._round, "events": events, "cards": data["cards"], "chips": chips}
        if kind == BEGUN:
            events = tuple(map(decode_round_event, data["events"]))
            self._round = Resumed.of(find_rules(self._rules, data), events)
            return {"number": data["number"], "round": self._round, "events": events}
        for name in MONEY.get(kind, ()):
            if data.get(name) is not None:
                data[name] = Amount(data[name])
        return data
