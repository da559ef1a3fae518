"""All six games at the desk, as a person goes through its pages: the figures are those of the commands' JSON."""

from __future__ import annotations

import json
import re
import uuid
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from playwright.sync_api import Page, expect

from tests.web.conftest import Enter
from tests.web.serving import Api, Server
from tests.web.test_browser_board import shown as board_shown
from tests.web.test_browser_board import summed
from tests.web.test_browser_desk import figures, forms, said
from twentyone.cli.odds import read_rules
from twentyone.ledger.identity import rules_hash
from twentyone.odds import split_joints
from twentyone.odds.report import odds_of
from twentyone.rulebook import Rulebook, Rules, rulebook_ids
from twentyone.strategy import CellKey, default_strategy
from twentyone.training.drill import question_named
from twentyone.web.pages.figures import figure_said, share

ROUNDS = "20000"
FLAGS = {"split": ["--split"], "doubled": ["--doubled"]}
"""How the command is told what a phase of the chart says."""


class Visit(NamedTuple):
    """Somebody at the desk with a game."""

    page: Page
    base: str
    book: str
    rules: Rules
    capsys: pytest.CaptureFixture[str]

    def says(self, command: str, *words: str) -> dict[str, Any]:
        """What a command says of the game as JSON."""
        return said(self.capsys, command, self.book, *words)

    def turns_to(self, name: str) -> None:
        """Open a page of the desk; its script is there when somebody uses it."""
        self.page.get_by_role("navigation", name="the desk").get_by_role("link", name=name, exact=True).click()
        self.page.wait_for_url(f"**/{name.lower()}")
        self.page.wait_for_load_state()

    def opens(self, name: str) -> None:
        """Open a link to the game on a page that was kept."""
        self.page.goto(f"{self.base}/{name.lower()}?game={self.book}")


@pytest.fixture(scope="module")
def fay(server: Server, admin: Api) -> Api:
    """A floorperson: all pages are open to her."""
    return admin.account(server.base, f"Fay {uuid.uuid4().hex[:6]}", "floorperson")


def quickly(rules: Rules) -> None:
    """Have the odds kept: of most splits two hands are not followed together, which takes long."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(split_joints, "MOST_PAIRS", 2_000)
        odds_of(rules)


@pytest.mark.prove
@pytest.mark.parametrize("book", rulebook_ids())
def test_the_desk_is_the_commands_for_people_who_would_rather_look(
    book: str, server: Server, fay: Api, enter: Enter, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    rules = Rulebook.load(book).under()
    quickly(rules)
    visit = Visit(enter(f"{server.base}/desk", fay), server.base, book, rules, capsys)
    script = learns(visit)
    looks_at_odds(visit)
    simulates(visit)
    trains(visit)
    deals(visit)
    analyses(visit, script, tmp_path / "round.json")
    submits(visit, tmp_path / "submission.toml")


def learns(visit: Visit) -> str:
    """From the lesson to a cell of its chart; answers the script of the last of its rounds, with most in it."""
    page, book = visit.page, visit.rules.rulebook
    page.get_by_role("main").get_by_role("link", name=re.compile("^Learn")).click()
    page.get_by_role("link", name=book.full_title, exact=True).click()
    rows = page.locator("[data-part=rounds] tbody tr")
    expect(rows).to_have_count(5)
    assert figures(page) == {"house_edge": share(visit.says("odds")["house_edge"])}
    script: str = json.loads(rows.last.locator("[data-ask]").get_attribute("data-ask") or "")["script"]
    assert json.loads(script)["rulebook"] == book.id
    opens_a_cell(visit)
    return script


def opens_a_cell(visit: Visit) -> None:
    """Hard 16 against a ten: the value of every decision on a six and a ten is that of `hand`."""
    page, strategy = visit.page, default_strategy(visit.rules)
    key = next(key for key in strategy.cells if (key.phase, key.hand, key.row, key.up) == ("first", "hard", "16", "10"))
    page.locator(f"[title='{key}: {strategy.cell(key)}']").click()
    row = page.locator("#cell-hands tbody tr", has_text=re.compile("^6 10"))
    expect(row).to_be_visible()
    expect(page.locator("[data-part=worth]")).to_be_visible()
    body = visit.says("strategy", "--exceptions")
    assert figures(page) == {"house_edge": share(body["house_edge"]), "cost": share(body["cost"])}
    for value in visit.says("hand", "6H KD", "--up", "KS", *hole(key))["decisions"].values():
        expect(row).to_contain_text(f"{value:+.5f}".replace("-", "−"))


def looks_at_odds(visit: Visit) -> None:
    page, body = visit.page, visit.says("odds")
    visit.turns_to("Odds")
    page.locator("select[name=game]").select_option(visit.book)
    page.wait_for_url(re.compile(f"game={visit.book}"))
    expect(page.locator("[data-figure=house_edge]")).to_be_visible()
    assert figures(page) == {name: figure_said(form, body[name]) for name, form in forms(body).items()}
    results = page.locator("main").text_content() or ""
    assert all(share(row["probability"]) in results for row in body["distribution"])


def hole(key: CellKey) -> list[str]:
    return ["--hole", key.hole] if key.hole else []


def simulates(visit: Visit) -> None:
    page = visit.page
    visit.opens("Simulate")
    page.get_by_label("Rounds", exact=True).fill(ROUNDS)
    page.get_by_label("Seed").fill("5")
    page.get_by_role("button", name="Simulate").click()
    expect(page.locator("[data-figure=mean]")).to_be_visible()
    told, body = figures(page), visit.says("simulate", "--rounds", ROUNDS, "--seed", "5", "--exact")
    for name in ("mean", "standard_error", "exact"):
        assert told[name] == share(body[name]), name
    assert told["average_wager"] == f"{body['average_wager']:.5f}"


def trains(visit: Visit) -> None:
    """The first decision by its key: marked by the values that `hand` has for the cards."""
    page = visit.page
    visit.opens("Trainer")
    asked = page.locator("[data-part=asked]")
    expect(asked).to_be_visible()
    key = CellKey(*json.loads(asked.get_attribute("data-answer") or "")["cell"].split("|"))
    split = ["--split"] if "Out of a pair of" in page.locator("main").inner_text() else []
    page.keyboard.press(page.locator("[data-decision]").first.get_attribute("aria-keyshortcuts") or "")
    marked = page.locator("[data-part=marked]")
    expect(marked).to_be_visible()
    up, *hand = [
        text.translate(str.maketrans("♠♥♦♣", "SHDC")) for text in marked.locator(".tw-playing").all_inner_texts()
    ]
    worth = visit.says("hand", " ".join(hand), "--up", up, *hole(key), *FLAGS.get(key.phase, split))["decisions"]
    for name, value in worth.items():
        row = marked.locator("tbody tr", has_text=re.compile(f"^{name.replace('_', ' ')}"))
        expect(row).to_contain_text(f"{value:+.5f}".replace("-", "−"))
    expect(page.locator("[data-part=progress]")).to_contain_text("1 answer,")


def deals(visit: Visit) -> None:
    """A question of the drill is answered wrong by its key: the paragraph stands there, and in the record."""
    page = visit.page
    visit.opens("Drill")
    asked = page.locator("[data-part=asked]")
    expect(asked).to_be_visible()
    question = question_named(visit.rules, json.loads(asked.get_attribute("data-answer") or "")["question"])
    page.keyboard.press(str((question.right + 1) % len(question.choices) + 1))
    expect(page.locator("[data-part=marked]")).to_contain_text("Wrong")
    expect(page.locator("[data-part=should]")).to_have_text(question.choices[question.right])
    expect(page.locator("[data-part=record] tbody tr")).to_contain_text(question.cite)


def analyses(visit: Visit, script: str, file: Path) -> None:
    """A round of the lesson pasted: its account, and that of a what-if line at its end."""
    page = visit.page
    file.write_text(script)
    visit.turns_to("Board")
    page.locator("[data-part=script]").fill(script)
    page.get_by_role("button", name="Analyse").click()
    board_shown(page)
    (mine,) = said(visit.capsys, "analyse", str(file))["players"]
    assert figures(page) == summed(mine)
    page.locator("[data-act=what-if]").last.click()
    expect(page.locator("[data-part=branch]")).to_contain_text("What if: ")
    net = re.sub(r".*Net (.*)\.$", r"\1", page.locator("[data-part=branch]").inner_text())
    page.locator("[data-part=story] li").last.get_by_role("link").click()
    expect(page.locator("[data-part=worth]")).to_have_text(re.compile(f"^{re.escape(net)}00$"))


def submits(visit: Visit, file: Path) -> None:
    """The file, read by a command, is the law and the choices that the page names."""
    page = visit.page
    visit.opens("Submission")
    expect(page.locator("[data-part=toml]")).to_contain_text(f'rulebook = "{visit.book}"')
    with page.expect_download() as taken:
        page.get_by_role("link", name="Download").click()
    file.write_bytes(taken.value.path().read_bytes())
    assert file.read_text().strip() == page.locator("[data-part=toml]").inner_text().strip()
    expect(page.get_by_text(rules_hash(read_rules(visit.book, str(file))))).to_be_visible()
