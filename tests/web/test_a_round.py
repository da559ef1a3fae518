"""A round of each game, played as a person would: one click, chips, decisions, the end."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page

from tests.web.looking import Looking
from tests.web.serving import Server
from twentyone.rulebook import rulebook_ids

OVER = "picked up into the discard rack"
MOST = 60
"""More decisions than one box can be asked in a round."""

ASKED = f"() => window.twentyone.view.offer?.yours || document.body.innerText.includes('{OVER}')"
MOVED = "old => window.twentyone.view.version > old"


@pytest.mark.parametrize("rulebook", rulebook_ids())
def test_one_click_and_a_round_to_its_end(server: Server, page: Page, rulebook: str) -> None:
    """Sit down, lay a wager, decide until the round is over: the story ends with the pick-up of the cards."""
    page.click(f"[data-rulebook={rulebook}] [data-act=sit]")
    page.wait_for_url("**/table/*")
    looker = Looking(page)
    page.select_option("[data-part=pace]", "fast")
    page.wait_for_selector("[data-action=lay], [data-action=decline_cut]")
    page.evaluate("() => document.querySelector('[data-action=decline_cut]')?.click()")
    page.click(".tw-token.t25")
    page.click("[data-action=lay]")
    looker.story("$25.00")
    _play_to_the_end(page)
    looker.story(OVER)
    page.click("[data-part=leave]")
    looker.story("leaves the table")


def _play_to_the_end(page: Page) -> None:
    """Stand where that is a decision, say no where it is not."""
    for _ in range(MOST):
        page.wait_for_function(ASKED)
        view = page.evaluate("() => window.twentyone.view")
        if not view["offer"] or not view["offer"]["yours"]:
            return
        page.keyboard.press("n" if view["offer"]["optional"] else "s")
        page.wait_for_function(MOVED, arg=view["version"])
    raise AssertionError(f"the round did not end: {page.inner_text('[data-part=say]')}")
