"""Time as people see it: rings for every clock, the pace of who is alone, the cut, boxes taken and given back."""

from __future__ import annotations

import re
import uuid

from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]
from playwright.sync_api import expect

from tests.web.conftest import Enter
from tests.web.looking import Looking
from tests.web.service import Staffed
from tests.web.serving import Api, Server

LIMITS = {"table_minimum": "5", "table_maximum": "500"}
WATCH = """() => {
  window.seen = [];
  const part = (name) => window.twentyone.part(name);
  const rings = () => document.querySelectorAll('.tw-felt .tw-ring').length;
  const look = () => window.seen.push([part('say').textContent, part('clock').ariaLabel, rings()].join(' / '));
  new MutationObserver(look).observe(window.twentyone.root, { subtree: true, childList: true, attributes: true });
}"""
"""Keep every sentence, clock and number of rings that a page shows, however short."""


def automatic(server: Server, admin: Api, rulebook: str = "pa-spanish-21") -> str:
    """A table that automatic staff works; answers its name."""
    name = f"auto-{uuid.uuid4().hex[:6]}"
    admin.post("/tables", {"name": name, "rulebook": rulebook, "submission": LIMITS, "cards": "shoe"})
    return name


def test_clocks_cut_and_pace_of_a_player_who_is_alone(server: Server, admin: Api, enter: Enter) -> None:
    """He is asked for the cut if he wants to be, within a ring; he sets the pace while nobody else plays."""
    name, player = automatic(server, admin), Api.guest(server.base, "Ada")
    called = player.get("/me")["name"]
    ada = Looking(enter(f"{server.base}/table/{name}", player, reduced_motion="no-preference"))
    expect(ada.part("pace")).to_be_hidden()
    expect(ada.part("housecut")).to_be_hidden()
    ada.page.evaluate("() => window.twentyone.clocks.house.click()")
    ada.page.evaluate(WATCH)
    looked = ada.page.locator("[data-action=have_looked]")
    ada.page.add_locator_handler(looked, lambda button: button.click())
    ada.clicks("sit-4")
    expect(ada.button("lay")).to_be_visible()
    ada.story("The clock declines the cut for")
    seen = ada.page.evaluate("() => window.seen")
    assert any(re.match(r"You may cut the cards.* / [1-5] s for your cut / 1$", row) for row in seen), set(seen)
    expect(ada.part("story")).not_to_contain_text(f"{called} declines")
    ada.part("housecut").check()
    ada.part("pace").select_option("instant")
    ada.page.wait_for_function("() => window.twentyone.view.pace === 'instant'")
    ada.clicks("chip-25", "lay")
    ada.page.wait_for_function("() => window.twentyone.view.phase !== 'open'")
    bob = Api.guest(server.base, "Bob")
    bob.do(name, "sit", boxes=[2])
    expect(ada.part("pace")).to_be_hidden()
    assert ada.page.evaluate("() => window.twentyone.view.pace") == "normal"
    ada.finishes(0)
    visitor = Looking(enter(f"{server.base}/table/{name}", size="phone"))
    expect(visitor.part("pace")).to_be_hidden()
    bob.do(name, "leave")
    expect(ada.part("pace")).to_be_visible()
    admin.post(f"/tables/{name}/commands", {"do": "reshuffle", "args": {}, "key": uuid.uuid4().hex})
    ada.story(f"{called} declines the cut")


def test_rings_of_decisions_and_a_box_given_back(server: Server, admin: Api, enter: Enter) -> None:
    """Everybody sees the clock of who decides, without motion in steps; a second box is taken and given back."""
    table = Staffed(server, "pa-spanish-21", admin, **LIMITS)
    player = table.with_player(3)
    ada = Looking(enter(table.address, player))
    ada.page.locator("g.box[data-box='4'] .main").click()
    ada.settled()
    ada.page.locator("g.box[data-box='5'] .main").click()
    expect(ada.page.locator(".tw-toast")).to_contain_text("You may wager on 2 boxes")
    expect(ada.button("give_back")).to_have_text("Give back box 3")
    ada.clicks("pick-box-4", "give_back")
    assert ada.page.evaluate("() => window.twentyone.view.you.boxes") == [3]
    expect(ada.button("give_back")).to_have_count(0)
    ada.page.locator("g.box[data-box='4'] .main").click()
    ada.settled()
    ada.clicks("pick-box-4", "chip-5", "lay")
    expect(ada.button("give_back")).to_have_count(0)
    ada.clicks("pick-box-3", "give_back")
    assert ada.page.evaluate("() => window.twentyone.view.you.boxes") == [4]
    table.begin("9C 7H KC KS")
    visitor = Looking(enter(table.address, size="phone", color_scheme="light"))
    for looker, words in ((ada, "for your decision"), (visitor, "for a decision")):
        expect(looker.page.locator("g.box[data-box='4'] .tw-ring")).to_be_attached()
        expect(looker.part("clock")).to_be_visible()
        assert words in (looker.part("clock").get_attribute("aria-label") or "")
        assert not Axe().run(looker.page).response["violations"]
    assert visitor.page.evaluate("() => document.querySelector('.tw-ring').getAnimations().length") == 0
    ada.press("s", "stand")
    expect(ada.part("clock")).to_be_hidden()
    expect(ada.page.locator(".tw-felt .tw-ring")).to_have_count(0)
    table.collect()
