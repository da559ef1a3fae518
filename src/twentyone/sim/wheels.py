"""Prize wheels as an array: cumulated weights, prizes, what the others are paid, and meters that are reset."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from twentyone.money import Amount
from twentyone.rulebook.wheels import Paytable, meters_of, paytable_of, paytables, weights_of
from twentyone.sim.setup import Box, Setup

__all__ = [
    "AGAIN", "COLUMNS", "CUMULATED", "METER", "OTHERS", "OTHERS_SECOND", "PRIZE", "SECOND", "WHEELS", "wheel_number",
    "wheel_table",
]  # fmt: skip

WHEELS = ("bonus_spin", "xtreme_16", "bonus_spin")
"""The wheels by number; where two paytables of one are in use, the second comes last."""
SECOND = 2
"""The number of the second paytable."""

CUMULATED, PRIZE, OTHERS, OTHERS_SECOND, AGAIN, METER = range(6)
COLUMNS = 6
"""Of a symbol: its weight with those before it in parts of 2^32; in grains its prize, the prize of every other box, of
one whose wager the second paytable pays, and its prize once its meter was reset in the round; the mark of its meter."""


def wheel_table(setup: Setup, grain: Amount) -> NDArray[np.int64]:
    """Wheel, symbol and column to a whole number."""
    rows = [_symbols(setup, number) for number in range(len(WHEELS))]
    marks = {name: 1 << number for number, name in enumerate(meters_of(setup.rules))}
    table = np.zeros((len(WHEELS), max(1, *map(len, rows)), COLUMNS), np.int64)
    for number, symbols in enumerate(rows):
        total = sum(weight for weight, _, _ in symbols)
        reached = 0
        for index, (weight, amounts, meter) in enumerate(symbols):
            reached += weight
            grains = (amount // grain for amount in amounts)
            table[number, index] = (reached << 32) // total, *grains, marks.get(meter, 0)
    return table


def wheel_number(setup: Setup, box: Box) -> int:
    """The number of the wheel that a Blackjack on this box turns."""
    tables = _paytables(setup, WHEELS[0])
    wager = box.sides.get(WHEELS[0])
    return SECOND if wager is not None and tables.index(paytable_of(setup.rules, WHEELS[0], wager)) else 0


def _paytables(setup: Setup, wheel: str) -> list[Paytable]:
    return [table for table in paytables(setup.rules) if table.wheel == wheel]


def _symbols(setup: Setup, number: int) -> list[tuple[int, tuple[Amount, ...], str]]:
    """Weight, amounts by column and meter of every symbol of a wheel that some box can turn."""
    wheel = WHEELS[number]
    tables = _paytables(setup, wheel)[number // SECOND :]
    if not tables or not any(wheel in box.sides for box in setup.boxes):
        return []
    names: Mapping[str, int] = (setup.weights or weights_of(setup.rules))[tables[0].name]
    return [(weight, *_pays(setup, tables[0], name)) for name, weight in names.items() if weight]


def _pays(setup: Setup, table: Paytable, name: str) -> tuple[tuple[Amount, ...], str]:
    """Prize, what the others are paid by each paytable, and the prize once the meter was reset; and the meter."""
    row = table.row(name)
    shared = [_row_for(other, table, name) for other in _paytables(setup, table.wheel)]
    others = shared[0], shared[-1]
    if row.pays is not None:
        return (row.pays, *others, row.pays), ""
    meter = table.meter(row.meter or "")
    base = meters_of(setup.rules)[meter].base
    return (setup.meters.get(meter) or base, *others, base), meter


def _row_for(other: Paytable, table: Paytable, name: str) -> Amount:
    """What a wager that another paytable pays is paid by the row of a symbol."""
    row = table.row(name)
    return other.shared[table.shared.index(row)].others or Amount(0) if row in table.shared else table.beside(name)
