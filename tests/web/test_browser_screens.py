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
  const row = { hand: 1, player: 'Ben', wager: 'main', outcome: 'won', amount: '10', net: '10', cite: '' };
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


# -- sessions and names


def test_a_session_that_is_over_says_so_and_leads_back(server: Server, admin: Api, enter: Enter) -> None:
    """A dealer whose session ended is told so on the page, and is there again after his log-in; other tabs follow."""
    dealer = admin.account(server.base, "Ines", "dealer")
    page = enter(f"{server.base}/rounds", dealer)
    expect(page.locator("[data-part=ended]")).to_have_count(0)
    dealer.post("/session/logout")
    page.goto(f"{server.base}/table/pa-spanish-21")
    expect(page.locator("[data-part=ended]")).to_contain_text("Your session has ended")
    other = page.context.new_page()
    other.goto(f"{server.base}/law")
    expect(other.locator("[data-part=ended]")).to_be_visible()
    page.get_by_role("link", name="Log in and come back").click()
    page.locator("form[data-act=login] [name=name]").fill("Ines")
    page.locator("form[data-act=login] [name=password]").fill("correct horse")
    page.get_by_role("button", name="Log in").click()
    page.wait_for_url("**/table/pa-spanish-21")
    expect(page.locator("[data-part=ended]")).to_have_count(0)
    expect(other.locator("[data-part=ended]")).to_have_count(0)
    page.goto(f"{server.base}/login?to=//evil.example/x")
    page.locator("form[data-act=login] [name=name]").fill("Ines")
    page.locator("form[data-act=login] [name=password]").fill("correct horse")
    page.get_by_role("button", name="Log in").click()
    page.wait_for_url(f"{server.base}/")


def test_a_student_takes_a_name_where_he_trains(server: Server, enter: Enter) -> None:
    """Progress is kept from then on, without a seat at a table; a log-out says that it is lost."""
    page = enter(f"{server.base}/trainer?game=classic-blackjack")
    form = page.locator("form[data-act=name]")
    expect(form).to_contain_text("Nothing is kept until you take a name")
    form.locator("[name=name]").fill("Sofia")
    form.get_by_role("button").click()
    expect(page.locator(".tw-me [data-part=purse]")).to_have_text("Sofia")
    expect(page.locator("[data-part=asked]")).to_have_attribute("data-keeps", "cell")
    page.click("[data-act=logout]")
    expect(page.locator("dialog")).to_contain_text("progress in the trainer")
    page.get_by_role("button", name="Stay").click()
    expect(page.locator(".tw-me [data-part=purse]")).to_have_text("Sofia")


def test_nobody_gives_his_box_away_by_one_press(server: Server, admin: Api, enter: Enter) -> None:
    """Standing up asks first, and stands apart from laying a wager."""
    table = Staffed(server, "pa-spanish-21", admin, **LIMITS)
    ada = Looking(enter(table.address, table.with_player(3)))
    ada.button("stand_behind").click()
    expect(ada.page.locator("dialog")).to_contain_text("Box 3 will be free for anybody")
    ada.page.get_by_role("button", name="Stay seated").click()
    assert table.view["boxes"][2]["players"]
    ada.button("stand_behind").click()
    ada.page.locator("dialog").get_by_role("button", name="Stand up").click()
    expect(ada.button("sit-3")).to_be_visible()


# -- the floor, boxes, meters


def test_a_new_table_waits_at_the_top_of_the_board(server: Server, admin: Api, enter: Enter) -> None:
    """It is asked of the floorperson and counted; one that a person closed rests."""
    table = Staffed(server, "classic-blackjack", admin)
    fay = enter(f"{server.base}/pit", table.floor)
    asked = fay.locator("[data-part=asked] li", has_text=table.name)
    expect(asked.get_by_role("button", name="Open table")).to_be_visible()
    expect(fay.locator("[data-part=count]")).not_to_have_text("0 steps wait for you")
    asked.locator("[name=dealer]").select_option("Dan")
    asked.get_by_role("button", name="Open table").click()
    expect(asked.get_by_role("button", name="Open table")).to_have_count(0)
    table.floor.do(table.name, "close_table")
    row = fay.locator(f"tr[data-table='{table.name}']")
    expect(row).to_contain_text("closed")
    expect(row.get_by_role("button", name="Open table")).to_be_visible()
    expect(asked).to_have_count(0)


def test_only_boxes_beside_the_own_one_look_free(server: Server, admin: Api, enter: Enter) -> None:
    """685a.6(f): several boxes of one player are adjacent; the others are no buttons."""
    table = Staffed(server, "pa-down-under-blackjack", admin, boxes_per_player=2)
    ada = Looking(enter(table.address, table.with_player(3)))
    expect(ada.button("lay")).to_be_visible()
    found = ada.page.evaluate("() => [...document.querySelectorAll('g.box[tabindex]')].map((box) => box.dataset.box)")
    assert sorted(found) == ["2", "4"]


def test_a_meter_to_which_nothing_is_added_says_so(server: Server, admin: Api, enter: Enter) -> None:
    """At the rate 0 the jackpot is a fixed amount, at the table and in the list."""
    table = Staffed(server, "md-spanish-21", admin, bonus_spin="A", **LIMITS)
    page = enter(table.address)
    expect(page.locator("[data-part=meters]")).to_contain_text("a fixed amount: no wager adds to it")
    page.goto(server.base)
    card = page.locator(".tw-game-card", has=page.locator(f"a[href='/table/{table.name}']"))
    expect(card.locator("[data-part=meters]")).to_contain_text("a fixed amount")
