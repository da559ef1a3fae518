"""The page Compare: asked beside the tables, shown when it is worked out; what is no law is said on the page."""

from __future__ import annotations

import html
from pathlib import Path
from urllib.parse import urlencode

import pytest

from tests.patience import until_soon
from tests.web.inside import Inside
from tests.web.test_api_security import in_house

AMEND = "# 635a.12(d)\r\n```toml\r\n[pay]\r\nwagers = 'insurance'\r\nodds = '3:1'\r\n```"


def test_two_laws_are_compared_beside_the_tables(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """First how far it is, with the name of the job that the script follows; then the redline, from what is kept."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))

    async def work(inn: Inside) -> None:
        path = "//compare?" + urlencode({"a": "pa-spanish-21", "amend": AMEND})
        visitor = inn.clients["visitor"]
        first = await visitor.get(path)
        assert (first.status_code, 'data-part="redline"' in first.text) == (200, True)
        job = first.text.partition('data-job="')[2].partition('"')[0]
        await until_soon(lambda: inn.service.jobs.answers.get(job) is not None, "the redline is there")
        shown = (await visitor.get(path)).text
        assert ("<del>2 to 1</del>" in shown, "<ins>3 to 1</ins>" in shown) == (True, True)
        assert "data-job" not in shown

    in_house(tmp_path, work)


NO_LAWS = {
    ("nowhere", ""): "there is no such rulebook",
    ("pa-spanish-21@2013-06-01", ""): "amended on 2014-02-01",
    ("pa-spanish-21", "# 635a.99\nx"): "'635a.99' is none of",
    ("pa-spanish-21", AMEND.replace("3:1", f"{'9' * 4_000}:1")): "... (4004 characters) is not written like",
    ("pa-spanish-21", "<script>alert(1)</script>"): "text before the first heading",
}


def test_what_is_no_law_is_said_on_the_page(tmp_path: Path) -> None:
    async def work(inn: Inside) -> None:
        for (law, amend), says in NO_LAWS.items():
            page = await inn.clients["visitor"].get("//compare?" + urlencode({"a": law, "amend": amend}))
            assert (page.status_code, says in html.unescape(page.text)) == (200, True), page.text[-3000:]
            assert "<script>alert" not in page.text

    in_house(tmp_path, work)
