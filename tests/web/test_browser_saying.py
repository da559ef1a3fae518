"""What the page says to a player: prices of offers, his result and its paragraph; the live region in the same words."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.web.conftest import Enter
from tests.web.looking import Looking
from tests.web.service import Staffed
from tests.web.serving import Api, Server

LIMITS = {"table_minimum": "5", "table_maximum": "500"}
REFUSED = "() => window.twentyone.command('decide', { action: 'split', box: 3 })"
UNCITED = """() => window.twentyone.push({
  log: [{ n: 1e12, says: 'a line without a paragraph', cite: '', kind: 'command' }], view: window.twentyone.view,
})"""


def test_a_round_is_told_from_the_offer_to_the_next_wager(server: Server, admin: Api, enter: Enter) -> None:
    """635a.10(d), 635a.12(a): a rescue has its price and a hint; the result stays with its paragraph until a wager."""
    table = Staffed(server, "pa-spanish-21", admin, **LIMITS)
    player = table.with_player(3)
    table.wager(player, 3, "50", match_the_dealer="5")
    table.begin("8C 8H 3D KS")
    ada = Looking(enter(table.address, player))
    logged: list[str] = []
    ada.page.on("console", lambda said: logged.append(said.text))
    ada.asked("Your 11 against an 8. Your decision.")
    expect(ada.button("surrender")).to_contain_text("give up $25")
    ada.part("marks").check()
    ada.page.evaluate(REFUSED)
    ada.refused("not identical in value")
    assert logged == [], "a refusal is said on the page, and is no fault of it"
    ada.press("d", "double")
    table.deal("9S")
    ada.asked("Your 20 against an 8. Rescue: take back $50, give up $50?")
    expect(ada.button("rescue")).to_contain_text("take back $50, give up $50")
    expect(ada.part("announce")).to_have_text("Your 20 against an 8. Rescue: take back $50, give up $50?")
    ada.page.keyboard.press("?")
    expect(ada.part("worth")).to_contain_text("rescue−1.0000")
    ada.press("n", "decline")
    table.turned()
    told = "Together +$120. Your 20 beats the dealer's 18: +$100. Match the dealer pays 4 to 1: +$20."
    expect(ada.part("announce")).to_have_text(told)
    expect(ada.part("say").locator(".tw-chip")).to_have_text(["§ 635a.12(a)", "§ 635a.12(e)(1)"])
    expect(ada.part("why")).to_contain_text("58 Pa. Code § 635a.12(a)")
    expect(ada.part("why").get_by_text("replay of round 1")).to_have_attribute("href", f"/rounds/{table.name}/1")
    expect(ada.part("why").locator("a")).to_have_count(2)
    assert {link.get_attribute("target") for link in ada.part("why").locator("a").all()} == {"_blank"}
    expect(ada.part("mark")).to_have_text("Best play.")
    table.dealer.do(table.name, "collect_cards")
    ada.asked("Match the dealer pays 4 to 1: +$20.")
    ada.asked("Lay your next wager.")
    expect(ada.part("announce")).to_have_text("Lay your next wager.")
    table.wager(player, 3, "10")
    expect(ada.part("say")).to_have_text("Your wager is laid: wait for the cards.")
    expect(ada.part("mark")).to_be_empty()


def test_a_line_without_a_paragraph_has_no_chip(server: Server, admin: Api, enter: Enter) -> None:
    """What the service did by itself cites nothing: no empty button stands beside it. A wager is told once."""
    table = Staffed(server, "pa-spanish-21", admin, **LIMITS)
    player = table.with_player(3)
    ada = Looking(enter(table.address, player))
    table.wager(player, 3, "10")
    table.begin("8C")
    ada.story("lays $10.00 on box 3: main")
    ada.page.evaluate(UNCITED)
    expect(ada.part("story").locator("li").first).to_have_text("A line without a paragraph")
    expect(ada.part("story").locator("li").first.locator("button")).to_have_count(0)
    story = ada.part("story").inner_text()
    assert ("places" in story, "are to be dealt" in story) == (False, False)


def test_an_exposed_card_is_named_to_who_may_refuse_it(server: Server, admin: Api, enter: Enter) -> None:
    """635a.13(d): the card that lies there, what it makes, and what a refusal means."""
    table = Staffed(server, "pa-spanish-21", admin, **LIMITS)
    player = table.with_player(3)
    table.wager(player, 3, "10")
    table.begin("9C 6D 2H JS")
    ada = Looking(enter(table.address, player, size="phone"))
    ada.press("h", "hit")
    table.dealer.do(table.name, "happened", name="card_drawn_in_error", exposed=True, card="8S")
    ada.asked(
        "8♠ was drawn in error and is the next card. Take the card: 8♠ makes 19; or refuse the card: you stay at 11"
    )
    expect(ada.button("refuse")).to_contain_text("you stay at 11 and draw no more")
    expect(ada.part("hints")).to_be_visible()
