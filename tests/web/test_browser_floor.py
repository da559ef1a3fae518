"""The floor before its board: what waits is answered there, closing asks; the administrator before his."""

from __future__ import annotations

import re
import uuid

from playwright.sync_api import expect

from tests.web.conftest import Enter
from tests.web.service import Staffed
from tests.web.serving import Api, Server

LIMITS = {"table_minimum": "5", "table_maximum": "500"}


def test_what_waits_at_two_tables_is_answered_on_one_board(server: Server, admin: Api, enter: Enter) -> None:
    """635a.13(j): the floorperson's own confirmation; 635a.2(d): an inspection; live, by keyboard; then the close."""
    table, other = (Staffed(server, "pa-spanish-21", admin, **LIMITS) for _ in range(2))
    page = enter(f"{server.base}/pit", table.floor)
    ada = table.with_player(4)
    table.wager(ada, 4, "10")
    table.begin("9C 7H 5D KD")
    table.dealer.do(table.name, "happened", name="hole_card_read")
    asked = page.locator("[data-part=asked] li", has_text=table.name)
    expect(asked).to_contain_text("Confirm that the dealer told you of the hole card")
    row = page.locator(f"tr[data-table='{table.name}']")
    expect(row).to_contain_text("Dan waits for a floorperson")
    expect(row).to_contain_text("Hole card read (a floorperson has not confirmed it)")
    expect(row).to_contain_text("$500.00")
    asked.get_by_role("button", name="Confirm notification").focus()
    page.keyboard.press("Enter")
    expect(asked).to_have_count(0)
    expect(row).to_contain_text(f"Dan waits for {ada.get('/me')['name']}")
    said = table.floor.get(f"/tables/{table.name}/story")
    assert any("Fay confirms the notification" in line["says"] for line in said)

    closed = page.locator(f"tr[data-table='{other.name}']")
    inspect = page.locator("[data-part=asked] li", has_text=other.name)
    dealers = inspect.get_by_label("Dealer").locator("option").all_inner_texts()
    assert {"Dan", "Auto dealer"} <= set(dealers)
    inspect.get_by_label("Dealer").select_option("Dan")
    inspect.get_by_role("button", name="Open table").click()
    inspect.get_by_role("button", name="Inspect device").click()
    expect(inspect).to_have_count(0)
    page.get_by_label("Find").fill(other.name)
    expect(page.locator("[data-part=rows] tr")).to_have_count(1)
    page.get_by_label("Find").fill("")
    page.get_by_label("Show").select_option("closed tables")
    expect(closed).to_have_count(0)
    page.get_by_label("Show").select_option("all tables")

    row.get_by_role("button", name="Close").click()
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("The table cannot be closed now")
    page.keyboard.press("Enter")
    expect(dialog).to_have_count(0)
    ada.do(table.name, "decide", action="stand", box=4)
    table.collect()
    row.get_by_role("button", name="Close").click()
    name = ada.get("/me")["name"]
    expect(dialog).to_contain_text(f"{name}: $")
    page.keyboard.press("Enter")
    expect(dialog).to_have_count(0)
    assert table.view["phase"] == "open", "Enter leaves the table open"
    row.get_by_role("button", name="Close").click()
    dialog.get_by_role("button", name="Close the table").click()
    expect(row).to_contain_text("no dealer")


def test_the_server_s_page_ends_sessions_backs_up_and_sets(server: Server, admin: Api, enter: Enter) -> None:
    name = f"Vera {uuid.uuid4().hex[:6]}"
    vera = admin.account(server.base, name, "auditor")
    page = enter(f"{server.base}/server", admin)
    expect(page.locator("[data-part=state]")).to_contain_text("its signature is good")
    session = page.locator("[data-session]", has_text=name)
    expect(session).to_contain_text("127.0.0.1")
    session.get_by_role("button", name=f"End the session of {name}").click()
    expect(session.get_by_role("button")).to_have_count(0)
    assert vera.get("/me") is None
    page.get_by_text("that ended").click()
    expect(session).to_contain_text("ended by administrator")

    page.get_by_role("button", name="Make a backup now").click()
    expect(page.locator("[data-backup]").first).to_contain_text("verified")
    expect(page.locator("[data-backup]").first).to_contain_text(re.compile("[kM]B"))

    table = page.locator("[data-part=settings] [data-table=pa-double-back-jack]")
    table.locator("summary").click()
    table.get_by_label("Seconds for a decision").fill("40")
    table.get_by_role("button", name="Set the pace of pa-double-back-jack").click()
    expect(table.locator("summary")).to_contain_text("40 s")
    table.get_by_role("textbox", name="Fill").fill("much")
    table.get_by_role("button", name="Set the limit of fill").click()
    expect(table.get_by_role("alert").filter(has_text="much")).to_be_visible()
    table.get_by_role("textbox", name="Fill").fill("750")
    table.get_by_role("button", name="Set the limit of fill").click()
    expect(table.get_by_role("textbox", name="Fill: $750.00")).to_have_value("750")
    admin.do("pa-double-back-jack", "set_limit", about="fill", amount="1000000")
    admin.send("PUT", "/tables/pa-double-back-jack/staff", {"pace": "normal", "clock": 45})
