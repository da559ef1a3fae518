"""Guests without a device: the dealer on duty seats them and enters what they signal; nobody else does."""

from __future__ import annotations

import json
from typing import Any

import pytest
from tests.unit.test_table import Staff

from twentyone.ledger.codec import command_event, decode_command
from twentyone.money import Amount
from twentyone.rulebook import rulebook_ids
from twentyone.service.attendance import Absent
from twentyone.service.consoles import console_view
from twentyone.service.staff import _for_absent
from twentyone.table import Command
from twentyone.table.play import ENTERED_BY
from twentyone.table.words import described


def felt(book: str = "pa-spanish-21") -> Staff:
    """Ann at box 1 with her device, Ben at box 2 without one, the table ready for wagers."""
    staff = Staff(book).ready("Ann")
    return staff.do("seat_guest", player="Ben", boxes=[2]).do("buy_in", player="Ben", amount="100")


def enters(staff: Staff, do: str, guest: str = "Ben", dealer: str = "Dan", **args: Any) -> Staff:
    """The dealer enters a command for a guest."""
    return staff.do(do, "player", guest, **{ENTERED_BY: dealer}, **args)


@pytest.mark.parametrize("book", rulebook_ids())
def test_a_round_is_entered_for_a_guest(book: str) -> None:
    """Wager and decision are Ben's, with his chips; the record says who entered them."""
    staff = felt(book)
    assert next(described(next(iter(staff.do("seat_guest", player="Ben", boxes=[3]).table.new_events)))).says == (
        "Dan seats Ben at box 3"
    )
    enters(staff, "place_wager", box=3, amount="10")
    assert staff.table.state.chips["Ben"] == Amount("90")
    assert {event.by for event in staff.table.new_events} == {"Ben"}
    staff.do("deal")
    while not [step for step in staff.table.next_steps() if step.do == "decide"]:
        staff.do("card", card=["9S", "7H", "9D", "8C"][len(staff.table.state.round.events) % 4])  # type: ignore[union-attr]
    enters(staff, "decide", action="stand", box=3)


def test_the_stored_command_names_the_dealer() -> None:
    command = Command("decide", "player", "Ben", 1, {"action": "hit", ENTERED_BY: "Dan"})
    body = json.loads(json.dumps(command_event(command).body))
    assert (body["by"], body["args"][ENTERED_BY]) == ("Ben", "Dan")
    assert decode_command(body) == command


def test_nobody_enters_for_somebody_with_a_device() -> None:
    staff = felt()
    wager: dict[str, Any] = {"box": 1, "amount": "10"}
    assert "a device of his own" in str(staff.refused("place_wager", "player", "Ann", **{ENTERED_BY: "Dan"}, **wager))
    assert "a device of his own" in str(staff.refused("seat_guest", player="Ann", boxes=[4]))


def test_only_the_dealer_on_duty_enters() -> None:
    """Neither a guest with a browser who calls himself Ben, nor another dealer, nor the floorperson."""
    staff = felt()
    wager: dict[str, Any] = {"box": 2, "amount": "10"}
    assert "without a device" in str(staff.refused("place_wager", "player", "Ben", **wager))
    assert "not by Eve" in str(staff.refused("place_wager", "player", "Ben", **{ENTERED_BY: "Eve"}, **wager))
    assert "has no argument" in str(staff.refused("fill", "floorperson", "Fay", amount="5", **{ENTERED_BY: "Dan"}))
    assert "for the dealer" in str(staff.refused("seat_guest", "floorperson", "Fay", player="Cy", boxes=[4]))
    staff.do("change_dealer", "floorperson", "Fay", dealer="Eve")
    assert "not by Dan" in str(staff.refused("leave", "player", "Ben", **{ENTERED_BY: "Dan"}))
    enters(staff, "leave", dealer="Eve")


def test_a_guest_stays_one_whatever_box_he_takes() -> None:
    staff = felt()
    enters(staff, "sit", boxes=[3])
    enters(staff, "stand_behind")
    enters(staff, "sit", boxes=[4])
    assert not staff.table.state.players["Ben"].device
    enters(staff, "leave")
    staff.do("sit", "player", "Ben", boxes=[4])
    assert staff.table.state.players["Ben"].device


def test_the_clock_leaves_a_guest_to_the_dealer() -> None:
    """Whoever has no device is never taken for absent: his box is freed by the dealer."""
    staff = felt()
    absent = Absent()
    assert absent.who_goes(staff.table, True, -1) is not None
    assert absent.who_goes(staff.do("leave", "player", "Ann").table, True, -1) is None


def test_the_clock_may_answer_where_nobody_works_the_table() -> None:
    """An automatic dealer came: what the clock decides for a guest is recorded as that."""
    staff = felt()
    enters(staff, "place_wager", box=2, amount="10")
    staff.do("deal")
    for card in ["9S", "7H", "5C", "8C"]:
        staff.do("card", card=card)
    chosen = _for_absent(staff.table)
    assert chosen is not None
    assert staff.do(chosen[0], chosen[1], chosen[2], **chosen[3]).table.new_events


def test_the_console_shows_what_guests_are_asked_and_nobody_else() -> None:
    staff = felt()
    staff.do("place_wager", "player", "Ann", box=1, amount="10")
    enters(staff, "place_wager", box=2, amount="10")
    staff.do("deal")
    for card in ["9S", "9C", "7H", "9D", "5C", "8C"]:
        staff.do("card", card=card)
    [ben] = console_view(staff.table, "dealer", entered=True)["guests"]
    assert (ben["name"], ben["offer"]) == ("Ben", None)
    staff.do("decide", "player", "Ann", action="stand")
    [ben] = console_view(staff.table, "dealer", entered=True)["guests"]
    assert {row["action"] for row in ben["offer"]["decisions"] if row["allowed"]} >= {"hit", "stand", "double"}
    enters(staff, "decide", action="stand").do("card", card="3C")
    settled = console_view(staff.table, "dealer", entered=True)
    assert [(row["box"], row["net"]) for row in settled["payments"]] == [(2, "-10"), (1, "0")]
    assert console_view(staff.table, "floorperson", entered=True).keys() == {"entries", "ranks"}
    assert console_view(staff.table, "operator", entered=True) == {}


def test_entries_are_listed_the_last_first() -> None:
    """Two nines on different boxes are told apart; the dealer is offered the last entry, as long as it is the last."""
    staff = felt()
    staff.do("place_wager", "player", "Ann", box=1, amount="10")
    enters(staff, "place_wager", box=2, amount="10")
    staff.do("deal").do("card", card="9S").do("card", card="9S")
    rows = console_view(staff.table, "floorperson", entered=True)["entries"]
    assert [(row["word"], row["box"], row["number"], row["last"]) for row in rows] == [
        ("9S", 2, 1, True),
        ("9S", 1, 1, False),
    ]
    assert console_view(staff.table, "dealer", entered=True)["entries"] == rows[:1]
    assert "the floorperson's to correct" in str(
        staff.refused("correct_entry", wrong="9S", right="8S", why="typed wrong", box=1)
    )
    staff.do("correct_entry", wrong="9S", right="8S", why="typed wrong", box=2, number=1)
    assert [row["word"] for row in console_view(staff.table, "floorperson", entered=True)["entries"]] == ["8S", "9S"]


def test_the_paragraph_of_a_card_is_that_under_which_it_will_be_dealt() -> None:
    """What the console says of the next card is what the story says of it afterwards."""
    for book in rulebook_ids():
        staff = Staff(book).ready("Ann").do("place_wager", "player", "Ann", box=1, amount="10").do("deal")
        for card in ("9S", "7H", "9D", "8C"):
            steps = [step for step in staff.table.next_steps() if step.do == "card"]
            if steps:
                staff.do("card", card=card)
                assert steps[0].cite == staff.table.new_events[-1].cite, (book, card)
