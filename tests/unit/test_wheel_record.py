"""The record of a round's wheels: exported from a ledger, checked without it, by function and on the command line."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.contracts.wheel_driver import WheelTable

from twentyone.cli import main
from twentyone.errors import NotAScript
from twentyone.ledger.export import CannotSay
from twentyone.ledger.rounds import find_round
from twentyone.ledger.store import open_store
from twentyone.ledger.wheel_records import wheel_record
from twentyone.table.wheel_record import SpinRow, WheelRecord, wheel_faults

TWO_IN_ROUND_3, ROUND = 4, "t:3"


@pytest.fixture(scope="module")
def ledger(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A ledger whose third round has two spins; its tenth, with a hot spot, is over, the next has begun."""
    path = tmp_path_factory.mktemp("wheels") / "t.db"
    store = open_store(str(path), create=True)
    table = WheelTable(store, TWO_IN_ROUND_3)
    table.until_spins(3)
    while table.state.phase != "round":
        table.step()
    store.close()
    return path


@pytest.fixture(scope="module")
def record(ledger: Path) -> WheelRecord:
    """The record of the third round."""
    store = open_store(str(ledger))
    made = wheel_record(store, find_round(store, ROUND))
    store.close()
    return made


def test_a_record_of_the_ledger_is_well_and_reads_back(record: WheelRecord) -> None:
    assert len(record.spins) == 2
    assert wheel_faults(record) == []
    assert WheelRecord.from_json(record.to_json()) == record


def test_a_hot_spot_is_on_record(ledger: Path) -> None:
    store = open_store(str(ledger))
    record = wheel_record(store, find_round(store, "t:10"))
    assert record.spins[0].boxes == (1, 2)
    assert wheel_faults(record) == []
    moved = replace(record, spins=(record.spins[0]._replace(hot_spot=3 - (record.spins[0].hot_spot or 0)),))
    assert "the seed makes it" in wheel_faults(moved)[0]
    store.close()


@pytest.mark.parametrize(("round_", "why"), [("t:11", "not published"), ("t:3", "")])
def test_a_round_in_progress_has_no_record(ledger: Path, round_: str, why: str) -> None:
    store = open_store(str(ledger))
    row = find_round(store, round_)
    if why:
        with pytest.raises(CannotSay, match=why):
            wheel_record(store, row)
    else:
        assert wheel_record(store, row)
    store.close()


def test_what_differs_is_named(record: WheelRecord) -> None:
    first, second = record.spins
    other = SpinRow("bonus_spin", "jackpot")
    assert wheel_faults(replace(record, spins=(first, other)))[0].startswith("spin 2 is jackpot, the seed makes it")
    assert len(wheel_faults(replace(record, spins=(second, first)))) == 2
    assert wheel_faults(replace(record, commitment="0" * 64)) == ["the commitment is not the SHA-256 of the seed"]
    assert "no wheel 'luck' is in use" in wheel_faults(replace(record, spins=(SpinRow("luck", "1"),)))[0]
    assert len(wheel_faults(replace(record, seed="ab" * 32))) > 1
    assert wheel_faults(replace(record, rulebook="no-such-book"))


def _without(body: dict[str, Any], key: str) -> dict[str, Any]:
    return {name: value for name, value in body.items() if name != key}


@pytest.mark.parametrize(
    ("change", "named"),
    [
        (lambda body: _without(body, "seed"), "seed"),
        (lambda body: {**body, "luck": 1}, "'luck'"),
        (lambda body: {**body, "seed": "7"}, "seed"),
        (lambda body: {**body, "spins": "7"}, "spins"),
        (lambda body: {**body, "spins": [{"wheel": "bonus_spin"}]}, r"spins\[0\].symbol"),
        (lambda body: {**body, "spins": [{"wheel": "w", "symbol": "1", "boxes": ["1"]}]}, r"spins\[0\].boxes"),
        (lambda body: {**body, "spins": [{"wheel": "w", "symbol": "1", "luck": 1}]}, r"spins\[0\].'luck'"),
    ],
)
def test_a_record_of_another_form_is_refused(record: WheelRecord, change: Any, named: str) -> None:
    with pytest.raises(NotAScript, match=named):
        WheelRecord.from_json(json.dumps(change(json.loads(record.to_json()))))


# -- on the command line


def test_export_and_verify_shoe(ledger: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["export", str(ledger), ROUND, "--wheel"]) == 0
    text, file = capsys.readouterr().out, tmp_path / "wheel.json"
    file.write_text(text, encoding="utf-8")
    assert main(["verify-shoe", str(file)]) == 0
    assert capsys.readouterr().out.startswith("2 spins stopped as committed: ")
    body = json.loads(text)
    body["spins"][0]["symbol"] = "jackpot"
    file.write_text(json.dumps(body), encoding="utf-8")
    assert main(["verify-shoe", str(file), "--json"]) == 1
    said = capsys.readouterr()
    assert json.loads(said.out)["spins"] == 2
    assert "spin 1 is jackpot, the seed makes it" in said.err


def test_export_refuses_what_is_not_published(ledger: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["export", str(ledger), "t:11", "--wheel"]) == 2
    said = capsys.readouterr()
    assert (said.out, "is not published" in said.err) == ("", True)
    with pytest.raises(SystemExit, match="64"):
        main(["export", str(ledger), "--all", "--wheel"])


def test_show_tells_commitment_and_seed(ledger: Path, record: WheelRecord, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["show", str(ledger), ROUND]) == 0
    out = capsys.readouterr().out
    assert f"its wheels were committed to as {record.commitment}" in out
    assert f"their seed, published after it: {record.seed}" in out
    assert main(["show", str(ledger), "t:11", "--json"]) == 0
    wheel = json.loads(capsys.readouterr().out)["wheel"]
    assert len(wheel["commitment"]) == 64
    assert wheel["seed"] == ""
