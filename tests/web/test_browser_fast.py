"""Quick hands: chips and wagers by key, a bar that stays where it is, few presses of Tab from landing to a decision."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.web.conftest import Enter
from tests.web.looking import Looking
from tests.web.room import LIMITS
from tests.web.service import Staffed
from tests.web.serving import Api, Server

TABS = 8
"""The most presses of Tab from landing to the first decision."""
LOOKED = "[data-action=have_looked]"
ASKED = f"{LOOKED}, [data-action=decline_cut], [data-action=chip-25], [data-action=stand], [data-action=decline]"


def test_chips_wagers_and_rebet_by_key(server: Server, admin: Api, enter: Enter) -> None:
    """1 to 5 are chips, D is twice, Backspace one step back, Enter lays, B lays again what was laid last."""
    table = Staffed(server, "pa-spanish-21", admin, **LIMITS)
    ada = Looking(enter(table.address, table.with_player(3)))
    lay, keys = ada.button("lay"), ada.page.keyboard
    place = lay.bounding_box()
    expect(ada.button("chip-1")).to_have_attribute("aria-disabled", "true")
    keys.press("1")
    expect(ada.page.get_by_role("alert")).to_contain_text("The least wager here is $5.00")
    for key, total in (("2", 5), ("D", 10), ("Backspace", 5), ("3", 30), ("Backspace", 5), ("1", 6), ("4", 106)):
        keys.press(key)
        expect(lay).to_contain_text(f"Lay ${total}.00")
        assert lay.bounding_box() == place, "the button stays under the pointer"
    ada.clicks("undo", "undo")
    ada.clicks("pick-match-the-dealer", "chip-5")
    keys.press("Enter")
    ada.purse("$490.00")
    table.begin("9C 7H KC KS")
    ada.press("s", "stand")
    table.collect()
    expect(ada.button("pick-main")).to_have_attribute("aria-pressed", "true")
    expect(ada.button("rebet")).to_contain_text("Rebet $10.00")
    ada.press("b", "rebet")
    expect(ada.button("take_back_wager")).to_be_visible()
    ada.purse("$490.00")
    for _ in range(4):
        keys.press("4")
    expect(ada.button("chip-100")).to_have_attribute("title", "You have $90.00 left.")
    expect(ada.button("twice")).to_have_attribute("aria-disabled", "true")


def test_boxes_are_one_stop_of_tab_and_none_while_nothing_can_be_chosen(
    server: Server, admin: Api, enter: Enter
) -> None:
    """Arrows go from box to box; who has his box and no second one is not led through them."""
    table = Staffed(server, "pa-spanish-21", admin, **LIMITS, boxes_per_player=1)
    player = table.with_player(3)
    visitor = enter(table.address)
    Looking(visitor)
    expect(visitor.locator("g.box[tabindex='0']")).to_have_count(1)
    visitor.locator("g.box[tabindex='0']").focus()
    visitor.keyboard.press("ArrowLeft")
    expect(visitor.locator("g.box:focus")).not_to_have_attribute("data-box", "1")
    ada = enter(table.address, player)
    Looking(ada)
    expect(ada.locator("g.box[tabindex]")).to_have_count(0)


@pytest.mark.prove
def test_few_presses_of_tab_from_landing_to_the_first_decision(server: Server, enter: Enter) -> None:
    """By keyboard alone, through the automatic dealer's cut, to a decision or the end of a round without one."""
    page, tabs = enter(f"{server.base}/"), 0
    page.wait_for_selector("[data-act=sit]")
    for _ in range(3 * TABS):
        if page.evaluate("() => document.activeElement.matches('[data-act=sit]')"):
            break
        skip = page.evaluate("() => document.activeElement.matches('.tw-skip')")
        page.keyboard.press("Enter" if skip else "Tab")
        tabs += not skip
    page.keyboard.press("Enter")
    page.wait_for_url("**/table/*")
    kay = Looking(page)
    before = kay.rounds
    for _ in range(2):
        page.wait_for_selector(ASKED)
        while (looked := page.query_selector(LOOKED)) is not None:
            looked.press("Enter")
            kay.settled()
            page.wait_for_selector(ASKED)
        page.keyboard.press("Enter" if page.query_selector("[data-action=cut]") else "3")
        if page.query_selector("[data-action=lay]"):
            page.keyboard.press("Enter")
    kay.finishes(before)
    assert tabs <= TABS, tabs


def test_six_decisions_fit_their_buttons(server: Server, admin: Api, enter: Enter) -> None:
    """No word is wider than its button, no button wider than the page; a paragraph can be hit by a finger."""
    table = Staffed(server, "pa-spanish-21", admin, **LIMITS)
    player = table.with_player(3)
    table.wager(player, 3)
    table.begin("8C 7H 8D KS")
    for size, least in (("phone", 44), ("desk", 24)):
        ada = Looking(enter(table.address, player, size=size, has_touch=size == "phone"))
        ada.press("?", "stand")
        for button in ada.part("actions").locator(".tw-button").all():
            assert button.evaluate("at => at.scrollWidth <= at.clientWidth"), button.inner_text()
        assert ada.page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
        for chip in ada.page.locator(".tw-controls .tw-chip").all():
            assert chip.evaluate("at => at.offsetHeight") >= least
