"""The dealer's and the floorperson's consoles in a browser: a table opened, run and closed."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import expect

from tests.web.conftest import SIZES, Enter
from tests.web.looking import Looking, enters
from tests.web.room import LIMITS, work_agenda
from tests.web.service import Staffed, on_duty
from tests.web.serving import Api, Server


@pytest.fixture
def floor(server: Server, admin: Api, enter: Enter) -> tuple[Staffed, Looking]:
    """A floorperson on a phone at an open table."""
    table = Staffed(server, "pa-spanish-21", admin, **LIMITS)
    table.with_player(3)
    return table, Looking(enter(table.address, table.floor, "phone"))


def test_reshuffle_recut_dealer_and_cards_changed(
    server: Server, admin: Api, floor: tuple[Staffed, Looking], enter: Enter
) -> None:
    """635a.5(e), (f), 635a.7(c): recut between cut and shoe only; a new dealer burns a card himself; new cards."""
    table, fay = floor
    dan = Looking(enter(table.address, table.dealer))
    relief = on_duty(admin, server.base, "Eve", "dealer")
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
    work_agenda(table, {"dealer": dan, "floorperson": fay})
    fay.begins("let a new dealer come to the table", dealer="Eve")
    fay.accepted()
    fay.story("Eve comes to deal")
    expect(dan.part("now")).to_contain_text("Eve deals here, not you.")
    expect(dan.part("now").locator("button")).to_have_count(0)
    expect(dan.part("choose")).to_be_hidden()
    expect(dan.part("pace")).to_be_disabled()
    eve = Looking(enter(table.address, relief))
    eve.does("burn")
    eve.story("a card is burned")
    fay.begins("put new cards into play")
    fay.accepted()
    eve.does("receive_cards")
    eve.story("decks come to the table")


def test_a_broken_device_chips_and_closing(floor: tuple[Staffed, Looking]) -> None:
    """635a.2(d): without the card reader nothing is dealt until it is repaired. A fill is recorded; the table is closed
    from the console and stays closed."""
    table, fay = floor
    fay.begins("report a device that does not work", device="card_reader")
    fay.accepted()
    fay.asked("out of order")
    fay.does("device_repaired")
    fay.story("card reader works again")
    fay.page.wait_for_function("() => !window.twentyone.view.stopped")
    fay.begins("fill", amount="200")
    fay.accepted()
    fay.story("fill: $200.00 from the cage to the table inventory")
    fay.closes()
    fay.asked("The table is closed")
    assert table.view["phase"] == "closed"


PLAYERS: dict[str, dict[str, Any]] = {"sit": {"boxes": [3]}, "cut": {"place": 100}}
"""What the player says where a table is opened."""


def test_a_table_is_opened_by_pressing_enter(server: Server, admin: Api, enter: Enter) -> None:
    """Each form is filled in with what the text allows at least or the table knows."""
    table = Staffed(server, "pa-spanish-21", admin, **LIMITS)
    consoles = {
        "dealer": Looking(enter(table.address, table.dealer)),
        "floorperson": Looking(enter(table.address, table.floor)),
    }
    for console in consoles.values():
        console.part("now").focus()
    floor = consoles["floorperson"]
    floor.part("now").locator("[name=dealer]").focus()
    floor.page.keyboard.type(table.dealer_name)
    player = Api.guest(server.base, "Ada")
    while (step := table.view["next"][0])["do"] != "place_wager":
        if step["role"] == "player":
            player.do(table.name, step["do"], **PLAYERS[step["do"]])
            continue
        console = consoles[step["role"]]
        console.current()
        assert console.part("now").evaluate("(it) => it.contains(document.activeElement)"), step
        before = console.version
        console.page.keyboard.press("Enter")
        console.settled()
        assert console.version > before, step
    consoles["dealer"].story("the cover card goes in 72 cards from the bottom")


def test_the_dealer_says_what_the_reader_told_and_a_wrong_card_is_corrected(
    server: Server, admin: Api, enter: Enter
) -> None:
    """635a.7(g), 635a.7(q): the hole card is unknown, the reader's answer is chosen, a misread card is set right."""
    table = Staffed(server, "pa-spanish-21", admin, **LIMITS)
    player = table.with_player(3)
    table.wager(player, 3)
    dealer, floor = (Looking(enter(table.address, who)) for who in (table.dealer, table.floor))
    dealer.does("deal")
    enters(dealer, "9C KH 9D ??")
    dealer.sees("an unknown card face down")
    dealer.does("reader_told", blackjack="false")
    player.do(table.name, "decide", action="stand", box=3)
    dealer.does("turn_card", card="8S")
    dealer.story("the hole card is turned: 8♠")
    floor.begins("correct a wrong entry", wrong="8S", right="9S", why="it lay upside down")
    floor.accepted()
    floor.story("corrected: 8S was entered, it is 9S (it lay upside down)")
    dealer.does("collect_cards")
    assert table.view["players"][player.get("/me")["name"]]["chips"] == "490"


def test_a_wager_spoken_with_cash_is_turned_away_or_confirmed(server: Server, admin: Api, enter: Enter) -> None:
    """635a.6(a): nothing is booked before the dealer has confirmed it; the player's page fits his phone meanwhile."""
    table = Staffed(server, "pa-spanish-21", admin, **LIMITS)
    ada = Looking(enter(table.address, table.with_player(3), "phone"))
    dealer = Looking(enter(table.address, table.dealer))
    for answer, says in (("decline", "on box 3 is not accepted"), ("confirm", "confirms the verbal wager")):
        ada.clicks("chip-25")
        ada.page.locator("[name=cash]").check()
        ada.clicks("lay")
        ada.asked("Your wager with cash waits to be confirmed")
        ada.purse("$500.00")
        assert ada.page.evaluate("() => document.documentElement.scrollWidth") <= SIZES["phone"][0]
        expect(dealer.part("now").locator("[data-step=deal]")).to_have_count(0)
        dealer.does(f"{answer}_verbal_wager")
        ada.story(says)
    assert table.view["boxes"][2]["placed"] == [
        {
            "player": ada.page.evaluate("() => window.twentyone.view.you.name"),
            "wager": "main",
            "amount": "25",
            "cash": True,
        }
    ]
    ada.purse("$500.00")
