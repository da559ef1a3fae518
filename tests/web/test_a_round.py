"""A round of each game, played as a person would: one click, chips, decisions, the end."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page

from tests.daily import daily_books
from tests.web.looking import Looking
from tests.web.serving import Server


@pytest.mark.parametrize("rulebook", daily_books("md-spanish-21"))
def test_one_click_and_a_round_to_its_end(server: Server, page: Page, rulebook: str) -> None:
    """Sit down, lay a wager, decide until the round is over: the story ends with the pick-up of the cards."""
    page.click(f"[data-rulebook={rulebook}] [data-act=sit]")
    page.wait_for_url("**/table/*")
    looker = Looking(page)
    page.select_option("[data-part=pace]", "fast")
    looker.made_ready()
    before = looker.rounds
    page.click(".tw-token.t25")
    page.click("[data-action=lay]")
    looker.story("$25.00")
    looker.finishes(before)
    looker.story("picked up into the discard rack")
    page.click("[data-part=leave]")
    looker.story("leaves the table")
