"""A prize wheel turned by chance that nobody can foretell: its symbol, and the hot spot where one is drawn."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from twentyone.round import Round, Spin
from twentyone.rulebook import Rules
from twentyone.rulebook.clauses import Community, Symbol
from twentyone.table.shoe import below

__all__ = ["turn_wheel"]


def turn_wheel(round_: Round, need: Spin, words: Iterator[int]) -> dict[str, Any]:
    """The arguments of a `spin`: each symbol as likely as its weight in the submission, else all alike."""
    weights = _weights(round_.rules, need.wheel)
    symbol = _at(weights, below(sum(weights.values()), words))
    if need.box is not None:
        return {"symbol": symbol}
    boxes = [side.box for side in round_.state.sides if side.wager == need.wheel and not side.settled]
    return {"symbol": symbol, "hot_spot": boxes[below(len(boxes), words)]}


def _at(weights: Mapping[str, int], place: int) -> str:
    """The symbol at a place of the wheel."""
    for symbol, weight in weights.items():
        place -= weight
        if place < 0:
            return symbol
    raise ValueError("the wheel has fewer places")


def _weights(rules: Rules, wheel: str) -> dict[str, int]:
    given: Mapping[str, Any] = rules.submission.get("wheel_weights") or {}
    by_wheel = any(isinstance(value, Mapping) for value in given.values())
    table: Mapping[str, Any] = given.get(wheel, {}) if by_wheel else given
    names = [symbol.name for symbol in rules.all(Symbol) if symbol.wheel == wheel]
    pays = [row.pays for row in rules.all(Community) if row.wheel == wheel]
    known = {*names, *(f"{name}+{amount}" for name in names for amount in pays)}
    chosen = {name: int(weight) for name, weight in table.items() if name in known and weight}
    return chosen or dict.fromkeys(names, 1)
