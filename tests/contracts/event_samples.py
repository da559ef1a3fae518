"""Events made from the types of their fields: one of every class, whatever classes there are."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from fractions import Fraction
from itertools import islice
from types import NoneType, UnionType
from typing import Any, TypeVar, get_args, get_origin, get_type_hints

from twentyone.cards import Card
from twentyone.money import Amount, Odds
from twentyone.round import Confirmed, Corrected, Decision, Drawn, Happened, ReaderTold, Round, Spun, TurnedUp
from twentyone.round.events import Event, WagerPlaced
from twentyone.round.steps import Step
from twentyone.table.events import TableEvent, Todo

__all__ = ["sample", "samples", "values"]

VALUES: dict[Any, tuple[Any, ...]] = {
    str: ("Ann", "", "é_(b)"),
    int: (7, 0, -1),
    bool: (True, False),
    Card: (Card("10H"), Card("AS")),
    Amount: (Amount("2.505"), Amount(0), Amount("-12.5")),
    Odds: (Odds(3, 2),),
    Fraction: (Fraction(7, 3), Fraction(0)),
    Todo: (Todo("burn", "dealer"), Todo("cut")),
    Step | None: (
        Drawn(Card("10H"), True),
        Decision("insure", 3, "Ann", Amount("2.505")),
        Decision("designate", 1, "é_(b)", hand=2),
        Spun("250+100", 5),
        ReaderTold(blackjack=False),
        ReaderTold(range="low"),
        TurnedUp(Card("AS")),
        Confirmed("é_(b)"),
        Corrected("8S", "8H", "é_(b)", 2, 1),
        Happened("card_drawn_in_error", 2, Card("AS"), True, "17-20"),
        None,
    ),
    Event: (WagerPlaced("c", 1, "Ann", "main", Amount("10")),),
}

E = TypeVar("E", bound=Event | TableEvent)


def values(hint: Any) -> Iterator[Any]:
    """Some values of a type, the plainest first; a type that is not known here is an error."""
    kind, items = get_origin(hint), get_args(hint)
    if hint in VALUES:
        yield from VALUES[hint]
    elif isinstance(hint, type) and issubclass(hint, Event):
        yield from samples(hint)
    elif kind is UnionType and items[1:] == (NoneType,):
        yield from () if items[0] is Round else values(items[0])
        yield None
    elif kind is tuple and items[1:] == (...,):
        yield tuple(islice(values(items[0]), 2))
        yield ()
    elif kind is tuple:
        yield tuple(next(values(item)) for item in items)
    else:
        raise TypeError(f"no value of {hint} is known")


def sample(kind: type[E], **given: Any) -> E:
    """An event of a class: with these values, and plain ones for the other fields."""
    hints = get_type_hints(kind)
    return kind(**{field.name: next(values(hints[field.name])) for field in fields(kind)} | given)


def samples(kind: type[E]) -> Iterator[E]:
    """Events of a class in which every field has each of its values at least once."""
    hints = get_type_hints(kind)
    yield sample(kind)
    for field in fields(kind):
        for value in islice(values(hints[field.name]), 1, None):
            yield sample(kind, **{field.name: value})
