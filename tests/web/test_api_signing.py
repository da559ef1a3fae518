"""A checkpoint that cannot be signed: told in the log and by the interface, and tried again."""

from __future__ import annotations

import asyncio
import errno
import json
from pathlib import Path
from typing import Any

import pytest
from structlog.testing import capture_logs

from tests.patience import until_soon
from tests.web.inside import Inside, inside, open_table
from twentyone.ledger.rounds import PROJECTION
from twentyone.ledger.rows import LedgerRefused, ProjectionRow
from twentyone.service import signing
from twentyone.web import app

FULL = OSError(errno.EMFILE, "Too many open files")
FOREIGN = LedgerRefused("no checkpoint is signed over a ledger that is not what was signed before")


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(app, "CHECKPOINT", 0.01)


async def health(inn: Inside) -> Any:
    return (await inn.clients["visitor"].get("/health")).json()


async def work(inn: Inside, name: str) -> None:
    """Something that has to be signed."""
    await open_table(inn.service, name, "classic-blackjack", {})


@pytest.mark.parametrize("failed", [FULL, FOREIGN], ids=["no file", "refused"])
def test_one_bad_minute_is_told_and_does_not_end_the_signing(
    failed: Exception,
    tmp_path: Path,
    quick: None,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def fail(*_: object) -> None:
        raise failed

    async def look() -> None:
        async with inside(tmp_path) as inn:
            await work(inn, "before")
            await until_soon(
                lambda: inn.service.signing.path.read_text(encoding="utf-8").count("before"), "it is signed"
            )
            assert (await health(inn))["signed"] is True
            with monkeypatch.context() as patch:
                patch.setattr(signing, "write_checkpoint", fail)
                await work(inn, "during")
                await until_soon(lambda: inn.service.signing.failed, "the signing fails")
                assert (await health(inn))["signed"] is False
                told = (await inn.clients["auditor"].get("/signing")).json()
                assert (told["signed"], told["why"]) == (False, str(failed))
                assert (await inn.clients["visitor"].get("/signing")).status_code == 401
                assert (await inn.clients["dealer"].get("/signing")).status_code == 403
            await until_soon(lambda: not inn.service.signing.failed, "it signs again")
            assert (await health(inn))["signed"] is True
            assert "during" in inn.service.signing.path.read_text(encoding="utf-8")

    asyncio.run(look())
    lines = [json.loads(line) for line in capsys.readouterr().err.splitlines()]
    told = [line for line in lines if line["event"] == "no checkpoint was signed"]
    assert told[0]["why"] == str(failed)
    assert told[0]["level"] == "error"
    assert [line["level"] for line in lines if line["event"] == "checkpoints are signed again"] == ["warning"]


def test_other_watches_go_on_too() -> None:
    calls = list[int]()

    async def fail() -> None:
        calls.append(1)
        raise OSError(errno.EMFILE, "Too many open files")

    async def look() -> None:
        watch = asyncio.create_task(app._repeat(0.001, fail))
        await until_soon(lambda: len(calls) > 3, "it is tried again")
        watch.cancel()

    with capture_logs() as lines:
        asyncio.run(look())
    assert {line["why"] for line in lines} == {"OSError"}


def test_a_ledger_that_was_altered_is_verified_not_refused(tmp_path: Path) -> None:
    """Who asks for a verification gets its faults, although nothing can be signed."""

    async def look() -> None:
        async with inside(tmp_path) as inn:
            await work(inn, "one")
            inn.service.signing.path.write_text('{"signature":"00"}\n', encoding="utf-8")
            report = (await inn.clients["auditor"].send("POST", "/verify")).json()
            assert any(
                "is not a checkpoint" in fault["what"] or "not signed" in fault["what"] for fault in report["faults"]
            )
            assert (await health(inn))["signed"] is False

    asyncio.run(look())


def test_a_list_of_rounds_that_was_altered_is_refused_in_words(tmp_path: Path) -> None:
    async def look() -> None:
        async with inside(tmp_path) as inn:
            await work(inn, "one")
            reader = inn.clients["auditor"]
            assert (await reader.get("/rounds")).json()["rounds"] == []
            inn.service.store.upsert_projection(PROJECTION, [ProjectionRow("one:000000001", 1, "{}")])
            answer = await reader.get("/rounds")
            assert (answer.status_code, "the list of rounds was altered" in answer.json()["why"]) == (409, True)

    asyncio.run(look())
