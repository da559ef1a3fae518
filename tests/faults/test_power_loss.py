"""T1: no power cut loses what was acknowledged, stores half a command or breaks the file."""

from __future__ import annotations

from pathlib import Path

from tests.faults.power import cut_power, record

IMAGES = 300


def test_a_power_cut_loses_nothing_acknowledged(tmp_path: Path) -> None:
    recording = record(tmp_path)
    assert {item.file for item in recording.log if item.kind == "sync"} >= {"ledger.db", "ledger.db-wal"}
    assert [(number, faults) for number in range(IMAGES) if (faults := cut_power(recording, number))] == []


def test_without_full_synchronisation_the_same_test_fails(tmp_path: Path) -> None:
    """The negative control: WAL with synchronous=NORMAL is the usual mistake."""
    recording = record(tmp_path, synchronous="NORMAL")
    lost = [faults for number in range(60) if (faults := cut_power(recording, number))]
    assert len(lost) >= 20
    assert any("were acknowledged" in fault for faults in lost for fault in faults)
