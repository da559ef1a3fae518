"""The page of a submission, as a games manager uses it: choices, the file, the papers."""

from __future__ import annotations

import subprocess
import sys
import tomllib
import uuid
from pathlib import Path
from urllib.parse import quote

import pytest
from playwright.sync_api import Page, expect

from tests.web.axe import axe_finds
from tests.web.conftest import Enter
from tests.web.serving import Api, Server
from twentyone.rulebook import Rulebook, rulebook_ids
from twentyone.rulebook.declared import allowed_words, keys_of


def file_on(page: Page) -> dict[str, object]:
    return tomllib.loads(page.locator("[data-part=toml]").inner_text())


@pytest.mark.prove
def test_choices_become_a_file_and_papers(server: Server, admin: Api, enter: Enter, tmp_path: Path) -> None:
    """What is chosen stands in the file; what hangs on another choice opens with it; the papers are the command's."""
    fay = admin.account(server.base, f"Fay {uuid.uuid4().hex[:6]}", "floorperson")
    page = enter(f"{server.base}/", fay)
    page.get_by_role("link", name="Desk").click()
    page.get_by_role("main").get_by_role("link", name="Submission").click()
    page.get_by_label("Game").select_option("pa-spanish-21")
    expect(page.locator("[data-part=toml]")).to_contain_text('rulebook = "pa-spanish-21"')
    expect(page.locator("[data-key=two_batches]")).to_be_disabled()
    page.locator("[name=shuffler]").select_option("automated")
    expect(page.locator("[data-part=toml]")).to_contain_text('shuffler = "automated"')
    page.locator("[name=two_batches]").select_option("false")
    expect(page.locator("[data-part=toml]")).to_contain_text("\ntwo_batches = false")
    stated = {"boxes_per_player": 2, "settlement": "collect-then-pay", "max_split_hands": 4}
    assert file_on(page) == {"rulebook": "pa-spanish-21", "shuffler": "automated", "two_batches": False, **stated}
    page.get_by_label("Game").select_option("classic-blackjack")
    expect(page.locator("[data-part=toml]")).to_contain_text('rulebook = "classic-blackjack"')
    page.get_by_label("Operator").fill("Golden Gate")
    page.get_by_label("Operator").press("Tab")
    page.wait_for_url("**operator=Golden+Gate**")
    assert axe_finds(page) == ""
    with page.expect_download() as taken:
        page.get_by_role("button", name="Papers as PDF").click()
    with page.expect_download() as written:
        page.get_by_role("link", name="Download").click()
    file = Path(written.value.path())
    words = ["submission", "classic-blackjack", "--submission", str(file), "--operator", "Golden Gate"]
    subprocess.run([sys.executable, "-m", "twentyone", *words, "--out", str(tmp_path)], check=True, capture_output=True)
    assert Path(taken.value.path()).read_bytes() == (tmp_path / "papers.pdf").read_bytes()
    assert file.read_bytes() == (tmp_path / "submission.toml").read_bytes()


def test_every_key_has_its_control_with_what_the_text_allows(server: Server, admin: Api) -> None:
    for name in rulebook_ids():
        book = Rulebook.load(name)
        shown = admin.http.get(f"/submission?game={name}").text
        for key in keys_of(book).values():
            assert f'data-key="{key.name}"' in shown
            assert allowed_words(key) in shown
            assert f'href="/law/{name}#{key.paragraph}"' in shown
        assert all(f'data-key="readings.{it.name}"' in shown for it in book.readings if len(it.values) > 1)


def test_what_the_text_forbids_is_refused_with_the_paragraph(server: Server, admin: Api) -> None:
    asked = "/submission?game=pa-spanish-21&submission=" + quote('{"decks": 7}')
    answer = admin.http.get(asked)
    assert answer.status_code == 422
    assert "decks: 7 is not allowed: it is 6 or 8" in answer.text
    assert 'href="/law/pa-spanish-21#635a.3(a)"' in answer.text
    assert 'data-part="toml"' not in answer.text
    assert admin.http.get(asked.replace("/submission?", "/submission/submission.toml?")).status_code == 422
    assert admin.http.get("/submission?game=pa-spanish-21&submission={").status_code == 422
    assert admin.http.get(f"/submission?operator={'x' * 100}").status_code == 422


def test_it_is_for_those_who_look_into_the_whole_house(server: Server, admin: Api) -> None:
    gus = Api.guest(server.base, f"Gus {uuid.uuid4().hex[:6]}")
    for path in ("/submission", "/submission/submission.toml"):
        assert Api(server.base).http.get(path).status_code == 401
        assert gus.http.get(path).status_code == 403
