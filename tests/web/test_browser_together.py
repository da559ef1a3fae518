"""Several people at one table, live: what one does the others see; a broken line and a killed server cost nothing."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from playwright.sync_api import Page, Route, expect

from tests.patience import PATIENCE
from tests.web.conftest import Enter
from tests.web.looking import Looking
from tests.web.service import Staffed
from tests.web.serving import Api, Server, start

AWAY = 8
"""How often a command is sent in vain before the server is back: for longer than the page once tried."""
LIMITS = {"table_minimum": "5", "table_maximum": "500"}


def test_what_one_lays_the_other_sees(server: Server, admin: Api, enter: Enter) -> None:
    """Two browsers: names at the boxes, the wager of one on the felt of the other, each asked in his own turn."""
    table = Staffed(server, "pa-spanish-21", admin, **LIMITS)
    first = table.with_player(2)
    second = table.seat("Bob", [4])
    ada, bob = (Looking(enter(table.address, player)) for player in (first, second))
    expect(ada.page.locator("g.box[data-box='4'] .number")).to_contain_text("Bob")
    bob.clicks("chip-25")
    expect(bob.page.locator(".tw-draft")).to_have_count(1)
    expect(ada.page.locator(".tw-live .tw-stack")).to_have_count(0)
    bob.clicks("lay")
    expect(ada.page.locator(".tw-live .tw-stack title", has_text="$25")).to_have_count(1)
    ada.clicks("chip-5", "lay")
    expect(bob.page.locator(".tw-live .tw-stack")).to_have_count(2)
    table.begin("9C 8C 7H KC 8D KS")
    ada.asked("Your 19 against a 7")
    bob.asked("plays box 2")
    expect(bob.button("stand")).to_have_count(0)
    ada.press("s", "stand")
    bob.asked("Your 16 against a 7")
    bob.press("s", "stand")
    ada.sees("king of spades")
    ada.purse("$505.00")
    bob.purse("$475.00")


def test_rebet_and_clear_and_a_second_box(server: Server, admin: Api, enter: Enter) -> None:
    """Chips are laid on two boxes, cleared before they are laid, and laid again as in the round before."""
    table = Staffed(server, "pa-spanish-21", admin, **LIMITS)
    ada = Looking(enter(table.address, table.with_player(3)))
    ada.page.locator("g.box[data-box='4']").focus()
    ada.page.keyboard.press("Enter")
    ada.settled()
    ada.clicks("pick-box-4", "chip-5", "clear")
    expect(ada.page.locator(".tw-draft")).to_have_count(0)
    ada.clicks("chip-25", "pick-box-3", "chip-5", "lay")
    ada.purse("$470.00")
    table.begin("9C 8C 7H KC KD KS")
    ada.press("s", "stand")
    ada.asked("Your 18")
    ada.press("s", "stand")
    table.collect()
    ada.clicks("rebet")
    expect(ada.page.locator(".tw-live .tw-stack:not(.tw-draft)")).to_have_count(2)
    ada.purse("$500.00")


def test_who_looks_waits_for_the_answer(server: Server, admin: Api, enter: Enter) -> None:
    """On a slow line the dealer goes on only after the player has seen the answer; a bare key shows the difference."""
    table = Staffed(server, "pa-spanish-21", admin, **LIMITS)
    player = table.with_player(3)
    table.wager(player, 3)
    table.begin("9C 7H KC KS")
    ada = Looking(enter(table.address, player))
    ada.asked("Your 19 against a 7")
    held = list[Route]()
    ada.page.route("**/commands", lambda route: held.append(route))
    ada.page.keyboard.press("s")
    while not held:
        ada.page.wait_for_timeout(20)
    assert table.dealer.command(table.name, "collect_cards").status_code == 409
    assert not ada.page.evaluate("() => window.twentyone.live.settled")
    held[0].continue_()
    ada.settled()
    table.collect()
    ada.page.unroute("**/commands")
    ada.page.route("**/commands", _late)
    ada.clicks("chip-5", "lay")
    table.begin("9C 7H KC KS")
    ada.press("s", "stand")
    table.collect()


def _late(route: Route) -> None:
    """A command that reaches the server a moment late."""
    time.sleep(0.4)
    route.continue_()


def test_two_players_on_one_box(server: Server, admin: Api, enter: Enter) -> None:
    """Section 13(m): the second needs the first one's consent; the seated one calls, both are paid."""
    table = Staffed(server, "s13-spanish-21", admin, players_per_box=2, **LIMITS)
    first = table.with_player(3)
    second = table.seat("Bob", [5])
    ada, bob = (Looking(enter(table.address, player)) for player in (first, second))
    ada.clicks("chip-5", "lay")
    ada.story("lays $5.00 on box 3: main§")
    bob.page.locator("g.box[data-box='3'] .main").click()
    bob.clicks("chip-25", "lay")
    bob.refused("has not consented")
    ada.clicks("consent")
    ada.story("lets Bob")
    bob.clicks("lay")
    bob.story("lays $25.00 on box 3")
    table.begin("9C 7H KC KS")
    ada.asked("Your 19 against a 7")
    expect(bob.button("stand")).to_have_count(0)
    ada.press("s", "stand")
    ada.purse("$505.00")
    bob.purse("$525.00")


def test_a_refresh_goes_on_with_the_round(server: Server, admin: Api, enter: Enter) -> None:
    """A page loaded again in mid-round shows the cards, the story and the decision that is asked."""
    table = Staffed(server, "pa-spanish-21", admin, **LIMITS)
    player = table.with_player(3)
    table.wager(player, 3)
    table.begin("9C 7H 5D KS")
    page = enter(table.address, player)
    Looking(page).asked("Your 14 against a 7")
    page.reload()
    ada = Looking(page)
    ada.asked("Your 14 against a 7")
    ada.sees("9 of clubs", "5 of diamonds", "7 of hearts", "an unknown card face down")
    ada.story("is dealt 9♣")


class Line:
    """The way of a player's commands to the server, which a test cuts: before the server, or on the way back."""

    def __init__(self, page: Page) -> None:
        self.keys = list[str]()
        self.cut = ""
        self._page, self._in_hand = page, False
        page.route("**/commands", self._pass)
        while not self._in_hand:  # the browser may let a request through after it was told not to
            page.evaluate("() => fetch('/line/commands')")

    def _pass(self, route: Route) -> None:
        if route.request.method == "GET":
            self._in_hand = True
            route.fulfill(status=204)
            return
        self.keys.append((route.request.post_data_json or {})["key"])
        if self.cut == "back":
            route.fetch()
        if self.cut:
            route.abort()
        else:
            route.continue_()

    def tried(self, times: int) -> None:
        """Wait until a command was sent so often, each time with the same key; then the line is whole again."""
        while len(self.keys) < times:
            self._page.wait_for_timeout(20)
        assert len(set(self.keys)) == 1
        self.cut = ""


def test_a_decision_is_kept_while_the_server_is_away(server: Server, admin: Api, enter: Enter) -> None:
    """It is shown as waiting and nothing else can be pressed; then it happens once, or the page says that it did not.

    The server does not get it; gets it and is not heard; the tab is loaded again; the table has moved on.
    """
    table = Staffed(server, "pa-spanish-21", admin, **LIMITS)
    player, other = table.with_player(3), table.seat("Bob", [5])
    table.wager(player, 3)
    table.begin("2C 7H 2D KS")
    ada = Looking(enter(table.address, player))
    ada.asked("Your 4 against a 7")
    for cut, card in (("there", "3C"), ("back", "4C")):
        line = Line(ada.page)
        line.cut = cut
        ada.page.keyboard.press("h")
        expect(ada.part("gone")).to_contain_text("Your “hit” waits")
        expect(ada.part("actions")).to_have_attribute("inert", "")
        ada.page.keyboard.press("s")
        line.tried(3)
        ada.settled()
        expect(ada.part("gone")).to_be_hidden()
        expect(ada.part("actions")).not_to_have_attribute("inert", "")
        table.deal(card)
        ada.page.unroute("**/commands")
        ada.current()
    ada.asked("Your 11 against a 7")
    line = Line(ada.page)
    line.cut = "there"
    ada.page.keyboard.press("h")
    expect(ada.part("gone")).to_contain_text("Your “hit” waits")
    ada.page.reload()
    line.cut = ""
    Looking(ada.page).settled()
    assert len(set(line.keys)) == 1
    table.deal("2H")
    ada.asked("Your 13 against a 7")
    line.keys.clear()
    line.cut = "there"
    ada.page.keyboard.press("h")
    expect(ada.part("gone")).to_contain_text("waits")
    other.do(table.name, "tip", amount="1")
    line.tried(2)
    expect(ada.page.locator(".tw-toast")).to_contain_text("had moved on")
    ada.asked("Your 13 against a 7")
    ada.press("s", "stand")
    table.turned()
    hits = [row["says"] for row in admin.get(f"/tables/{table.name}/story") if "hit" in row["says"]]
    assert len(hits) == 3


def _other_scripts(route: Route) -> None:
    """A server of another version: it has a file of this name, which may not be kept under this address."""
    if route.request.method == "HEAD":
        route.fulfill(headers={"cache-control": "no-cache"})
    else:
        route.fallback()


@pytest.mark.prove
def test_killed_in_mid_round_both_browsers_go_on(tmp_path: Path, enter: Enter) -> None:
    """SIGKILL, then a start on the same port and ledger: the pages say it, come back by themselves, and play on.

    What was decided meanwhile, however long that is, is kept and happens once. A page whose server has other scripts
    than its own loads itself anew, and plays on, too.
    """
    ledger = str(tmp_path / "killed.db")
    server = start(ledger, tmp_path)
    port = int(server.base.rpartition(":")[2])
    table = Staffed(server, "pa-spanish-21", Api.administrator(server), **LIMITS)
    first, second = table.with_player(2), table.seat("Bob", [4])
    for box, player in ((2, first), (4, second)):
        table.wager(player, box)
    table.begin("9C 8C 7H KC 8D KS")
    ada, bob = (Looking(enter(table.address, player)) for player in (first, second))
    ada.asked("Your 19 against a 7")
    before = ada.part("stage").bounding_box()
    for looker in (ada, bob):
        looker.page.evaluate("() => { window.before = true; }")
    bob.page.route("**/theme+*.js", _other_scripts)
    server.kill()
    for looker in (ada, bob):
        expect(looker.part("gone")).to_be_visible()
    assert ada.part("stage").bounding_box() == before
    failed = list[str]()
    ada.page.on("requestfailed", lambda request: failed.append(request.url) if "/commands" in request.url else None)
    ada.page.keyboard.press("s")
    expect(ada.part("gone")).to_contain_text("Your “stand” waits")
    while len(failed) < AWAY:
        ada.page.wait_for_timeout(50)
    server = start(ledger, tmp_path, port)
    try:
        for looker, kept in ((ada, True), (bob, False)):
            expect(looker.part("gone")).to_be_hidden()
            looker.page.wait_for_function("it => Boolean(window.before) === it && window.twentyone?.view", arg=kept)
        bob.asked("Your 16 against a 7")
        bob.press("s", "stand")
        ada.purse("$510.00")
        bob.purse("$490.00")
        report = Api.administrator(server).post("/verify")
        assert report["faults"] == []
    finally:
        server.process.terminate()
        server.process.wait(PATIENCE)
