"""Prize wheels as an array: cumulated weights, prizes, what the others are paid, and meters that are reset."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from twentyone.money import Amount
from twentyone.rulebook.clauses import Community, Symbol
from twentyone.rulebook.wheels import meters_of, weights_of
from twentyone.sim.setup import Setup

__all__ = ["AGAIN", "COLUMNS", "CUMULATED", "METER", "OTHERS", "PRIZE", "WHEELS", "wheel_table"]

WHEELS = ("bonus_spin", "xtreme_16")
"""The wheels by number."""


CUMULATED, PRIZE, OTHERS, AGAIN, METER = range(5)
COLUMNS = 5
"""Of a symbol: its weight with those before it in parts of 2^32; in grains its prize, the prize of every other box, and
its prize once its meter was reset in the same round; the mark of its meter."""


class _Pays(NamedTuple):
    prize: Amount
    others: Amount
    again: Amount
    meter: str = ""


def wheel_table(setup: Setup, grain: Amount) -> NDArray[np.int64]:
    """Wheel, symbol and column to a whole number."""
    rows = [_symbols(setup, wheel) for wheel in WHEELS]
    marks = {name: 1 << number for number, name in enumerate(meters_of(setup.rules))}
    table = np.zeros((len(WHEELS), max(1, *map(len, rows)), COLUMNS), np.int64)
    for number, symbols in enumerate(rows):
        total = sum(weight for weight, _ in symbols)
        reached = 0
        for index, (weight, pays) in enumerate(symbols):
            reached += weight
            amounts = (amount // grain for amount in pays[:3])
            table[number, index] = (reached << 32) // total, *amounts, marks.get(pays.meter, 0)
    return table


def _symbols(setup: Setup, wheel: str) -> list[tuple[int, _Pays]]:
    if not any(wheel in box.sides for box in setup.boxes):
        return []
    symbols = {symbol.name: symbol for symbol in setup.rules.all(Symbol) if symbol.wheel == wheel}
    names: Mapping[str, int] = (setup.weights or weights_of(setup.rules))[wheel]
    return [(weight, _pays(setup, wheel, name, symbols)) for name, weight in names.items() if weight]


def _pays(setup: Setup, wheel: str, name: str, symbols: Mapping[str, Symbol]) -> _Pays:
    if name in symbols:
        return _prize(setup, symbols[name], symbols[name].others or Amount(0))
    own, _, _ = name.partition("+")
    others = next(row.pays for row in setup.rules.all(Community) if f"{own}+{row.pays}" == name and row.wheel == wheel)
    return _prize(setup, symbols[own], others)


def _prize(setup: Setup, symbol: Symbol, others: Amount) -> _Pays:
    if symbol.pays is not None:
        return _Pays(symbol.pays, others, symbol.pays)
    name = symbol.meter or ""
    base = meters_of(setup.rules)[name].base
    return _Pays(setup.meters.get(name) or base, others, base, name)
