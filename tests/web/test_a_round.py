"""A round of each game, played as a person would: one click, chips, decisions, the end."""

from __future__ import annotations

import time

import pytest
from playwright.sync_api import Page

from tests.web.serving import Server
from twentyone.rulebook import rulebook_ids


@pytest.mark.parametrize("rulebook", rulebook_ids())
def test_one_click_and_a_round_to_its_end(server: Server, page: Page, rulebook: str) -> None:
    """Sit down, lay a wager, decide until the round is over: the story ends with the pick-up, the purse has moved."""
    page.goto(f"{server.base}/")
    page.click(f"[data-rulebook={rulebook}] [data-act=sit]")
    page.wait_for_url("**/table/*")
    page.select_option("[data-part=pace]", "fast")
    page.wait_for_selector("[data-action=lay], [data-action=decline_cut]", timeout=20_000)
    if page.query_selector("[data-action=decline_cut]"):
        page.click("[data-action=decline_cut]")
    page.click(".tw-token.t25")
    page.click("[data-action=lay]")
    _play_to_the_end(page)
    story = page.inner_text("[data-part=story]")
    assert "picked up into the discard rack" in story
    assert "$25.00" in story


def _play_to_the_end(page: Page) -> None:
    end = time.monotonic() + 40
    while time.monotonic() < end:
        if "picked up into the discard rack" in page.inner_text("[data-part=story]"):
            return
        stand = page.query_selector("[data-part=actions] [data-action=stand]:not([aria-disabled])")
        if stand is not None:
            page.keyboard.press("s")
        elif page.query_selector("[data-part=actions] [aria-keyshortcuts=N]"):
            page.keyboard.press("n")
        page.wait_for_timeout(150)
    raise AssertionError(f"the round did not end: {page.inner_text('[data-part=say]')}")
