"""By keyboard alone, and as a screen reader tells it: from the list of tables to the end of a round and out again."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from tests.web.conftest import Enter
from tests.web.looking import Looking
from tests.web.room import LIMITS
from tests.web.service import Staffed
from tests.web.serving import Api, Server

MOST = 150
"""More presses of Tab than any page has stops."""
FOCUSED = "(wanted) => document.activeElement.matches(wanted)"
RING = """() => {
  const at = document.activeElement, style = getComputedStyle(at), box = at.querySelector('.main');
  return style.outlineStyle === 'solid' || (box && parseFloat(getComputedStyle(box).strokeWidth) >= 5);
}"""
"""Whether what has the focus shows it."""


def tab_to(page: Page, wanted: str) -> None:
    """Press Tab until the focus is there; it must show."""
    for _ in range(MOST):
        page.keyboard.press("Tab")
        if page.evaluate(FOCUSED, wanted):
            assert page.evaluate(RING), wanted
            return
    raise AssertionError(f"{wanted} cannot be reached by Tab")


def test_a_visitor_plays_a_round_with_keys_only(server: Server, enter: Enter) -> None:
    """Name, sit down, cut, chips, decisions, leave: not one click. The automatic dealer deals what comes."""
    page = enter(f"{server.base}/")
    page.wait_for_selector("[data-part=guest]")
    tab_to(page, "[data-part=guest]")
    page.keyboard.type("Kay")
    tab_to(page, "[data-rulebook=s13-spanish-21] [data-act=sit]")
    page.keyboard.press("Enter")
    page.wait_for_url("**/table/*")
    kay = Looking(page)
    page.wait_for_selector("[data-action=chip-25], [data-action=decline_cut], [data-action=have_looked]")
    for action in ("have_looked", "decline_cut"):
        if page.query_selector(f"[data-action={action}]"):
            tab_to(page, f"[data-action={action}]")
            page.keyboard.press("Enter")
            page.wait_for_selector("[data-action=chip-25], [data-action=decline_cut]")
    before = kay.rounds
    for wanted in ("chip-25", "lay"):
        tab_to(page, f"[data-action={wanted}]")
        page.keyboard.press("Enter")
        kay.settled()
    kay.story("$25.00")
    kay.finishes(before)
    kay.story("picked up into the discard rack")
    tab_to(page, "[data-part=leave]")
    page.keyboard.press("Enter")
    kay.story("leaves the table")


def test_a_box_is_taken_and_a_hand_surrendered_by_keyboard(server: Server, admin: Api, enter: Enter) -> None:
    """Enter on a box of the felt sits down; R gives half of the wager up (635a.9)."""
    table = Staffed(server, "pa-spanish-21", admin, **LIMITS)
    table.with_player(5, "Bob")
    page = enter(table.address)
    ada = Looking(page)
    tab_to(page, "g.box[data-box='1']")
    for key in ("ArrowRight", "ArrowRight", "Enter"):
        page.keyboard.press(key)
    ada.purse("$500.00")
    for wanted in ("chip-25", "lay"):
        tab_to(page, f"[data-action={wanted}]")
        page.keyboard.press("Enter")
        ada.settled()
    table.begin("9C AH 7D 5S")
    ada.press("n", "decline")
    ada.press("r", "surrender")
    ada.story("surrender")
    ada.purse("$487.50")


def test_what_a_screen_reader_is_told(server: Server, admin: Api, enter: Enter) -> None:
    """Names and roles of everything that can be used; what happens is announced; what is refused is an alert."""
    table = Staffed(server, "pa-spanish-21", admin, **LIMITS)
    player = table.with_player(3)
    table.wager(player, 3)
    ada = Looking(enter(table.address, player))
    announced = ada.part("announce")
    expect(announced).to_have_attribute("aria-live", "polite")
    table.begin("9C 7H 5D KS")
    expect(announced).to_have_text("Your 14 against a 7. Your decision.")
    decisions = ada.page.get_by_role("group", name="decisions")
    for name in ("Hit", "Stand", "Double", "Surrender"):
        expect(decisions.get_by_role("button", name=name)).to_be_enabled()
    expect(decisions.get_by_role("button", name="Split")).to_be_disabled()
    expect(ada.page.get_by_role("button", name="box 3", exact=True)).to_have_count(1)
    expect(ada.page.get_by_role("main")).to_have_count(1)
    expect(ada.page.get_by_role("heading", level=1)).to_have_count(1)
    expect(ada.page.get_by_role("complementary", name="what happened and why")).to_be_visible()
    ada.press("p", "split")
    expect(ada.page.get_by_role("alert")).to_contain_text("not identical in value")
