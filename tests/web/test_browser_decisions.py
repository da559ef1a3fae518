"""Decisions in a browser, each round with cards that the test deals: what the page asks, shows and pays.

Every expected amount follows from the paragraph that the test names.
"""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.web.conftest import Enter
from tests.web.looking import Looking
from tests.web.service import Staffed, on_duty
from tests.web.serving import Api, Server

LIMITS = {"table_minimum": "5", "table_maximum": "500"}


def begun(server: Server, admin: Api, enter: Enter, rulebook: str, cards: str, **more: str) -> tuple[Staffed, Looking]:
    """A table with Ada at box 3, ten dollars on it, and these cards dealt."""
    table = Staffed(server, rulebook, admin, **LIMITS)
    ada = table.with_player(3)
    table.wager(ada, 3, "10", **more)
    table.begin(cards)
    return table, Looking(enter(table.address, ada))


def test_split_and_rescue_by_keyboard_alone(server: Server, admin: Api, enter: Enter) -> None:
    """P splits, D doubles, X rescues: 635a.10(d) gives the double back and takes the first wager."""
    table, ada = begun(server, admin, enter, "pa-spanish-21", "8C 7H 8D KS")
    ada.asked("Your 16 against a 7")
    ada.press("p", "split")
    ada.story("split for $10.00")
    table.deal("3C")
    ada.asked("Hand 1 · Your 11 against a 7")
    expect(ada.page.locator(".tw-pointer")).to_have_count(1)
    expect(ada.badge("11").locator("xpath=..")).to_have_class("tw-badge asked")
    ada.press("d", "double")
    table.deal("9S")
    ada.asked("Rescue: take back $10, give up $10?")
    expect(ada.page.locator(".tw-live .tw-stack title", has_text="double $10")).to_have_count(1)
    ada.press("x", "rescue")
    table.deal("QS")
    ada.asked("Hand 2 · Your 18 against a 7")
    ada.press("s", "stand")
    ada.sees("king of spades")
    expect(ada.badge("−$10")).to_have_count(1)
    expect(ada.badge("+$10")).to_have_count(1)
    ada.purse("$500.00")


def test_down_under_lights_and_the_hole_card_that_is_turned_up(server: Server, admin: Api, enter: Enter) -> None:
    """685a.7(h): the light of the hole card's range; with two large cards the hole card is shown before anyone acts."""
    _, ada = begun(server, admin, enter, "pa-down-under-blackjack", "8C 7H 8D KS")
    lit = ada.page.locator("g.dealer-area.lit")
    expect(lit).to_have_attribute("data-range", "large")
    ada.story("the yellow light: the hole card is large")
    expect(ada.card("an unknown card face down")).to_have_count(1)
    expect(ada.card("king of spades")).to_have_count(0)
    expect(ada.badge("7 +")).to_have_count(1)
    _, bea = begun(server, admin, enter, "pa-down-under-blackjack", "8C QH 9D KS")
    bea.sees("king of spades")
    bea.asked("Your 17 against a queen")
    expect(bea.badge("20")).to_have_count(1)


def test_a_refused_decision_is_greyed_with_its_reason_and_paragraph(server: Server, admin: Api, enter: Enter) -> None:
    """Surrender at Down Under: greyed, says why, and the chip opens the entry of the rulebook beside the table."""
    table, ada = begun(server, admin, enter, "pa-down-under-blackjack", "8C 7H 8D KS")
    surrender = ada.button("surrender")
    expect(surrender).to_have_attribute("aria-disabled", "true")
    expect(surrender).to_contain_text("surrender is not available")
    assert "685a.7(i)(2)" in (surrender.get_attribute("title") or "")
    before = table.view["version"]
    ada.press("r", "surrender")
    ada.refused("surrender is not available")
    ada.page.click(".tw-toast .tw-chip")
    expect(ada.part("why")).to_contain_text("58 Pa. Code § 685a.7(i)(2)")
    assert table.view["version"] == before
    ada.page.locator("[data-part=say] .tw-chip").click()
    expect(ada.part("why")).to_contain_text("58 Pa. Code § 685a.7(i)")
    expect(ada.part("why").locator("a")).to_have_attribute("href", "/law/pa-down-under-blackjack#685a.7(i)")


def test_sectors_of_the_wheel_are_as_wide_as_their_weights(server: Server, admin: Api, enter: Enter) -> None:
    """Maryland, two paytables (Ch. 12.D): the wheel of the $5 wager turns, three quarters of it one row."""
    weights = {"bonus_spin_A": {"10": 1}, "bonus_spin_C": {"40": 1, "750+100": 3}}
    table = Staffed(server, "md-spanish-21", admin, bonus_spin=["A", "C"], wheel_weights=weights, **LIMITS)
    ada = Looking(enter(table.address, table.with_player(3)))
    ada.clicks("chip-5", "chip-5", "pick-bonus-spin-1", "pick-bonus-spin-5", "lay")
    ada.purse("$485.00")
    table.begin("AS 7H KC 9D")
    ada.asked("The bonus spin wheel turns")
    Looking(enter(table.address, table.dealer)).does("spin", symbol="750+100")
    wide = ada.page.locator('.tw-wheel [data-symbol="750+100"]')
    expect(wide).to_be_visible()
    assert " A 100 100 0 1 1 " in (wide.get_attribute("d") or ""), "more than half of the disc"
    expect(ada.page.locator(".tw-wheel [data-symbol]")).to_have_count(2)
    expect(ada.badge("+$745")).to_have_count(1)


def test_the_commitment_to_the_wheels_stands_on_the_page(server: Server, admin: Api, enter: Enter) -> None:
    """A table that turns its own wheels: page and story name the commitment before any wager is laid."""
    name = "wheels-of-its-own"
    body = {"name": name, "rulebook": "md-spanish-21", "submission": {"bonus_spin": "A"}, "cards": "shoe"}
    admin.post("/tables", body)
    on_duty(admin, server.base, "Dan", "dealer")
    on_duty(admin, server.base, "Fay", "floorperson").do(name, "open_table", dealer="Dan")
    player = Api.guest(server.base, "Wim")
    mark = player.get(f"/tables/{name}")["wheel_commitment"]
    looker = Looking(enter(f"{server.base}/table/{name}", player))
    expect(looker.part("shoe")).to_contain_text(
        f"The wheels of the next round are committed to as {mark[:4]}…{mark[-4:]}"
    )
    looker.story(mark)


def test_insurance_and_even_money(server: Server, admin: Api, enter: Enter) -> None:
    """685a.7(g): with an ace up, E pays a Blackjack 1 to 1, I lays half the wager, N declines for one's own box."""
    table = Staffed(server, "pa-down-under-blackjack", admin, **LIMITS)
    ada = table.with_player(1)
    bea, cid = table.seat("Bea", [2]), table.seat("Cid", [3])
    for box, player in enumerate((ada, bea, cid), 1):
        table.wager(player, box, "10")
    table.begin("AS 8H 8D AH KC 9D 9C KD")
    lookers = [Looking(enter(table.address, player)) for player in (ada, bea, cid)]
    lookers[2].press("n", "decline")
    lookers[2].story("no insurance")
    lookers[1].press("i", "insure")
    lookers[1].story("insurance")
    expect(lookers[0].page.locator(".tw-live .tw-stack title", has_text="insurance $5")).to_have_count(1)
    lookers[0].press("e", "even_money")
    lookers[0].story("even money")
    for looker, chips in zip(lookers, ("$510.00", "$500.00", "$490.00"), strict=True):
        looker.sees("king of diamonds")
        looker.purse(chips)


def test_a_side_wager_a_key_pressed_twice_and_a_double_for_less(server: Server, admin: Api, enter: Enter) -> None:
    """Three rounds: 635a.12(d): a match of another suit pays 4 to 1 with six decks, 5 wins 20, and the hand loses 10.

    A second press was made on a table that the page had not shown yet: it is refused, and said. 635a.10(a): a double of
    any amount up to the wager; the field says how much.
    """
    table, ada = begun(server, admin, enter, "pa-spanish-21", "7C 7H 9D KS", match_the_dealer="5")
    expect(ada.badge("+$20")).to_have_count(1)
    ada.purse("$510.00")
    ada.press("s", "stand")
    table.collect()
    [player] = table.players.values()
    table.wager(player, 3)
    table.begin("2C 7H 3D KS")
    expect(ada.button("hit")).to_be_visible()
    ada.page.evaluate(
        "() => Promise.all([1, 2].map(() => window.twentyone.command('decide', { action: 'hit', box: 3 })))"
    )
    expect(ada.page.locator(".tw-toast")).to_be_visible()
    table.deal("4C")
    ada.asked("Your 9 against a 7")
    ada.press("s", "stand")
    table.collect()
    table.wager(player, 3)
    table.begin("6C 7H 5D KS")
    ada.page.fill("[name=amount]", "4")
    ada.clicks("double")
    ada.story("double for $4.00")
    ada.purse("$486.00")


@pytest.mark.parametrize("calm", [True, False], ids=["reduced motion", "motion"])
def test_cards_travel_unless_somebody_asks_for_calm(server: Server, admin: Api, enter: Enter, calm: bool) -> None:
    """With reduced motion a card appears; without, it travels: the difference is seen, so the test can fail."""
    table = Staffed(server, "classic-blackjack", admin, **LIMITS)
    player = table.with_player(3)
    ada = Looking(enter(table.address, player, reduced_motion="reduce" if calm else "no-preference"))
    ada.page.evaluate(
        "() => { window.moves = 0; const old = Element.prototype.animate;"
        " Element.prototype.animate = function (...args) { window.moves += 1; return old.apply(this, args); }; }"
    )
    table.wager(player, 3)
    table.begin("6C 7H")
    ada.sees("6 of clubs", "7 of hearts")
    assert (ada.page.evaluate("() => window.moves") == 0) is calm
