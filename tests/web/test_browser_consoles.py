"""The dealer's and the floorperson's consoles in a browser: a round dealt from them, and an irregularity of each kind
worked to its end, as the headings "Irregularities" of the texts order it.
"""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import expect

from tests.web.conftest import Enter
from tests.web.house import Staffed, on_duty
from tests.web.looking import Looking, enters
from tests.web.serving import Api, Server
from twentyone.round.irregularities import IRREGULARITIES

LIMITS = {"table_minimum": "5", "table_maximum": "500"}
DEALT = "9C 8C 7H 5C 8D KS"
"""Box 2 holds 14, box 4 a pair of eights, the dealer a 7 over a king."""

WORKED = {
    "card_drawn_in_error", "dealer_drew_past_17", "dealer_card_missed", "box_missed", "requested_card_missed",
    "hole_card_read", "wrong_range", "reader_failed",
}  # fmt: skip
"""Irregularities that a test below works at a console."""
TOLD = {"insufficient_cards"}
"""Irregularities that nobody reports: the empty shoe tells it, and the next step is to fill it from the rack."""


class Room:
    """A table with Ada at box 2 and Bob at box 4, the wagers closed, and the consoles open."""

    def __init__(self, server: Server, admin: Api, enter: Enter, rulebook: str, cards: str = "", **chosen: Any) -> None:
        self.table = Staffed(server, rulebook, admin, **LIMITS, **chosen)
        self.ada, self.bob = self.table.with_player(2), self.table.seat("Bob", [4])
        self.table.wager(self.ada, 2)
        self.table.wager(self.bob, 4)
        self._enter = enter
        self.table.begin(cards)
        self.dealer = self.sees(self.table.dealer)

    def sees(self, api: Api, size: str = "desk") -> Looking:
        """The table before somebody's eyes."""
        return Looking(self._enter(self.table.address, api, size))


def test_every_irregularity_is_worked_here() -> None:
    """Nothing that the round knows is left out of this file; a name too many would fail as well."""
    assert set(IRREGULARITIES) == WORKED | TOLD


def test_a_round_from_the_consoles(server: Server, admin: Api, enter: Enter) -> None:
    """Opening checklist, buy-in, deal, pick-up: floorperson and dealer do what their consoles say, nothing else."""
    table = Staffed(server, "pa-spanish-21", admin, **LIMITS)
    dealer, floor = (Looking(enter(table.address, who)) for who in (table.dealer, table.floor))
    floor.does("open_table", dealer="Dan")
    _work_agenda(table, {"dealer": dealer, "floorperson": floor})
    player = Api.guest(server.base, "Ada")
    player.do(table.name, "sit", boxes=[3])
    table.players[player.get("/me")["name"]] = player
    table.dealer.do(table.name, "buy_in", player=player.get("/me")["name"], amount="100")
    _work_agenda(table, {"dealer": dealer, "floorperson": floor})
    table.wager(player, 3)
    dealer.does("deal")
    enters(dealer, "9C 7H KC KS")
    player.do(table.name, "decide", action="stand", box=3)
    dealer.does("collect_cards")
    dealer.story("picked up into the discard rack")
    assert table.view["players"][player.get("/me")["name"]]["chips"] == "110"


SAID: dict[str, dict[str, str | bool]] = {
    "insert_cover_card": {"from_bottom": "200"},
    "burn": {"card": "2C"},
    "cut": {"place": "100"},
}


def _work_agenda(table: Staffed, consoles: dict[str, Looking]) -> None:
    """Do the console's step as long as staff has one."""
    while True:
        view = table.view
        for console in consoles.values():
            console.page.wait_for_function("now => window.twentyone.view.version >= now", arg=view["version"])
        steps = [step for step in view["next"] if step["role"] in consoles and step["do"] != "deal"]
        if not steps:
            return
        declined = [step for step in steps if step["do"] == "decline_cut"]
        step = (declined or steps)[0]
        consoles[step["role"]].does(step["do"], **SAID.get(step["do"], {}))


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
    _work_agenda(room.table, {"dealer": room.dealer, "floorperson": fay})
    fay.story("the cards are shuffled")


def test_dealers_own_card_missed(server: Server, admin: Api, enter: Enter) -> None:
    """The dealer missed his own first card: it is dealt after the players' cards."""
    room = Room(server, admin, enter, "pa-spanish-21", "9C 8C")
    room.dealer.begins("dealer card missed")
    room.dealer.accepted()
    enters(room.dealer, "5C 8D")
    expect(room.dealer.part("now")).to_contain_text("A card for the dealer")


def test_card_drawn_in_error(server: Server, admin: Api, enter: Enter) -> None:
    """635a.13(c), (d): an exposed card is offered to the player who draws; who refuses it gets no more cards."""
    room = Room(server, admin, enter, "pa-spanish-21", DEALT)
    ada = room.sees(room.ada)
    ada.press("h", "hit")
    room.dealer.begins("card drawn in error", exposed=True, card="3H")
    room.dealer.accepted()
    ada.asked("drawn in error")
    ada.clicks("refuse")
    ada.story("a card was drawn in error: 3♥")
    room.sees(room.bob).asked("Box 4, sixteen")
    other = Room(server, admin, enter, "pa-spanish-21", DEALT)
    other.dealer.begins("card drawn in error")
    other.dealer.accepted()
    other.dealer.story("a card was drawn in error: face down")


def test_requested_card_missed(server: Server, admin: Api, enter: Enter) -> None:
    """635a.13(h): the player chooses between the card dealt late and the hand called dead, his wager returned."""
    room = Room(server, admin, enter, "pa-spanish-21", DEALT)
    ada = room.sees(room.ada, "phone")
    ada.press("h", "hit")
    room.dealer.begins("requested card missed")
    room.dealer.accepted()
    ada.asked("dealt late, or the hand called dead")
    ada.clicks("call_dead")
    ada.story("box 2 is called dead")
    ada.purse("$500.00")


def test_hole_card_read_without_cause_and_drew_past_17(server: Server, admin: Api, enter: Enter) -> None:
    """A 7 up gives no cause to read: recorded, play goes on. A card drawn on 17 goes to the rack, results stand."""
    room = Room(server, admin, enter, "pa-spanish-21", "9C 8C 7H KC KD KS")
    room.dealer.begins("hole card read")
    room.dealer.accepted()
    room.dealer.story("the hole card is read: no Blackjack")
    room.ada.do(room.table.name, "decide", action="stand", box=2)
    room.bob.do(room.table.name, "decide", action="stand", box=4)
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
    room.sees(room.ada).asked("Box 2, fourteen against a 7")


def test_the_reader_fails_in_mid_round(server: Server, admin: Api, enter: Enter) -> None:
    """Section 13(o)(13): play goes on without the reader. 635a.13(k): no card is dealt until it is repaired."""
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
    ada.press("h", "hit")
    ada.asked("no dealing until it is repaired or replaced")
    fay.does("device_repaired")
    enters(other.dealer, "3C")
    ada.asked("seventeen against a K")


def test_a_report_out_of_place_is_refused(server: Server, admin: Api, enter: Enter) -> None:
    """A missed request when nobody asked for a card: refused with the paragraph, nothing changed, the form stays."""
    room = Room(server, admin, enter, "pa-spanish-21", DEALT)
    before = room.table.view["version"]
    room.dealer.begins("requested card missed")
    room.dealer.refused("no requested card is due")
    expect(room.dealer.part("guide").locator("form")).to_be_visible()
    assert room.table.view["version"] == before


@pytest.fixture
def floor(server: Server, admin: Api, enter: Enter) -> tuple[Staffed, Looking]:
    """A floorperson on a phone at an open table."""
    table = Staffed(server, "pa-spanish-21", admin, **LIMITS)
    table.with_player(3)
    return table, Looking(enter(table.address, table.floor, "phone"))


def test_device_out_of_order_and_repaired(floor: tuple[Staffed, Looking]) -> None:
    """635a.2(d): without the card reader nothing is dealt until it is repaired; the console says so and ends it."""
    _, fay = floor
    fay.begins("report a device that does not work", device="card_reader")
    fay.accepted()
    fay.asked("out of order")
    fay.does("device_repaired")
    fay.story("card reader: working")
    fay.page.wait_for_function("() => !window.twentyone.view.stopped")


def test_reshuffle_recut_dealer_and_cards_changed(
    server: Server, admin: Api, floor: tuple[Staffed, Looking], enter: Enter
) -> None:
    """635a.5(e), (f), 635a.7(c): recut between cut and shoe only; a new dealer burns a card himself; new cards."""
    table, fay = floor
    dan = Looking(enter(table.address, table.dealer))
    fay.begins("have the cards cut again")
    fay.refused("cards are cut again only between the cut and the shoe")
    fay.begins("have the cards reshuffled")
    fay.accepted()
    dan.does("shuffle")
    dan.does("offer_cut")
    player = next(iter(table.players.values()))
    player.do(table.name, "cut", place=100)
    fay.begins("have the cards cut again")
    fay.accepted()
    expect(dan.part("now").locator("[data-step=offer_cut], [data-step=cut]").first).to_be_visible()
    _work_agenda(table, {"dealer": dan, "floorperson": fay})
    fay.begins("let a new dealer come to the table", dealer="Eve")
    fay.accepted()
    fay.story("Eve comes to deal")
    with pytest.raises(AssertionError, match="burn was not carried out"):
        dan.does("burn", card="3C")
    dan.refused("Eve")
    eve = Looking(enter(table.address, on_duty(admin, server.base, "Eve", "dealer")))
    eve.does("burn", card="3C")
    eve.story("a card is burned")
    fay.begins("put new cards into play")
    fay.accepted()
    eve.does("receive_cards")
    eve.story("decks come to the table")


def test_chips_idle_table_and_closing(floor: tuple[Staffed, Looking]) -> None:
    """A fill is recorded; an empty table is closed from the console and stays closed."""
    table, fay = floor
    fay.begins("fill", amount="200")
    fay.accepted()
    fay.story("fill: $200.00 from the cage to the table inventory")
    fay.begins("close table")
    fay.accepted()
    fay.asked("The table is closed")
    assert table.view["phase"] == "closed"
