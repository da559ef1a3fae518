"""The record of a shoe: what stands in it, what is left out, and that nobody changes it."""

from __future__ import annotations

import json
from dataclasses import FrozenInstanceError, replace

import pytest

from twentyone.cards import parse_cards
from twentyone.table.shoe import ShoeRecord, after_cut

RECORD = ShoeRecord("pa-spanish-21", {"operator": "Café"}, "00" * 32, "11" * 32, 3, parse_cards("AS 9D"))


def test_what_was_not_so_is_left_out() -> None:
    assert json.loads(RECORD.to_json()) == {
        "format": "shoe-record/1",
        "rulebook": "pa-spanish-21",
        "submission": {"operator": "Café"},
        "seed": "00" * 32,
        "commitment": "11" * 32,
        "cut": 3,
        "dealt": "AS 9D",
    }


def test_a_batch_from_the_rack_and_a_later_text_stand_in_it() -> None:
    record = replace(RECORD, batch=parse_cards("9D AS 2C"), edition="2026-07-01")
    body = json.loads(record.to_json())
    assert (body["batch"], body["edition"]) == ("9D AS 2C", "2026-07-01")
    assert ShoeRecord.from_json(record.to_json()) == record
    assert ShoeRecord.from_json(RECORD.to_json()) == RECORD


def test_it_is_written_as_people_write() -> None:
    assert "Café" in RECORD.to_json()


def test_nobody_changes_it() -> None:
    with pytest.raises(FrozenInstanceError):
        RECORD.cut = 4  # type: ignore[misc]


@pytest.mark.parametrize(
    ("size", "place", "allowed"), [(0, 0, True), (1, 0, True), (1, 1, False), (2, 1, True), (2, 2, False)]
)
def test_there_are_fewer_cards_above_a_cut_than_in_the_stack(size: int, place: int, allowed: bool) -> None:
    if allowed:
        assert after_cut(range(size), place) == (*range(place, size), *range(place))
        return
    with pytest.raises(ValueError, match="cannot be cut"):
        after_cut(range(size), place)
