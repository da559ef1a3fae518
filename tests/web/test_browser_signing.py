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
    health = {"signed": True, "commands": False, "stopped": ["the ledger is not what it was (one version 3: altered)"]}
    page = enter(f"{server.base}/rounds", admin)
    for path, body in (("health", health), ("ready", {"ready": False, "why": "the disk is full"})):
        page.route(f"**/api/v1/{path}", _answer(body))
    page.reload()
    expect(page.get_by_role("alert").filter(has_text="No commands")).to_have_text(
        "No commands are taken: the disk is full. Play goes on by itself once that has passed, or somebody has looked "
        "at it. No further round is dealt: the ledger is not what it was (one version 3: altered)."
    )


def _answer(body: object) -> Callable[[Route], None]:
    return lambda route: route.fulfill(status=200, content_type="application/json", body=json.dumps(body))
