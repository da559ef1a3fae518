"""Learn in a browser: each of the six games from what differs to its chart, and a round of it replayed."""

from __future__ import annotations

import re
from html import unescape

import pytest
from playwright.sync_api import expect

from tests.web.conftest import Enter
from tests.web.serving import Api, Server
from tests.web.test_browser_desk import figures, said, well
from twentyone.odds.edges import known_edge
from twentyone.rulebook import loaded_rulebooks
from twentyone.rulebook.differences import differences, pay_table
from twentyone.strategy import CellKey, default_strategy
from twentyone.web.pages.figures import share

SMALL = "classic-blackjack"
"""The game whose page is read by axe, and whose rounds are replayed."""


def test_every_game_is_told_from_its_rulebook(server: Server) -> None:
    """What differs from Blackjack, what is paid, the edge that the package knows, a cell of the chart: all six."""
    visitor = Api(server.base).http
    contents = visitor.get("/learn").text
    for book in loaded_rulebooks()[0]:
        rules = book.under()
        assert f'href="/learn/{book.id}"' in contents
        text = unescape(visitor.get(f"/learn/{book.id}").text)
        assert all(fact.says in text for fact in differences(rules))
        assert all(f"{row.says[:1].upper()}{row.says[1:]}" in text for row in pay_table(rules))
        edge = known_edge(rules)
        assert edge is not None
        assert f'data-figure="house_edge">{share(edge)}<' in text
        cell = default_strategy(rules).cell(CellKey("first", "", "hard", "16", "10"))
        assert cell is None or f"first, hard 16 against 10: {cell}" in text
    assert visitor.get("/learn/none").status_code == 404


@pytest.mark.prove
def test_a_round_of_a_lesson_is_replayed_on_the_board(
    server: Server, enter: Enter, capsys: pytest.CaptureFixture[str]
) -> None:
    """It was played best: the board finds no mistake in it."""
    page = enter(f"{server.base}/learn/{SMALL}", size="phone", color_scheme="light")
    expect(page.locator("[data-part=rounds] tbody tr")).to_have_count(5)
    well(page)
    assert figures(page) == {"house_edge": share(said(capsys, "odds", SMALL)["house_edge"])}
    asked = page.locator("[data-part=rounds] [data-ask]").evaluate_all("all => all.map((one) => one.dataset.ask)")
    assert len(set(asked)) == len(asked)
    page.get_by_role("button", name="Replay round 2").click()
    page.wait_for_url(re.compile("own="))
    expect(page.locator("[data-part=story] li").first).to_be_visible()
    expect(page.locator("article[data-mark=mistake]")).to_have_count(0)
    assert page.locator("[data-figure=mistakes]").inner_text() == "$0.0000"
