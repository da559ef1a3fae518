"""The page of tables in a browser: it follows what happens, leads back to one's seat, and explains each game."""

from __future__ import annotations

import uuid

from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]
from playwright.sync_api import Locator, Page, expect

from tests.web.conftest import Enter
from tests.web.looking import Looking
from tests.web.service import on_duty
from tests.web.serving import Api, Server

BOOK = "classic-blackjack"
LIMITS = {"table_minimum": "5", "table_maximum": "500"}


def _card(page: Page, table: str) -> Locator:
    return page.locator(f"[data-card={table}]")


def test_the_tables_are_shown_as_they_are_now(server: Server, admin: Api, enter: Enter) -> None:
    """A table opens, is joined, left, closed and opened again, and nobody loads the page anew."""
    page, table = enter(server.base), f"seen-{uuid.uuid4().hex[:6]}"
    admin.post("/tables", {"name": table, "rulebook": BOOK, "submission": LIMITS})
    card = _card(page, table)
    sit, watch = (card.get_by_role("link", name=name) for name in ("Sit down", "Watch"))
    expect(sit).to_be_visible()
    guest = Api.guest(server.base, "Mary")
    guest.post(f"/tables/{table}/sit", {})
    expect(card).to_contain_text("Mary is there")
    expect(card).to_contain_text("6 of 7 boxes are free")
    guest.do(table, "leave")
    expect(card).to_contain_text("7 of 7 boxes are free")
    on_duty(admin, server.base, "Fay", "floorperson").do(table, "close_table")
    expect(card).to_contain_text("Closed", ignore_case=True)
    expect(sit).to_be_hidden()
    expect(watch).to_be_visible()
    on_duty(admin, server.base, "Fay", "floorperson").do(table, "open_table", dealer="Auto dealer")
    expect(sit).to_be_visible()


def test_a_seat_comes_first_and_is_returned_to(server: Server, admin: Api, enter: Enter) -> None:
    """Three games have one title and three places; the seat is first; every header says where the chips lie."""
    guest = Api.guest(server.base, "Rose")
    guest.post("/tables/s13-spanish-21/sit", {})
    page = enter(server.base, guest)
    for title in ("Spanish 21, Pennsylvania", "Spanish 21, Maryland", "Spanish 21, Section 13"):
        expect(page.get_by_role("heading", name=title, exact=True).first).to_be_attached()
    first = page.locator("[data-card]").first
    expect(first).to_have_attribute("data-card", "s13-spanish-21")
    expect(first).to_contain_text("Your seat: box")
    expect(page.locator("[data-part=money]")).to_have_text("$500.00 at s13-spanish-21")
    page.goto(f"{server.base}/table/{BOOK}")
    expect(page.locator("[data-part=money]")).to_have_text("$500.00 at s13-spanish-21")
    page.locator("[data-part=money] a").click()
    looker = Looking(page)
    looker.purse("Rose · $500.00")
    expect(page.locator("[data-part=money]")).to_be_empty()
    page.click("[data-part=leave]")
    expect(page.locator("[data-part=money]")).to_have_text("$500.00 in your purse")
    page.get_by_role("link", name="Rose").click()
    expect(page.locator("main")).to_contain_text("takes $500.00 away from s13-spanish-21")


def test_a_game_is_explained_beside_the_table(server: Server, enter: Enter) -> None:
    """From the tables by mouse, at the table by keyboard; Escape closes, and the focus is where it was."""
    page = enter(server.base)
    _card(page, "pa-double-back-jack").get_by_role("link", name="How to play").click()
    drawer = page.get_by_role("dialog")
    expect(drawer).to_contain_text("a card is taken off the total")
    expect(drawer.get_by_role("link", name="673a.12(a)").first).to_have_attribute("target", "_blank")
    found = Axe().run(page)
    assert found.violations_count == 0, found.generate_report()
    page.goto(f"{server.base}/table/md-spanish-21")
    Looking(page)
    page.get_by_role("link", name="How to play").focus()
    page.keyboard.press("Enter")
    expect(drawer).to_contain_text("Match-the-Dealer Wager")
    expect(drawer).to_contain_text("House edge 0.422")
    page.keyboard.press("Escape")
    expect(drawer).to_have_count(0)
    expect(page.get_by_role("link", name="How to play")).to_be_focused()
