"""A checkpoint that cannot be signed: staff sees it on every page, guests see nothing of it."""

from __future__ import annotations

import json
from collections.abc import Callable

from playwright.sync_api import Route, expect

from tests.web.conftest import Enter
from tests.web.serving import Api, Server

WORKS = {"commands": True, "stopped": []}


def test_staff_sees_it_on_every_page(server: Server, admin: Api, enter: Enter) -> None:
    def failing(route: Route) -> None:
        body = {
            "alive": True,
            "version": "1",
            "signed": False,
            **WORKS,
            "since": 1_800_000_000,
            "why": "Too many open files",
        }
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


def test_staff_sees_that_nothing_is_dealt(server: Server, admin: Api, enter: Enter) -> None:
    """A ledger that was changed, a disk that is full: why, on every page of staff."""
    health = {"signed": True, "commands": False, "stopped": ["the disk is full", "the ledger is not what it was"]}
    page = enter(f"{server.base}/rounds", admin)
    page.route("**/api/v1/health", _answer(health))
    page.reload()
    expect(page.get_by_role("alert").filter(has_text="No further round")).to_have_text(
        "No further round is dealt: the disk is full. No further round is dealt: the ledger is not what it was."
    )


def _answer(body: object) -> Callable[[Route], None]:
    return lambda route: route.fulfill(status=200, content_type="application/json", body=json.dumps(body))
