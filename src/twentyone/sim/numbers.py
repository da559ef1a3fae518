"""Names of numbers that compiled code reads: written as an `IntEnum`, compiled as plain numbers.

Numba takes members of an enum for constants on a core, but not as an index into an array on a GPU. It takes the numbers
of a module on both.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import IntEnum
from types import ModuleType
from typing import Any, TypeVar, cast

__all__ = ["numbers"]

E = TypeVar("E", bound=IntEnum)


class _Numbers(ModuleType):
    """The names of an enum with plain numbers; it has the length of the enum, and goes through its members."""

    def __init__(self, kind: type[IntEnum]) -> None:
        super().__init__(kind.__name__, kind.__doc__)
        self.__dict__.update({member.name: int(member) for member in kind})
        self._kind = kind

    def __len__(self) -> int:
        return len(self._kind)

    def __iter__(self) -> Iterator[IntEnum]:
        return iter(self._kind)


def numbers(kind: type[E]) -> type[E]:
    """The names of an enum as compiled code takes them.

    >>> class Suit(IntEnum):
    ...     CLUBS = 0
    ...     SPADES = 3
    >>> plain = numbers(Suit)
    >>> type(plain.SPADES), len(plain), [suit.name for suit in plain]
    (<class 'int'>, 2, ['CLUBS', 'SPADES'])
    """
    return cast(Any, _Numbers(kind))  # type: ignore[no-any-return]
