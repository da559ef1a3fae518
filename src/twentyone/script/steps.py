"""The steps of a round script: what a round is brought, in a form that follows from the types of its commands."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import MISSING, fields
from types import NoneType, UnionType
from typing import Any, NamedTuple, get_args, get_origin, get_type_hints

from twentyone.cards import Card
from twentyone.errors import NotAScript
from twentyone.money import Amount
from twentyone.round import Drawn
from twentyone.round.steps import STEPS, Step, as_step
from twentyone.script.forms import amount, boolean, check_keys, integer, list_, named_card, object_, parse_cards, string

__all__ = ["ScriptStep", "parse_step", "parse_steps", "said_type", "write_steps"]

Read = Callable[[str, Any], Any]


class ScriptStep(NamedTuple):
    """One thing that a round is brought."""

    path: str
    """Where it stands in the script."""
    command: Step
    """The command itself."""


def parse_steps(path: str, rows: list[Any]) -> tuple[ScriptStep, ...]:
    """The `steps` of a script; a text is a row of cards from the shoe."""
    steps: list[ScriptStep] = []
    for index, row in enumerate(rows):
        here = f"{path}[{index}]"
        if isinstance(row, str):
            steps += [ScriptStep(f"{here}[{i}]", drawn) for i, drawn in enumerate(parse_cards(here, row, named_card))]
        else:
            steps.append(ScriptStep(here, parse_step(here, row)))
    return tuple(steps)


def parse_step(path: str, row: Any) -> Step:
    """One step, written with its name."""
    name = string(f"{path}.step", object_(path, row).get("step"))
    if name not in STEPS:
        raise NotAScript(f"{path}.step", f"there is no step {name!r}, there are {', '.join(STEPS)}")
    needed, readers = _KINDS[name]
    check_keys(path, row, ("step", *needed), tuple(readers))
    return STEPS[name](**{key: readers[key](f"{path}.{key}", value) for key, value in row.items() if key != "step"})


def write_steps(commands: Iterable[Step]) -> list[Any]:
    """Commands as steps; cards that leave the shoe one after the other stand in one text.

    >>> write_steps([Drawn(Card("8S")), Drawn(Card("10H"), True)])
    ['8S 10H^']
    """
    rows: list[Any] = []
    for command in commands:
        row = as_step(command)
        if not (isinstance(command, Drawn) and row.keys() <= {"step", "card", "face_up"}):
            rows.append(row)
            continue
        name = command.card.name + ("^" if command.face_up else "")
        rows[-1:] = [f"{rows[-1]} {name}"] if rows and isinstance(rows[-1], str) else [*rows[-1:], name]
    return rows


# -- fields: the type of each says how it is read


READERS: dict[Any, Read] = {
    str: string,
    int: integer,
    bool: boolean,
    Card: named_card,
    Amount: amount,
}


def _reader(hint: Any) -> Read:
    """How a value of a type is read; a type without a form is refused when the program starts."""
    if hint in READERS:
        return READERS[hint]
    kind, items = get_origin(hint), get_args(hint)
    if kind is UnionType and items[1:] == (NoneType,):
        return _or_none(_reader(items[0]))
    if kind is tuple and items[1:] == (...,):
        return _each(_reader(items[0]))
    raise TypeError(f"a round script has no form for {hint}")


def _or_none(read: Read) -> Read:
    return lambda path, value: None if value is None else read(path, value)


def _each(read: Read) -> Read:
    return lambda path, value: tuple(read(f"{path}[{i}]", item) for i, item in enumerate(list_(path, value)))


def _kind(kind: type[Step]) -> tuple[tuple[str, ...], dict[str, Read]]:
    """The fields that a step must have, and how each of its fields is read."""
    hints = get_type_hints(kind)
    needed = tuple(own.name for own in fields(kind) if own.default is MISSING)
    return needed, {own.name: _reader(said_type(hints[own.name], own.default)) for own in fields(kind)}


def said_type(hint: Any, default: Any) -> Any:
    """The type of a field where it is written: one that is none unless it is written never says so."""
    return get_args(hint)[0] if default is None else hint


_KINDS = {name: _kind(kind) for name, kind in STEPS.items()}
