"""Nothing in any name or text runs as code in another's browser: every string somebody can store or send, shown to
every role.
"""

from __future__ import annotations

from itertools import cycle
from urllib.parse import quote

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.web.conftest import Enter
from tests.web.service import Staffed
from tests.web.serving import Api, Server

LIMITS = {"table_minimum": "5", "table_maximum": "500"}

RAN = "window.ran = 1"
STRINGS = [
    f"<script>{RAN}</script>",
    f'<img src=x onerror="{RAN}">',
    f"<svg onload='{RAN}'></svg>",
    f'"><img src=x onerror={quote("x")}><img src=x onerror="{RAN}">',
    f"</title></svg><img src=x onerror='{RAN}'>",
    "<iframe srcdoc='<script>parent.ran = 1</script>'></iframe>",
    f"{{{{constructor.constructor('{RAN}')()}}}}",
    f"' onmouseover='{RAN}' autofocus onfocus='{RAN}' x='",
    f"javascript:{RAN}",
    "</script><script>parent.ran=window.ran=1</script>",
    "\u202e<b>right to left</b>\u0000",
]
"""Each would run, or be taken for markup, if a page put it in as it is."""


FIELDS = ("/law?q=", "/law/pa-spanish-21?q=", "/law/pa-spanish-21?kind=", "/rounds?player=", "/rounds?table=")
"""What a page gives back of what was asked."""


@pytest.fixture(scope="module")
def marked(server: Server, admin: Api) -> tuple[Staffed, Api]:
    """A table whose ledger holds every string, wherever the service stores one, and a round to replay."""
    table = Staffed(server, "pa-spanish-21", admin, **LIMITS)
    table.floor.do(table.name, "open_table", dealer=table.dealer_name)
    table.follow()
    ada = table.seat("Ada", [3])
    table.follow()
    table.wager(ada, 3)
    table.begin("9C 7H KC KS")
    ada.do(table.name, "decide", action="stand", box=3)
    table.collect()
    for text in STRINGS[:-1]:
        table.dealer.do(table.name, "handle_cards_refused", who=text)
    return table, ada


def quiet(page: Page) -> None:
    """Nothing ran on this page."""
    assert page.evaluate("() => window.ran") is None, page.url


def test_strings_stored_at_a_table_are_text_for_every_role(
    marked: tuple[Staffed, Api], admin: Api, server: Server, enter: Enter
) -> None:
    """Player, dealer, floorperson, auditor, administrator and visitor see the words, not what they try to do."""
    table, ada = marked
    auditor = admin.account(server.base, "Aud", "auditor")
    for who in (ada, table.dealer, table.floor, auditor, admin, None):
        page = enter(table.address, who)
        expect(page.locator("[data-part=story]")).to_contain_text(STRINGS[1])
        quiet(page)
    for path in (f"/rounds/{table.name}/1", "/rounds", "/"):
        page.goto(server.base + path)
        page.wait_for_selector("main")
        quiet(page)


def test_strings_in_a_search_are_text(server: Server, enter: Enter) -> None:
    """Every field that a page gives back."""
    page = enter(server.base)
    worst = [(path, STRINGS[3]) for path in FIELDS]
    rest = zip(cycle(FIELDS), STRINGS, strict=False)
    for path, text in (*worst, *rest):
        page.goto(server.base + path + quote(text))
        page.wait_for_selector("main")
        quiet(page)


@pytest.mark.parametrize("text", STRINGS)
def test_no_such_name_is_taken(server: Server, admin: Api, text: str) -> None:
    """Guests, accounts and tables: a name with markup in it is refused with a sentence."""
    guest = Api(server.base).send("POST", "/session/guest", {"name": text})
    account = admin.send("POST", "/accounts", {"name": text, "role": "dealer", "password": "correct horse"})
    table = admin.send("POST", "/tables", {"name": text, "rulebook": "pa-spanish-21"})
    assert [answer.status_code for answer in (guest, account, table)] == [422, 422, 422]
    assert all(answer.json()["why"] for answer in (guest, account, table))


def test_a_strange_but_good_name_is_shown_as_it_is(server: Server, enter: Enter) -> None:
    """Letters of any language, an apostrophe, a full stop."""
    api = Api.guest(server.base, "Zoë d'Ž. 李")
    page = enter(server.base, api)
    expect(page.locator("[data-part=purse]")).to_contain_text("Zoë d'Ž. 李")


def test_the_strings_would_run(browser: Browser) -> None:
    """Negative control: put into a page as they are, some of these do run, and `quiet` sees it."""
    page = browser.new_page()
    for text in STRINGS[:3]:
        page.set_content(f"<p>{text}</p>")
        page.wait_for_function("() => window.ran === 1")
    with pytest.raises(AssertionError):
        quiet(page)
    page.close()
