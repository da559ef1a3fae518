"""Two processes, fifty guests, coupons, purses, wheels and a sudden end: two accounts agree on every cent."""

from __future__ import annotations

import json
from contextlib import closing

import pytest

from tests.money.account import Row, SecondAccount
from tests.money.house import House, open_house, rows_of
from tests.postgres import Postgres
from twentyone.ledger.store import open_store

COMMANDS = 1_500
NAMED = {"round_event": "(layout)", "chips_moved": "(cage)"}
"""The account that an event has to name: chips that a player tips away are missed by nobody."""
IN_ROUND = ("round_event", "wager_laid")
"""What is left out of a round that is over: chips of it stay on the layout, or were never there."""


@pytest.fixture(scope="module")
def house(postgres: Postgres, tmp_path_factory: pytest.TempPathFactory) -> House:
    folder = tmp_path_factory.mktemp("house")
    ledger = postgres.new_database()
    open_house(ledger, folder)
    house = House(ledger, folder, seed=1)
    house.run(COMMANDS, kills=1)
    return house


def test_what_exists_is_what_was_issued(house: House) -> None:
    assert list(house.faults()) == []
    counts = house.counts()
    assert counts["kills"] == 1
    assert min(counts["round ended"], counts["purse entry"]) > 0


@pytest.mark.parametrize("kind", ["purse_entry", "play_money_issued", "chips_moved", "round_event", "wager_laid"])
def test_the_second_account_misses_what_is_left_out(house: House, kind: str) -> None:
    """Negative control: an event that moves money is left out, or says another amount."""
    with closing(open_store(house.ledger)) as store:
        rows = list(rows_of(store))
    settled = next(row for row in rows if row.type == "round_ended")
    played = [row for row in rows if row.stream == settled.stream and row.ver < settled.ver]
    where = played if kind in IN_ROUND else rows
    moving = [row for row in where if row.type == kind and NAMED.get(kind, "") in row.body and _spent(row, rows)]
    left_out = moving[0 if kind == "play_money_issued" else -1]
    assert _faults([row for row in rows if row is not left_out])


def _spent(row: Row, rows: list[Row]) -> bool:
    """Whether play money that was issued was brought to a table; other events need no such thing."""
    if row.type != "play_money_issued":
        return True
    brought = [json.loads(later.body) for later in rows if later.type == "purse_entry"]
    return any(body["name"] == json.loads(row.body)["name"] and body["amount"] < 0 for body in brought)


def _faults(rows: list[Row]) -> list[str]:
    account = SecondAccount()
    account.follow(rows)
    account.close()
    return account.faults
