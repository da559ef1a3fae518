"""What strangers write, altered at random from a fixed seed; `make prove PART=fuzz` tries far more of it."""

from __future__ import annotations

import json
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest
from bench.prove_fuzz import Planted, faults, main, planted, try_out
from tests.faults.fuzz import TARGETS

from twentyone.errors import TwentyoneError
from twentyone.ledger.reading import readable_part
from twentyone.ledger.report import pages, shift_report
from twentyone.ledger.rows import LedgerRefused
from twentyone.ledger.store import open_store
from twentyone.ledger.timestamps import Period
from twentyone.service import records
from twentyone.service.paces import Settings, read_settings

TRIED = {"scripts": 40, "law-scripts": 40, "rulebooks": 20, "events": 12, "files": 150, "people": 50}


@pytest.mark.parametrize("name", TARGETS)
def test_nothing_but_refusals_comes_out(name: str) -> None:
    target = TARGETS[name]
    tried, fault, material = try_out(target.material(), target.reads, TRIED[name], seed=19)
    assert fault is None, f"{faults(fault)}\n{material}"
    assert tried >= TRIED[name] // 2


def test_a_planted_fault_is_found() -> None:
    target = TARGETS["law-scripts"]
    _, fault, material = try_out(target.material(), planted(target.reads), 40, seed=19)
    assert (type(fault), bool(material)) == (Planted, True)


def test_without_its_examination_the_file_of_people_lets_faults_through(monkeypatch: pytest.MonkeyPatch) -> None:
    """The negative control: it is the examination that holds them back."""
    monkeypatch.setattr(records, "refuse_damaged", lambda *_: None)
    target = TARGETS["people"]
    _, fault, _ = try_out(target.material(), target.reads, 60, seed=19)
    assert fault is not None
    assert not isinstance(fault, TwentyoneError)


def test_an_unknown_target_is_no_part(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["--part", "nothing"])
    assert "scripts" in capsys.readouterr().err


@pytest.mark.parametrize(
    "stored",
    ["", "{}", "7", "[]", '["normal"]', '["normal", "x", 8, 300, "", ""]', '["normal", -1, 8, 300, "", ""]',
     '["normal", 1e400, 8, 300, "", ""]', '["warp", 45, 8, 300, "", ""]', '["normal", 45, 8, 300, 7, ""]', "[" * 9999],
)  # fmt: skip
def test_settings_that_are_none_any_more_are_as_if_nobody_had_chosen(stored: str) -> None:
    assert read_settings(stored) == Settings()


def test_settings_are_read_as_they_were_kept() -> None:
    chosen = Settings("slow", 30.0, 5.0, 200.0, "Ann", "fast")
    assert read_settings(json.dumps(chosen.stored())) == chosen


def test_a_round_that_cannot_be_folded_is_named() -> None:
    with pytest.raises(LedgerRefused, match="one:7 cannot be read"), readable_part("one:7"):
        raise AssertionError("altered")


def test_a_report_that_cannot_be_written_is_refused(tmp_path: Path) -> None:
    """A meter without a name is found when the report is written, not when its event is read."""
    with closing(open_store(str(tmp_path / "t.db"), create=True)) as store:
        report = shift_report(store, Period(), 0)
    nameless = replace(report, tables=(SimpleNamespace(events=1, meters={None: None}),))  # type: ignore[arg-type]
    for written in (lambda: list(pages(nameless)), nameless.to_json):
        with pytest.raises(LedgerRefused, match="the report cannot be read"):
            written()
