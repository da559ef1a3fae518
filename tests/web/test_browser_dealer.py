"""The dealer's console: nothing closes another's choice by Enter, cards in any case, his side, keys and touch."""

from __future__ import annotations

from itertools import count

import pytest
from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]
from playwright.sync_api import Locator, expect

from tests.web.conftest import SIZES, Enter
from tests.web.looking import Looking, enters
from tests.web.room import LIMITS
from tests.web.service import Staffed
from tests.web.serving import Api, Server


def presses_enter(dealer: Looking) -> bool:
    """Press Enter where the focus is; whether the table moved on."""
    before = dealer.version
    dealer.page.keyboard.press("Enter")
    dealer.settled()
    return dealer.version > before


def test_enter_closes_nothing_that_is_anothers(server: Server, admin: Api, enter: Enter) -> None:
    """635a.8(a): who was offered insurance answers himself; the button that ends it names him and has no focus.

    The same for wagers that somebody may still lay, and for the cut, which is not the dealer's while it is offered.
    """
    table = Staffed(server, "pa-spanish-21", admin, **LIMITS)
    ada, bob = table.with_player(2), table.seat("Bob", [4])
    first, second = table.players
    dealer = Looking(enter(table.address, table.dealer))
    now = dealer.part("now")
    table.wager(ada, 2)
    dealer.current()
    expect(now.locator("[data-do=deal]")).to_have_text(f"Deal: {second} has not wagered")
    now.focus()
    assert not presses_enter(dealer)
    table.wager(bob, 4)
    dealer.current()
    expect(now.locator("[data-do=deal]")).to_have_text("Deal")
    now.locator("[data-do=deal]").focus()
    assert presses_enter(dealer)
    for card in ("9c", "8C", " ah", "5♣", "8d"):
        dealer.page.keyboard.type(card)
        assert presses_enter(dealer), card
    assert presses_enter(dealer), "the hole card lies face down"
    close = now.locator("[data-do=decide]")
    expect(close).to_have_text(f"Close insurance: {first}, {second} have not answered")
    assert not presses_enter(dealer)
    ada.do(table.name, "decide", action="decline", box=2)
    dealer.current()
    expect(close).to_have_text(f"Close insurance: {second} has not answered")
    expect(close).not_to_be_focused()
    assert not presses_enter(dealer)
    close.click()
    dealer.settled()
    expect(now.locator("[data-answer]")).to_have_text(["No Blackjack", "Blackjack"])
    assert not presses_enter(dealer), "what the reader told is never said by Enter alone"
    now.locator("[data-answer=false]").click()
    dealer.settled()
    for player, box in ((ada, 2), (bob, 4)):
        player.do(table.name, "decide", action="stand", box=box)
    dealer.does("turn_card", card="7s")
    dealer.does("collect_cards")
    table.floor.do(table.name, "reshuffle")
    dealer.does("shuffle")
    dealer.does("offer_cut")
    expect(now.locator("[data-step=cut]")).to_have_count(0)
    expect(now.locator("[data-do=decline_cut]")).to_have_text(f"{second} does not cut")
    assert not presses_enter(dealer)


NUMBERS = count(1)
"""No two guests of a house have the same name."""


@pytest.fixture
def felt(server: Server, admin: Api) -> Staffed:
    """Ben and Cy without devices, their wagers laid."""
    table = Staffed(server, "s13-spanish-21", admin, **LIMITS)
    table.open()
    number = next(NUMBERS)
    guests = ((f"Ben {number}", 2), (f"Cy {number}", 5))
    for name, box in guests:
        table.dealer.do(table.name, "seat_guest", player=name, boxes=[box])
        table.dealer.do(table.name, "buy_in", player=name, amount="100")
    table.follow()
    for name, box in guests:
        assert table.dealer.enters(table.name, name, "place_wager", box=box, amount="10").is_success
    return table


def middle(element: Locator) -> tuple[float, float]:
    """Where an element is seen."""
    box = element.bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def test_the_table_from_the_dealers_side(felt: Staffed, enter: Enter) -> None:
    """Box 1 is at his left and his own cards are nearest; he may look from the players' side, and the browser knows."""
    dealer = Looking(enter(felt.address, felt.dealer))
    dealer.does("deal")
    enters(dealer, "9C 8C 7H")
    boxes = {number: dealer.page.locator(f"g.box[data-box='{number}'] .main") for number in (1, 2, 5, 7)}
    mine, bens = dealer.card("7 of hearts"), dealer.card("9 of clubs")

    def seen() -> list[bool]:
        left, right = middle(boxes[1])[0], middle(boxes[7])[0]
        (across, below), near = middle(bens), middle(boxes[2])
        return [left < right, middle(mine)[1] > below, abs(across - near[0]) < 60]

    assert seen() == [True, True, True]
    dealer.part("side").click()
    assert seen() == [False, False, True]
    dealer.page.reload()
    again = Looking(dealer.page)
    assert seen() == [False, False, True]
    again.part("side").click()
    assert seen() == [True, True, True]
    guest = Looking(enter(felt.address, Api.guest(felt.server.base, "Zoe")))
    expect(guest.part("side")).to_be_hidden()
    expect(guest.part("deal")).to_be_hidden()


def test_a_round_by_keys_alone_with_what_is_said_aloud(felt: Staffed, enter: Enter) -> None:
    """Cards are typed wherever the focus is, signals have their keys; totals are announced as 13(g) orders."""
    dealer = Looking(enter(felt.address, felt.dealer))
    dealer.page.keyboard.press("Tab")
    dealer.does("deal")
    for card in ("9c", "8c", "7h", "5c", "jd"):
        dealer.page.keyboard.type(card)
        assert presses_enter(dealer), card
    assert presses_enter(dealer), "the hole card"
    expect(dealer.part("aloud")).to_contain_text("box 2 has 14", ignore_case=True)
    dealer.page.evaluate("() => document.activeElement?.blur()")
    before = dealer.version
    dealer.page.keyboard.press("h")
    dealer.page.wait_for_function("old => window.twentyone.view.version > old", arg=before)
    dealer.page.keyboard.type("4s")
    assert presses_enter(dealer)
    expect(dealer.part("aloud")).to_contain_text("box 2 has 18", ignore_case=True)


@pytest.mark.prove
@pytest.mark.parametrize("size", SIZES)
def test_the_console_by_touch_and_without_a_fault_that_axe_knows(felt: Staffed, enter: Enter, size: str) -> None:
    """At every width a card is one touch away, large enough, and the page is not wider than the screen."""
    scheme = "light" if size == "phone" else "dark"
    dealer = Looking(enter(felt.address, felt.dealer, size, has_touch=True, color_scheme=scheme))
    expect(dealer.part("deal")).to_be_visible()
    assert Axe().run(dealer.page).violations_count == 0
    deal = dealer.page.locator("[data-act=due]" if size == "phone" else "[data-do=deal]")
    deal.tap()
    dealer.settled()
    for card in ("9C", "8C", "7H", "5C", "KD", "unknown"):
        dealer.part("deal").locator(f"[data-card='{card}']").tap()
        dealer.settled()
    row = dealer.part("deal").locator("[data-guest^=Ben]")
    expect(row).to_contain_text("14 against 7")
    row.locator("[data-signal=stand]").tap()
    dealer.settled()
    dealer.part("deal").locator("[data-guest^=Cy] [data-signal=hit]").tap()
    dealer.settled()
    keys = [key.bounding_box() for key in dealer.part("deal").locator(".tw-key").all()]
    assert len(keys) == 48
    assert all(key is not None and key["height"] >= 44 and key["width"] >= 40 for key in keys)
    assert Axe().run(dealer.page).violations_count == 0
    assert dealer.page.evaluate("() => document.documentElement.scrollWidth") <= SIZES[size][0]
