"""The pages: found, read, used at a desk and on a phone, in light and dark, without a fault that axe knows."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from playwright.sync_api import Page, expect

from tests.web.axe import axe_finds
from tests.web.conftest import SIZES, Enter
from tests.web.inline import Inline
from tests.web.looking import Looking
from tests.web.service import Staffed, on_duty
from tests.web.serving import Api, Server, serving
from twentyone.script import replay
from twentyone.web.security import PAGE_POLICY

LIMITS = {"table_minimum": "5", "table_maximum": "500"}


class Played(NamedTuple):
    """A table with one round in the ledger and another in progress."""

    table: Staffed
    player: Api
    name: str


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A house with few tables: axe reads every line of a page, and other tests open many."""
    folder = tmp_path_factory.mktemp("pages")
    with serving(str(folder / "pages.db"), folder) as up:
        yield up


@pytest.fixture(scope="module")
def admin(server: Server) -> Api:
    return Api.administrator(server)


@pytest.fixture(scope="module")
def played(server: Server, admin: Api) -> Played:
    """A split, a rescue and a win are stored; now 14 against a 7 is asked."""
    table = Staffed(server, "pa-spanish-21", admin, **LIMITS)
    ada = table.with_player(4)
    table.wager(ada, 4, "10")
    table.begin("8C 7H 8D KS")
    ada.do(table.name, "decide", action="split", box=4)
    table.deal("3C")
    ada.do(table.name, "decide", action="double", box=4, amount="10")
    table.deal("9S")
    ada.do(table.name, "decide", action="rescue", box=4)
    table.deal("QS")
    ada.do(table.name, "decide", action="stand", box=4)
    table.collect()
    table.wager(ada, 4, "25", match_the_dealer="5")
    table.begin("9C 7H 5D KD")
    return Played(table, ada, ada.get("/me")["name"])


# -- tables


def test_a_name_is_asked_for_once(server: Server, page: Page) -> None:
    """The field on the page of tables, not a box of the browser's: kept here, used at the next table too."""
    page.fill("[data-part=guest]", "Grace")
    page.click("[data-rulebook=classic-blackjack] [data-act=sit]")
    Looking(page).purse("Grace")
    page.click("[data-part=leave]")
    expect(page.locator("[data-part=story]")).to_contain_text("leaves the table")
    page.click("[data-act=logout]")
    expect(page.locator("dialog")).to_contain_text("$500.00 of play money")
    page.get_by_role("button", name="Stay").click()
    Looking(page).purse("Grace")
    page.click("[data-act=logout]")
    page.get_by_role("button", name="Log out and lose it").click()
    expect(page.locator("[data-part=guest]")).to_have_value("Grace")


def test_sitting_down_at_a_box_from_the_felt(server: Server, enter: Enter) -> None:
    """A visitor who watches a table takes a box by keyboard and is a guest with play money."""
    page = enter(f"{server.base}/table/pa-double-back-jack")
    looker = Looking(page)
    page.wait_for_function("() => window.twentyone.view.phase !== 'closed'")
    page.locator("[name=guest]").fill("Hedy")
    page.locator("[data-box='5']").focus()
    page.keyboard.press("Enter")
    looker.purse("Hedy · $500.00")
    expect(page.locator("g.box.mine")).to_have_attribute("data-box", "5")
    page.click("[data-part=leave]")


def test_a_guest_without_chips_buys_in_again(server: Server, admin: Api, enter: Enter) -> None:
    """Less than the least wager left: the bar offers play money; with enough, the server refuses it."""
    table = Staffed(server, "classic-blackjack", admin, **LIMITS)
    ada = table.with_player(3)
    rich = ada.send("POST", f"/tables/{table.name}/buy-in")
    assert (rich.status_code, "$5" in rich.json()["why"]) == (409, True)
    ada.do(table.name, "tip", amount="497")
    looker = Looking(enter(table.address, ada))
    looker.clicks("buy-in")
    looker.purse("$503.00")


def test_staff_open_and_close_a_table_under_a_submission(server: Server, admin: Api, enter: Enter) -> None:
    """What the rulebook refuses is named with its paragraph; a good submission opens; closing is one button."""
    page = enter(f"{server.base}/", admin)
    form = page.locator("form[data-act=open-table]")
    form.locator("[name=rulebook]").select_option("pa-spanish-21")
    expect(form.locator("[name=name]")).to_have_value("pa-spanish-21-2")
    form.locator("[name=name]").fill("table-of-the-test")
    form.get_by_text("as JSON").click()
    form.locator("[name=submission]").fill('{"decks": 7}')
    form.locator("button").click()
    expect(form.locator("[data-part=wrong]")).to_contain_text("635a.")
    form.locator("[name=submission]").fill('{"decks": ')
    form.locator("button").click()
    expect(form.locator("[data-part=wrong]")).to_contain_text("JSON")
    form.locator("[name=submission]").fill("{}")
    book = form.locator("[data-book=pa-spanish-21]")
    book.get_by_label("Decks in the shoe").select_option("8")
    book.get_by_label("The largest Spanish 21 Wager").fill("200")
    book.get_by_text("more choices").click()
    book.get_by_label("the decks come preinspected and preshuffled").select_option("yes")
    book.get_by_text("readings of the text").click()
    book.get_by_label("double on 21").select_option("soft-only")
    book.get_by_label("split aces").select_option("one-card")
    form.locator("[name=cards]").select_option("person")
    form.locator("button").click()
    card = page.locator("article", has_text="table-of-the-test")
    expect(card).to_contain_text("$5–$200 · 8 decks")
    expect(card).to_contain_text("closed")
    on_duty(admin, server.base, "Dan", "dealer")
    admin.account(server.base, "Flo", "floorperson").do("table-of-the-test", "open_table", dealer="Dan")
    page.reload()
    card.get_by_role("button", name="Close").click()
    page.get_by_role("button", name="Close the table").click()
    expect(card).to_contain_text("closed")
    expect(card.get_by_role("button", name="Close")).to_have_count(0)


def test_meters_and_two_paytables_go_through_the_form(server: Server, admin: Api, enter: Enter) -> None:
    """Md. 12.D(6): figures of meters are fields of the form; the meter of the new table stands at its reset amount."""
    page = enter(f"{server.base}/", admin)
    form = page.locator("form[data-act=open-table]")
    form.locator("[name=rulebook]").select_option("md-spanish-21")
    form.locator("[name=name]").fill("wheels-of-the-test")
    book = form.locator("[data-book=md-spanish-21]")
    book.get_by_text("more choices").click()
    book.locator("[name=bonus_spin]").select_option("A, C")
    book.locator("[name=progressive]").fill('{"bonus_spin_A": {"rate": "0.05", "reset": "999"}}')
    form.locator("button").click()
    expect(form.locator("[data-part=wrong]")).to_contain_text("12.D(6)(b)(i)")
    book.locator("[name=progressive]").fill('{"bonus_spin_A": {"rate": "0.05", "reset": "1500"}}')
    book.locator("[name=wheel_weights]").fill('{"bonus_spin_A": {"jackpot": 1, "10": 9}}')
    form.locator("button").click()
    card = page.locator("article", has_text="wheels-of-the-test")
    expect(card).to_contain_text("$1,500.00")
    expect(card).to_contain_text("$5,000.00")


# -- rounds


def test_rounds_are_found_replayed_and_taken_away(played: Played, enter: Enter, tmp_path: Path) -> None:
    """Search by player, drag the slider, read the paragraph, download a script that deals the same round again."""
    page = enter(f"{played.table.server.base}/rounds", played.table.floor)
    page.fill("[name=player]", played.name.upper())
    page.select_option("[name=table]", played.table.name)
    page.click("button[type=submit]")
    expect(page.locator("tbody tr")).to_have_count(2)
    page.locator("tbody a[href^='/rounds/']").click()
    slider = page.locator("[data-part=slider]")
    last = page.wait_for_function("() => +document.querySelector('[data-part=slider]')?.max || null").json_value()
    slider.evaluate("(it, at) => { it.value = at; it.dispatchEvent(new Event('input')); }", last)
    expect(page.locator("[data-part=say]")).to_contain_text(f"{last + 1} of {last + 1}")
    expect(page.locator(".tw-live .tw-card title", has_text="king of spades")).to_have_count(1)
    slider.press("Home")
    expect(page.locator(".tw-live .tw-card")).to_have_count(0)
    page.click("[data-act=on]")
    expect(page.locator("[data-part=say]")).to_contain_text("2 of ")
    page.get_by_role("button", name="Play").click()
    expect(page.locator("[data-part=say]")).to_contain_text("4 of ")
    page.get_by_role("button", name="Pause").click()
    slider.press("Home")
    page.click("[data-act=on]")
    page.locator("[data-part=say] .tw-chip").click()
    expect(page.locator("[data-part=why]")).to_contain_text("58 Pa. Code § 635a.")
    page.get_by_text("Rebuilt from the discard rack").click()
    expect(page.locator("[data-part=rack]")).to_contain_text("8♣ 3♣ 9♠")
    with page.expect_download() as got:
        page.click("text=Round script")
    file = tmp_path / "script.json"
    got.value.save_as(file)
    verdict = replay(file.read_text())
    assert verdict.exit == 0
    assert json.loads(file.read_text())["rulebook"] == "pa-spanish-21"


def test_the_ledger_is_verified_from_the_page(played: Played, enter: Enter) -> None:
    """A floorperson presses the button; a player does not have it."""
    page = enter(f"{played.table.server.base}/rounds", played.table.floor)
    page.click("[data-act=verify]")
    expect(page.locator("[data-part=verified]")).to_contain_text("All well")
    expect(enter(f"{played.table.server.base}/rounds", played.player).locator("[data-act=verify]")).to_have_count(0)


# -- law


def test_law_is_searched_and_read(server: Server, enter: Enter) -> None:
    """Search over all books, then one entry with its kind, its clause, its code and its tests."""
    page = enter(f"{server.base}/law")
    page.fill("[name=q]", "rescue")
    page.click("button[type=submit]")
    page.get_by_role("link", name="58 Pa. Code § 635a.10(d)").click()
    entry = page.locator("[id='635a.10(d)']")
    expect(entry).to_be_in_viewport()
    expect(entry).to_contain_text("implemented by")
    entry.get_by_role("button", name="its tests").click()
    expect(entry.locator("ul")).to_contain_text("635a.10/d")
    page.get_by_role("link", name="submission 1").click()
    expect(page.locator("article.tw-entry")).to_have_count(1)
    page.fill("[name=q]", "no such words at all")
    page.click("button[type=submit]")
    expect(page.locator("main")).to_contain_text("0 of 155 paragraphs")


# -- every page, both widths, both schemes


def pages(played: Played) -> dict[str, tuple[str, Api | None]]:
    """Addresses of all pages, each with who looks at it."""
    floor, table = played.table.floor, played.table.name
    return {
        "tables": ("/", None),
        "tables-staff": ("/", floor),
        "login": ("/login", None),
        "people": ("/people", played.table.admin),
        "pit": ("/pit", floor),
        "server": ("/server", played.table.admin),
        "coupons": ("/coupons", floor),
        "table": (f"/table/{table}", played.player),
        "console": (f"/table/{table}", played.table.dealer),
        "tables-seated": ("/", played.player),
        "game": (f"/game/{table}", None),
        "you": ("/you", played.player),
        "rounds": ("/rounds", floor),
        "replay": (f"/rounds/{table}/1", floor),
        "law": ("/law?q=rescue", None),
        "book": ("/law/pa-double-back-jack?q=insurance", None),
        "compare": ("/compare?a=pa-spanish-21&given=decks%3D6&other_given=decks%3D8", None),
        "desk": ("/desk", played.table.admin),
        "learn": ("/learn", None),
        "missing": (f"/rounds/{table}/99", floor),
    }


ALL = (
    "tables",
    "tables-staff",
    "login",
    "people",
    "pit",
    "server",
    "coupons",
    "table",
    "console",
    "tables-seated",
    "game",
    "you",
    "rounds",
    "replay",
    "law",
    "book",
    "compare",
    "desk",
    "learn",
    "missing",
)
READY = {
    "compare": ".rl-row >> nth=0",
    "table": "[data-action=stand]",
    "console": "[data-part=choose] option >> nth=0",
    "replay": "[data-part=story] li >> nth=0",
    "pit": "[data-part=rows] tr >> nth=0",
}
"""What must be there before a page is looked at."""


@pytest.mark.parametrize("name", ALL)
def test_a_page_has_no_script_and_no_style_of_its_own(played: Played, name: str) -> None:
    """Everything that runs or dresses a page is a file of ours: no inline script, style or handler, nothing foreign."""
    path, who = pages(played)[name]
    answer = (who or Api(played.table.server.base)).http.get(path)
    found = Inline(answer.text)
    assert found.wrong == []
    assert found.scripts, "the page has no script at all"
    assert answer.headers["content-security-policy"] == PAGE_POLICY


def test_what_is_inline_would_be_found() -> None:
    """Negative control."""
    text = '<p style="x" onclick="x"><script>x</script><style>x</style><a href="javascript:x"></a><img src="//x/y">'
    assert len(Inline(text).wrong) == 6


def shown(played: Played, enter: Enter, name: str, size: str, scheme: str = "dark") -> Page:
    """A page, complete."""
    path, who = pages(played)[name]
    page = enter(played.table.server.base + path, who, size, color_scheme=scheme)
    page.wait_for_selector(READY.get(name, "main"), state="attached")
    return page


@pytest.mark.parametrize("name", ALL)
def test_a_page_is_well(played: Played, enter: Enter, name: str, artefacts: Path) -> None:
    """No violation that axe knows, dark and light; in both sizes as wide as the screen, and a picture of it is kept."""
    page = shown(played, enter, name, "desk")
    assert axe_finds(page) == ""
    for width, height in SIZES.values():
        page.set_viewport_size({"width": width, "height": height})
        page.screenshot(path=artefacts / f"{name}-{width}.png")
        assert page.evaluate("() => document.documentElement.scrollWidth") == width


@pytest.mark.prove
@pytest.mark.parametrize("name", ALL)
def test_a_page_is_well_on_a_phone(played: Played, enter: Enter, name: str) -> None:
    page = shown(played, enter, name, "phone")
    assert page.evaluate("() => document.documentElement.scrollWidth") == SIZES["phone"][0]
    assert axe_finds(page) == ""


def test_axe_finds_what_is_wrong(server: Server, page: Page) -> None:
    """Negative control: a field without a name, and light on light in the light theme alone, are found."""
    page.wait_for_selector("main")
    page.evaluate("() => document.querySelector('main').insertAdjacentHTML('beforeend', '<input id=bare>')")
    assert "label" in axe_finds(page)
    page.evaluate("() => { document.querySelector('#bare').outerHTML = '<p id=pale>pale words</p>'; }")
    page.evaluate("() => { document.querySelector('#pale').style.color = '#eee'; }")
    found = axe_finds(page)
    assert (found.startswith("light: "), "color-contrast" in found) == (True, True), found


def test_on_a_phone_the_decisions_are_within_reach(played: Played, enter: Enter) -> None:
    """Every button lies in the first screen, at least 44 pixels high; the felt shows the player's own box."""
    page = shown(played, enter, "table", "phone")
    for button in page.locator("[data-part=actions] button").all():
        box = button.bounding_box()
        assert box is not None
        assert (box["height"] >= 44, box["y"] + box["height"] <= 844) == (True, True)
    own = page.locator("g.box.mine .main").bounding_box()
    assert own is not None
    assert 0 <= own["x"] <= 390 - own["width"]


MISSING = {
    "/nowhere": ("There is no page at this address.", "/"),
    "/table/nowhere": ("There is no table 'nowhere'.", "/"),
    "/rounds/nowhere/1": ("There is no round 1 of a table “nowhere”.", "/rounds"),
    "/rounds/pa-spanish-21/999999": ("There is no round 999999 of a table “pa-spanish-21”.", "/rounds"),
    "/rounds/pa-spanish-21/x": ("There is no round x of a table “pa-spanish-21”.", "/rounds"),
    "/law/nowhere": ("There is no rulebook “nowhere”.", "/law"),
}
"""Addresses of nothing: what is said, and where the button leads."""


def test_what_is_not_there_is_said_and_leads_to_what_is(server: Server, enter: Enter) -> None:
    """A page of our own, with status 404, and a button that goes on."""
    page = enter("about:blank")
    for path, (says, end) in MISSING.items():
        answer = page.goto(server.base + path)
        assert answer is not None
        assert (answer.status, page.url) == (404, server.base + path)
        expect(page.locator("main")).to_contain_text(says)
        expect(page.get_by_role("navigation", name="pages")).to_be_visible()
        expect(page.locator("main a")).to_have_attribute("href", end)
    page.locator("main a").click()
    expect(page).to_have_url(f"{server.base}/law")


def test_a_link_that_was_used_says_so(server: Server, admin: Api, enter: Enter) -> None:
    """The administrator's link works once; whoever follows it again reads why it does not, on a page of ours."""
    page = enter(server.link)
    expect(page.get_by_role("heading", name="Not for you")).to_be_visible()
    page.locator("main a").click()
    expect(page).to_have_url(f"{server.base}/")
