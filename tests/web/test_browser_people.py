"""The page of accounts, as an administrator uses it who has just followed the one-time link."""

from __future__ import annotations

import uuid

from playwright.sync_api import Page, expect

from tests.web.conftest import Enter
from tests.web.serving import Api, Server

PASSWORD, OTHER = "correct horse", "another horse"


def log_in(enter: Enter, server: Server, name: str, password: str) -> Page:
    """Somebody fills in the form of the login page."""
    page = enter(f"{server.base}/login", faults_count=False)
    page.get_by_label("Name", exact=True).fill(name)
    page.get_by_label("Password").fill(password)
    page.get_by_role("button", name="Log in").click()
    return page


def test_the_one_time_link_is_spoken_of_to_whoever_came_by_it(server: Server, admin: Api, enter: Enter) -> None:
    name = f"Ada {uuid.uuid4().hex[:6]}"
    own = admin.account(server.base, name, "administrator")
    for who, told in ((admin, True), (own, False)):
        main = enter(f"{server.base}/people", who).locator("main")
        expect(main).to_contain_text("Guests need no account.")
        assert ("open an account for yourself" in main.inner_text()) == told
    admin.send("DELETE", f"/accounts/{name}")


def test_an_account_from_its_opening_to_its_end(server: Server, admin: Api, enter: Enter) -> None:
    name = f"Olga {uuid.uuid4().hex[:6]}"
    page = enter(f"{server.base}/", admin, faults_count=False)
    page.get_by_role("link", name="People").click()
    form = page.locator("form[data-ask=open]")
    form.get_by_label("Name", exact=True).fill("administrator")
    form.get_by_label("Role").select_option("floorperson")
    form.get_by_label("Password").fill(PASSWORD)
    form.get_by_role("button").click()
    expect(form.get_by_role("alert")).to_contain_text("not that of a role")
    form.get_by_label("Name", exact=True).fill(name)
    form.get_by_role("button").click()
    row = page.locator(f"[data-account='{name}']")
    expect(row).to_contain_text("floorperson")
    expect(row).to_contain_text("not logged in")

    for _ in range(3):
        olga = log_in(enter, server, name, "wrong horse")
        expect(olga.locator("form[data-act=login]").get_by_role("alert")).to_contain_text("wrong password")
    page.reload()
    expect(row).to_contain_text("somebody waits after wrong passwords")
    row.get_by_role("button", name=f"Unlock {name}").click()
    expect(row).to_contain_text("not logged in")

    row.get_by_text("New password").first.click()
    row.get_by_label("New password").fill(OTHER)
    row.get_by_role("button", name=f"Change the password of {name}").click()
    expect(row.get_by_label("New password")).to_be_hidden()
    olga = log_in(enter, server, name, OTHER)
    expect(olga.locator(".tw-me")).to_contain_text(f"floorperson “{name}”")
    assert olga.get_by_role("link", name="People").count() == 0

    row.get_by_text("Remove").first.click()
    row.get_by_role("button", name=f"Remove {name}").click()
    expect(row).to_have_count(0)
    olga.goto(f"{server.base}/people")
    expect(olga.locator("main")).to_contain_text("Accounts are kept by the administrator")
