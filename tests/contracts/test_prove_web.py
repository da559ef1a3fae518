"""`make prove PART=web`: what is proved, what a fault, what out of time; a role is not proved twice."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from bench import prove_web
from bench.proofs import arguments_of
from bench.prove import FAULT, PROVED, TIME_OVER
from tests.web.timing import Leak, Timed

EVEN = [float(number) for number in range(100)]
LATER = [number + 50.0 for number in EVEN]


def test_a_part_is_named_by_family_and_role() -> None:
    assert arguments_of("web-fuzz-dealer", "normal") == ("prove_web", ["--part", "fuzz-dealer"])


def test_a_role_that_is_proved_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ran: list[str] = []

    def fuzzed(role: str, _: int) -> str:
        ran.append(role)
        return ""

    monkeypatch.setattr(prove_web, "_fuzzed", fuzzed)
    assert [prove_web.prove_fuzz("dealer", 10, tmp_path) for _ in range(2)] == [PROVED, PROVED]
    assert prove_web.prove_fuzz("dealer", 20, tmp_path) == PROVED, "more examples are another proof"
    assert ran == ["dealer", "dealer"]


def test_a_fault_and_a_part_out_of_time_are_not_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def late(*_: object) -> str:
        raise subprocess.TimeoutExpired("schemathesis", 1)

    for fuzzed, status in ((lambda *_: "the ledger is not well", FAULT), (late, TIME_OVER)):
        monkeypatch.setattr(prove_web, "_fuzzed", fuzzed)
        assert prove_web.prove_fuzz("dealer", 10, tmp_path) == status
        assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("plain", "planted", "status"), [(EVEN, LATER, PROVED), (LATER, LATER, FAULT), (EVEN, EVEN, FAULT)]
)
def test_times_are_proved_where_only_a_planted_delay_shows(
    monkeypatch: pytest.MonkeyPatch, plain: list[float], planted: list[float], status: int
) -> None:
    """Worlds that differ are a fault, and so is a control that finds nothing."""

    def timed(_: int, leak: Leak | None = None) -> list[Timed]:
        return [Timed("view", EVEN, plain if leak is None else planted)]

    monkeypatch.setattr(prove_web, "_timed", timed)
    assert prove_web.prove_timing(100) == status
