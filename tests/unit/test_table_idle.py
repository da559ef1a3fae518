"""What a page offers a player at an idle table, and what the shoe of a table tells by itself."""

from __future__ import annotations

from typing import Any

import pytest

from twentyone.errors import Refused
from twentyone.ledger.keys import Keyring
from twentyone.ledger.live_shoe import LiveShoe
from twentyone.ledger.shoes import Custody
from twentyone.rulebook import Rulebook
from twentyone.service.catalogue import actions, fields
from twentyone.service.view import own_view
from twentyone.table import Command, Table
from twentyone.table.script import follow
from twentyone.table.shoe import os_source

RULES = Rulebook.load("pa-spanish-21").under({})


def give(table: Table, do: str, role: str = "dealer", by: str = "Dan", **args: Any) -> Table:
    return table.apply(Command(do, role, by, 0, args))


def ready(**given: Any) -> Table:
    """A table with Ann at box 1, before her first wager."""
    table = follow(Table.new(Rulebook.load("pa-spanish-21").under(given)), "show_cards", 0)
    return follow(give(table, "sit", "player", "Ann", boxes=[1]), "", 0)


def requests(table: Table, who: str, role: str = "player") -> list[str]:
    return [one["do"] for one in own_view(table, role, who)["requests"]]


def test_a_page_offers_what_a_player_may_ask_for() -> None:
    """635a.5(g): the cards face up before they are spread or looked at; the table made ready."""
    table = ready()
    assert requests(table, "Ann") == ["ask_face_up"]
    assert requests(table, "Eve") == requests(table, "Dan", "dealer") == []
    idle = give(table, "spread_idle")
    assert requests(idle, "Ann") == ["make_ready", "ask_face_up"]
    assert own_view(idle, "player", "Ann")["requests"][0]["cite"] == "58 Pa. Code § 635a.5(g)"
    woken = give(idle, "make_ready", "player", "Ann")
    assert requests(woken, "Ann") == ["have_looked", "ask_face_up"]
    assert requests(give(woken, "show_cards"), "Ann") == []


def test_a_page_offers_the_spread_of_the_waiting_batch() -> None:
    """635a.5(g)(2): the batch out of the device, until its cut."""
    woken = give(give(ready(shuffler="automated"), "spread_idle"), "make_ready", "player", "Ann")
    assert "ask_batch_spread" in requests(woken, "Ann")
    assert "ask_batch_spread" not in requests(give(woken, "ask_batch_spread", "player", "Ann"), "Ann")
    assert "ask_batch_spread" not in requests(follow(woken, "insert_cover_card", 0), "Ann")


def test_only_real_cards_have_their_cover_card_reported() -> None:
    """635a.7(d): the console of a sealed shoe does not offer the report, and the shoe refuses it."""
    table = ready()
    assert "cover_card_seen" in [one["do"] for one in actions(table, "dealer", entered=True)]
    assert "cover_card_seen" not in [one["do"] for one in actions(table, "dealer", entered=False)]
    shoe = LiveShoe("t", RULES, Keyring(bytes(32), bytes(32)), os_source())
    with pytest.raises(Refused) as refused:
        shoe.apply(table, Custody(), Command("cover_card_seen", "dealer", "Dan"))
    assert refused.value.cite == "", "no paragraph speaks of the house's own shoe"


def test_the_console_says_who_cuts_again_and_how_cards_are_spread() -> None:
    """635a.5(e): the last cutter or the next one. 13(d)(8): face up or face down; 635a.5(g) leaves no choice."""
    section = Rulebook.load("s13-spanish-21").under({})
    assert [field["choices"] for field in fields(RULES, "recut")] == [["last", "next"]]
    assert [field["choices"] for field in fields(section, "spread_idle")] == [["up", "down"]]
    assert fields(RULES, "spread_idle") == []
