"""The page of coupons, as a floorperson uses it."""

from __future__ import annotations

import uuid

from playwright.sync_api import expect

from tests.web.conftest import Enter
from tests.web.serving import Api, Server


def test_a_floorperson_issues_a_coupon_and_declares_it_void(server: Server, admin: Api, enter: Enter) -> None:
    name, number = f"Fay {uuid.uuid4().hex[:6]}", f"T-{uuid.uuid4().hex[:8]}"
    fay = admin.account(server.base, name, "floorperson")
    page = enter(f"{server.base}/", fay, faults_count=False)
    page.get_by_role("link", name="Coupons").click()
    form = page.locator("form[data-ask=issue]")
    form.get_by_label("Amount").fill("1e30")
    form.get_by_label("Good until").fill("2099-12-31")
    form.get_by_label("Number").fill(number)
    form.get_by_label("For").fill("Ann")
    form.get_by_role("button").click()
    expect(form.get_by_role("alert")).to_contain_text("not an amount")
    form.get_by_label("Amount").fill("25")
    form.get_by_role("button").click()
    row = page.locator(f"[data-coupon='{number}']")
    expect(row).to_contain_text("$25.00")
    expect(row).to_contain_text("for Ann, until 2099-12-31 23:59 (UTC)")
    expect(row).to_contain_text(f"open · issued by {name}")
    row.get_by_text("Void", exact=True).click()
    row.get_by_label("Why").fill("lost")
    row.get_by_role("button", name=f"Declare {number} void").click()
    expect(row).to_contain_text("void · issued by")
    expect(row.locator("form")).to_have_count(0)


def test_nobody_else_sees_coupons(server: Server, admin: Api, enter: Enter) -> None:
    dan = admin.account(server.base, f"Dan {uuid.uuid4().hex[:6]}", "dealer")
    for who in (dan, Api.guest(server.base, "Gus")):
        page = enter(f"{server.base}/coupons", who)
        expect(page.locator("main")).to_contain_text("kept by the staff")
        expect(page.get_by_role("link", name="Coupons")).to_have_count(0)
