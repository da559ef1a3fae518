"""Every shoe of a shift as anybody may check it: its record deals what left it; a sealed one tells nothing."""

from __future__ import annotations

import json
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import pytest
from tests.contracts.store_places import Place
from tests.contracts.test_shift_scripts import work

from twentyone.ledger.export import CannotSay
from twentyone.ledger.keys import Keyring
from twentyone.ledger.rounds import list_rounds
from twentyone.ledger.shoe_records import NoSuchShoe, list_shoes, read_shoe, shoe_record
from twentyone.ledger.store import Store, open_store, table_streams
from twentyone.ledger.wheel_records import wheel_record
from twentyone.rulebook import Rulebook
from twentyone.service.chance import shoe_shown, shoes_shown
from twentyone.service.shift.work import Shift, ShiftPlan
from twentyone.table.shoe import ShoeRecord, faults, os_source
from twentyone.table.wheel_record import wheel_faults

LAST = 2**53 - 1
CASES: list[tuple[str, dict[str, Any]]] = [
    ("pa-spanish-21", {}),
    ("pa-double-back-jack", {"decks": 1}),
    ("md-spanish-21", {"bonus_spin": "A"}),
    ("s13-spanish-21", {}),
]
"""Two batches in turns, a shoe that runs out within rounds, wheels, tens found in the shoe."""


@pytest.mark.parametrize(("book", "given"), CASES)
def test_the_cards_of_every_shoe_follow_from_its_seed(book: str, given: dict[str, Any], tmp_path: Path) -> None:
    with closing(open_store(work(tmp_path, book, given))) as store:
        [table] = table_streams(store)
        shoes = list_shoes(store, table, LAST, 1_000)
        assert [shoe.version for shoe in shoes] == sorted((shoe.version for shoe in shoes), reverse=True)
        left = 0
        for shoe in shoes:
            assert shoe.revealed is not None
            record = ShoeRecord.from_json(shoe_record(store, table, shoe).to_json())
            assert faults(record) == [], shoe.version
            left += len(record.dealt)
        assert left == _cards_out(store, table, Rulebook.load(book).under(given).cards.without)


def _cards_out(store: Store, table: str, without: Any) -> int:
    """Cards of the game that left shoes, counted from all events."""
    count = 0
    for event in store.read(table):
        if event.type == "card_burned":
            count += 1
        elif event.type == "round_event":
            count += sum(name[:-1] not in without for name in json.loads(event.body)["data"].get("cards", ()))
    return count


def test_wheels_are_found_without_reading_the_stream(tmp_path: Path) -> None:
    with closing(open_store(work(tmp_path, "md-spanish-21", {"bonus_spin": "A"}))) as store:
        turned = 0
        for row in list_rounds(store):
            with suppress(CannotSay):
                record = wheel_record(store, row)
                assert wheel_faults(record) == []
                turned += len(record.spins)
        assert turned == sum(event.body.count('"wheel_spun"') for event in store.read(row.table))


def test_a_sealed_shoe_tells_its_commitment_and_nothing_else(place: Place) -> None:
    """In both dialects; pages of shoes hold each once."""
    store, keys = place.open(), Keyring.new(os_source())
    plan = ShiftPlan(Rulebook.load("classic-blackjack").under({}), 1, 3, 0, "7")  # type: ignore[arg-type]
    Shift(store, keys, plan, lambda: 0, "").work(lambda _: None)
    [table] = table_streams(store)
    every = shoes_shown(store, table, LAST)["shoes"]
    assert every
    newest = every[0]["version"]
    first = next(event for event in store.read_seals(table) if event.type == "shoe_sealed")
    assert read_shoe(store, table, newest).version == newest
    with pytest.raises(NoSuchShoe, match="sealed no shoe at version 1"):
        read_shoe(store, table, 1)
    assert list_shoes(store, table, first.ver, 5) == []
    sealed = read_shoe(store, table, newest)._replace(revealed=None, seed="", ended=0)
    with pytest.raises(NoSuchShoe, match="its seed is sealed"):
        shoe_record(store, table, sealed)
    shown = shoe_shown(store, table, newest)
    assert (shown["commitment"], len(shown["cards"].split())) == (every[0]["commitment"], 312)
