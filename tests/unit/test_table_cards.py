"""Every card of a batch is counted once: in a shoe, a stack, a rack, on the layout, or out of play."""

from __future__ import annotations

import pytest
from tests.contracts.table_driver import FLOORPERSON, Day
from tests.contracts.test_table_refusals import day_of, drain

from twentyone.rulebook import Rulebook
from twentyone.table import Command, Table
from twentyone.table.rack import rack_cards
from twentyone.table.script import follow


def until(day: Day, do: str) -> None:
    """Follow the procedure until a step is asked for."""
    while (step := day.table.next_steps()[0]).do != do:
        day.follow(step)


@pytest.mark.parametrize("book", ["pa-spanish-21", "md-spanish-21", "s13-spanish-21"])
def test_cards_that_are_shuffled_are_in_no_shoe(book: str) -> None:
    day = day_of(book)
    day.give("reshuffle", "floorperson", FLOORPERSON)
    until(day, "shuffle")
    shoe, rack = day.state.shoe, rack_cards(day.state.rack)
    held = shoe.left + len(rack) if shoe is not None else 0
    day.follow(day.table.next_steps()[0])
    taken_up = day.state
    assert [taken_up.shoe, taken_up.rack, taken_up.gone, taken_up.burned] == [None, (), {}, None]
    assert held == day.state.batches["red"].cards
    until(day, "burn")
    assert day.state.shoe is not None
    assert day.state.shoe.left == held


def test_a_continuous_shuffler_takes_every_card_back_after_its_rack_was_dealt() -> None:
    """Three decks, burned down to two cards: the round ends with the rack's, and all go back before the next."""
    day = day_of("pa-double-back-jack", shuffler="continuous", decks=3)
    drain(day, 2)
    before = day.reloads
    day.work(day.done + 1)
    assert day.reloads == before + 1
    while day.state.phase != "round":
        day.follow(day.table.next_steps()[-1])
    assert day.state.shoe is not None
    assert (day.state.shoe.left, day.state.shoe.size) == (156, 156)


def test_a_dealer_for_whom_no_card_is_left_has_the_cards_shuffled_first() -> None:
    day = day_of(rounds=2)
    drain(day, 0)
    day.change_dealer()
    assert day.state.agenda[0].do != "burn"
    until(day, "place_wager")
    assert day.state.shoe is not None
    assert day.state.shoe.left == day.state.shoe.size - 2


@pytest.mark.parametrize(("found", "due"), [("10S 10D", []), ("2S 2D", ["reshuffle_ordered"])])
def test_decks_that_leave_the_game_are_not_to_be_reshuffled(found: str, due: list[str]) -> None:
    """Two tens take the decks out of play; two cards that lay face up have them shuffled again."""
    table = follow(Table.new(Rulebook.load("pa-spanish-21").under()), "show_cards", 1)
    table = table.apply(Command("sit", "player", "Ann", 1, {"boxes": [1]}))
    table = table.apply(Command("buy_in", "dealer", "Dan", 1, {"player": "Ann", "amount": "100"}))
    table = follow(table, "", 1)
    table = table.apply(Command("place_wager", "player", "Ann", 1, {"box": 1, "amount": "10"}))
    table = table.apply(Command("deal", "dealer", "Dan", 1))
    for card in found.split():
        table = table.apply(Command("card", "dealer", "Dan", 1, {"card": card, "face_up": "10" not in card}))
    assert table.state.phase == "settled"
    assert [event.kind for event in table.new_events if event.kind == "reshuffle_ordered"] == due
