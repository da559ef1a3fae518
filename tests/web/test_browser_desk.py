"""The desk in a browser: move a rule, open a cell, upload a chart, simulate, cancel, go on, share."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.web.axe import axe_finds
from tests.web.conftest import SIZES, Enter
from tests.web.serving import Api, Server
from twentyone.cards import Card
from twentyone.cli import main
from twentyone.odds.hand_values import hand_values
from twentyone.odds.report import shown
from twentyone.rulebook import Rulebook
from twentyone.strategy import Cell, CellKey, default_strategy, to_csv
from twentyone.web.pages.figures import figure_said, share

BOOK = "classic-blackjack"
FIGURES = "elements => Object.fromEntries(elements.map((found) => [found.dataset.figure, found.textContent]))"


def said(capsys: pytest.CaptureFixture[str], *words: str) -> dict[str, Any]:
    """What a command says as JSON."""
    assert main([*words, "--json"]) == 0
    body: dict[str, Any] = json.loads(capsys.readouterr().out)
    return body


def figures(page: Page) -> dict[str, str]:
    return dict(page.locator("[data-figure]").evaluate_all(FIGURES))


def well(page: Page) -> None:
    """Nothing that axe knows and nothing that scrolls sideways, at both widths."""
    for width, height in SIZES.values():
        page.set_viewport_size({"width": width, "height": height})
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert axe_finds(page) == "", width
    page.set_viewport_size({"width": SIZES["desk"][0], "height": SIZES["desk"][1]})


def test_a_games_manager_moves_a_rule_and_watches_the_edge(
    server: Server, enter: Enter, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    page = enter(f"{server.base}/odds?game={BOOK}")
    expect(page.locator("[data-figure=house_edge]")).to_be_visible()
    body = said(capsys, "odds", BOOK)
    assert figures(page) == {name: figure_said(form, body[name]) for name, form in forms(body).items()}
    well(page)
    with page.expect_download() as got:
        page.get_by_role("button", name="PAR sheet").click()
    assert got.value.suggested_filename == f"par-{BOOK}.html"
    assert f"{100 * body['house_edge']:.4f}" in got.value.path().read_text()
    page.get_by_label("What a Blackjack earns").select_option("6:5")
    page.wait_for_url(re.compile("submission="))
    expect(page.locator("[data-part=moved]")).to_have_text(re.compile(r"^\+1\.\d{4}\u00a0%$"))
    chosen = tmp_path / "six-to-five.json"
    chosen.write_text('{"blackjack_pays": "6:5"}')
    moved = said(capsys, "odds", BOOK, "--submission", str(chosen))
    expect(page.locator("[data-figure=house_edge]")).to_have_text(share(moved["house_edge"]))
    expect(page.get_by_label("What a Blackjack earns")).to_be_focused()
    page.get_by_label("Side by side with").select_option(BOOK)
    expect(page.locator("[data-part=beside] [data-figure=house_edge]").last).to_have_text(share(body["house_edge"]))
    page.go_back()
    expect(page.locator("[data-figure=house_edge]")).to_have_text(share(moved["house_edge"]))


def forms(body: dict[str, Any]) -> dict[str, str]:
    return {figure.name: figure.form for figure in shown(body)}


@pytest.mark.prove
def test_a_cell_opens_and_a_chart_of_ones_own_is_priced(
    server: Server, enter: Enter, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    rules = Rulebook.load(BOOK).under()
    page = enter(f"{server.base}/strategy?game={BOOK}")
    expect(page.locator("[data-part=worth]")).to_be_visible()
    well(page)
    page.get_by_role("link", name="first, hard 16 against 10: H").click()
    cell = page.locator("[data-part=cell]")
    worth = hand_values(rules, (Card("10S"), Card("6S")), Card("10H"))
    row = cell.get_by_role("row", name=re.compile("^6 10 "))
    expect(row).to_contain_text(f"{worth['hit']:+.5f}".replace("-", "−"))
    expect(row).to_contain_text(f"{worth['stand']:+.5f}".replace("-", "−"))
    mine = tmp_path / "mine.csv"
    key = CellKey("first", "", "hard", "16", "6")
    mine.write_text(to_csv(default_strategy(rules).with_cell(key, Cell("H"))))
    page.get_by_label("Your own chart").set_input_files(mine)
    page.wait_for_url(re.compile("own="))
    body = said(capsys, "value", BOOK, "--strategy", str(mine))
    assert figures(page) == {"house_edge": share(body["house_edge"]), "cost": share(body["cost"])}
    expect(page.locator("[data-part=costs] tbody tr").first).to_contain_text("first, hard 16 against 6")
    for form, magic in (("PNG", b"\x89PNG"), ("SVG", b"<svg"), ("CSV", b"strategy/1")):
        with page.expect_download() as got:
            page.get_by_role("link" if form == "CSV" else "button", name=form, exact=True).click()
        assert got.value.path().read_bytes().startswith(magic), form
    mine.write_text(mine.read_text().replace("first,,hard,16,S,S,S,S,H,", "first,,hard,16,.,S,S,S,H,"))
    page.get_by_label("Your own chart").set_input_files(mine)
    expect(page.locator("[data-part=wrong]", has_text="the cell is missing")).to_contain_text(
        "first, hard 16 against 2"
    )


@pytest.mark.prove
def test_a_simulation_is_cancelled_goes_on_and_is_shared_by_its_link(
    server: Server, enter: Enter, capsys: pytest.CaptureFixture[str]
) -> None:
    page = enter(f"{server.base}/simulate?game={BOOK}", Api.guest(server.base, "Ann"))
    page.get_by_label("Rounds", exact=True).fill("1e15")
    page.get_by_role("button", name="Simulate").click()
    expect(page.locator("[data-part=refused]")).to_contain_text("up to 1,000,000,000 are possible here")
    page.get_by_label("Rounds", exact=True).fill("1e9")
    page.get_by_role("button", name="Simulate").click()
    expect(page.locator("[data-part=says]")).to_contain_text("million rounds per second")
    expect(page.locator("[data-line=exact]")).to_be_attached()
    before = page.locator("[data-line=mean]").get_attribute("points") or ""
    expect(page.locator("[data-line=mean]")).not_to_have_attribute("points", before)
    page.get_by_role("button", name="Cancel").click()
    expect(page.locator("[data-part=says]")).to_contain_text("rounds are kept")
    kept = int(re.sub(r"\D", "", page.locator("[data-part=says]").inner_text()))
    page.get_by_role("button", name="Go on").click()
    expect(page.locator("[data-part=says]")).to_contain_text("million rounds per second")
    page.get_by_role("button", name="Cancel").click()
    expect(page.locator("[data-part=says]")).to_contain_text("rounds are kept")
    assert int(re.sub(r"\D", "", page.locator("[data-part=says]").inner_text())) >= kept
    page.get_by_label("Rounds", exact=True).fill("2e6")
    page.get_by_label("Seed").fill("5")
    page.get_by_role("button", name="Simulate").click()
    expect(page.locator("[data-figure=mean]")).to_be_visible()
    body = said(capsys, "simulate", BOOK, "--rounds", "2e6", "--seed", "5", "--exact")
    told = figures(page)
    assert (told["mean"], told["exact"]) == (share(body["mean"]), share(body["exact"]))
    well(page)
    other = enter(page.url, Api.guest(server.base, "Bob"), size="phone")
    assert figures(other) == told
