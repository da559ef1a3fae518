"""Prize wheels as an array: cumulated weights, prizes, and what the others are paid."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from twentyone.money import Amount
from twentyone.rulebook.clauses import Community, Symbol
from twentyone.rulebook.wheels import meters_of, weights_of
from twentyone.sim.setup import Setup

__all__ = ["WHEELS", "wheel_table"]

WHEELS = ("bonus_spin", "xtreme_16")
"""The wheels by number."""


def wheel_table(setup: Setup, grain: Amount) -> NDArray[np.int64]:
    """Wheel and symbol to (cumulated weight in parts of 2^32, prize, others' prize) in grains."""
    rows = [_symbols(setup, wheel) for wheel in WHEELS]
    table = np.zeros((len(WHEELS), max(1, *map(len, rows)), 3), np.int64)
    for number, symbols in enumerate(rows):
        total = sum(weight for weight, _, _ in symbols)
        reached = 0
        for place, (weight, prize, others) in enumerate(symbols):
            reached += weight
            table[number, place] = (reached << 32) // total, prize // grain, others // grain
    return table


def _symbols(setup: Setup, wheel: str) -> list[tuple[int, Amount, Amount]]:
    if not any(wheel in box.sides for box in setup.boxes):
        return []
    symbols = {symbol.name: symbol for symbol in setup.rules.all(Symbol) if symbol.wheel == wheel}
    names: Mapping[str, int] = (setup.weights or weights_of(setup.rules))[wheel]
    return [(weight, *_pays(setup, wheel, name, symbols)) for name, weight in names.items() if weight]


def _pays(setup: Setup, wheel: str, name: str, symbols: Mapping[str, Symbol]) -> tuple[Amount, Amount]:
    if name in symbols:
        return _prize(setup, symbols[name]), symbols[name].others or Amount(0)
    own, _, _ = name.partition("+")
    others = next(row.pays for row in setup.rules.all(Community) if f"{own}+{row.pays}" == name and row.wheel == wheel)
    return _prize(setup, symbols[own]), others


def _prize(setup: Setup, symbol: Symbol) -> Amount:
    if symbol.pays is not None:
        return symbol.pays
    name = symbol.meter or ""
    return setup.meters.get(name) or meters_of(setup.rules)[name].base
