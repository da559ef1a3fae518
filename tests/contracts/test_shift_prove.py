"""The proof that chips are conserved, at a small size, and faults that it must find."""

from __future__ import annotations

import pytest
from bench.prove_shift import Conserved, work_table
from tests.contracts.table_submissions import BOOKS

from twentyone.ledger.accounts import Accounts
from twentyone.money import Amount
from twentyone.rulebook import Rulebook
from twentyone.table import TableEvent, TableState
from twentyone.table.events import ChipsMoved

RULES = Rulebook.load(BOOKS[0]).under({})


@pytest.mark.parametrize("book", BOOKS)
def test_every_event_of_a_table_balances(book: str) -> None:
    seen = work_table(book, 1, rounds=40)
    assert seen.events > 40 * 10
    assert sum(seen.fired.values()) > 10


def test_a_double_that_is_matched_by_what_comes_back_is_still_laid() -> None:
    """One command doubles for ten, loses both and gets ten of another box back: the chips of the player do not move."""
    accounts = Accounts()
    for box in (4, 5):
        laid = {"box": box, "player": "Ben", "wager": "main", "amount": 10_000, "coupon": 0, "cash": False}
        assert (
            accounts.follow("chips_moved", {"data": {"source": "(inventory)", "target": "Ben", "amount": 10_000}}) == []
        )
        assert accounts.follow("wager_laid", {"data": laid}) == []
    assert accounts.follow("chips_moved", {"data": {"source": "(inventory)", "target": "Ben", "amount": 10_000}}) == []
    lost = {"event": "wager_settled", "player": "Ben", "outcome": "lose", "net": -10_000, "staked": 10_000}
    back = {"event": "wager_settled", "player": "Ben", "outcome": "push", "net": 0, "staked": 10_000}
    chips = [["(layout)", -20_000], ["(inventory)", 20_000]]
    assert accounts.follow("round_event", {"data": {"events": [lost, lost, back], "chips": chips}}) == []
    assert accounts.pending == 0
    assert accounts.balances["Ben"] == 10_000


def moved(amount: str, source: str = "(inventory)", target: str = "Ann") -> TableEvent:
    return ChipsMoved("", 0, "Dan", source=source, target=target, amount=Amount(amount), why="buy-in")


@pytest.mark.parametrize(
    ("state", "event", "why"),
    [
        (TableState(chips={"Ann": Amount("5")}), moved(amount="5"), "do not add up"),
        (TableState(cash={"(drop)": Amount("5")}), moved(amount="5"), "do not add up"),
        (TableState(), moved(amount="-5"), "negative"),
        (TableState(), moved(amount="5", source="Ann", target="(tips)"), "less than zero"),
    ],
)
def test_a_chip_that_comes_from_nowhere_is_found(state: TableState, event: TableEvent, why: str) -> None:
    with pytest.raises(AssertionError, match=why):
        Conserved(RULES).see(state, event)
