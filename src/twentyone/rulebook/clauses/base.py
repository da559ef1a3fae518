"""The base of every clause, and the decorator that makes and registers one."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import MISSING, FrozenInstanceError, dataclass, field, fields
from typing import Any, ClassVar, TypeVar, dataclass_transform

__all__ = ["TYPES", "Clause", "clause"]

TYPES: dict[str, type[Clause]] = {}
"""Fence key to clause type."""


K = TypeVar("K")


@dataclass_transform(frozen_default=True, kw_only_default=True, eq_default=False)
def _fields_only(kind: type[K]) -> type[K]:
    """The fields of a class as those of a dataclass, for which no function is written: every command waits for all."""
    return dataclass(init=False, kw_only=True, eq=False, repr=False)(kind)


@_fields_only
class Clause:
    """What every clause has: where it stands and when it is in force. Frozen."""

    type_key: ClassVar[str]
    """The key of its fence."""
    named: ClassVar[bool]
    """Whether it is written as `[type.name]`."""

    paragraph: str
    """The paragraph it stands under, computed from where it stands."""
    cite: str
    """The full citation of that paragraph."""
    place: str = ""
    """The file and the line of its fence, for messages only."""
    when: Mapping[str, Any] = field(default_factory=dict)
    """Submission keys and the values they must have (a list: one of them)."""
    reading: Mapping[str, str] = field(default_factory=dict)
    """Reading ids and the values they must have."""

    def __init__(self, **given: Any) -> None:
        values = self.__dict__
        for each in fields(self):
            if each.name in given:
                values[each.name] = given.pop(each.name)
            elif each.default is not MISSING:
                values[each.name] = each.default
            elif each.default_factory is not MISSING:
                values[each.name] = each.default_factory()
            else:
                raise TypeError(f"{type(self).__name__}: {each.name} is missing")
        if given:
            raise TypeError(f"{type(self).__name__} has no {', '.join(given)}")

    def __setattr__(self, name: str, value: object) -> None:
        raise FrozenInstanceError(f"cannot assign to field {name!r}")

    def __delattr__(self, name: str) -> None:
        raise FrozenInstanceError(f"cannot delete field {name!r}")

    def __repr__(self) -> str:
        return f"<{self.key} under {self.cite}>"

    @property
    def key(self) -> str:
        """The name functions register for: `pay`, `decision.double`."""
        return f"{self.type_key}.{getattr(self, 'name')}" if self.named else self.type_key  # noqa: B009


C = TypeVar("C", bound=Clause)


@dataclass_transform(frozen_default=True, kw_only_default=True, eq_default=False)
def clause(key: str, *, named: bool = False) -> Callable[[type[C]], type[C]]:
    """Make a clause type of a class of plain fields, and register it under the key of its fence."""

    def register(kind: type[C]) -> type[C]:
        made = _fields_only(kind)
        made.type_key, made.named = key, named
        TYPES[key] = made
        return made

    return register
