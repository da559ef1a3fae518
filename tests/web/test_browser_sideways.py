"""The card of a double, and that of a second chance, lies sideways on the layout of the table's page."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Page, expect

from tests.web.conftest import SIZES, Enter
from tests.web.service import Staffed
from tests.web.serving import Api, Server


def test_the_card_of_a_double_and_of_a_second_chance_lie_across_the_others(
    server: Server, admin: Api, enter: Enter, artefacts: Path
) -> None:
    table = Staffed(server, "pa-double-back-jack", admin, table_minimum="10", table_maximum="500")
    ann = table.with_player(3)
    table.wager(ann, 3)
    table.begin("8S 7H 4C KD")
    pages = {size: enter(table.address, ann, size=size) for size in SIZES}
    for page in pages.values():
        expect(page.locator(".tw-live .tw-card")).to_have_count(4)
        expect(page.locator(".tw-sideways")).to_have_count(0)
    ann.do(table.name, "decide", action="double", box=3)
    table.deal("KS")
    for page in pages.values():
        expect(page.locator(".tw-sideways")).to_have_count(1)
    ann.do(table.name, "decide", action="second_chance", box=3)
    table.deal("3C")
    for size, page in pages.items():
        _lie_across(page)
        page.screenshot(path=artefacts / f"sideways-{SIZES[size][0]}.png")


def _lie_across(page: Page) -> None:
    """Both cards lie sideways, the second with its minus; the chip of the second chance lies in its own area."""
    laid = page.locator(".tw-sideways")
    expect(laid).to_have_count(2)
    assert laid.locator("title").all_text_contents() == ["king of spades, sideways", "3 of clubs, sideways, subtracted"]
    expect(page.locator(".tw-sideways .minus")).to_have_count(1)
    chip = page.locator(".tw-stack", has=page.locator("title", has_text="second chance")).bounding_box()
    area = page.locator("g.box[data-box='3'] [data-wager=second_chance]").bounding_box()
    assert chip is not None
    assert area is not None
    assert area["x"] < chip["x"] + chip["width"] / 2 < area["x"] + area["width"]
    assert area["y"] < chip["y"] + chip["height"] / 2 < area["y"] + area["height"]
    for box in (element.bounding_box() for element in laid.all()):
        assert box is not None
        assert box["width"] > box["height"]
