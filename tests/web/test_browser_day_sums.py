"""Who asks for more than one person may move sees in a sentence that it waits; who approves it sees what it is."""

from __future__ import annotations

import uuid

from playwright.sync_api import expect

from tests.web.conftest import Enter
from tests.web.looking import Looking, fill
from tests.web.room import LIMITS
from tests.web.service import Staffed
from tests.web.serving import Api, Server


def test_a_fill_and_a_limit_that_wait_are_spoken_of(server: Server, admin: Api, enter: Enter) -> None:
    table, name = Staffed(server, "pa-spanish-21", admin, **LIMITS), f"Ada {uuid.uuid4().hex[:6]}"
    ada = admin.account(server.base, name, "administrator")
    fay = Looking(enter(table.address, table.floor))
    fay.part("choose").select_option(label="Fill")
    fay.page.click("[data-act=begin]")
    form = fay.part("guide").locator("form")
    fill(form, {"amount": "200001"})
    form.locator("[data-act=do]").click()
    fay.accepted()
    toast = fay.page.locator(".tw-toast")
    expect(toast).to_contain_text("Not done yet. An administrator has to approve it first: to bring $200,001.00")

    page = enter(f"{server.base}/people", ada)
    waits = page.locator("[data-part=approvals] li", has_text=f"from the cage to {table.name}")
    waits.get_by_role("button", name="Approve to bring").click()
    expect(waits).to_have_count(0)
    fay.story("fill: $200,001.00 from the cage to the table inventory")

    page = enter(f"{server.base}/server", ada)
    row = page.locator(f"[data-part=settings] [data-table={table.name}]")
    row.locator("summary").click()
    row.get_by_role("textbox", name="Tip").fill("1000000000")
    row.get_by_role("button", name="Set the limit of tip").click()
    expect(row.get_by_role("alert").filter(has_text="Not done yet")).to_contain_text("raise the limit of tip")
    (asked,) = [row for row in ada.get("/approvals") if table.name in row["what"]]
    ada.send("DELETE", f"/approvals/{asked['number']}").raise_for_status()
    admin.send("DELETE", f"/accounts/{name}")
