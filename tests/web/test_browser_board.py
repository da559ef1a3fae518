"""The analysis board in a browser: a player's own round, another choice played on, her account; a pasted script."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.web.conftest import Enter
from tests.web.service import Staffed
from tests.web.serving import Api, Server
from tests.web.test_browser_desk import figures, said, well
from twentyone.money import Amount
from twentyone.script import FORMAT_2
from twentyone.web.pages.boards import exact
from twentyone.web.pages.figures import net_words

BOOK = "pa-spanish-21"
LIMITS = {"table_minimum": "5", "table_maximum": "500"}


def summed(body: dict[str, Any]) -> dict[str, str]:
    """The four figures of an account as a page writes them."""
    return {
        "deal": exact(body["deal"]),
        "luck": exact(body["luck"]),
        "mistakes": exact(-body["mistakes"]),
        "net": net_words(Amount(body["net"])),
    }


def shown(page: Page) -> None:
    expect(page.locator("[data-part=story] li").first).to_be_visible()


def test_a_player_analyses_her_round(
    server: Server, admin: Api, enter: Enter, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """She stands on 11 against 7 out of a split: the board says what it cost, and plays on with a double."""
    table = Staffed(server, BOOK, admin, **LIMITS)
    ada = table.with_player(4)
    table.wager(ada, 4, "10")
    table.begin("8C 7H 8D KS")
    ada.do(table.name, "decide", action="split", box=4)
    table.deal("3C")
    ada.do(table.name, "decide", action="stand", box=4)
    table.deal("QS")
    ada.do(table.name, "decide", action="stand", box=4)
    table.collect()
    name, file = ada.get("/me")["name"], tmp_path / "round.json"
    file.write_text(json.dumps(ada.get(f"/rounds/{table.name}/1/script")))
    page = enter(f"{server.base}/you", ada)
    page.get_by_role("link", name=f"analyse {table.name}:1").click()
    shown(page)
    (mine,) = said(capsys, "analyse", str(file))["players"]
    assert figures(page) == summed(mine)
    well(page)
    wrong = next(step for step in mine["steps"] if step.get("cost"))
    mistake = page.locator("article[data-mark=mistake]")
    expect(mistake).to_contain_text(f"mistake, {exact(-wrong['cost_dollars'])}")
    for choice, value in wrong["values"].items():
        expect(mistake.get_by_role("row", name=re.compile(f"^{choice}"))).to_contain_text(
            f"{value:+.6f}".replace("-", "−")
        )
    mistake.get_by_role("link").first.click()
    expect(page.locator("[data-part=story] li[data-now]")).to_contain_text("best double")
    mistake.get_by_role("button", name="play on with double").click()
    expect(page.locator("[data-part=branch]")).to_contain_text("What if: double")
    expect(page.locator("[data-part=say]")).to_contain_text("double for $10.00")
    page.get_by_role("button", name="As it was").click()
    page.locator("[data-part=story] li").last.get_by_role("link").click()
    expect(page.locator("[data-part=worth]")).to_have_text(exact(float(mine["net"])))
    page.goto(f"{server.base}/you")
    page.get_by_role("link", name="Account").click()
    expect(page.locator("[data-part=account]")).to_be_visible()
    assert figures(page) == summed(mine)
    well(page)
    bob = Api.guest(server.base, "Bob")
    assert bob.http.get(f"/board/{table.name}/1").status_code == 403
    assert Api(server.base).http.get(f"/board/{table.name}/1").status_code == 401
    assert name in ada.http.get(f"/board/{table.name}/1?player=Bob").text


@pytest.mark.prove
def test_a_script_is_pasted_and_shared_by_its_link(
    server: Server, enter: Enter, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """What is no script, or of another edition, is refused with the reason; the link of one opens for others."""
    page = enter(f"{server.base}/board")
    well(page)
    script = page.locator("[data-part=script]")
    good = script.input_value()
    wrong = page.locator("[data-part=wrong]")
    for text, says in (
        ("8S 7H", "This is not a round script"),
        (good.replace(json.loads(good)["rulebook"], "nowhere"), "nowhere"),
        (json.dumps({**json.loads(good), "format": FORMAT_2, "edition": "1999-01-01"}), "1999-01-01"),
        (good.replace("hit", "split"), "split"),
    ):
        script.fill(text)
        page.get_by_role("button", name="Analyse").click()
        expect(wrong).to_contain_text(says)
    script.fill(good)
    page.get_by_role("button", name="Analyse").click()
    page.wait_for_url(re.compile("own="))
    shown(page)
    file = tmp_path / "round.json"
    file.write_text(good)
    (mine,) = said(capsys, "analyse", str(file))["players"]
    assert figures(page) == summed(mine)
    other = enter(page.url, size="phone", color_scheme="light")
    shown(other)
    assert figures(other) == summed(mine)
    well(other)
    job = re.sub(".*own=", "", page.url).partition("#")[0]
    assert "script" not in Api(server.base).get(f"/jobs/{job}/answer")["asked"]
