"""A day of each book, run from the consoles alone with real cards: no card is entered that its dealer could not see."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.web.conftest import Enter
from tests.web.day import Day
from tests.web.serving import Api, Server

BOOKS = ("pa-down-under-blackjack", "pa-spanish-21", "pa-double-back-jack", "md-spanish-21", "s13-spanish-21")


@pytest.mark.prove
@pytest.mark.parametrize("rulebook", BOOKS)
def test_a_day_from_the_consoles(server: Server, admin: Api, enter: Enter, rulebook: str) -> None:
    """Opening, rounds, irregularities, broken devices, an idle hour, another dealer, closing; the ledger is well."""
    day = Day(server, admin, enter, rulebook, shuffler="automated")
    day.fay.does("open_table", dealer="Dan")
    day.until("sit")
    day.ada.clicks("sit-3")
    _a_card_that_shows(day)
    _a_missed_card(day)
    _a_broken_reader(day)
    _a_broken_shuffler(day)
    _an_idle_hour(day)
    _another_dealer(day)
    day.ada_leaves()
    day.fay.closes()
    day.fay.asked("The table is closed")
    assert admin.post("/verify")["faults"] == []


def _a_card_that_shows(day: Day) -> None:
    """A card found face up is set aside; the hole card is nobody's to name before it is turned."""
    day.lays()
    day.dealer.does("card", card="9C", face_up=True)
    day.dealer.story("9♣ is set aside: face up")
    day.deals("9D 7H KC", "KS", "stand")
    while "face down" not in day.view["next"][0]["says"]:
        day.step()
    day.names_a_card_face_down("KS")
    day.ends()
    day.ada.story("the hole card is turned: K♠")


def _a_missed_card(day: Day) -> None:
    """The card that the player asked for was missed: he has it dealt late."""
    day.lays()
    day.deals("8D 7C 5C 4S", "KD", "hit", "late_card")
    day.until("decide")
    day.step()
    day.dealer.begins("requested card missed")
    day.dealer.accepted()
    day.ends()
    day.ada.story("is dealt 4♠")


def _a_broken_reader(day: Day) -> None:
    """The reader does not work when the hole card lies there: nothing is read until it is repaired, if at all."""
    day.lays()
    day.deals("8S KH JC", "8C", "stand")
    while len(day.view["dealer"]["cards"]) < 2:
        day.step()
    reader = day.device("reader")
    day.fay.begins("report a device that does not work", device=reader)
    day.fay.accepted()
    waits = bool(day.view["stopped"])
    expect(day.dealer.part("now").locator("[data-step=reader_told]")).to_have_count(0)
    day.ends()
    if not waits:
        day.repairs(reader)


def _a_broken_shuffler(day: Day) -> None:
    """The shuffler is put away, the cards are shuffled by hand and cut, then it is repaired and works again."""
    day.fay.begins("have the cards reshuffled")
    day.fay.accepted()
    day.until("shuffle")
    day.dealer.begins("report a device that does not work", device="shuffler")
    day.dealer.accepted()
    away = next(step for step in day.view["next"] if step["do"] in ("cover_device", "remove_device"))
    day.at(away).does(away["do"])
    day.plays("9H 7D KS", "KH", "stand")
    day.repairs("shuffler")


def _an_idle_hour(day: Day) -> None:
    """Everybody has gone, the cards are spread; who comes looks at them, and they are made ready before the deal."""
    day.ada_leaves()
    day.until("sit")
    assert day.view["phase"] == "idle"
    day.ada.clicks("sit-4")
    day.ada.current()
    if day.ada.button("ask_face_up").count():
        day.ada.clicks("ask_face_up")
        day.dealer.does("turn_cards_up")
    day.plays("9S 7S KD", "JH", "stand")


def _another_dealer(day: Day) -> None:
    """The new dealer burns a card that nobody sees, then deals."""
    day.fay.begins("let a new dealer come to the table", dealer="Eve")
    day.fay.accepted()
    day.dealer = day.eve
    day.dealer.does("burn")
    day.plays("6S 8D QD", "JS", "stand")
