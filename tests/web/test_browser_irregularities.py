"""Dealer and floorperson work an irregularity of each kind at their consoles, as the headings "Irregularities" of the
texts order it. Most of them are `make prove PART=day`.
"""

from __future__ import annotations

import tomllib

import pytest
from playwright.sync_api import expect

from tests.web.conftest import Enter
from tests.web.looking import Looking, enters
from tests.web.room import DEALT, LIMITS, Room, work_agenda
from tests.web.service import Staffed
from tests.web.serving import Api, Server
from twentyone.rulebook import Rulebook, rulebook_ids


@pytest.mark.prove
def test_face_up_card_ten_and_missed_box(server: Server, admin: Api, enter: Enter) -> None:
    """635a.13(a), (b): a card face up or a ten is set aside and another dealt; (f) a missed box is dealt later."""
    room = Room(server, admin, enter, "pa-spanish-21")
    room.dealer.does("card", card="9C", face_up=True)
    room.dealer.story("9♣ is set aside: face up")
    room.dealer.does("card", card="10H")
    room.dealer.story("10♥ is set aside: ten")
    room.dealer.begins("box missed", box="2")
    room.dealer.accepted()
    room.dealer.story("box 2 was missed in the deal")
    expect(room.dealer.part("now")).to_contain_text("A card for box 4")


@pytest.mark.prove
def test_a_second_ten_voids_the_round(server: Server, admin: Api, enter: Enter) -> None:
    """635a.13(b): more than one ten: all hands are void, wagers returned, the cards reshuffled."""
    room = Room(server, admin, enter, "pa-spanish-21")
    ada = room.sees(room.ada)
    enters(room.dealer, "10H 10D")
    ada.story("the round is void")
    expect(ada.badge("void")).to_have_count(2)
    ada.purse("$500.00")
    room.dealer.does("collect_cards")
    fay = room.sees(room.table.floor)
    fay.does("destroy_found_ten")
    ada.story("Fay destroys 10♥ and 10♦, found in the shoe")
    told = {frame["says"]: frame["by"] for frame in room.table.floor.get(f"/rounds/{room.table.name}/1")["frames"]}
    assert told["Fay destroys 10♥ and 10♦, found in the shoe"] == "Fay, floorperson"
    assert told["10♥ is set aside: ten"] == "Dan, dealer"
    work_agenda(room.table, {"dealer": room.dealer, "floorperson": fay})
    fay.story("Fay destroys the tens; 288 cards are left")
    fay.story("the cards are shuffled")


@pytest.mark.prove
def test_dealers_own_card_missed(server: Server, admin: Api, enter: Enter) -> None:
    """The dealer missed his own first card: it is dealt after the players' cards."""
    room = Room(server, admin, enter, "pa-spanish-21", "9C 8C")
    room.dealer.begins("dealer card missed")
    room.dealer.accepted()
    enters(room.dealer, "5C 8D")
    expect(room.dealer.part("now")).to_contain_text("A card for the dealer")


def test_card_drawn_in_error(server: Server, admin: Api, enter: Enter) -> None:
    """635a.13(c), (d): an exposed card is offered to the player who draws; who refuses it gets no more cards.

    The refused card is the next card from the shoe: it lies at the box of the next player.
    """
    room = Room(server, admin, enter, "pa-spanish-21", DEALT)
    ada = room.sees(room.ada)
    ada.press("h", "hit")
    room.dealer.begins("card drawn in error", exposed=True, card="3H")
    room.dealer.accepted()
    ada.asked("drawn in error")
    expect(ada.card("3 of hearts")).to_be_visible()
    expect(ada.badge("take it?")).to_be_visible()
    ada.clicks("refuse")
    expect(ada.badge("take it?")).to_have_count(0)
    expect(ada.badge("next card")).to_be_visible()
    ada.story("a card was drawn in error: 3♥")
    room.sees(room.bob).asked("Your 16")
    other = Room(server, admin, enter, "pa-spanish-21", DEALT)
    other.dealer.begins("card drawn in error")
    other.dealer.accepted()
    other.dealer.story("a card was drawn in error: face down")


@pytest.mark.prove
def test_requested_card_missed(server: Server, admin: Api, enter: Enter) -> None:
    """635a.13(h): the player chooses between the card dealt late and the hand called dead, his wager returned."""
    room = Room(server, admin, enter, "pa-spanish-21", DEALT)
    ada = room.sees(room.ada, "phone")
    ada.press("h", "hit")
    room.dealer.begins("requested card missed")
    room.dealer.accepted()
    ada.asked("the card that was missed is dealt after the others; or dead hand: $10 goes back?")
    ada.clicks("call_dead")
    ada.story("box 2 is called dead")
    ada.purse("$500.00")


@pytest.mark.prove
def test_hole_card_read_without_cause_and_drew_past_17(server: Server, admin: Api, enter: Enter) -> None:
    """A 7 up gives no cause to read: recorded, play goes on. A card drawn on 17 goes to the rack, results stand."""
    room = Room(server, admin, enter, "pa-spanish-21", "9C 8C 7H KC KD KS")
    room.dealer.begins("hole card read")
    room.dealer.accepted()
    room.dealer.story("the hole card is read: no Blackjack")
    room.sees(room.table.floor).does("confirm_notification")
    room.ada.do(room.table.name, "decide", action="stand", box=2)
    room.bob.do(room.table.name, "decide", action="stand", box=4)
    room.table.turned()
    room.dealer.begins("dealer drew past 17", card="4C")
    room.dealer.accepted()
    room.dealer.story("4♣ is set aside: past 17")
    assert room.ada.get(f"/tables/{room.table.name}")["you"]["chips"] == "510"


def test_wrong_range(server: Server, admin: Api, enter: Enter) -> None:
    """685a.12: the wrong light was shown; the dealer lets each hand go on or calls it dead."""
    room = Room(server, admin, enter, "pa-down-under-blackjack", DEALT)
    room.dealer.begins("wrong range", shown="small")
    room.dealer.accepted()
    room.dealer.part("now").get_by_role("button", name="Go on").click()
    room.dealer.settled()
    room.dealer.story("dealer at box 2: go on")
    room.dealer.part("now").get_by_role("button", name="Call dead").click()
    room.dealer.settled()
    room.dealer.story("box 4 is called dead")
    room.sees(room.ada).asked("Your 14 against a 7")


@pytest.mark.prove
def test_the_reader_fails_in_mid_round(server: Server, admin: Api, enter: Enter) -> None:
    """Section 13(o)(13): play goes on without the reader. 635a.13(k): the round waits until it is repaired."""
    room = Room(server, admin, enter, "s13-spanish-21", "9C 8C KH 5C 8D 7S")
    fay = room.sees(room.table.floor)
    fay.begins("report a device that does not work", device="card_reader")
    fay.accepted()
    fay.story("the card reader fails")
    room.ada.do(room.table.name, "decide", action="hit", box=2)
    enters(room.dealer, "3C")
    room.dealer.story("box 2 is dealt 3♣")
    other = Room(server, admin, enter, "pa-spanish-21", "9C 8C KH 5C 8D 7S")
    fay, ada = other.sees(other.table.floor), other.sees(other.ada)
    fay.begins("report a device that does not work", device="card_reader")
    fay.accepted()
    ada.asked("no dealing until it is repaired or replaced")
    fay.does("device_repaired")
    ada.press("h", "hit")
    enters(other.dealer, "3C")
    ada.asked("Your 17 against a king")


def test_a_report_out_of_place_is_refused(server: Server, admin: Api, enter: Enter) -> None:
    """A missed request when nobody asked for a card: refused with the paragraph, nothing changed, the form stays."""
    room = Room(server, admin, enter, "pa-spanish-21", DEALT)
    before = room.table.view["version"]
    room.dealer.begins("requested card missed")
    room.dealer.refused("no requested card is due")
    expect(room.dealer.part("guide").locator("form")).to_be_visible()
    assert room.table.view["version"] == before


@pytest.mark.prove
def test_a_second_card_face_up_voids_the_round(server: Server, admin: Api, enter: Enter) -> None:
    """635a.13(a): more than one card face up: the round is void, every wager goes back."""
    room = Room(server, admin, enter, "pa-spanish-21")
    ada = room.sees(room.ada)
    room.dealer.does("card", card="9C", face_up=True)
    room.dealer.does("card", card="8C", face_up=True)
    ada.story("the round is void")
    ada.purse("$500.00")


def test_a_box_without_a_card_and_a_box_with_one(server: Server, admin: Api, enter: Enter) -> None:
    """635a.13(h): no card at all: dead, the wager back; one card: the second comes late if the player wants it."""
    room = Room(server, admin, enter, "pa-spanish-21")
    ada, bob = room.sees(room.ada), room.sees(room.bob)
    room.dealer.begins("box missed", box="2")
    enters(room.dealer, "8C 7H")
    room.dealer.begins("box missed", box="2")
    room.dealer.begins("box missed", box="4")
    ada.story("box 2 is called dead")
    ada.purse("$500.00")
    bob.asked("Your card was missed")
    bob.press("l", "late_card")
    enters(room.dealer, "9D ??")
    bob.asked("Your 17 against a 7")


@pytest.mark.prove
def test_a_requested_card_comes_late(server: Server, admin: Api, enter: Enter) -> None:
    """635a.13(i): the player wants his card: it comes after all others have theirs."""
    room = Room(server, admin, enter, "pa-spanish-21", DEALT)
    ada, bob = room.sees(room.ada), room.sees(room.bob)
    ada.press("h", "hit")
    room.dealer.begins("requested card missed")
    ada.press("l", "late_card")
    bob.press("s", "stand")
    enters(room.dealer, "3D")
    ada.story("box 2 is dealt 3♦")


@pytest.mark.prove
def test_a_refused_card_that_the_dealer_cannot_use(server: Server, admin: Api, enter: Enter) -> None:
    """635a.13(d): nobody took the exposed card and the dealer stands on 17: it goes to the discard rack."""
    room = Room(server, admin, enter, "pa-spanish-21", DEALT)
    ada, bob = room.sees(room.ada), room.sees(room.bob)
    ada.press("h", "hit")
    room.dealer.begins("card drawn in error", exposed=True, card="3H")
    ada.clicks("refuse")
    bob.press("s", "stand")
    bob.story("3♥ is set aside: refused")
    bob.purse("$490.00")


@pytest.mark.prove
def test_a_reader_that_shows_the_hole_card(server: Server, admin: Api, enter: Enter) -> None:
    """635a.13(j)(1): read without cause in a reader that reveals it: all hands dead, all wagers back."""
    room = Room(server, admin, enter, "pa-spanish-21", DEALT, reader_reveals=True)
    room.dealer.begins("hole card read")
    room.sees(room.table.floor).does("confirm_notification")
    for who in (room.ada, room.bob):
        looker = room.sees(who)
        looker.story("box 4 is called dead")
        looker.purse("$500.00")


HIGH = [
    "QC 7C 10C 7D KD 9C", "QD 7H 10D 7S KH 9D", "QH 6C 10H 6D KS 9H",
    "QS 6H 10S 6S JC 9S", "5C 8C JD 5D JH 8D", "5H 8H JS 5S 4S 8S",
]  # fmt: skip
"""Six rounds of one deck without its aces, twos and threes: nobody draws, the dealer stands on two cards."""


@pytest.mark.prove
def test_the_shoe_runs_out(server: Server, admin: Api, enter: Enter) -> None:
    """673a.13(f), 673a.5(b), (c): the discard rack is shuffled, offered to one player after the other and cut, one card
    burned, and the round completed from it."""
    table = Staffed(server, "pa-double-back-jack", admin, decks=1, **LIMITS)
    people = {2: table.with_player(2), 4: table.seat("Bob", [4])}
    for cards in HIGH:
        for box, player in people.items():
            table.wager(player, box)
        table.begin(cards)
        for box, player in people.items():
            player.do(table.name, "decide", action="stand", box=box)
        table.collect()
    for box, player in people.items():
        table.wager(player, box)
    table.begin("2C 3C 4C 2D 3D 4D")
    dealer, ada, bob = (Looking(enter(table.address, who)) for who in (table.dealer, *people.values()))
    for who, cards in ((ada, "AC AD AH AS 2H 2S"), (bob, "3H 3S 4H")):
        for card in cards.split():
            who.press("h", "hit")
            dealer.does("card", card=card)
        who.press("s", "stand")
    expect(dealer.part("now")).to_contain_text("Shuffle the discard rack for the shoe")
    expect(dealer.part("now").locator("[data-step=card]")).to_have_count(0)
    dealer.does("reload_rack")
    bob.story("the shoe ran out")
    dealer.does("offer_cut")
    bob.asked("You may cut the cards")
    bob.clicks("decline_cut")
    dealer.does("offer_cut")
    ada.asked("You may cut the cards")
    ada.clicks("cut")
    dealer.does("burn")
    expect(bob.part("shoe")).to_contain_text("36 of 37 cards left")
    dealer.does("card", card="10S")
    bob.story("the round is over")
    expect(bob.badge("−$10")).to_have_count(2)


@pytest.mark.prove
def test_a_shuffler_jams_and_is_covered_or_removed(server: Server, admin: Api, enter: Enter) -> None:
    """635a.13(l), (m): a shuffle that did not end is done again; a broken shuffler is covered. 13(o)(11): removed."""
    table = Staffed(server, "pa-spanish-21", admin, shuffler="automated", **LIMITS)
    table.with_player(3)
    dan, fay = (Looking(enter(table.address, who)) for who in (table.dealer, table.floor))
    fay.begins("have the cards reshuffled")
    dan.begins("report a shuffle that did not complete")
    dan.story("the shuffle did not complete")
    dan.begins("report a device that does not work", device="shuffler")
    dan.does("cover_device")
    dan.story("the shuffler is covered")
    work_agenda(table, {"dealer": dan, "floorperson": fay})
    dan.story("a card is burned")
    other = Staffed(server, "s13-spanish-21", admin, shuffler="automated", **LIMITS)
    other.with_player(3)
    dan = Looking(enter(other.address, other.dealer))
    dan.begins("report a device that does not work", device="shuffler")
    dan.begins("take the device off the table", device="shuffler")
    dan.story("the shuffler is removed")


WORKED = {
    "face_up": test_face_up_card_ten_and_missed_box,
    "more_face_up": test_a_second_card_face_up_voids_the_round,
    "ten": test_face_up_card_ten_and_missed_box,
    "more_tens": test_a_second_ten_voids_the_round,
    "destroy_found_ten": test_a_second_ten_voids_the_round,
    "drawn_in_error_unexposed": test_card_drawn_in_error,
    "drawn_in_error_exposed": test_card_drawn_in_error,
    "drawn_in_error_refused": test_card_drawn_in_error,
    "drawn_in_error_unusable": test_a_refused_card_that_the_dealer_cannot_use,
    "dealer_past_17": test_hole_card_read_without_cause_and_drew_past_17,
    "dealer_card_missed": test_dealers_own_card_missed,
    "insufficient_cards": test_the_shoe_runs_out,
    "no_cards": test_a_box_without_a_card_and_a_box_with_one,
    "one_card": test_a_box_without_a_card_and_a_box_with_one,
    "requested_card_missed": test_requested_card_missed,
    "late_card": test_a_requested_card_comes_late,
    "called_dead": test_requested_card_missed,
    "hole_card_read": test_hole_card_read_without_cause_and_drew_past_17,
    "confirm_notification": test_hole_card_read_without_cause_and_drew_past_17,
    "reader_hides": test_hole_card_read_without_cause_and_drew_past_17,
    "reader_reveals": test_a_reader_that_shows_the_hole_card,
    "reader_failed": test_the_reader_fails_in_mid_round,
    "wrong_range": test_wrong_range,
    "device_out_of_order": test_the_reader_fails_in_mid_round,
    "device_repaired": test_the_reader_fails_in_mid_round,
    "shuffler_jammed": test_a_shuffler_jams_and_is_covered_or_removed,
    "cover_device": test_a_shuffler_jams_and_is_covered_or_removed,
    "remove_device": test_a_shuffler_jams_and_is_covered_or_removed,
}
"""Each kind of the texts, and the test that works it."""


def test_every_irregularity_is_worked_here() -> None:
    """Every clause and every task under a heading "Irregularities" of any text; a name too many would fail as well."""
    kinds = set[str]()
    for name in rulebook_ids():
        for entry in Rulebook.load(name).entries.values():
            said = tomllib.loads(entry.fence) if entry.fence else {}
            kinds |= set(said.get("irregularity", {}))
            kinds |= set(said.get("task", {})) if "irregularities" in entry.place else set()
    assert kinds == set(WORKED)
