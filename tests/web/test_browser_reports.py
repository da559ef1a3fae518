"""Reports and prices in a browser: figures as the commands have them, on the page, on paper and in files."""

from __future__ import annotations

import csv
import json
import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.web.conftest import Enter
from tests.web.service import Staffed, on_duty
from tests.web.serving import Api, Server
from tests.web.test_browser_desk import said, well
from tests.web.test_browser_desk_games import quickly
from twentyone.money import Amount, dollars
from twentyone.rulebook import Rulebook
from twentyone.web.pages.figures import points

BOOK = "classic-blackjack"
CHEAP = "pa-down-under-blackjack"
"""The game whose changes are worked out soonest."""


def cells(page: Page, part: str) -> list[list[str]]:
    """What a table of the page says, row by row."""
    rows = page.locator(f"[data-part={part}] tbody").first.locator("tr")
    found: list[list[str]] = rows.evaluate_all(
        "rows => rows.map((row) => [...row.cells].map((cell) => cell.innerText))"
    )
    return found


@pytest.mark.prove
def test_a_shift_is_reported_on_the_page_on_paper_and_in_files(
    server: Server, admin: Api, enter: Enter, capsys: pytest.CaptureFixture[str]
) -> None:
    table = Staffed(server, BOOK, admin, table_minimum="5", table_maximum="500")
    ann = table.with_player(1, "Ann")
    table.wager(ann, 1, "10")
    table.begin("AS 7H KS KD")
    table.collect()
    page = enter(f"{server.base}/", on_duty(admin, server.base, "Uma", "auditor"))
    page.get_by_role("link", name="Reports").click()
    page.get_by_label("Table").select_option(table.name)
    page.get_by_role("button", name="Make the report").click()
    expect(page.locator("[data-part=verdict]")).to_have_text("Every chip is accounted for.")
    well(page)
    body = said(capsys, "report", str(server.log.parent / "live.db"), "--table", table.name)
    (due,) = body["tables"]
    assert (due["rounds"], due["win"]) == (1, "-15")
    figures = [dollars(Amount(due[name])).replace("-", "−") for name in ("drop", "win")]
    (own, whole) = cells(page, "sheet-tables")
    assert [own[0], *own[1:3]] == [table.name, *figures]
    assert own[1:-1] == whole[1:-1]
    dealer, _ = cells(page, "sheet-dealers")
    assert dealer[:3] == [body["dealers"][0]["dealer"], *figures]
    assert [row[3] for row in cells(page, "sheet-events")] == [event["says"] for event in body["significant_events"]]
    check_files(page, body)
    page.emulate_media(media="print")
    expect(page.locator(".tw-head")).to_be_hidden()
    expect(page.get_by_role("button", name="Print")).to_be_hidden()
    expect(page.locator("[data-part=sheet-tables]")).to_be_visible()


def check_files(page: Page, body: dict[str, Any]) -> None:
    with page.expect_download() as got:
        page.get_by_role("link", name="Tables as CSV").click()
    (row,) = csv.DictReader(got.value.path().read_text().splitlines())
    due = body["tables"][0]
    for name, column in {"drop": "Drop", "win": "Win", "wagered": "Wagered", "rounds": "Rounds"}.items():
        assert row[column] == str(due[name]), name
    with page.expect_download() as got:
        page.get_by_role("link", name="Report as JSON").click()
    told = json.loads(got.value.path().read_text())
    assert {name: told[name] for name in ("tables", "totals")} == {name: body[name] for name in ("tables", "totals")}


@pytest.mark.prove
def test_every_choice_and_rule_is_priced_with_the_dearest_first(
    server: Server, enter: Enter, capsys: pytest.CaptureFixture[str]
) -> None:
    quickly(Rulebook.load(CHEAP).under())
    page = enter(f"{server.base}/odds?game={CHEAP}")
    page.get_by_role("button", name="Price every choice and rule").click()
    prices = page.locator("[data-part=prices]")
    expect(prices).to_be_visible()
    body = said(capsys, "effects", CHEAP)
    due = sorted((row["effect"] for row in body["effects"] if row["effect"]), key=lambda effect: -abs(effect))
    due = [effect for effect in due if points(effect) != points(0)]
    shown = cells(page, "prices")
    assert [row[-1] for row in shown] == [points(effect) for effect in due]
    widths = (
        prices.locator("tbody")
        .first.locator("tr svg rect")
        .evaluate_all("bars => bars.map((bar) => Number(bar.getAttribute('width')))")
    )
    assert len(widths) == len(due)
    assert widths == sorted(widths, reverse=True)
    prices.get_by_text("One card removed from the shoe").click()
    for row in body["removal"]:
        expect(prices.locator("#prices-cards")).to_contain_text(points(row["effect"]))
    expect(prices).to_contain_text(re.compile(r"\d+ changes without an effect"))
    well(page)
