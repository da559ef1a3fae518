"""The layout as it is drawn: every rank and suit shows, badges cover nothing, chips lie on their areas and go where
they belong, a wheel tells nothing before it stands."""

from __future__ import annotations

import uuid
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.web.conftest import Enter
from tests.web.looking import Looking
from tests.web.service import Staffed
from tests.web.serving import Api, Server
from tests.web.views import hand, table, views
from twentyone.rulebook import rulebook_ids

FAULTS = (Path(__file__).parent / "felt.js").read_text(encoding="utf-8")
"""Draws views on the page and answers what is wrong with each."""
AREAS = "() => [...new Set([...document.querySelectorAll('g.box g.area')].map((area) => area.dataset.wager))]"
RANGES = "() => [...document.querySelectorAll('g.dealer-area')].map((area) => area.dataset.range)"
EACH = 10
"""Random tables of each layout."""
LIMITS = {"table_minimum": "5", "table_maximum": "500"}


def drawn(page: Page) -> dict[str, Any]:
    """The table that a page shows; from now on it draws what the test says."""
    page.wait_for_function("() => window.twentyone?.begun")
    page.evaluate("() => { window.twentyone.push = () => null; }")
    shown: dict[str, Any] = page.evaluate("() => window.twentyone.view")
    return shown


def draw(page: Page, view: dict[str, Any]) -> list[str]:
    """Draw one view; answers what is wrong with it."""
    found: list[list[str]] = page.evaluate(FAULTS, [view])
    return found[0]


def widths(page: Page) -> list[float]:
    """How wide the upright cards are on the screen."""
    cards = page.locator(".tw-live > .tw-card").all()
    return [box["width"] for card in cards if (box := card.bounding_box()) is not None]


def test_every_corner_shows_and_badges_cover_nothing(server: Server, admin: Api, enter: Enter) -> None:
    """Random tables of every layout, one to four hands of two to eight cards on a box: nothing covers a rank, a suit or
    an amount, no badge meets another, everything lies on the layout."""
    wheels = f"felt-{uuid.uuid4().hex[:6]}"
    body = {"name": wheels, "rulebook": "md-spanish-21", "submission": {"bonus_spin": "A"}, "cards": "shoe"}
    admin.post("/tables", body)
    page = enter(f"{server.base}/")
    for name in (*rulebook_ids(), wheels):
        page.goto(f"{server.base}/table/{name}")
        shown, areas = drawn(page), page.evaluate(AREAS)
        areas = [*(wager for wager in areas if wager != "main"), "insurance"]
        made = views(shown, areas, page.evaluate(RANGES), seed="wheels" if name == wheels else name, count=EACH)
        wrong = {number: faults for number, faults in enumerate(page.evaluate(FAULTS, made)) if faults}
        assert not wrong, f"{name}: {wrong}"


def test_every_corner_shows_from_the_dealers_side(server: Server, admin: Api, enter: Enter) -> None:
    """The same from where the dealer stands: also the cards of a double and of a second chance, on every box."""
    table_ = Staffed(server, "pa-double-back-jack", admin, **LIMITS)
    page = enter(table_.address, table_.dealer)
    expect(page.locator(".tw-felt.tw-turned")).to_have_count(1)
    shown = drawn(page)
    for box in (row["box"] for row in shown["boxes"]):
        laid = (
            [hand("8C 3D 9S", sideways=("9S",)), hand("8D QS")]
            if box % 2
            else [hand("5C 6D KS 3C", sideways=("KS", "3C"))]
        )
        assert draw(page, table(shown, {box: laid})) == [], box


@pytest.mark.parametrize(("size", "card", "split"), [("desk", 60, 30), ("phone", 48, 24)])
def test_cards_are_large(server: Server, enter: Enter, size: str, card: int, split: int) -> None:
    """A full table of hands of two and three cards at the full size; a hand split in four is still easy to read."""
    page = enter(f"{server.base}/table/pa-spanish-21", size=size)
    shown = drawn(page)
    numbers = [row["box"] for row in shown["boxes"]]
    full = {box: [hand("10H 9S" if box % 2 else "10C 2D 10S")] for box in numbers}
    assert draw(page, table(shown, full)) == []
    assert min(widths(page)) >= card, widths(page)
    small: list[int] = []
    for box in numbers:
        four = [hand("8H 10S 10D"), hand("8C 2C"), hand("8D 10H"), hand("8S 3S")]
        assert draw(page, table(shown, {box: four})) == []
        small.append(round(min(widths(page))))
    assert min(small) >= split, small


def test_the_equipment_is_as_full_as_it_is(server: Server, enter: Enter) -> None:
    """No cards are drawn where there are none; backs have the colour of the deck."""
    page = enter(f"{server.base}/table/pa-spanish-21")
    shown = drawn(page)
    cards, backs = page.locator("g.equipment .cards"), page.locator(".tw-card .back").first
    draw(page, {**table(shown, {1: [hand("10H 9S")]}), "shoe": None, "rack": 0})
    assert [one.is_visible() for one in cards.all()] == [False, False]
    shoe = {"number": 1, "size": 288, "left": 72, "backs": "red", "cover_seen": False, "commitment": "", "cover": None}
    draw(page, {**table(shown, {1: [hand("10H 9S")]}), "shoe": shoe, "rack": 144})
    red = backs.evaluate("(back) => getComputedStyle(back).fill")
    assert [one.is_visible() for one in cards.all()] == [True, True]
    draw(page, {**table(shown, {1: [hand("10H 9S")]}), "shoe": {**shoe, "backs": "blue"}, "rack": 144})
    assert backs.evaluate("(back) => getComputedStyle(back).fill") != red


def test_a_phone_reaches_every_box(server: Server, enter: Enter) -> None:
    """The layout is wider than a phone and is moved sideways, by itself to the own box; the page is not. A finger needs
    no names of keys."""
    page = enter(f"{server.base}/table/pa-spanish-21", size="phone", has_touch=True, is_mobile=True)
    shown = drawn(page)
    expect(page.locator("[data-part=hints] kbd")).to_have_css("display", "none")
    for box in (1, 7):
        page.locator(f"g.box[data-box='{box}'] .main").scroll_into_view_if_needed()
        expect(page.locator(f"g.box[data-box='{box}'] .main")).to_be_in_viewport(ratio=0.9)
    assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
    view = {**table(shown, {7: [hand("10H 9S")]}), "you": {**shown["you"], "boxes": [7]}}
    page.evaluate("(view) => { window.twentyone.view = view; window.twentyone.show(false); }", view)
    expect(page.locator("g.box.mine .main")).to_be_in_viewport(ratio=0.9)


# -- what moves

LIES_STILL = "() => [...document.querySelectorAll('.tw-live > .tw-card')].every((card) => !card.getAnimations().length)"
"""No card is on its way from the shoe any more."""
RECORD = """() => {
  window.moved = [];
  const animate = Element.prototype.animate;
  Element.prototype.animate = function (frames, options) {
    const now = animate.call(this, frames, options);
    if (this.classList.contains('disc')) now.pause();
    const title = this.querySelector('title')?.textContent || '';
    window.moved.push([title, frames.at(-1).translate || '', options.duration]);
    return now;
  };
}"""
"""Notes what moves whither; a wheel stands still as soon as it turns, until the test lets it go on."""
MOVED = "(what) => window.moved.filter(([title]) => title.includes(what)).map(([, whither]) => whither)"


def moved(page: Page, what: str) -> list[str]:
    """Whither something went: `0 0` is where it was laid."""
    ways: list[str] = page.evaluate(MOVED, what)
    return ways


def upwards(way: str) -> bool:
    return float(way.split()[1].removesuffix("px")) < 0


def test_lost_chips_go_to_the_tray_and_the_hand_stays_until_the_next_wager(
    server: Server, admin: Api, enter: Enter
) -> None:
    """A lost side wager moves to the dealer, the chips of a won hand to the player; at the deal the main chip does not
    move. The settled hand stays, faint, with its result, until the next wager lies there."""
    table_ = Staffed(server, "pa-spanish-21", admin, **LIMITS)
    player = table_.with_player(3)
    ada = Looking(enter(table_.address, player, reduced_motion="no-preference"))
    main = f"{player.get('/me')['name']} $10"
    table_.wager(player, 3, "10", match_the_dealer="5")
    expect(ada.page.locator(".tw-live .tw-stack")).to_have_count(2)
    ada.page.evaluate(RECORD)
    table_.begin("9C 7H KD KS")
    expect(ada.badge("−$5")).to_have_count(1)
    assert [upwards(way) for way in moved(ada.page, "match the dealer $5")] == [True]
    assert moved(ada.page, main) == []
    ada.press("s", "stand")
    expect(ada.badge("+$10")).to_have_count(1)
    table_.collect()
    expect(ada.page.locator(".tw-live > .faint.tw-card")).to_have_count(4)
    expect(ada.page.locator(".tw-live .tw-stack")).to_have_count(0)
    assert [upwards(way) for way in moved(ada.page, main)] == [False]
    assert [turn for title, _, turn in ada.page.evaluate("() => window.moved") if title == "king of spades"] == [250]
    for words in ("19", "+$10", "−$5"):
        expect(ada.badge(words)).to_have_count(1)
    table_.wager(player, 3, "10")
    expect(ada.page.locator(".tw-live > .faint")).to_have_count(0)


def test_a_wheel_tells_nothing_before_it_stands(server: Server, admin: Api, enter: Enter) -> None:
    """Purse, badge, story and sentence wait until the wheel has stopped; it covers no card."""
    table_ = Staffed(server, "md-spanish-21", admin, bonus_spin="A", **LIMITS)
    player = table_.with_player(4)
    ada = Looking(enter(table_.address, player, reduced_motion="no-preference"))
    table_.wager(player, 4, "10", bonus_spin="1")
    table_.begin("AS 7H KC 9D")
    ada.asked("The bonus spin wheel turns")
    told = {part: ada.part(part).inner_text() for part in ("say", "story")}
    ada.page.evaluate(RECORD)
    table_.dealer.do(table_.name, "spin", symbol="30+3")
    wheel = ada.page.locator(".tw-wheel")
    expect(wheel).to_be_visible()
    expect(wheel.locator("[data-symbol]")).to_have_count(len(table_.view["wheels"]["bonus_spin"]))
    ada.page.wait_for_function("() => window.twentyone.waiting.some((push) => push.view?.rack > 0 || push.view)")
    assert {part: ada.part(part).inner_text() for part in told} == told
    expect(ada.badge("+$29")).to_have_count(0)
    ada.purse("$489.00")
    ada.page.wait_for_function(LIES_STILL)
    assert not covers(wheel, ada.page.locator(".tw-live > .tw-card"))
    ada.page.evaluate("() => document.querySelector('.tw-wheel .disc').getAnimations()[0].finish()")
    expect(ada.badge("+$29")).to_have_count(1)
    ada.story("30+3")


def covers(one: Locator, others: Locator) -> bool:
    """Whether something lies over one of the others."""
    box = one.bounding_box()
    assert box is not None
    rows = [at for other in others.all() if (at := other.bounding_box()) is not None]
    return any(
        box["x"] < at["x"] + at["width"] and at["x"] < box["x"] + box["width"]
        and box["y"] < at["y"] + at["height"] and at["y"] < box["y"] + box["height"]
        for at in rows
    )  # fmt: skip
