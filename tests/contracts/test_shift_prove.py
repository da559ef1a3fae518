"""The proof that chips are conserved, at a small size, and faults that it must find."""

from __future__ import annotations

from typing import Any

import pytest
from bench.prove_shift import Conserved, work_table
from tests.contracts.test_table_days import BOOKS

from twentyone.money import Amount
from twentyone.rulebook import Rulebook
from twentyone.table import TableEvent, TableState

RULES = Rulebook.load(BOOKS[0]).under({})


@pytest.mark.parametrize("book", BOOKS)
def test_every_event_of_a_table_balances(book: str) -> None:
    seen = work_table(book, 1, rounds=40)
    assert seen.events > 40 * 10
    assert sum(seen.fired.values()) > 10


def moved(**data: Any) -> TableEvent:
    return TableEvent("chips_moved", "", 0, "Dan", {"source": "(inventory)", "target": "Ann", "why": "buy-in", **data})


@pytest.mark.parametrize(
    ("state", "event", "why"),
    [
        (TableState(chips={"Ann": Amount("5")}), moved(amount="5"), "do not add up"),
        (TableState(cash={"(drop)": Amount("5")}), moved(amount="5"), "do not add up"),
        (TableState(), moved(amount="-5"), "negative"),
        (TableState(), moved(amount="5", source="Ann", target="(tips)"), "less than nothing"),
    ],
)
def test_a_chip_that_comes_from_nowhere_is_found(state: TableState, event: TableEvent, why: str) -> None:
    with pytest.raises(AssertionError, match=why):
        Conserved(RULES).see(state, event)
