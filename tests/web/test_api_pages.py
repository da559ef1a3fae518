"""Pages without a browser: what is not there, what fails, what a browser may keep."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.web.inside import Inside, open_table
from tests.web.test_api_security import in_house
from twentyone.ledger.rows import LedgerFailed
from twentyone.web.compression import packed
from twentyone.web.security import PAGE_POLICY
from twentyone.web.static_files import content

HEAVIEST = 50_000
"""The most bytes of scripts and styles of one page, as they are sent."""
PAGES = (
    "//",
    "//table/one",
    "//login",
    "//rounds",
    "//law",
    "//law/pa-spanish-21",
    "//compare",
    "//desk",
    "//review",
    "//coupons",
    "//people",
)


def _fail_with(wrong: Exception) -> Callable[..., None]:
    def fail(*_: object) -> None:
        raise wrong

    return fail


def test_a_page_that_fails_is_a_page_of_ours_and_says_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Status 500 with the look and the policy of every page; what went wrong is in the log, without its words."""

    async def work(inn: Inside) -> None:
        monkeypatch.setattr("twentyone.web.pages.tables.table_lines", _fail_with(RuntimeError("the hole card is KS")))
        await open_table(inn.service, "one", "pa-spanish-21", {})
        answer = await inn.clients["guest"].get("//")
        assert answer.status_code == 500
        assert answer.header("content-security-policy") == PAGE_POLICY
        assert (answer.header("content-type") or "").startswith("text/html")
        assert ("could not make this page" in answer.text, "KS" in answer.text) == (True, False)

    in_house(tmp_path, work)


def test_pages_refuse_in_pages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An unknown address, a method that is none, a ledger that failed: each has its status and a page."""

    async def work(inn: Inside) -> None:
        client = inn.clients["guest"]
        assert (await client.get("//nowhere")).status_code == 404
        assert (await client.get("//static/x/none.js")).json() == {"why": "not found"}
        sent = await client.send("POST", "//law")
        assert (sent.status_code, set((sent.header("allow") or "").split(", "))) == (405, {"GET", "HEAD"})
        assert (await client.send("HEAD", "//law")).status_code == 200
        monkeypatch.setattr("twentyone.web.pages.rounds.found_rounds", _fail_with(LedgerFailed("the disk is full")))
        answer = await client.get("//rounds")
        assert (answer.status_code, "The disk is full." in answer.text) == (503, True)

    in_house(tmp_path, work)


def test_files_of_pages_are_kept_by_their_stamp(tmp_path: Path) -> None:
    """A browser keeps a file under the address of this version, and asks again under any other."""

    async def work(inn: Inside) -> None:
        page = (await inn.clients["visitor"].get("//")).text
        found = set(re.findall(r'"(/static/[^"]+)"', page))
        assert len(found) > 2
        for path in found:
            answer = await inn.clients["visitor"].get(f"/{path}")
            assert (answer.status_code, "immutable" in (answer.header("cache-control") or "")) == (200, True)
        other = await inn.clients["visitor"].get("//static/another/app.css")
        assert (other.status_code, other.header("cache-control")) == (200, "no-cache")
        assert (await inn.clients["visitor"].get("//static/../app.py")).status_code == 404

    in_house(tmp_path, work)


def test_no_page_is_heavy(tmp_path: Path) -> None:
    """Two files of scripts and styles, with all modules that they import; at a table also whoever works there."""

    async def work(inn: Inside) -> None:
        await open_table(inn.service, "one", "pa-spanish-21", {})
        table = "//table/one"
        for path, who in (*((page, "administrator") for page in PAGES), (table, "guest"), (table, "dealer")):
            page = await inn.clients[who].get(path)
            named = re.findall(r"/static/\w+/([\w+]+\.(?:js|css))", page.text)
            assert (page.status_code, [Path(name).suffix for name in named]) == (200, [".css", ".js"]), path
            sizes = [len(packed(content(name) or b"")) for name in named]
            assert min(sizes) > 100, path
            assert sum(sizes) <= HEAVIEST, f"{path} of {who}: {sizes}"

    in_house(tmp_path, work)
