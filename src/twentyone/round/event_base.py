"""What every event of a round has, and how it is written as plain values."""

from __future__ import annotations

from dataclasses import FrozenInstanceError, dataclass, field, fields, make_dataclass
from fractions import Fraction
from operator import attrgetter
from typing import Any, ClassVar, NamedTuple, TypeVar, cast, dataclass_transform

from twentyone.cards import Card
from twentyone.money import Amount, Odds

__all__ = ["Event", "Frozen", "HandRef", "as_json", "fields_only", "frozen", "plain"]

K = TypeVar("K", bound="Frozen")


class Frozen:
    """What frozen classes of plain fields share, so that defining one costs next to nothing: commands wait for all.

    `dataclasses` writes its `__init__` when the first of a kind is made.
    """

    __slots__ = ()

    _values: ClassVar[Any]
    """All of its fields."""

    def __eq__(self, other: object) -> bool:
        if self.__class__ is not other.__class__:
            return NotImplemented
        return bool(self._values(self) == self._values(other))

    def __hash__(self) -> int:
        return hash(self._values(self))

    def __setattr__(self, name: str, value: object) -> None:
        raise FrozenInstanceError(f"cannot assign to field {name!r}")

    def __delattr__(self, name: str) -> None:
        raise FrozenInstanceError(f"cannot delete field {name!r}")

    def __reduce__(self) -> tuple[Any, ...]:
        return _again, (self.__class__, [getattr(self, each.name) for each in fields(self)])  # type: ignore[arg-type]

    def __repr__(self) -> str:
        shown = [each.name for each in fields(self) if each.repr]  # type: ignore[arg-type]
        return f"{type(self).__qualname__}({', '.join(f'{name}={getattr(self, name)!r}' for name in shown)})"


def _again(kind: type[K], values: list[Any]) -> K:
    """A frozen object with these values."""
    made = object.__new__(kind)
    for each, value in zip(fields(kind), values, strict=True):  # type: ignore[arg-type]
        object.__setattr__(made, each.name, value)
    return made


def _made_first(self: Frozen, *given: Any, **named: Any) -> None:
    """The `__init__` of a kind of which none was made yet."""
    kind: Any = type(self)
    known = [(each.name, Any, field(default=each.default, kw_only=each.kw_only)) for each in fields(kind)]
    made: Any = make_dataclass(kind.__name__, known, frozen=True, eq=False, repr=False)
    kind.__init__ = made.__init__
    kind.__init__(self, *given, **named)


def fields_only(kind: type[K], kw_only: bool = False) -> type[K]:
    """A frozen class of the fields of this one."""
    made: Any = dataclass(init=False, repr=False, eq=False, slots=True, kw_only=kw_only)(kind)
    made._values = attrgetter(*(each.name for each in fields(made)))
    made.__init__ = _made_first
    return cast(type[K], made)


@dataclass_transform(frozen_default=True)
def frozen(kind: type[K]) -> type[K]:
    """Make a frozen class of a class of plain fields: an event, a command."""
    return fields_only(kind)


class HandRef(NamedTuple):
    """Which hand: the box, and its number there, counted from 1."""

    box: int
    number: int


@frozen
class Event(Frozen):
    """Something that happened, and the paragraph it happened under."""

    cite: str
    """The full citation."""

    def __repr__(self) -> str:
        body = as_json(self)
        said = ", ".join(f"{key} {value}" for key, value in body.items() if key not in ("event", "cite"))
        return f"<{body['event']} {said} ({self.cite})>"


def as_json(event: Event) -> dict[str, Any]:
    """An event as plain JSON values."""
    values = {field.name: plain(getattr(event, field.name)) for field in fields(event)}
    return {"event": type(event).__name__, **values}


def plain(value: Any) -> Any:
    """A value of an event as plain JSON values."""
    if isinstance(value, Event):
        return as_json(value)
    if isinstance(value, Card):
        return value.name
    if isinstance(value, Amount | Odds | Fraction):
        return str(value)
    return [plain(item) for item in value] if isinstance(value, tuple) else value
