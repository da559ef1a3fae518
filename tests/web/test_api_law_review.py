"""A reader's own copy through the interface: aligned, judged, signed, checked; and kept nowhere."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from tests.copies import copy_of, passages_of
from tests.web.inside import Client, inside
from twentyone.ledger.law_reviews import read_reviews
from twentyone.rulebook import Rulebook

BOOK = "pa-spanish-21"
AT = f"/review/{BOOK}"
RARE = "Quetzalcoatl"
PARAGRAPH = "635a.10(d)"


def copy(**changes: str) -> str:
    """A copy whose words are our own, with a rare one in it."""
    passages = passages_of(Rulebook.load(BOOK).paragraphs) | {PARAGRAPH: f"{RARE} may rescue."}
    return copy_of(passages | changes)


async def aligned(client: Client, text: str) -> dict[str, dict[str, Any]]:
    answer = await client.send("POST", AT, {"text": text})
    assert answer.status_code == 200, answer.text
    return {row["paragraph"]: row for row in answer.json()["paragraphs"]}


async def signed(client: Client, row: dict[str, Any], verdict: str, comment: str = "") -> str:
    body = {"paragraph": row["paragraph"], "verdict": verdict, "comment": comment, "text": row["digest"]}
    answer = await client.send("POST", f"{AT}/sign", body)
    assert answer.status_code == 200, answer.text
    return str(answer.json()["line"])


def test_a_copy_is_aligned_signed_and_checked(tmp_path: Path) -> None:
    async def look() -> None:
        async with inside(tmp_path) as inn:
            uma = inn.clients["auditor"]
            rows = await aligned(uma, copy())
            assert len(rows) == 155
            row = rows[PARAGRAPH]
            assert row["text"] == f"{RARE} may rescue."
            assert "total_most = 21" in row["clause"]
            assert row["functions"] == ["twentyone.round.double_down.rescue"]
            lines = [await signed(uma, row, "approve"), await signed(uma, row, "object", "not so")]
            said = (await uma.send("POST", f"{AT}/check", {"lines": lines})).json()
            assert [(each["verdict"], each["by"], each["changed"]) for each in said] == [
                ("approve", "Uma", []),
                ("object", "Uma", []),
            ]
            assert {each["text"] for each in said} == {row["digest"]}
            spoilt = lines[1].replace("not so", "is so")
            refused = await uma.send("POST", f"{AT}/check", {"lines": [lines[0], spoilt]})
            assert (refused.status_code, refused.json()["why"].partition(":")[0]) == (422, "line 2")
            (tmp_path / "mine.jsonl").write_text("\n".join(lines), encoding="utf-8")
            assert [each.verdict for each in read_reviews(tmp_path / "mine.jsonl")] == ["approve", "object"]

    asyncio.run(look())


def test_another_word_of_the_copy_has_another_digest_there_and_nowhere_else(tmp_path: Path) -> None:
    async def look() -> None:
        async with inside(tmp_path) as inn:
            before = await aligned(inn.clients["administrator"], copy())
            after = await aligned(inn.clients["administrator"], copy(**{"635a.8(a)": "Otherwise."}))
            assert [each for each, row in before.items() if row["digest"] != after[each]["digest"]] == ["635a.8(a)"]

    asyncio.run(look())


def test_nothing_of_a_copy_or_a_review_stays_on_the_server(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """Neither in the ledger and the files beside it, nor in the log."""

    async def look() -> None:
        async with inside(tmp_path) as inn:
            uma = inn.clients["auditor"]
            await signed(uma, (await aligned(uma, copy()))[PARAGRAPH], "comment", f"about {RARE}")
            await uma.send("POST", AT, {"text": f"{RARE} alone"})

    asyncio.run(look())
    found = [file.name for file in tmp_path.rglob("*") if file.is_file() and RARE.encode() in file.read_bytes()]
    told = capfd.readouterr()
    assert found == []
    assert RARE not in told.out + told.err
    assert any(tmp_path.rglob("*")), "the ledger lies there"


REFUSED: tuple[tuple[str, Any, int, str], ...] = (
    (AT, {"text": "a poem"}, 422, "the text: 635a.1 is missing"),
    ("/review/none", {"text": "a poem"}, 404, "none"),
    (f"{AT}/sign", {"paragraph": "9", "verdict": "approve", "text": "0" * 64}, 404, "has no paragraph '9'"),
    (f"{AT}/sign", {"paragraph": PARAGRAPH, "verdict": "object", "text": "0" * 64}, 422, "says something"),
    (f"{AT}/sign", {"paragraph": PARAGRAPH, "verdict": "approve", "text": "no digest"}, 422, "body.text"),
    (f"{AT}/check", {"lines": ["{}"]}, 422, "line 1: this is not a signed review"),
    (f"{AT}/check", {"lines": [json.dumps({"format": "law-review/1", "parts": []})]}, 422, "line 1"),
)


def test_what_cannot_be_reviewed_is_refused(tmp_path: Path) -> None:
    async def look() -> None:
        async with inside(tmp_path) as inn:
            for path, body, status, why in REFUSED:
                answer = await inn.clients["auditor"].send("POST", path, body)
                assert answer.status_code == status
                assert why in answer.json()["why"]

    asyncio.run(look())


def test_the_page_is_for_reviewers(tmp_path: Path) -> None:
    async def look() -> None:
        async with inside(tmp_path) as inn:
            for who, may in (("auditor", True), ("administrator", True), ("dealer", False), ("visitor", False)):
                page = (await inn.clients[who].get(f"//review?rulebook={BOOK}")).text
                assert ('data-review="align"' in page) is may
                assert ('href="/review"' in page) is may
                book = (await inn.clients[who].get(f"//law/{BOOK}")).text
                assert ("/review?rulebook=" in book) is may

    asyncio.run(look())
