"""An auditor reviews the law at the page: his copy beside ours; approve, object, save, come back with another copy."""

from __future__ import annotations

import uuid
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.copies import copy_of, passages_of
from tests.web.axe import axe_finds
from tests.web.conftest import Enter
from tests.web.serving import Api, Server
from twentyone.ledger.law_reviews import read_reviews
from twentyone.rulebook import Rulebook

BOOK = "s13-spanish-21"
PASSAGES = passages_of(Rulebook.load(BOOK).paragraphs)


@pytest.fixture(scope="module")
def auditor(server: Server, admin: Api) -> Api:
    """Somebody who may review."""
    return admin.account(server.base, f"Vera {uuid.uuid4().hex[:6]}", "auditor")


def bring(page: Page, folder: Path, changes: dict[str, str], reviews: Path | None = None) -> None:
    """Choose a copy, and reviews, and have it aligned."""
    copy = folder / "copy.txt"
    copy.write_text(copy_of(PASSAGES | changes, apart=True), encoding="utf-8")
    page.set_input_files("[name=file]", copy)
    if reviews is not None:
        page.set_input_files("[name=reviews]", reviews)
    page.get_by_role("button", name="Align").click()


def counts(page: Page, text: str) -> None:
    """What the paragraphs add up to."""
    expect(page.locator("[data-part=counts]")).to_contain_text(text)


def state(page: Page, paragraph: str, wanted: str) -> None:
    """Where a paragraph stands."""
    expect(page.locator(f"[data-row='{paragraph}'] [data-part=stands]")).to_have_text(wanted)


def test_a_copy_is_reviewed_saved_and_found_stale(
    server: Server, auditor: Api, enter: Enter, tmp_path: Path, artefacts: Path
) -> None:
    page = enter(f"{server.base}/review?rulebook={BOOK}", auditor)
    bring(page, tmp_path, {})
    counts(page, "137 of 137 paragraphs aligned: 0 signed")
    row = page.locator("[data-row='13(i)(4)']")
    expect(row).to_contain_text(PASSAGES["13(i)(4)"])
    row.get_by_role("button", name="Approve").click()
    state(page, "13(i)(4)", "signed")
    other = page.locator("[data-row='13(i)(3)']")
    other.get_by_role("button", name="Object").click()
    expect(page.locator(".tw-toast")).to_contain_text("says something")
    other.get_by_label("comment on").fill("the text says more")
    other.get_by_role("button", name="Object").click()
    state(page, "13(i)(3)", "objected")
    expect(other).to_contain_text("object by Vera")
    counts(page, "1 signed, 0 stale, 1 objected, 135 not judged")
    with page.expect_download() as saved:
        page.get_by_role("button", name="Save your reviews").click()
    file = tmp_path / "mine.jsonl"
    saved.value.save_as(file)
    assert [(each.paragraph, each.verdict) for each in read_reviews(file)] == [
        ("13(i)(4)", "approve"),
        ("13(i)(3)", "object"),
    ]
    page.reload()
    bring(page, tmp_path, {"13(i)(4)": "Otherwise now."}, file)
    counts(page, "0 signed, 1 stale, 1 objected")
    expect(page.locator("[data-row='13(i)(4)']")).to_contain_text("changed since: text")
    page.select_option("[data-part=state]", "stale")
    expect(page.locator("[data-row]:visible")).to_have_count(1)
    page.screenshot(path=artefacts / "review-stale.png", full_page=True)


@pytest.mark.prove
@pytest.mark.parametrize(("size", "scheme"), [("desk", "dark"), ("phone", "light")])
def test_the_page_is_well_in_both_widths(
    server: Server, auditor: Api, enter: Enter, tmp_path: Path, artefacts: Path, size: str, scheme: str
) -> None:
    page = enter(f"{server.base}/review?rulebook={BOOK}", auditor, size, color_scheme=scheme)
    bring(page, tmp_path, {"13(e)": "Wagers.\n\n(z) Nothing that we know."})
    counts(page, "137 of 137")
    expect(page.locator("[data-part=unknown]")).to_contain_text("(z)")
    page.evaluate("() => document.querySelectorAll('[data-row]').forEach((row, at) => { if (at > 40) row.remove(); })")
    page.screenshot(path=artefacts / f"review-{size}.png")
    page.locator("[data-row='13(b)(2)']").scroll_into_view_if_needed()
    page.screenshot(path=artefacts / f"review-{size}-row.png")
    assert axe_finds(page) == ""
    assert page.evaluate("() => document.documentElement.scrollWidth") == page.viewport_size["width"]  # type: ignore[index]


def test_a_text_with_missing_paragraphs_is_refused_on_the_page(
    server: Server, auditor: Api, enter: Enter, tmp_path: Path
) -> None:
    page = enter(f"{server.base}/review?rulebook={BOOK}", auditor)
    page.locator("[name=text]").fill("(a) Nothing else.")
    page.get_by_role("button", name="Align").click()
    expect(page.locator("[data-part=wrong]")).to_contain_text("13(a)(1) is missing: after 13(a) (line 1)")
