"""A checkpoint that cannot be signed: staff sees it on every page, guests see nothing of it."""

from __future__ import annotations

import json

from playwright.sync_api import Route, expect

from tests.web.conftest import Enter
from tests.web.serving import Api, Server


def test_staff_sees_it_on_every_page(server: Server, admin: Api, enter: Enter) -> None:
    def failing(route: Route) -> None:
        body = {"alive": True, "version": "1", "signed": False, "since": 1_800_000_000, "why": "Too many open files"}
        route.fulfill(status=200, content_type="application/json", body=json.dumps(body))

    guest = Api.guest(server.base, "Gus")
    for address in ("/", "/rounds", "/law"):
        page = enter(f"{server.base}{address}", admin)
        expect(page.locator("[data-part=unsigned]")).to_be_hidden()
        page.route("**/api/v1/health", failing)
        page.route("**/api/v1/signing", failing)
        page.reload()
        alarm = page.get_by_role("alert").filter(has_text="No checkpoint")
        expect(alarm).to_have_text(
            "No checkpoint has been signed since 2027-01-15 08:00 UTC: Too many open files. "
            "It is tried again every minute."
        )
    assert enter(f"{server.base}/", guest).locator("[data-part=unsigned]").count() == 0
