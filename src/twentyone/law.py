"""The lowest layer: which function carries out which clause of the law.

A function says what it carries with `@carries("decision.double")`; `twentyone law` prints the other direction.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

__all__ = ["CARRIERS", "carries"]

F = TypeVar("F", bound=Callable[..., object])

CARRIERS: dict[str, list[str]] = {}
"""Clause key (`pay`, `decision.double`, `irregularity.ten`) to the dotted names of the functions that carry it out."""


def carries(*keys: str) -> Callable[[F], F]:
    """Register a function as the one that carries out the clauses with these keys."""

    def register(function: F) -> F:
        for key in keys:
            CARRIERS.setdefault(key, []).append(f"{function.__module__}.{function.__qualname__}")
        return function

    return register
