"""The one report: every line has a result or says why not, none is green unrun, a planted fault unfound is told."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from bench import prove_lines
from bench.line_report import Result, page, report_of
from bench.lines import Line, Work, lines

ROOT = Path(__file__).parents[2]


@pytest.fixture(autouse=True)
def apart(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Nothing of this project's own work is touched."""
    monkeypatch.setattr(prove_lines, "KEPT", tmp_path / "kept")
    monkeypatch.setattr(prove_lines, "fingerprint", lambda: "now")


def result(status: str = "held", control: str = "held", line: str = "T3", code: str = "now") -> Result:
    return Result(line, "quick", status, ("measured",), control, ("found",), 1.0, "2026-11-16T00:00:00+00:00", code)


def test_there_are_thirty_lines_three_drills_and_the_shifts_each_with_a_bar_and_a_control() -> None:
    assert list(lines()) == [*(f"T{number}" for number in range(1, 31)), "failover", "restore", "upgrade", "shifts"]
    for line in lines().values():
        assert line.works or line.tests, line.name
        assert line.control_works or line.control_tests or line.control_within, line.name
        assert all((line.title, line.bar, line.control, line.seeds)), line.name


def test_whatever_a_line_names_is_there() -> None:
    for line in lines().values():
        for work in (*line.works, *line.control_works):
            assert (ROOT / "bench" / f"{work.command.split()[0]}.py").is_file(), work.command
        for name in (*line.tests, *line.control_tests):
            file, _, test = name.partition("::")
            assert f"def {test}" in (ROOT / file).read_text(encoding="utf-8"), name


@pytest.mark.parametrize(
    ("outcomes", "status"),
    [
        ({"a.py::t": ["passed", "passed"]}, "held"),
        ({"a.py::t": ["passed", "failure"]}, "broken"),
        ({"a.py::t": ["passed", "skipped"]}, "not run"),
        ({}, "broken"),
    ],
)
def test_tests_hold_only_where_all_of_them_ran_and_passed(outcomes: dict[str, list[str]], status: str) -> None:
    """One that was asked for and did not report is no pass."""
    assert prove_lines._judge(["a.py::t"], outcomes, set()).status == status


def test_what_is_not_there_is_not_run(tmp_path: Path) -> None:
    line = Line("T1", "t", "b", "c", "s", works=(Work("nowhere --count 1"),), control_tests=("tests/nowhere.py::t",))
    found = prove_lines.run_line(line, "quick", tmp_path)
    assert (found.status, found.control) == ("not run", "not run")
    assert found.measured == ("there is no bench/nowhere.py",)


def test_a_line_that_nothing_ran_is_not_green() -> None:
    assert prove_lines._together([]).status == "not run"


@pytest.mark.parametrize(
    ("code", "status"), [(0, "held"), (1, "broken"), (2, "broken"), (69, "not run"), (75, "not run")]
)
def test_the_status_of_a_command_is_that_of_its_line(code: int, status: str) -> None:
    assert prove_lines._ran(code, ()).status == status


@pytest.mark.parametrize(
    ("made", "status"),
    [(result(), 0), (result("broken"), 1), (result(control="broken"), 1), (result("not run"), 75)],
    ids=["held", "broken", "planted fault not found", "not run"],
)
def test_the_report_names_every_line(
    made: Result, status: int, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(prove_lines, "run_line", lambda *_: made)
    monkeypatch.setattr(prove_lines, "REPORT", tmp_path / "prove")
    monkeypatch.setattr(prove_lines.prove, "__defaults__", (tmp_path / "prove",))
    assert prove_lines.main(["--part", "T3", "--size", "quick"]) == status
    report: dict[str, Any] = json.loads((tmp_path / "prove" / "report.json").read_text(encoding="utf-8"))
    rows = {row["line"]: row for row in report["lines"]}
    assert set(rows) == set(lines())
    assert rows["T3"]["status"] == made.status
    assert {row["status"] for name, row in rows.items() if name != "T3"} == {"not run"}
    assert {"version", "machine", "date", "size"} <= set(report)
    assert "disk fault" in (tmp_path / "prove" / "report.html").read_text(encoding="utf-8")
    assert "T3 disk fault" in capsys.readouterr().out


def test_a_line_that_held_is_not_run_again_until_something_changes(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    ran: list[str] = []

    def run(line: Line, *_: object) -> Result:
        ran.append(line.name)
        return result(code=prove_lines.fingerprint())

    monkeypatch.setattr(prove_lines, "run_line", run)
    for _ in range(2):
        prove_lines.prove([lines()["T3"]], "quick", tmp_path / "prove")
    monkeypatch.setattr(prove_lines, "fingerprint", lambda: "later")
    prove_lines.prove([lines()["T3"]], "quick", tmp_path / "prove")
    assert ran == ["T3", "T3"]


def test_a_broken_line_is_run_again(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    ran: list[str] = []

    def run(line: Line, *_: object) -> Result:
        ran.append(line.name)
        return result("broken")

    monkeypatch.setattr(prove_lines, "run_line", run)
    for _ in range(2):
        prove_lines.prove([lines()["T3"]], "quick", tmp_path / "prove")
    assert ran == ["T3", "T3"]


def test_what_is_said_is_text_on_the_page(tmp_path: Path) -> None:

    made = result()._replace(measured=("<script>alert(1)</script>",))
    assert "<script>" not in page(report_of("quick", {"T3": made}))
