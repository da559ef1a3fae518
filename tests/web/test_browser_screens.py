"""What the consoles and the felt show to each who looks: a card drawn in error, a correction, what is paid, wagers as
before."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from tests.web.conftest import Enter
from tests.web.looking import Looking
from tests.web.service import Staffed
from tests.web.serving import Api, Server

LIMITS = {"table_minimum": "5", "table_maximum": "500"}
PAYMENTS = """(count) => {
  const { console, view } = window.twentyone;
  const row = { hand: 1, player: 'Ben', wager: 'main', outcome: 'won', amount: '10', net: '10', cite: '58 Pa. Code § 635a.10(a)' };
  view.payments = Array.from({ length: count }, (_, index) => ({ ...row, box: index + 1 }));
  console.show(view);
}"""
CUT_OFF = "(list) => list.scrollHeight > list.clientHeight + 1"


def of_guests(server: Server, admin: Api, **guests: int) -> Staffed:
    """A table, open, with guests without devices."""
    table = Staffed(server, "pa-spanish-21", admin, **LIMITS)
    table.open()
    for name, box in guests.items():
        table.dealer.do(table.name, "seat_guest", player=name, boxes=[box])
        table.dealer.do(table.name, "buy_in", player=name, amount="200")
        table.players[name] = table.dealer
    table.follow()
    return table


def lays(table: Staffed, name: str, box: int, amount: str = "10") -> None:
    answer = table.dealer.enters(table.name, name, "place_wager", box=box, amount=amount)
    assert answer.is_success, answer.text


def again(page: Page) -> Looking:
    """The page, loaded again."""
    page.reload()
    looking = Looking(page)
    expect(looking.part("console")).to_be_visible()
    return looking


def test_a_card_drawn_in_error_lies_on_the_felt_for_everybody(server: Server, admin: Api, enter: Enter) -> None:
    """Beside the hand of who plays, before he has decided; the sentence names it to all."""
    table = Staffed(server, "pa-spanish-21", admin, **LIMITS)
    player = table.with_player(3)
    table.wager(player, 3, "10")
    table.begin("9C 6D 2H JS")
    pages = [Looking(enter(table.address, who)) for who in (player, table.dealer, None)]
    table.dealer.do(table.name, "happened", name="card_drawn_in_error", exposed=True, card="KH")
    for page in pages:
        page.sees("king of hearts")
        expect(page.badge("next card")).to_have_count(1)
        page.asked("K♥ was drawn in error and is the next card.")


def test_nothing_else_is_entered_while_an_entry_is_corrected(server: Server, admin: Api, enter: Enter) -> None:
    """One of two pads works: before, a card pressed on the other was dealt."""
    table = of_guests(server, admin, Ben=2)
    lays(table, "Ben", 2)
    table.begin("9C")
    dan = Looking(enter(table.address, table.dealer))
    expect(dan.part("deal")).to_be_visible()
    dan.part("console").locator("[data-wrong='9C']").click()
    expect(dan.part("right").locator(".tw-pad")).to_be_visible()
    for name in ("deal", "now"):
        expect(dan.part(name)).to_have_attribute("inert", "")
    dan.page.keyboard.press("8")
    assert dan.page.evaluate("() => !document.activeElement.matches('.tw-card-field')")
    dan.part("right").locator("[data-card='8C']").click()
    dan.sees("8 of clubs")
    for name in ("deal", "now"):
        expect(dan.part(name)).not_to_have_attribute("inert", "")


def test_every_payment_shows_and_the_next_round_says_nothing_of_the_last(
    server: Server, admin: Api, enter: Enter
) -> None:
    """All rows of the pay list without scrolling in it; after a reload the wagers of all are still one press."""
    table = of_guests(server, admin, Eva=2, Kit=4)
    dan = Looking(enter(table.address, table.dealer))
    lays(table, "Eva", 2)
    lays(table, "Kit", 4, "25")
    table.begin("KC QD 9H KS JC 3H")
    for name, box in (("Eva", 2), ("Kit", 4)):
        answer = table.dealer.enters(table.name, name, "decide", action="stand", box=box)
        assert answer.is_success, answer.text
    table.turned()
    table.deal("7H")
    expect(dan.part("aloud")).to_contain_text("19")
    dan = again(dan.page)
    expect(dan.part("aloud")).to_contain_text("19")
    expect(dan.part("payments").locator("li")).to_have_count(2)
    dan.page.evaluate(PAYMENTS, 7)
    expect(dan.part("payments").locator("li")).to_have_count(7)
    assert not dan.part("payments").evaluate(CUT_OFF)
    table.collect()
    table.follow()
    dan = again(dan.page)
    expect(dan.part("deal")).to_be_visible()
    expect(dan.part("aloud")).to_have_count(0)
    dan.part("deal").locator("[data-signal=everybody]").click()
    dan.page.wait_for_function("() => window.twentyone.view.boxes.filter((box) => box.placed.length).length === 2")
    laid = {box["box"]: [row["amount"] for row in box["placed"]] for box in table.view["boxes"] if box["placed"]}
    assert laid == {2: ["10"], 4: ["25"]}
