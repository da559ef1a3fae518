"""The table in windows of every size: each button is hit at its middle, the felt has room, nothing lies over it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.web.conftest import Enter
from tests.web.looking import Looking
from tests.web.service import Staffed
from tests.web.serving import Api, Server

WINDOWS = [
    (320, 360), (320, 568), (390, 844), (568, 360), (640, 360), (683, 384), (720, 450), (721, 1024), (768, 1024),
    (820, 1180), (844, 390), (932, 430), (960, 600), (1024, 768), (1101, 360), (1180, 820), (1280, 720), (1366, 650),
    (1440, 900), (2560, 1440), (2560, 360),
]  # fmt: skip
"""Phones, tablets and laptops, upright and sideways; a laptop at 200 %."""
ROOM = 0.3
"""The least part of the window that the felt has to itself, once its owner has scrolled to it."""
CARD = {(1280, 720): 57, (1366, 650): 58, (1440, 900): 62, (2560, 1440): 100}
"""How wide a card is at least."""
LIMITS = {"table_minimum": "5", "table_maximum": "500"}

MISSED = """() => {
  const missed = [];
  for (const each of document.querySelectorAll('.tw-controls :is(button, input, select, a)')) {
    if (!each.checkVisibility() || !each.getBoundingClientRect().width) continue;
    each.scrollIntoView({ block: 'nearest', behavior: 'instant' });
    const { left, top, width, height } = each.getBoundingClientRect();
    const hit = document.elementFromPoint(left + width / 2, top + height / 2);
    const name = each.dataset.action || each.name || each.textContent;
    if (!hit || !each.contains(hit)) missed.push(`${name}: ${hit?.className}`);
  }
  return missed;
}"""
"""The controls that something else covers at their middle, or that lie outside the window."""
ROOMY = """() => {
  const rect = (selector) => document.querySelector(selector).getBoundingClientRect();
  document.querySelector('.tw-stage').scrollIntoView({ block: 'start', behavior: 'instant' });
  const [stage, bar] = ['.tw-stage', '.tw-controls'].map(rect);
  const apart = (one, other) => one.right <= other.left + 1 || one.bottom <= other.top + 1;
  const meet = (one, other) => !apart(one, other) && !apart(other, one);
  const beside = bar.left >= stage.right - 1;
  const free = Math.min(stage.bottom, innerHeight, beside ? Infinity : bar.top) - Math.max(stage.top, 0);
  const scale = document.querySelector('svg.tw-felt').getScreenCTM().a;
  const { scrollWidth } = document.documentElement;
  scrollTo(0, 0);
  const buttons = [...document.querySelectorAll('.tw-controls button')].filter((each) => each.checkVisibility());
  const below = buttons.filter((each) => each.getBoundingClientRect().bottom > innerHeight).length;
  const over = meet(rect('.tw-side'), rect('.tw-stage')) || meet(rect('.tw-side'), rect('.tw-controls'));
  return { side: over, free: free / innerHeight, card: 87 * scale, wide: scrollWidth - innerWidth, below };
}"""
"""How much of the window is felt, how wide a card is, and whether the panel lies over the felt."""
SEEN = """(selector) => {
  const { left, right, top, bottom } = document.querySelector(selector).getBoundingClientRect();
  const bar = document.querySelector('.tw-controls').getBoundingClientRect();
  const stage = document.querySelector('.tw-stage').getBoundingClientRect();
  const under = bar.left < stage.right - 1 ? Math.min(bar.top, innerHeight) : innerHeight;
  return left >= stage.left - 1 && right <= stage.right + 1 && top >= -1 && bottom <= under + 1;
}"""
"""Whether something on the felt is in the picture whole."""


def sized(page: Page, window: tuple[int, int]) -> dict[str, Any]:
    """What is wrong in a window of this size, and what is well."""
    page.set_viewport_size({"width": window[0], "height": window[1]})
    missed: list[str] = page.evaluate(MISSED)
    found: dict[str, Any] = page.evaluate(ROOMY)
    return {**found, "missed": missed}


@pytest.fixture
def at_the_table(server: Server, admin: Api, enter: Enter) -> tuple[Staffed, Api, Looking]:
    """A player at the outermost box, and his page."""
    table = Staffed(server, "pa-spanish-21", admin, **LIMITS)
    player = table.with_player(1, "Maximiliana")
    return table, player, Looking(enter(table.address, player, reduced_motion="reduce"))


def test_every_button_is_hit_in_every_window(at_the_table: tuple[Staffed, Api, Looking], artefacts: Path) -> None:
    """While wagers are laid and while a decision is asked, from 320 to 2560 wide and from 360 high."""
    table, player, ada = at_the_table
    expect(ada.button("lay")).to_be_visible()
    ada.clicks("chip-25")
    _is_well(ada.page, artefacts, "wager")
    table.wager(player, 1)
    table.begin("8S 7H 4C KD")
    expect(ada.button("stand")).to_be_visible()
    _is_well(ada.page, artefacts, "turn")


def _is_well(page: Page, artefacts: Path, name: str) -> None:
    wrong = {}
    for window in WINDOWS:
        found = sized(page, window)
        if window in CARD or window[0] in (390, 820, 844):
            page.screenshot(path=artefacts / f"{name}-{window[0]}x{window[1]}.png")
        low = found["free"] < ROOM
        small = found["card"] < CARD.get(window, 30 if window[1] > 360 else 0)
        below = found["below"] and window in CARD
        if found["missed"] or found["side"] or found["wide"] > 0 or low or small or below:
            wrong[window] = found
    assert not wrong, wrong


def test_the_own_box_and_the_up_card_are_in_the_picture_in_ones_turn(
    at_the_table: tuple[Staffed, Api, Looking],
) -> None:
    """At the outermost box of a phone, after a stroke aside and a scroll away; the purse is never cut."""
    table, player, ada = at_the_table
    ada.page.set_viewport_size({"width": 390, "height": 664})
    table.wager(player, 1)
    ada.page.wait_for_function("() => window.twentyone.view.boxes[0].placed.length")
    ada.page.evaluate("() => { document.querySelector('.tw-stage').scrollTo(0, 0); scrollTo(0, 900); }")
    table.begin("8S 7H 4C KD")
    expect(ada.button("stand")).to_be_visible()
    for window in ((390, 664), (320, 568), (844, 390)):
        ada.page.set_viewport_size({"width": window[0], "height": window[1]})
        for name in ("7 of hearts", "8 of spades"):
            ada.page.wait_for_function(SEEN_CARD, arg=name)
        assert ada.page.evaluate(SEEN, "g.box.mine .main"), window


def test_the_purse_is_never_cut(at_the_table: tuple[Staffed, Api, Looking]) -> None:
    """However long the name is."""
    _, _, ada = at_the_table
    for window in WINDOWS:
        ada.page.set_viewport_size({"width": window[0], "height": window[1]})
        expect(ada.page.locator(HELD)).to_have_text("· $500.00")
        ada.page.wait_for_function(f"(held) => ({WHOLE})(document.querySelector(held))", arg=HELD)


HELD = ".tw-head .tw-held"
"""What a player has, in the head of the page."""
WHOLE = """(all) => {
  const { left, right } = all.getBoundingClientRect();
  const held = all.parentElement.getBoundingClientRect();
  return left >= held.left - 1 && right <= Math.min(held.right, innerWidth) + 1;
}"""
"""Whether all of an element shows in the one that cuts it off."""


SEEN_CARD = f"""(name) => {{
  const cards = [...document.querySelectorAll('.tw-live .tw-card')];
  const card = cards.find((each) => each.querySelector('title')?.textContent === name);
  card.dataset.seen = 'asked';
  const seen = ({SEEN})('[data-seen=asked]');
  delete card.dataset.seen;
  return seen;
}}"""
"""The same of a card by its name."""
