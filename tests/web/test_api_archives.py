"""Closed periods on the page of reports, for auditor and administrator."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.web.inside import Inside
from tests.web.test_api_security import in_house
from twentyone.cli import main

CLOSE = ["archive", "close", "2026.db", "--next", "2027.db", "--by", "Fay", "--out", "kept"]
SHIFT = ["shift", "classic-blackjack", "--rounds", "1", "--seed", "3", "--ledger", "2026.db"]


def test_a_closed_period_is_shown_with_its_hash_and_who_closed_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(SHIFT) == main(CLOSE) == 0
    line = json.loads(Path("kept/archives.jsonl").read_text(encoding="ascii").splitlines()[0])

    async def work(inn: Inside) -> None:
        auditor, floor = inn.clients["auditor"], inn.clients["floorperson"]
        assert "No period has been closed yet" in (await auditor.get("//report")).text
        inn.service.archives = Path("kept")
        page = (await auditor.get("//report")).text
        assert "No period has been closed yet" not in page
        for said in ("2026.db", "Fay", line["sha256"], "kept/2026-0001.db", f"{line['events']:,}"):
            assert said in page, said
        (period,) = (await auditor.get("/archives")).json()["periods"]
        assert (period["number"], period["by"], period["state"]) == (1, "Fay", "kept")
        assert "Closed periods" not in (await floor.get("//report")).text
        Path("kept/2026-0001.db").unlink()
        assert (await auditor.get("/archives")).json()["periods"][0]["state"] == "missing"
        for broken, says in (("{}\n", "cannot be read"), (json.dumps({**line, "prev": "x"}) + "\n", "was altered")):
            Path("kept/archives.jsonl").write_text(broken, encoding="ascii")
            assert says in (await auditor.get("//report")).text
            assert says in str((await auditor.get("/archives")).json()["faults"])

    in_house(tmp_path, work)
