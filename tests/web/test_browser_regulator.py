"""A regulator's walk: search, replay, an event by its address, paragraphs there and back, shoes checked, a report."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from playwright.sync_api import Page, expect

from tests.daily import daily
from tests.web.axe import axe_finds
from tests.web.conftest import SIZES, Enter
from tests.web.inline import Inline
from tests.web.serving import Api, serving
from twentyone.cli import main
from twentyone.script import FORMAT_2, replay
from twentyone.web.static_files import address

BOOK, TABLE, ROUNDS = "md-spanish-21", "md-spanish-21-1", 110
SUBMISSION = """rulebook = "md-spanish-21"
bonus_spin = "A"
"""


class Watched(NamedTuple):
    """A server over the ledger of a shift with wheels and irregularities, and who looks at it."""

    base: str
    auditor: Api
    rounds: list[dict[str, Any]]
    """All its rounds, the newest first."""

    def address(self, row: dict[str, Any]) -> str:
        """The page of a round."""
        return f"{self.base}/rounds/{row['table']}/{row['number']}"


@pytest.fixture(scope="module")
def watched(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Watched]:
    folder = tmp_path_factory.mktemp("regulator")
    ledger = str(folder / "shift.db")
    (folder / "own.toml").write_text(SUBMISSION)
    given = (
        "--rounds",
        str(ROUNDS),
        "--irregularities",
        "0.05",
        "--seed",
        "4",
        "--submission",
        str(folder / "own.toml"),
    )
    assert main(["shift", BOOK, *given, "--ledger", ledger]) == 0
    with serving(ledger, folder) as server:
        auditor = Api.administrator(server).account(server.base, "Uma", "auditor")
        yield Watched(server.base, auditor, auditor.get("/rounds.json"))


def test_rounds_are_searched_page_by_page(watched: Watched, enter: Enter) -> None:
    """Choices from lists, a day, a name in any case, the next page; what cannot be is said; the same as a file."""
    page = enter(f"{watched.base}/rounds", watched.auditor)
    expect(page.locator("tbody tr")).to_have_count(100)
    page.get_by_role("link", name="Older rounds").click()
    expect(page.locator("tbody tr")).to_have_count(ROUNDS - 100)
    expect(page.get_by_text("These are the oldest.")).to_be_visible()
    page.get_by_role("link", name="Newest rounds").click()
    wrong = [row for row in watched.rounds if row["irregularities"]]
    kind = wrong[0]["irregularities"][0]
    page.locator("[name=irregularity]").select_option(kind)
    page.get_by_role("button", name="Search").click()
    due = [row for row in wrong if kind in row["irregularities"]]
    expect(page.locator("tbody tr")).to_have_count(len(due))
    with page.expect_download() as got:
        page.get_by_role("link", name="CSV").click()
    assert len(got.value.path().read_text().splitlines()) == len(due) + 1
    page.locator("[name=irregularity]").select_option("")
    page.locator("[name=player]").fill(next(iter(due[0]["net"])).upper())
    page.locator("[name=from]").fill("2026-01-01")
    page.locator("[name=box]").fill("x")
    page.get_by_role("button", name="Search").click()
    expect(page.locator("[data-part=refused]")).to_contain_text("“x” is no box")
    expect(page.locator("tbody")).to_have_count(0)
    expect(page.locator("[name=from]")).to_have_value("2026-01-01")
    page.locator("[name=box]").fill("")
    page.get_by_role("button", name="Search").click()
    expect(page.locator("tbody tr").first).to_be_visible()


def test_an_irregular_round_is_dealt_again_and_its_script_taken_away(
    watched: Watched, enter: Enter, tmp_path: Path
) -> None:
    """Also those that only the second format can say; a script that is refused is said on the page."""
    row = next(row for row in watched.rounds if {"box_missed", "card_drawn_in_error"} & set(row["irregularities"]))
    page = enter(watched.address(row), watched.auditor)
    expect(page.locator("[data-part=dealt]")).to_contain_text("This round was dealt again: identical")
    with page.expect_download() as got:
        page.get_by_role("link", name="Round script").click()
    file = tmp_path / "script.json"
    got.value.save_as(file)
    assert got.value.suggested_filename == f"{row['table']}-{row['number']}.json"
    assert (json.loads(file.read_text())["format"], replay(file.read_text()).exit) == (FORMAT_2, 0)
    page.route("**/script", lambda route: route.fulfill(status=409, json={"why": "it is of the first form"}))
    page.get_by_role("link", name="Round script").click()
    expect(page.locator("[data-part=say]")).to_contain_text(
        "There is no script of this round: it is of the first form."
    )


def test_an_event_has_an_address(watched: Watched, enter: Enter) -> None:
    """It opens the replay there and marks the line; the slider, the keys and the lines change it."""
    page = enter(f"{watched.address(watched.rounds[0])}#event-5", watched.auditor)
    say, now = page.locator("[data-part=say]"), page.locator("[data-part=story] li[data-now]")
    expect(say).to_contain_text("5 of ")
    expect(now).to_have_count(1)
    expect(now.locator("a")).to_have_attribute("href", "#event-5")
    expect(now).to_be_in_viewport()
    page.locator("[data-part=slider]").press("ArrowRight")
    expect(say).to_contain_text("6 of ")
    assert page.url.endswith("#event-6")
    page.locator("[data-part=story] a[href='#event-3']").press("Enter")
    expect(say).to_contain_text("3 of ")
    page.evaluate("() => { location.hash = '#event-99999' }")
    expect(say).to_contain_text(re.compile(r"(\d+) of \1:"))


def test_from_a_paragraph_to_the_rounds_that_cite_it_and_back(watched: Watched, enter: Enter) -> None:
    rare = min(
        (cite for row in watched.rounds for cite in row["cites"]),
        key=lambda cite: sum(cite in row["cites"] for row in watched.rounds),
    )
    due = [row for row in watched.rounds if rare in row["cites"]]
    entry = watched.auditor.get("/law/cite", params={"rulebook": BOOK, "cite": rare})
    page = enter(f"{watched.base}/law/{BOOK}#{entry['paragraph']}", watched.auditor)
    page.locator(f"[id='{entry['paragraph']}']").get_by_role("link", name="rounds that cite it").click()
    expect(page.locator("tbody tr")).to_have_count(len(due))
    page.locator("tbody a").first.click()
    page.get_by_text("Paragraphs applied").click()
    page.locator("[data-part=cited]").get_by_role("link", name=f"rounds that cite {rare}").click()
    expect(page.locator("tbody tr")).to_have_count(len(due))
    page.go_back()
    page.get_by_text("Paragraphs applied").click()
    page.locator(f"[data-part=cited] a.tw-chip[href='/law/{BOOK}#{entry['paragraph']}']").click()
    expect(page.locator(f"[id='{entry['paragraph']}']")).to_be_in_viewport()


# -- the check in the browser

CHECKED = """async ([module, vectors]) => {
  const { checkShoe, checkWheel, wordsOf } = await import(module);
  const words = wordsOf(new Uint8Array(32));
  const hex = (word) => word.toString(16).padStart(4, '0').replace(/(..)(..)/, '$2$1');
  const stream = Array.from({ length: 32 }, () => hex(words.next().value));
  const other = (one) => ({ ...one, seed: (one.seed[0] === '0' ? '1' : '0') + one.seed.slice(1) });
  const check = (change) => Promise.all([
    ...vectors.shoes.map((one) => checkShoe(change(one)).then(({ faults }) => faults)),
    ...vectors.wheels.map((one) => checkWheel(change(one))),
  ]);
  return { stream: stream.join(''), well: await check((one) => one), wrong: await check(other) };
}"""


def test_the_browser_deals_the_test_vectors_as_the_server_does(watched: Watched, enter: Enter) -> None:
    """The same file as the server's own test; with one digit of a seed changed, every one of them is told."""
    vectors = json.loads(Path("tests/vectors/shoes.json").read_text())
    page = enter(f"{watched.base}/shoes/{TABLE}")
    found = page.evaluate(CHECKED, [address("shoe", kind=".js"), vectors])
    assert found["stream"] == vectors["keystream"]["bytes"]
    assert [faults for faults in found["well"] if faults] == []
    assert all("not the commitment" in faults[0] for faults in found["wrong"])
    assert len(found["wrong"]) == len(vectors["shoes"]) + len(vectors["wheels"])


def test_a_shoe_is_checked_where_it_is_read(watched: Watched, enter: Enter) -> None:
    """By a visitor: commitment, seed, order; a changed digit of the seed is told, and no server is asked."""
    page = enter(f"{watched.base}/table/{TABLE}")
    with page.expect_popup() as opened:
        page.get_by_role("link", name="Check the shoes").click()
    page = opened.value
    shoes = watched.auditor.get(f"/shoes/{TABLE}")["shoes"]
    dealt = next(shoe for shoe in shoes if watched.auditor.get(f"/shoes/{TABLE}/{shoe['version']}")["dealt"])
    page.locator(f"a[href='/shoes/{TABLE}/{dealt['version']}']").click()
    expect(page.locator("[data-part=commitment]")).to_have_text(dealt["commitment"])
    checks = page.locator("[data-part=checks]")
    expect(checks).to_contain_text("✓ The SHA-256 of the seed is the commitment.")
    expect(checks).to_contain_text("left the shoe in the order that seed and cut make")
    order = watched.auditor.get(f"/shoes/{TABLE}/{dealt['version']}")
    expect(page.locator("[data-part=order] li")).to_have_count(len(order["cards"].split()))
    expect(page.locator("[data-part=order] li.left")).to_have_count(len(order["dealt"].split()))
    page.context.set_offline(True)
    field = page.locator("[name=seed]")
    seed = field.input_value()
    field.fill(seed[:-1] + ("0" if seed[-1] != "0" else "1"))
    field.press("Enter")
    expect(checks).to_contain_text("✗ The SHA-256 of this seed is")
    expect(checks).to_contain_text("the seed makes it")
    expect(checks).not_to_contain_text("✓")
    field.fill(seed[:-1])
    field.press("Enter")
    expect(checks).to_contain_text("A seed has 64 digits")
    field.fill(seed)
    page.get_by_role("button", name="Check here").click()
    expect(checks).to_contain_text("✓ The SHA-256")


def test_the_wheels_of_a_round_are_checked_on_its_replay(watched: Watched, enter: Enter) -> None:
    def turned(row: dict[str, Any]) -> bool:
        return bool(watched.auditor.get(f"/rounds/{row['table']}/{row['number']}/wheel")["spins"])

    page = enter(watched.address(next(filter(turned, watched.rounds))), watched.auditor)
    expect(page.locator("[data-part=wheels]")).to_contain_text("✓ Checked in this browser.")


# -- the report, and every page in both widths and themes


def test_the_shift_report_is_a_page(watched: Watched, enter: Enter) -> None:
    page = enter(f"{watched.base}/rounds", watched.auditor)
    page.get_by_role("link", name="Shift report").click()
    page.get_by_role("button", name="Make the report").click()
    expect(page.locator("[data-part=verdict]")).to_have_text("Every chip is accounted for.")
    due = watched.auditor.get("/report")
    expect(page.locator("main")).to_contain_text(f"${float(due['totals']['drop']):,.2f}")
    expect(page.locator("main")).to_contain_text("In purses".lower())
    expect(page.locator("main")).to_contain_text("bonus spin")
    page.locator("[name=to]").fill("1999-01-01T00:00")
    page.get_by_role("button", name="Make the report").click()
    expect(page.locator("main")).to_contain_text("Nothing happened in this shift.")


PAGES = {
    "rounds-list": ("/rounds?irregularity=any", "tbody tr >> nth=0"),
    "rounds-refused": ("/rounds?box=x", "[data-part=refused]"),
    "round": (f"/rounds/{TABLE}/2#event-9", "[data-part=dealt].well"),
    "shoes": (f"/shoes/{TABLE}", "tbody tr >> nth=0"),
    "shoe": (f"/shoes/{TABLE}/SHOE", "[data-part=checks] li >> nth=0"),
    "report": ("/report?table=", "[data-part=verdict]"),
}
"""Addresses, and what must be there before a page is looked at."""


@pytest.mark.parametrize(
    ("size", "name"), daily([(size, name) for size in SIZES for name in PAGES], ("phone", "shoe"), ("desk", "report"))
)
def test_the_pages_are_well_in_both_widths_and_themes(
    watched: Watched, enter: Enter, size: str, name: str, artefacts: Path
) -> None:
    """Nothing that axe knows, nothing that scrolls sideways; a picture of each is kept."""
    shoe = next(shoe for shoe in watched.auditor.get(f"/shoes/{TABLE}")["shoes"] if shoe["revealed"])
    path = PAGES[name][0].replace("SHOE", str(shoe["version"]))
    page = enter(f"{watched.base}{path}", watched.auditor, size)
    page.wait_for_selector(PAGES[name][1])
    page.screenshot(path=artefacts / f"{name}-{size}.png", full_page=True)
    assert axe_finds(page) == ""
    assert Inline(watched.auditor.http.get(path).text).wrong == []
    assert _width(page) == page.viewport_size["width"]  # type: ignore[index]


def _width(page: Page) -> int:
    return int(page.evaluate("() => document.documentElement.scrollWidth"))
