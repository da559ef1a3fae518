"""What random days at a table once got away with: each is refused with its paragraph, or goes on as the text says."""

from __future__ import annotations

from typing import Any

import pytest
from tests.contracts.table_driver import FLOORPERSON, Day

from twentyone.cards import Card
from twentyone.errors import Refused
from twentyone.rulebook import Rulebook

HOUR = 60 * 60


def day_of(book: str = "pa-spanish-21", seed: int = 0, rounds: int = 1, **submission: Any) -> Day:
    """A table that has dealt some rounds and waits for wagers."""
    day = Day(Rulebook.load(book).under(submission), seed, lambda _, __: None)
    day.work(rounds)
    return day


def refused(day: Day, do: str, role: str, by: str, **args: Any) -> None:
    """A command is refused, with a paragraph, and nothing has changed."""
    before = day.state
    with pytest.raises(Refused) as found:
        day.give(do, role, by, **args)
    day.check_cite(found.value)
    assert day.state is before


def drain(day: Day, left: int) -> None:
    """New dealers burn cards until so many are left."""
    while len(day.cards.shoe) > left:
        day.change_dealer()
        day.give("burn", "dealer", day.dealer, card=day.cards.top.name)


@pytest.mark.parametrize("name", ["", "(inventory)", "(layout)", "(cage)"])
def test_nobody_has_the_name_of_an_account(name: str) -> None:
    day = day_of()
    refused(day, "sit", "player", name, boxes=[5])
    refused(day, "change_dealer", "floorperson", FLOORPERSON, dealer=name)


def test_a_player_wagers_his_own_chips() -> None:
    day = day_of(seed=2)
    refused(day, "place_wager", "player", "Ann", player="Bob", box=2, amount="10")
    refused(day, "place_wager", "player", "Zoe", player="Bob", box=2, amount="10")


def test_a_reader_that_stops_the_table_can_always_be_repaired() -> None:
    day = day_of()
    day.give("device_out_of_order", "dealer", day.dealer, device="card_reader")
    try:
        day.give("cover_device", "dealer", day.dealer, device="card_reader")
    except Refused as wrong:
        day.check_cite(wrong)
    assert [step.do for step in day.table.next_steps()] == ["device_repaired"]


def test_no_card_is_burned_at_an_idle_table() -> None:
    day = day_of()
    day.stand_idle()
    day.change_dealer()
    refused(day, "burn", "dealer", day.dealer, card="2S")


def test_a_table_that_opens_again_is_a_new_game() -> None:
    day = day_of()
    while not day.state.reshuffle:
        day.follow(day.table.next_steps()[0])
    while day.state.phase != "open":
        day.follow(day.table.next_steps()[0])
    day.give("close_table", "floorperson", FLOORPERSON)
    day.give("open_table", "floorperson", FLOORPERSON, dealer="Dan")
    assert (day.state.reshuffle, day.state.cover_box, day.state.stopped) == ("", None, "")


def test_cards_that_are_overdue_are_changed_next() -> None:
    day = day_of()
    assert [step.do for step in day.table.next_steps(at=day.clock + 23 * HOUR)] == ["place_wager"]
    day.clock += 25 * HOUR
    steps = day.table.next_steps(at=day.clock)
    assert {step.do for step in steps} == {"change_cards"}
    day.follow(steps[0])
    day.work(day.done + 1)


def test_a_device_whose_inspection_is_over_is_inspected_next() -> None:
    """635a.2(d): the reader is inspected for each gaming day, though the cards were changed an hour before."""
    day = day_of()
    day.clock += 23 * HOUR
    day.give("change_cards", "floorperson", FLOORPERSON)
    day.work(day.done + 1)
    day.clock += 2 * HOUR
    steps = day.table.next_steps(at=day.clock)
    assert [(step.do, step.role, step.about) for step in steps] == [("inspect_device", "floorperson", "card_reader")]
    refused(day, "inspect_device", "floorperson", FLOORPERSON, device="toaster")
    day.follow(steps[0])
    assert [step.do for step in day.table.next_steps(at=day.clock)] == ["place_wager"]


def test_the_rack_is_cut_and_burned_by_commands_of_their_own() -> None:
    day = day_of(rounds=3)
    drain(day, 2)
    while day.cards.shoe or day.state.phase != "round":
        day.follow(day.table.next_steps()[0])
    refused(day, "reload_rack", "dealer", day.dealer, burn="10S", commitment="c" * 64)
    refused(day, "happened", "dealer", day.dealer, name="card_drawn_in_error", card="10S", exposed=True)
    refused(day, "happened", "dealer", day.dealer, name="card_drawn_in_error")


def test_a_void_round_takes_back_what_was_won_in_it() -> None:
    """Ann wins her side wager and gives all her chips away; two tens are found."""
    day = day_of(boxes_per_player=1)
    day.give("place_wager", "player", "Ann", box=1, amount="10")
    day.give("place_wager", "player", "Ann", box=1, amount="10", wager="match_the_dealer")
    day.give("deal", "dealer", day.dealer)
    for name in ("6S", "6H", "5S", "9D"):
        day.cards.shoe.remove(Card(name))
        day.cards.shoe.append(Card(name))
        day.give("card", "dealer", day.dealer, card=name)
    try:
        day.give("tip", "player", "Ann", amount=str(day.state.chips["Ann"]))
    except Refused as wrong:
        day.check_cite(wrong)
    while day.table.next_steps()[0].do != "card":
        day.give("decide", "player", "Ann", action="hit")
    for ten in ("10S", "10H"):
        day.cards.plant(Card(ten))
        day.give("card", "dealer", day.dealer, card=ten)
    assert day.state.round is not None
    assert day.state.round.state.void
    assert sum(day.state.chips.values()) == 0


@pytest.mark.parametrize("book", ["pa-spanish-21", "md-spanish-21"])
def test_one_batch_is_dealt_until_there_are_two_again(book: str) -> None:
    """New cards came by hand while the shuffler was covered; it is repaired, the table stands idle, a player comes."""
    day = day_of(book, shuffler="automated")
    day.give("device_out_of_order", "dealer", day.dealer, device="shuffler")
    day.give("cover_device", "dealer", day.dealer, device="shuffler")
    day.give("change_cards", "floorperson", FLOORPERSON)
    day.work(day.done + 1)
    assert len(day.state.batches) == 1
    day.give("device_repaired", "floorperson", FLOORPERSON, device="shuffler")
    day.stand_idle()
    day.work(day.done + 1)
    day.give("reshuffle", "floorperson", FLOORPERSON)
    day.work(day.done + 1)
