"""The table's commands and events as JSON and back, exactly: names of their own, money in whole thousandths.

The type of a field says how it is written. The live round of an event is left out: it is the fold of the round's own
events, and is rebuilt from them.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import MISSING, fields
from fractions import Fraction
from functools import cache
from types import ModuleType, NoneType, UnionType
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar, get_args, get_origin, get_type_hints

from twentyone.cards import Card, card_named
from twentyone.ledger.rows import LedgerRefused, NewEvent, StoredEvent
from twentyone.ledger.stored_round import StoredRound, find_rules, round_rules
from twentyone.money import Amount, Odds
from twentyone.round import entry_events
from twentyone.round import events as round_events
from twentyone.round.events import DecisionTaken, Event
from twentyone.round.steps import STEPS, Step
from twentyone.rulebook import Rules
from twentyone.table import card_events, events, meter_events, wager_events
from twentyone.table.events import RecordField, RoundBegun, RoundEvent, TableEvent, Todo, columns, snake
from twentyone.table.model import Bundle, CardBatch, Command, DeviceState, Meter, Placed, Player, Shoe

if TYPE_CHECKING:
    from twentyone.table.play import Handler

__all__ = [
    "CARDS_HIDDEN",
    "CARRIED",
    "COMMAND",
    "CREATED",
    "FORM_CHANGED",
    "LAW_BEGUN",
    "LAW_REFUSED",
    "OPENED",
    "OWN",
    "ROUND_EVENTS",
    "SCHEMA",
    "TABLE_EVENTS",
    "Decoder",
    "amounts_of",
    "command_event",
    "decode_command",
    "decode_event",
    "decode_round_event",
    "decode_step",
    "encode_round_event",
    "form_of",
    "read_body",
    "table_event",
]

SCHEMA = 3
"""The form of the bodies that this version writes, and of the procedure that it carries out."""
CARDS_HIDDEN = 3
"""The first form in which a card that lies face down is unknown."""
CREATED, COMMAND, FORM_CHANGED, OPENED = "table_created", "command", "form_changed", "cards_opened"
LAW_BEGUN, LAW_REFUSED, CARRIED = "law_begun", "law_refused", "table_carried"
OWN = (
    "shoe_sealed", "shoe_revealed", OPENED, "wheel_sealed", "wheel_revealed", "clock_went_back", FORM_CHANGED,
    LAW_BEGUN, LAW_REFUSED, CARRIED,
)  # fmt: skip
"""Events of the ledger itself, beside those of the table."""

T = TypeVar("T")
Body = dict[str, Any]
Upcaster = Callable[[Body], Body]

UPCASTERS: dict[tuple[str, int], Upcaster] = {}
"""By type and schema: how a body of an older schema becomes one of the next."""


def read_body(event: StoredEvent) -> Body:
    """The body of a stored event in the current schema; refused where its schema is newer."""
    if event.schema > SCHEMA:
        raise LedgerRefused(
            f"{event.stream} version {event.ver} is written in form {event.schema}, this software reads up to "
            f"{SCHEMA}: use the version that wrote it, or a newer one"
        )
    body = _parsed(event)
    for schema in range(event.schema, SCHEMA):
        body = UPCASTERS.get((event.type, schema), _same)(body)
    return body


def _parsed(event: StoredEvent) -> Body:
    try:
        body = json.loads(event.body)
        if "\\u" in event.body:  # the way to half a character, which nothing can store
            json.dumps(body, ensure_ascii=False).encode()
    except (ValueError, RecursionError):
        body = None
    if not isinstance(body, dict):
        raise LedgerRefused(f"{event.stream} version {event.ver} cannot be read: verify this ledger, restore a backup")
    return body


def _same(value: T) -> T:
    return value


# -- fields: the type of each says how it is written and read

Convert = Callable[[Any], Any]
Form = tuple[Convert, Convert] | None
"""How a value is written and how it is read; none: it is JSON already."""


class Field(NamedTuple):
    """A field of an event in its body."""

    name: str
    """The field."""
    key: str
    """What the body calls it."""
    default: object
    """The value with which the body leaves it out."""
    write: Convert | None
    """The value as JSON; none: it is JSON already."""
    read: Convert | None
    """The value read from JSON."""


FORMS: dict[Any, Form] = {
    str: None,
    int: None,
    bool: None,
    Card: (lambda card: card.name, card_named),
    Amount: (int, Amount.from_thousandths),
    Odds: (str, Odds.parse),
    Fraction: (str, Fraction),
}

FIRST_COLUMNS = {CardBatch: 3, Shoe: 7, Bundle: 2, Player: 4, Placed: 7, DeviceState: 2, Meter: 8, Todo: 2}
"""Columns of a row that form 1 had: they are always written, later ones where they say something."""


def form_of(hint: Any) -> Form:
    """The form of a type; one without a form is refused when the program starts, not when an event is stored."""
    if hint in FORMS:
        return FORMS[hint]
    if isinstance(hint, type) and issubclass(hint, Event):
        return encode_round_event, decode_round_event
    kind, items = get_origin(hint), get_args(hint)
    if kind is UnionType and items[1:] == (NoneType,):
        form = form_of(items[0])
        return form and (_or_none(form[0]), _or_none(form[1]))
    if kind is tuple and items[1:] == (...,):
        form = form_of(items[0])
        return (_each(list, form[0]), _each(tuple, form[1])) if form is not None else (list, tuple)
    if isinstance(hint, type) and issubclass(hint, tuple):
        return _row_form(hint)
    if kind is dict:
        form = form_of(items[1])
        return (_in_mapping(form[0]), _in_mapping(form[1])) if form is not None else (dict, dict)
    if kind is frozenset:
        form = form_of(items[0]) or (_same, _same)
        return (lambda values: sorted(map(form[0], values))), _each(frozenset, form[1])
    if kind is tuple:
        writes, reads = zip(*(form_of(item) or (_same, _same) for item in items), strict=True)
        return _in_turn(list, writes), _in_turn(tuple, reads)
    raise TypeError(f"the ledger has no form for {hint}")


def _or_none(convert: Convert) -> Convert:
    return lambda value: None if value is None else convert(value)


def _each(kind: type[list[Any] | tuple[Any, ...] | frozenset[Any]], convert: Convert) -> Convert:
    return lambda values: kind(map(convert, values))


def _in_mapping(convert: Convert) -> Convert:
    return lambda mapping: {key: convert(value) for key, value in mapping.items()}


def _row_form(kind: Any) -> Form:
    """A named tuple as a list; columns later than the first form are left out from the last that says something on."""
    hints, defaults = get_type_hints(kind), kind._field_defaults
    converts = [form_of(hints[name]) or (_same, _same) for name in kind._fields]
    least, names = FIRST_COLUMNS.get(kind, len(converts)), kind._fields

    def write(row: tuple[Any, ...]) -> list[Any]:
        count = len(names)
        while count > least and row[count - 1] == defaults[names[count - 1]]:
            count -= 1
        return [converts[index][0](row[index]) for index in range(count)]

    return write, lambda row: kind(*(convert[1](value) for convert, value in zip(converts, row, strict=False)))


def _in_turn(kind: type[list[Any] | tuple[Any, ...]], converts: tuple[Convert, ...]) -> Convert:
    return lambda values: kind(convert(value) for convert, value in zip(converts, values, strict=True))


def _fields(kind: type[Any], held: Iterable[RecordField]) -> tuple[Field, ...]:
    hints = get_type_hints(kind)
    return tuple(Field(*column, *(form_of(hints[column.name]) or (None, None))) for column in held)


def _write(event: object, held: tuple[Field, ...]) -> Body:
    body: Body = {}
    for name, key, default, write, _ in held:
        value = getattr(event, name)
        if value is not default:
            body[key] = value if write is None else write(value)
    return body


def _read(body: Mapping[str, Any], held: tuple[Field, ...]) -> Body:
    return {name: body[key] if read is None else read(body[key]) for name, key, _, _, read in held if key in body}


def _classes(module: ModuleType, base: type[T]) -> Iterator[type[T]]:
    """The classes of events that a module offers."""
    for name in module.__all__:
        kind = getattr(module, name)
        if isinstance(kind, type) and issubclass(kind, base) and kind is not base:
            yield kind


# -- events of the round


def encode_round_event(event: Event) -> Body:
    """An event of the round as JSON values."""
    name = _NAMES[type(event)]
    always, later = _round_fields(name)
    body: Body = {"event": name}
    for own in always:
        value = getattr(event, own.name)
        body[own.name] = value if own.write is None else own.write(value)
    for own in later:
        value = getattr(event, own.name)
        if value != own.default:
            body[own.name] = value if own.write is None else own.write(value)
    return body


def decode_round_event(body: Mapping[str, Any]) -> Event:
    """The round's event that JSON values describe."""
    kind = _ROUND[body["event"]]
    always, later = _round_fields(body["event"])
    values = [body[name] if read is None else read(body[name]) for name, _, _, _, read in always]
    return kind(*values, **_read(body, later)) if later else kind(*values)


_ROUND = {snake(kind.__name__): kind for module in (round_events, entry_events) for kind in _classes(module, Event)}
_NAMES = {kind: name for name, kind in _ROUND.items()}


@cache
def _round_fields(name: str) -> tuple[tuple[Field, ...], tuple[Field, ...]]:
    """The fields that a body always has, as form 1 left none out; and those that it leaves out at their default."""
    kind = _ROUND[name]
    held = _fields(kind, _own(kind))
    always = tuple(own for own in held if own.default is MISSING or kind is DecisionTaken)
    return always, held[len(always) :]


def _own(kind: type[Any]) -> list[RecordField]:
    return [RecordField(own.name, own.name, own.default) for own in fields(kind)]


ROUND_EVENTS = frozenset(_ROUND)
"""The names of the round's events."""


# -- what a round was brought


@cache
def _step_fields(name: str) -> tuple[Field, ...]:
    return _fields(STEPS[name], _own(STEPS[name]))


def _encode_step(step: Step) -> Body:
    name = snake(type(step).__name__)
    return {"step": name, **_write(step, _step_fields(name))}


def decode_step(body: Mapping[str, Any]) -> Step:
    """What a round was brought, from JSON values."""
    return STEPS[body["step"]](**_read(body, _step_fields(body["step"])))


FORMS[Step | None] = (_or_none(_encode_step), _or_none(decode_step))


# -- commands


def amounts_of(command: str) -> tuple[str, ...]:
    """The arguments of a command that are amounts of money."""
    known = _commands().get(command)
    return known.amounts if known is not None else ()


@cache
def _commands() -> Mapping[str, Handler]:
    """Every command of a table: they register themselves with it, and few readers need them."""
    import twentyone.table.table  # noqa: F401 (registers them)
    from twentyone.table.play import COMMANDS

    return COMMANDS


def command_event(command: Command) -> NewEvent:
    """A command as the first event of its batch."""
    body = {"do": command.do, "role": command.role, "by": command.by, "at": command.at}
    return NewEvent(COMMAND, body | {"args": _arguments(command.do, command.args, _write_money)}, command.at, SCHEMA)


def decode_command(body: Mapping[str, Any]) -> Command:
    """The command that a stored body describes."""
    args = _arguments(body["do"], body["args"], _read_money)
    return Command(body["do"], body["role"], body["by"], body["at"], args)


def _arguments(do: str, args: Mapping[str, Any], convert: Convert) -> Body:
    amounts = amounts_of(do)
    return {name: convert(value) if name in amounts else value for name, value in args.items()}


def _write_money(value: Any) -> Any:
    """Money in thousandths, where the text is an amount; a command may carry arguments that it does not need."""
    try:
        return int(Amount(value)) if isinstance(value, str) else value
    except ValueError:
        return value


def _read_money(value: Any) -> Any:
    return str(Amount.from_thousandths(value)) if type(value) is int else value


# -- events of the table

_TABLE: dict[str, type[TableEvent]] = {
    kind.kind: kind
    for module in (events, card_events, meter_events, wager_events)
    for kind in _classes(module, TableEvent)
}


@cache
def _table_fields(name: str) -> tuple[Field, ...]:
    return _fields(_TABLE[name], columns(_TABLE[name]))


IN_ROUND = (RoundBegun.kind, RoundEvent.kind)
"""Events that carry the round."""
TABLE_EVENTS = tuple(_TABLE.values())
"""The classes of the table's events."""


def table_event(event: TableEvent, rules: Rules) -> NewEvent:
    """An event of the table that is played under these rules, to be stored."""
    body: Body = {"cite": event.cite, "by": event.by}
    data = _write(event, _table_fields(event.kind))
    if isinstance(event, RoundBegun) and event.round is not None:
        data |= round_rules(event.round.rules, rules)
    if data:
        body["data"] = data
    return NewEvent(event.kind, body, event.at, SCHEMA)


def decode_event(event: StoredEvent, body: Body) -> TableEvent:
    """The table's event that a stored one describes, without the live round."""
    data = _read(body.get("data", {}), _table_fields(event.type))
    return _TABLE[event.type](body["cite"], event.ts, body["by"], **data)


class Decoder:
    """Reads the events of one stream, in order; it carries the round in progress."""

    def __init__(self, rules: Rules, round_: StoredRound | None = None) -> None:
        self._rules = rules
        self.round = round_
        """The round in progress, or the last one."""

    def decode(self, event: StoredEvent, body: Body) -> TableEvent:
        """The table's event that a stored one describes."""
        if event.type not in IN_ROUND:
            return decode_event(event, body)
        kind, data = _TABLE[event.type], _read(body["data"], _table_fields(event.type))
        if kind is RoundBegun:
            self.round = StoredRound.of(find_rules(self._rules, body["data"]), data["events"])
        else:
            assert self.round is not None
            self.round = self.round.after(data["events"])
        data["round"] = self.round
        return kind(body["cite"], event.ts, body["by"], **data)
