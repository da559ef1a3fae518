"""The conformance suite: its files are current, our own engine passes it, another is told its faults."""

from __future__ import annotations

import ast
import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest
from tests.conformance import generate
from tests.patience import PATIENCE

from twentyone.cli import main
from twentyone.rulebook import Rulebook
from twentyone.rulebook.coverage import scripts_of
from twentyone.suite.engine import answer, answers
from twentyone.suite.files import runner, suite_folder

SUITE = suite_folder()
OURS = f"{sys.executable} -m twentyone suite engine"
SECOND = f"{sys.executable} {Path(__file__).with_name('second_engine.py')}"
MUTANT = f"{sys.executable} -m tests.conformance.mutant_engine"
MANIFEST = json.loads((SUITE / "manifest.json").read_text(encoding="utf-8"))
CASES: list[dict[str, Any]] = runner().read(SUITE, [], [], "*")
CLASSIC = [case for case in CASES if case["rulebook"] == "classic-blackjack" and case["level"] == "rounds"]
WITHOUT_EDGES = "*[!e]"
"""The ids of figures that are quickly worked out: no house edge."""


def report_of(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, dict[str, Any]]:
    status = main(["suite", "run", *words, "--timeout", f"{PATIENCE:.0f}", "--json"])
    out = capsys.readouterr().out
    return status, json.loads(out) if out else {}


def outcomes(report: dict[str, Any]) -> dict[str, int]:
    """How many cases came to what."""
    found: dict[str, int] = {}
    for row in (row for marks in report["counts"].values() for row in marks.values()):
        for outcome, many in row.items():
            found[outcome] = found.get(outcome, 0) + many
    return found


# -- the files


def test_the_files_are_current() -> None:
    """`make conformance` would change nothing: no script, clause or file is another than when they were made."""
    assert generate.manifest(generate.all_sources()) == MANIFEST, "run `make conformance`"


def test_a_changed_script_or_form_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The check can fail."""
    monkeypatch.setattr(generate, "FORM", generate.FORM + 1)
    assert generate.sources("") != MANIFEST["sources"][""]
    file = generate.ROOT / "README.md"
    monkeypatch.setattr(generate, "ROOT", tmp_path)
    before = [generate.digest([Path(shutil.copy(file, tmp_path / name))]) for name in ("a.json", "b.json")]
    (tmp_path / "a.json").write_text("{}", encoding="utf-8")
    assert len({*before, generate.digest([tmp_path / "a.json"])}) == 3


def test_the_cases_are_what_their_scripts_say() -> None:
    """Those of a book without readings are made again, and one that hangs on readings."""
    book = Rulebook.load("classic-blackjack")
    made = [generate.marked(generate.law_case(path)) for path in scripts_of(book)]
    kept = [case for case in CASES if case["rulebook"] == book.id and case["level"] != "figures"]
    assert {case["id"]: case for case in made} == {case["id"]: case for case in kept}
    stored = next(case for case in CASES if case["mark"] == "by-reading" and len(case["readings"]) > 1)
    path = generate.ROOT / "tests" / "law" / f"{stored['id']}.json"
    assert generate.marked(generate.law_case(path)) == stored


@pytest.mark.parametrize("name", ["case", "manifest", "request", "answer", "report"])
def test_the_schemas_are_schemas(name: str) -> None:
    jsonschema_rs.meta.validate(schema(name))


def schema(name: str) -> Any:
    return json.loads((SUITE / "schemas" / f"{name}.schema.json").read_text(encoding="utf-8"))


def test_every_file_keeps_to_its_schema() -> None:
    valid = jsonschema_rs.validator_for(schema("case"))
    assert [case["id"] for case in CASES if not valid.is_valid(case)] == []
    jsonschema_rs.validate(schema("manifest"), MANIFEST)
    assert len({case["id"] for case in CASES}) == len(CASES)
    unmarked = {key: value for key, value in CASES[0].items() if key != "mark"}
    assert not valid.is_valid(unmarked)
    assert not valid.is_valid({**CASES[0], "mark": "by-reading"}), "a reading is named"


def test_every_reading_of_a_case_is_asked_for_and_known() -> None:
    for case in (case for case in CASES if "readings" in case):
        known = MANIFEST["rulebooks"][case["rulebook"]]["readings"]
        assert case["readings"].items() <= case["script"]["submission"]["readings"].items()
        assert all(value in known[name] for name, value in case["readings"].items())


def test_the_document_says_how_many_cases_there_are() -> None:
    many = sum(sum(marks.values()) for marks in MANIFEST["cases"].values())
    assert f"\n{many} cases " in (SUITE / "README.md").read_text(encoding="utf-8")
    assert many == len(CASES)


def test_the_runner_is_short_and_needs_nothing_of_ours() -> None:
    text = (SUITE / "run.py").read_text(encoding="utf-8")
    assert len(text.splitlines()) <= 150
    nodes = list(ast.walk(ast.parse(text)))
    named = [alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names]
    named += [node.module or "." for node in nodes if isinstance(node, ast.ImportFrom)]
    assert {name.partition(".")[0] for name in named} <= sys.stdlib_module_names


# -- our own engine


def test_our_engine_passes_a_sample_of_every_level(capsys: pytest.CaptureFixture[str]) -> None:
    """Every tenth case; `make prove PART=suite` asks all."""
    words = [word for level in ("rounds", "irregularities", "table") for word in ("--level", level)]
    status, report = report_of(capsys, "--engine", OURS, "--every", "10", *words)
    assert (status, report["faults"], {*outcomes(report)}) == (0, [], {"passed"})
    jsonschema_rs.validate(schema("report"), report)
    assert [*report["counts"]] == ["rounds", "irregularities", "table"]


def test_our_engine_works_out_the_figures(capsys: pytest.CaptureFixture[str]) -> None:
    status, report = report_of(capsys, "--engine", OURS, "--level", "figures", "--case", WITHOUT_EDGES)
    assert (status, report["faults"]) == (0, [])


def test_requests_and_answers_keep_to_their_schemas() -> None:
    asked, answered = (jsonschema_rs.validator_for(schema(name)) for name in ("request", "answer"))
    requests = [{"hello": runner().PROTOCOL}]
    requests += [{"id": i, "level": case["level"], "script": case["script"]} for i, case in enumerate(CASES[::97])]
    for request in requests:
        asked.validate(request)
        answered.validate(answer(request))
    assert not answered.is_valid({"id": 1, "result": {}, "refused": {}})


def test_what_is_no_request_is_answered() -> None:
    lines = ["no JSON", "[]", '{"id": 1}', '{"id": 2, "script": {"format": "poker/1"}}', '{"id": 3, "script": 5}']
    lines.append('{"id": 4, "script": {"format": "perft/1", "rulebook": "none"}}')
    told = [json.loads(line) for line in answers(lines)]
    assert ["error" in row for row in told] == [True, True, False, False, False, True]
    assert [row["id"] for row in told if "unsupported" in row] == [1, 2, 3]


@pytest.mark.parametrize(
    ("fault", "level", "paragraph"),
    [("overpay", "rounds", "8(f)"), ("soft-17", "rounds", "8(a)"), ("cites", "table", "2(a)")],
)
def test_a_mutant_of_our_engine_fails(
    fault: str, level: str, paragraph: str, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ("--engine", f"{MUTANT} {fault}", "--rulebook", "classic-blackjack", "--level", level)
    status, report = report_of(capsys, *words)
    assert status == 1
    assert outcomes(report)["passed"] > 0
    assert paragraph in {cite for case in report["faults"] for cite in case["cites"]}


# -- a second engine


def test_a_second_engine_passes_what_it_claims(capsys: pytest.CaptureFixture[str]) -> None:
    """It claims plain rounds and the count of all rounds; all else is told as not claimed, not as passed."""
    status, report = report_of(capsys, "--engine", SECOND)
    assert (status, report["faults"]) == (0, [])
    assert outcomes(report) == {"passed": 81, "not claimed": len(CASES) - 81}
    assert report["counts"]["table"]["must"] == {"not claimed": MANIFEST["cases"]["table"]["must"]}
    assert main(["suite", "run", "--engine", SECOND, "--rulebook", "classic-blackjack"]) == 0
    last = capsys.readouterr().out.splitlines()[-1]
    assert last == "second: 81 of 81 cases passed; 497 are not claimed; citations were not compared"


@pytest.mark.parametrize(
    ("faults", "paragraphs"),
    [("even-blackjack", {"8(f)"}), ("soft-17", {"8(a)"}), ("even-blackjack soft-17", {"8(f)", "8(a)"})],
)
def test_a_second_engine_is_told_its_faults(
    faults: str, paragraphs: set[str], capsys: pytest.CaptureFixture[str]
) -> None:
    status, report = report_of(capsys, "--engine", f"{SECOND} {faults}", "--rulebook", "classic-blackjack")
    assert status == 1
    assert paragraphs <= {cite for case in report["faults"] for cite in case["cites"]}
    digests = [fault for case in report["faults"] for fault in case["faults"] if "figure.digest" in fault]
    assert digests, "every round of some small shoe is not as it was"


def test_an_engine_that_ends_is_started_anew() -> None:
    report = runner().examine(CLASSIC[:80], f"{SECOND} dies", PATIENCE)
    claimed = outcomes(runner().examine(CLASSIC[:80], SECOND, PATIENCE))["passed"]
    assert report["exit"] == 1
    assert {fault for case in report["faults"] for fault in case["faults"]} == {
        "not played: {'silent': 'the engine ended with status 7'}"
    }
    assert outcomes(report)["failed"] == claimed // 3
    assert outcomes(report)["passed"] == claimed - claimed // 3


@pytest.mark.parametrize(
    ("fault", "timeout", "why"),
    [
        ("deaf", 0.05, "no answer within 0.05 s"),
        ("raves", PATIENCE, "Expecting value"),
        ("lost", PATIENCE, "not the answer to this question"),
    ],
)
def test_an_engine_that_does_not_answer_is_given_up(fault: str, timeout: float, why: str) -> None:
    """Three cases in a row fail, and the rest is not asked."""
    report = runner().examine(CLASSIC, f"{SECOND} {fault}", timeout)
    assert report["exit"] == 1
    assert [why in case["faults"][0] for case in report["faults"]] == [True] * runner().GIVE_UP
    assert "passed" not in outcomes(report)
    assert outcomes(report)["not asked"] > 50


def engine_that(tmp_path: Path, hello: str, reply: str) -> str:
    """An engine of two lines: what it says of itself, and what it answers to everything."""
    file = tmp_path / "engine.py"
    text = "import json, sys\nfor line in sys.stdin:\n    ask = json.loads(line)\n"
    text += f"    print(json.dumps({hello} if 'hello' in ask else {{'id': ask['id'], **{reply}}}), flush=True)\n"
    file.write_text(text, encoding="utf-8")
    return f"{sys.executable} {file}"


ALL = {"protocol": "twentyone-conformance/1", "levels": ["rounds"], "rulebooks": ["classic-blackjack"]}


@pytest.mark.parametrize(
    ("reply", "outcome"),
    [({"unsupported": "too hard"}, "unsupported"), ({"error": "what?"}, "failed"), ({}, "failed"),
     ({"events": 5, "result": []}, "failed"), ({"refused": "no"}, "failed"),
     ({"unsupported": "", "result": {}}, "unsupported")],
)  # fmt: skip
def test_no_empty_answer_passes(reply: dict[str, Any], outcome: str, tmp_path: Path) -> None:
    report = runner().examine(CLASSIC[:40], engine_that(tmp_path, str(ALL), str(reply)), PATIENCE)
    assert (report["exit"], outcomes(report)) == (1, {outcome: 40})


# -- refused, and usage


def test_what_cannot_be_asked_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    other = engine_that(tmp_path, "{'protocol': 'other/2'}", "{}")
    none = {**ALL, "rulebooks": ["mine"]}
    said = []
    for engine in ("/no/such/engine", other, f"{sys.executable} -c pass"):
        assert main(["suite", "run", "--engine", engine]) == 2
        said.append(capsys.readouterr())
    assert main(["suite", "run", "--engine", engine_that(tmp_path, str(none), "{}")]) == 2
    assert main(["suite", "run", "--engine", SECOND, "--rulebook", "mine"]) == 2
    said.append(capsys.readouterr())
    assert [told.out for told in said] == [""] * 4
    parts = ["/no/such/engine", "does not speak", "ended with status 0", "claims none"]
    assert [part in told.err for part, told in zip(parts, said, strict=True)] == [True] * 4


@pytest.mark.parametrize(
    "words", [["run"], ["run", "--engine", " "], ["run", "--engine", "x", "--level", "all"], ["walk"], []]
)
def test_usage(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        main(["suite", *words])
    assert (left.value.code, capsys.readouterr().out) == (64, "")


@pytest.fixture(scope="module")
def alone(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The suite as somebody gets it, far from the project."""
    return Path(shutil.copytree(SUITE, tmp_path_factory.mktemp("suite") / "conformance"))


def ran(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """The runner by itself, isolated: no path and no package but the standard library's."""
    return subprocess.run(
        [sys.executable, "-I", "-S", str(folder / "run.py"), *words], cwd=folder, capture_output=True, text=True
    )


def test_the_runner_works_alone(alone: Path) -> None:
    assert ran(alone, "--engine", SECOND, "--level", "rounds").returncode == 0
    told = ran(alone, "--engine", f"{SECOND} soft-17", "--level", "rounds")
    assert told.returncode == 1
    assert "8(a)" in json.loads(told.stdout)["faults"][0]["cites"]
    assert ran(alone, "--engine", "/no/such/engine").returncode == 2
    assert ran(alone, "--engine", "").returncode == 2
    assert ran(alone, "--level", "rounds").returncode == 64


def test_a_file_that_was_changed_is_refused(alone: Path) -> None:
    """An expectation altered in place does not become law."""
    path = alone / "cases" / "rounds" / "classic-blackjack.jsonl"
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace('"15"', '"10"', 1), encoding="utf-8")
    told = ran(alone, "--engine", SECOND)
    path.write_text(text, encoding="utf-8")
    assert (told.returncode, told.stdout) == (2, "")
    assert "classic-blackjack.jsonl is not the file that the manifest names" in told.stderr


# -- how answers are compared

EXPECTED = {"result": {"net": {"p1": "15"}, "wagers": [{"wager": "main", "net": "15", "cite": "1(a)"}]}}


@pytest.mark.parametrize(
    ("net", "row", "cites", "right"),
    [
        ("15.00", {"wager": "main", "net": "15", "cite": "1(a)", "odds": "3:2"}, True, True),
        ("15.01", {"wager": "main", "net": "15", "cite": "1(a)"}, True, False),
        (15, {"wager": "main", "net": "15", "cite": "1(a)"}, True, False),
        ("15", {"wager": "main", "net": "15", "cite": "1(b)"}, True, False),
        ("15", {"wager": "main", "net": "15"}, False, True),
        ("15", {"wager": "side", "net": "15", "cite": "1(a)"}, True, False),
    ],
)
def test_a_result_is_compared(net: Any, row: dict[str, str], cites: bool, right: bool) -> None:
    reply = {"id": 1, "result": {"net": {"p1": net, "p2": "0"}, "wagers": [{"wager": "other"}, row]}}
    assert (runner().faults(EXPECTED, reply, cites) == []) is right


def test_a_row_counts_once() -> None:
    twice = {"result": {"hands": [{"total": 20}, {"total": 20}]}}
    assert runner().faults(twice, {"result": {"hands": [{"total": 20, "box": 1}, {"total": 20}]}}) == []
    assert runner().faults(twice, {"result": {"hands": [{"total": 20}, {"total": 21}]}}) != []


def test_events_come_in_their_order() -> None:
    expect = {"events": [{"event": "A"}, {"event": "B"}]}
    rows = [{"event": name} for name in "xAyB"]
    assert runner().faults(expect, {"events": rows}) == []
    assert runner().faults(expect, {"events": rows[::-1]}) != []
    assert runner().faults(expect, {}) != []


@pytest.mark.parametrize(
    ("told", "right"),
    [
        ({"paragraph": "Classic § 7(e)", "at": 4}, True),
        ({"paragraph": "7(e)", "at": 4}, True),
        ({"paragraph": "Classic § 17(e)", "at": 4}, False),
        ({"paragraph": "Classic § 7(e)", "at": 3}, False),
        ({"paragraph": "Classic § 7(e)"}, False),
        ({}, False),
        (None, False),
    ],
)
def test_a_refusal_is_compared(told: dict[str, Any] | None, right: bool) -> None:
    assert (runner().faults({"refused": "7(e)", "at": 4}, {"refused": told}) == []) is right


def test_a_figure_may_be_close() -> None:
    expect = {"figure": {"house_edge": "0.004"}, "within": "1e-9"}
    assert runner().faults(expect, {"figure": {"house_edge": "0.0040000009"}}) == []
    assert runner().faults(expect, {"figure": {"house_edge": "0.0040000011"}}) != []
    assert runner().faults(expect, {"figure": {"house_edge": "1/0"}}) != []
