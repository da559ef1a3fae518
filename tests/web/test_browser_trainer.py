"""The trainer in a browser: decide, learn what it costs, see it come back; count a run of cards."""

from __future__ import annotations

import json
import re
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import expect

from tests.web.conftest import Enter
from tests.web.serving import Api, Server
from tests.web.test_browser_desk import well
from twentyone.cards import Card
from twentyone.odds.hand_values import hand_values
from twentyone.rulebook import Rulebook
from twentyone.service.shift.chance import Chance
from twentyone.training.counts import count_run
from twentyone.training.drill import question_named

BOOK = "pa-spanish-21"


@pytest.mark.prove
def test_a_mistake_is_priced_and_shown_in_the_cell(server: Server, enter: Enter) -> None:
    rules = Rulebook.load(BOOK).under()
    page = enter(f"{server.base}/trainer?game={BOOK}", Api.guest(server.base, "Tess"))
    asked = page.locator("[data-part=asked]")
    expect(asked).to_be_visible()
    well(page)
    expect(page.locator("[data-part=progress]")).to_contain_text("0 answers")
    for _ in range(30):
        page.keyboard.press("s" if page.locator("[data-decision=stand]").count() else "n")
        marked = page.locator("[data-part=marked]")
        expect(marked).to_be_visible()
        if marked.get_attribute("data-right") is None:
            break
        page.keyboard.press("Enter")
        expect(asked).to_be_visible()
    expect(marked).to_contain_text("Wrong: ")
    well(page)
    expect(page.locator("[data-part=progress]")).to_contain_text("1 wrong")
    cards = marked.locator(".tw-playing").all_inner_texts()
    cell = parse_qs(urlsplit(page.url).query)["cell"][0].split("|")
    expect(page.locator(".tw-known td.weak")).to_have_count(1)
    expect(page.locator("[data-part=progress] table").first).to_contain_text(f"{cell[2]} {cell[3]} against {cell[4]}")
    if cell[0] == "first":
        up, *hand = [Card(text.translate(str.maketrans("♠♥♦♣", "SHDC"))) for text in cards]
        worth = hand_values(rules, tuple(hand), up)
        row = marked.get_by_role("row", name=re.compile("^stand "))
        expect(row).to_contain_text(f"{worth['stand']:+.4f}".replace("-", "−")[:7])
    page.get_by_role("link", name="Next hand").click()
    expect(asked).to_be_visible()


@pytest.mark.prove
def test_a_run_of_cards_is_counted(server: Server, enter: Enter) -> None:
    run = count_run(Rulebook.load(BOOK).under(), "zen", 12, Chance("count", "7"))
    page = enter(f"{server.base}/trainer/counts?game={BOOK}&count=zen&cards=12&deal=7")
    assert page.locator("[data-part=asked] .tw-playing").all_inner_texts() == [card.symbol for card in run.cards]
    well(page)
    page.get_by_label("Running count").fill(str(run.running + 1))
    page.get_by_role("button", name="Check").click()
    expect(page.locator("[data-part=marked]")).to_contain_text("Wrong: the running count is")
    page.go_back()
    page.get_by_label("Running count").fill(str(run.running))
    page.get_by_role("button", name="Check").click()
    expect(page.locator("[data-part=marked]")).to_contain_text("Right: the running count is")
    well(page)


def test_a_dealer_errs_and_reads_the_paragraph(server: Server, enter: Enter) -> None:
    rules = Rulebook.load(BOOK).under()
    page = enter(f"{server.base}/drill?game={BOOK}", Api.guest(server.base, "Dora"))
    asked = page.locator("[data-part=asked]")
    expect(asked).to_be_visible()
    well(page)
    name = json.loads(asked.get_attribute("data-answer") or "")["question"]
    question = question_named(rules, name)
    assert page.locator("[data-choice]").count() == len(question.choices)
    wrong = (question.right + 1) % len(question.choices)
    page.keyboard.press(str(wrong + 1))
    marked = page.locator("[data-part=marked]")
    expect(marked).to_contain_text("Wrong")
    expect(page.locator("[data-part=should]")).to_have_text(question.choices[question.right])
    expect(marked.get_by_role("link", name=question.cite)).to_be_visible()
    expect(page.locator("[data-part=record] tbody tr")).to_have_count(1)
    well(page)
    page.get_by_role("link", name="Next", exact=True).click()
    expect(asked).to_be_visible()


@pytest.mark.prove
def test_a_dealer_is_told_why_something_is_not_allowed(server: Server, enter: Enter) -> None:
    rules = Rulebook.load(BOOK).under()
    names = [f"d0.{place}" for place in range(40)]
    name = next(name for name in names if question_named(rules, name).because)
    question = question_named(rules, name)
    page = enter(f"{server.base}/drill?game={BOOK}&question={name}", Api.guest(server.base, "Dirk"))
    expect(page.get_by_role("heading", name=question.asks)).to_be_visible()
    expect(page.get_by_label("on the layout")).to_contain_text(question.table[0])
    well(page)
    page.keyboard.press(str((question.right + 1) % len(question.choices) + 1))
    expect(page.locator("[data-part=should]")).to_have_text(question.choices[question.right])
    expect(page.locator("[data-part=because]")).to_contain_text(question.because[1:])
    well(page)
