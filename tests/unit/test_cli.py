"""The commands: what they print, how they leave, what a mistake costs (one line, no traceback)."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from twentyone.cli import FOUND_WRONG, INTERRUPTED, REFUSED, main

ROOT = Path(__file__).parents[2]
LAW = ROOT / "tests" / "law"
GOOD = LAW / "pa-spanish-21/635a.12/a-winning-wager-pays-even-money.json"
BAD = LAW / "pa-spanish-21/635a.10/d-rescue-over-21-is-refused.json"
ROUND: dict[str, Any] = {
    "format": "round-script/1",
    "rulebook": "pa-spanish-21",
    "wagers": [{"box": 1, "player": "p1", "main": "10"}],
    "cards": "9S 9H 9D KD",
    "decisions": [{"box": 1, "action": "stand"}],
}


def write(folder: Path, body: Any, name: str = "script.json") -> str:
    path = folder / name
    path.write_text(body if isinstance(body, str) else json.dumps(body), encoding="utf-8")
    return str(path)


def test_replay_prints_a_table_with_paragraphs(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["replay", str(GOOD)]) == 0
    out = capsys.readouterr().out
    assert "58 Pa. Code § 635a.12(a)" in out
    assert "paragraph" in out


def test_replay_prints_the_schema_and_deals_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["replay", "--schema"]) == 0
    assert json.loads(capsys.readouterr().out)["$id"] == "urn:twentyone:round-script"


def test_replay_json_is_the_result(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """The result has the keys of the exchange format; 18 loses to 19 (635a.7(n))."""
    assert main(["replay", write(tmp_path, ROUND), "--json"]) == 0
    result = json.loads(capsys.readouterr().out)
    assert list(result) == ["rulebook", "void", "dealer", "hands", "wagers", "net", "cards_used"]
    assert result["wagers"] == [
        {
            "box": 1, "hand": 1, "player": "p1", "wager": "main", "amount": "10", "outcome": "lose",
            "odds": None, "net": "-10", "cite": "58 Pa. Code § 635a.7(n)",
        }
    ]  # fmt: skip


def test_refusal_is_one_line_on_standard_error(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["replay", str(BAD), "--json"]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert "decisions[" in err
    assert "635a.10(d)" in err
    assert len(err.splitlines()) == 1


def test_expectation_missed_leaves_with_1(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    script = write(tmp_path, {**ROUND, "expect": {"net": {"p1": "10"}, "cards_used": 4}})
    assert main(["replay", script]) == 1
    assert capsys.readouterr().err.splitlines() == ["twentyone replay: net.p1: expected 10, got -10"]


def test_lines_are_dealt_to_the_end(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """A .jsonl file: one line out for each in, the worst status at the end."""
    lines = [json.dumps(ROUND), "not json", json.dumps({**ROUND, "expect": {"void": True}}), json.dumps(ROUND)]
    assert main(["replay", write(tmp_path, "\n".join(lines), "many.jsonl"), "--json"]) == 2
    out = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [row["exit"] for row in out] == [0, 2, 1, 0]
    assert "result" in out[0]
    assert "not JSON" in out[1]["error"]
    assert main(["replay", write(tmp_path, "\n".join(lines), "many.jsonl")]) == 2
    assert len(capsys.readouterr().out.splitlines()) == 4


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"extra": 1}, "extra"),
        ({"format": "round-script/3"}, "format"),
        ({"steps": []}, "steps"),
        ({"format": "round-script/2", "steps": []}, "cards"),
        ({"rulebook": "poker"}, "rulebook"),
        ({"cards": "9S 9X"}, "9X"),
        ({"cards": ["9S"]}, "cards"),
        ({"cards": " ".join(["8S"] * 7)}, "635a.3(a)"),
        ({"wagers": [{"box": 1, "player": "p1", "main": 10}]}, "wagers[0].main"),
        ({"wagers": [{"box": 9, "player": "p1", "main": "10"}]}, "635a.2(a)"),
        ({"wagers": []}, "635a.6(d)"),
        ({"wagers": [{"box": 1, "player": "(layout)", "main": "10"}]}, "names in brackets"),
        ({"wagers": [{"box": "1", "player": "p1", "main": "10"}]}, "wagers[0].box"),
        ({"decisions": [{"box": 1, "action": "fold"}]}, "decisions[0].action"),
        ({"decisions": [{"box": 1, "action": "insure"}]}, "decisions[0].amount"),
        ({"decisions": [{"box": 2, "action": "stand"}]}, "decisions[0]"),
        ({"decisions": []}, "decision is missing"),
        ({"decisions": [{"box": 1, "action": "stand"}] * 2}, "decisions[1]"),
        ({"decisions": [{"box": 1, "action": "stand", "amount": "5"}]}, "takes no amount"),
        ({"decisions": [{"box": 1, "action": "stand", "hand": 1}]}, "takes no hand"),
        ({"cards": "9S 9H"}, "cards run out"),
        ({"submission": {"decks": 5}}, "submission.decks"),
        ({"submission": {"players_per_box": 1}}, "submission.players_per_box"),
        ({"submission": {"shoes": 5}}, "submission.shoes"),
        ({"submission": {"readings": {"split-21": "lose"}}}, "readings.split-21"),
        ({"wheel": ["350"]}, "wheel"),
        ({"meters": {"bonus_spin": "5"}}, "meters"),
    ],
)
def test_bad_scripts_say_where(
    change: dict[str, Any], said: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """What, where and which paragraph, in one line; exit 2; nothing on standard output."""
    assert main(["replay", write(tmp_path, {**ROUND, **change}), "--json"]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert said in err
    assert len(err.splitlines()) == 1


@pytest.mark.parametrize("text", ["", "[]", "{", "nul", '{"a": 1.5}', '{"a": 1, "a": 2}', "[" * 100_000, "\ud800"])
def test_what_is_not_json(text: str, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    path.write_bytes(text.encode("utf-8", "surrogatepass"))
    assert main(["replay", str(path)]) == 2
    assert capsys.readouterr().out == ""


HUGE = "1" * 5000


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('"box": 1', f'"box": {HUGE}', "wagers[0].box"),
        ('"p1"', '"\\ud800"', "wagers[0].player"),
        ('"p1"', '"a\\nb"', "wagers[0].player"),
        ('"main"', '"ma\\ud800in"', "no such key"),
        ('"10"', '"9999999999999"', "wagers[0].main"),
        ('"10"', "1e400", "wagers[0].main"),
        ('"10"', "NaN", "wagers[0].main"),
        ('"decisions"', '"expect": {"refused": 5}, "decisions"', "expect.refused"),
        ('"decisions"', '"wheel": null, "decisions"', "wheel"),
    ],
)
def test_odd_values_are_refused_where_they_stand(
    old: str, new: str, said: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """Never a traceback, one line, and a .jsonl file goes on behind such a line."""
    text = json.dumps(ROUND).replace(old, new, 1)
    assert main(["replay", write(tmp_path, text)]) == 2
    err = capsys.readouterr().err
    assert said in err
    assert len(err.splitlines()) == 1
    assert main(["replay", write(tmp_path, f"{text}\n\n{json.dumps(ROUND)}\n", "x.jsonl"), "--json"]) == 2
    assert [json.loads(line)["exit"] for line in capsys.readouterr().out.splitlines()] == [2, 2, 0]


def test_float_for_money_is_refused(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    text = json.dumps(ROUND).replace('"10"', "10.5")
    assert main(["replay", write(tmp_path, text)]) == 2
    err = capsys.readouterr().err
    assert "wagers[0].main" in err
    assert "decimal string" in err


@pytest.mark.parametrize(
    "arguments",
    [["replay", "no-such-file.json"], ["replay"], ["replay", "--schema", "x.json"], ["deal"], [], ["law", "poker"]],
)
def test_usage_leaves_with_64(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    try:
        status: object = main(arguments)
    except SystemExit as leaving:
        status = leaving.code
    assert status == 64
    out, err = capsys.readouterr()
    assert out == ""
    assert "usage:" in err


# -- law and check


def test_law_shows_a_paragraph(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["law", "pa-spanish-21", "635a.10(d)"]) == 0
    out = capsys.readouterr().out
    assert "twentyone.round.double_down.rescue" in out
    assert "tests/law/pa-spanish-21/635a.10/d-rescue-takes-the-double-back.json" in out
    assert "total_most = 21" in out


def test_law_takes_a_citation_too(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["law", "pa-spanish-21", "58 Pa. Code § 635a.12(d)", "--json"]) == 0
    body = json.loads(capsys.readouterr().out)
    assert body["kind"] == "clause"
    assert body["functions"]


def test_law_search_and_list(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["law", "--search", "rescue"]) == 0
    assert "635a.10(d)" in capsys.readouterr().out
    assert main(["law", "s13-spanish-21"]) == 0
    assert len(capsys.readouterr().out.splitlines()) == 137
    assert main(["law"]) == 0
    assert "md-spanish-21" in capsys.readouterr().out


def test_law_coverage_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["law", "coverage", "--json"]) == 0
    books = json.loads(capsys.readouterr().out)
    assert sum(len(book["paragraphs"]) for book in books.values()) == 919
    assert [book["missing"] for book in books.values()] == [[], [], [], [], []]


def test_law_coverage_says_what_holds_each_paragraph(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["law", "coverage", "pa-spanish-21"]) == 0
    out = capsys.readouterr().out
    assert re.search(r"635a.2\(b\)\(1\) +layout: name", out)
    assert re.search(r"635a.4\(b\) +step: remove_tens \(dealer\); step: destroy_tens \(floorperson\); script: b-", out)
    assert re.search(r"635a.7\(b\) +not modelled: ", out)
    assert "NOTHING" not in out


def test_law_unknown_paragraph(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["law", "pa-spanish-21", "635a.99"]) == 64
    assert "635a.99" in capsys.readouterr().err


def test_check_prints_each_choice_with_its_paragraph(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = write(tmp_path, 'rulebook = "pa-spanish-21"\ndecks = 8\n[readings]\nsplit-21 = "win"\n', "s.toml")
    assert main(["check", file]) == 0
    assert "58 Pa. Code § 635a.3(a)" in capsys.readouterr().out
    assert main(["check", file, "--json"]) == 0
    body = json.loads(capsys.readouterr().out)
    chosen = {choice["key"]: choice for choice in body["choices"]}
    assert (chosen["decks"]["value"], chosen["decks"]["given"]) == (8, True)
    assert body["no_effect"] == []


def test_check_says_which_choice_has_no_effect(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """635a.6(b)(2): a device that shuffles before every round leaves no round of the shoe to sit out."""
    file = write(tmp_path, 'rulebook = "pa-spanish-21"\nshuffler = "continuous"\nmid_shoe_entry = false\n', "s.toml")
    assert main(["check", file]) == 0
    assert "mid_shoe_entry             has no effect: the cards are shuffled again" in capsys.readouterr().out
    assert main(["check", file, "--json"]) == 0
    (told,) = json.loads(capsys.readouterr().out)["no_effect"]
    assert (told["key"], told["cite"]) == ("mid_shoe_entry", "58 Pa. Code § 635a.6(b)(2)")


WHEELS = """rulebook = "md-spanish-21"
bonus_spin = ["A", "D"]
settlement = "by-player"
[progressive.bonus_spin_A]
rate = "0.05"
reset = "1500"
"""


def test_check_sets_apart_what_the_text_requires(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """Md. 6.H, 7.R, 11.D, 12.D(6): said, or taken by default, and so each meter's rate and reset amount."""
    file = write(tmp_path, WHEELS, "s.toml")
    assert main(["check", file, "--json"]) == 0
    body = json.loads(capsys.readouterr().out)
    required = {choice["key"]: choice["given"] for choice in body["choices"] if choice["stated"] == "required"}
    assert required == {"boxes_per_player": False, "settlement": True, "max_split_hands": False, "progressive": True}
    missing = ["boxes_per_player", "max_split_hands", "progressive.bonus_spin_D.rate", "progressive.bonus_spin_D.reset"]
    assert body["required_by_default"] == missing
    said, silent = body["meters"]
    assert (said["meter"], said["rate"], said["rate_given"], said["reset"]) == ("bonus_spin_A", "0.05", True, "1500")
    assert (silent["meter"], silent["rate"], silent["rate_given"], silent["reset"]) == (
        "bonus_spin_D",
        "0",
        False,
        "5000",
    )
    assert silent["rate_cite"].endswith("12.D(6)(a)")
    assert main(["check", file]) == 0
    out = capsys.readouterr().out
    assert f"required, taken by default, to be stated in the filing: {', '.join(missing)}" in out
    assert "the text allows this submission" not in out
    assert "requires the filing to state some that were taken by default" in out.splitlines()[0]
    assert out.index("requires the operator to say") < out.index("offered where") < out.index("other choices")


@pytest.mark.parametrize(
    ("book", "required"),
    [
        ("pa-spanish-21", ["boxes_per_player", "settlement", "max_split_hands"]),
        ("pa-double-back-jack", ["boxes_per_player", "settlement"]),
        ("pa-down-under-blackjack", ["boxes_per_player", "settlement"]),
        ("md-spanish-21", ["boxes_per_player", "settlement", "max_split_hands"]),
        ("s13-spanish-21", []),
    ],
)
def test_a_submission_without_a_word_is_told_what_it_leaves_out(
    book: str, required: list[str], capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """635a.6(f), .7(p), .11(c); 673a.6(e), .7(t); 685a.6(f), .7(r); Md. 6.H, 7.R, 11.D."""
    assert main(["check", write(tmp_path, f'rulebook = "{book}"', "s.toml"), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["required_by_default"] == required


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('rulebook = "md-spanish-21"\nbonus_spin = ["A", "B"]', "12.D"),
        ('rulebook = "md-spanish-21"\nbonus_spin = "A"\nwheel_weights = {jackpot = 0}', "12.D(5)"),
        ('rulebook = "pa-spanish-21"\ndecks = 5', "635a.3(a)"),
        ('rulebook = "pa-down-under-blackjack"\ndecks = 4\nmatch_the_dealer = true', "685a.6(e)"),
        ('rulebook = "s13-spanish-21"\nmax_split_hands = 5', "13(j)(3)"),
        ('rulebook = "pa-double-back-jack"\ndecks = 9', "673a.3(a)"),
        ('rulebook = "pa-spanish-21"\nchip_unit = "0"', "635a.6(a)"),
        ('rulebook = "pa-spanish-21"\nchip_unit = 0.5', "635a.6(a)"),
        ('rulebook = "pa-spanish-21"\ntable_minimum = "20"\ntable_maximum = "10"', "635a.6(d)"),
        ('rulebook = "s13-spanish-21"\nmatch_the_dealer_odds = {suited = "8:1"}', "13(f)(5)(i)"),
        ("decks = 6", "rulebook"),
        ("decks = ", "TOML"),
    ],
)
def test_check_refuses(text: str, said: str, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """A submission the text does not allow: one line with the paragraph, exit 2."""
    assert main(["check", write(tmp_path, text, "s.toml")]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert said in err
    assert len(err.splitlines()) == 1


def test_help_has_an_example(capsys: pytest.CaptureFixture[str]) -> None:
    for command in ("replay", "law", "check", "play"):
        with pytest.raises(SystemExit) as leaving:
            main([command, "--help"])
        assert leaving.value.code == 0
        assert "example" in capsys.readouterr().out


# -- start


ALLOWED = {"twentyone"}
HEAVY = {"rich", "numpy", "numba", "sqlite3", "psycopg", "fastapi", "htpy", "asyncio", "pytest", "random", "secrets"}


def modules_of_replay() -> set[str]:
    program = (
        "import sys; before = set(sys.modules); from twentyone.cli import main; "
        f"main(['replay', {str(GOOD)!r}, '--json']); "
        "print(*(set(sys.modules) - before), file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    return {name.partition(".")[0] for name in done.stderr.split()}


def test_replay_imports_the_standard_library_only() -> None:
    """No Numba, web or database import on the path of `replay`: the list of what it imports is held here."""
    found = modules_of_replay()
    assert found & HEAVY == set()
    assert {name for name in found if name not in sys.stdlib_module_names} == ALLOWED


def test_replay_is_the_same_in_a_process_of_its_own(capsys: pytest.CaptureFixture[str]) -> None:
    """Status and answer of the program; how soon it starts is measured by `make bench PART=round`."""
    done = subprocess.run([sys.executable, "-m", "twentyone", "replay", str(GOOD), "--json"], capture_output=True)
    status = main(["replay", str(GOOD), "--json"])
    assert (done.returncode, done.stdout.decode(), done.stderr) == (status, capsys.readouterr().out, b"")


# -- answers that cannot be given


@pytest.mark.parametrize("buffered", [True, False])
def test_an_answer_that_cannot_be_written_is_told_in_one_sentence(buffered: bool) -> None:
    """A full disk: Python itself would notice it only at its end where the answer is buffered."""
    settings = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    with Path("/dev/full").open("w", encoding="utf-8") as full:
        done = subprocess.run(
            [sys.executable, *([] if buffered else ["-u"]), "-m", "twentyone", "law"],
            stdout=full, stderr=subprocess.PIPE, text=True, env=settings,
        )  # fmt: skip
    assert done.returncode == FOUND_WRONG
    assert done.stderr == "twentyone: the output cannot be written: No space left on device\n"


def test_ctrl_c_while_the_command_is_still_loaded(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def stop(_: str) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("twentyone.cli.import_module", stop)
    assert main(["law"]) == INTERRUPTED
    assert capsys.readouterr().err == "interrupted\n"


def test_ctrl_c_while_a_class_is_made_from_text_is_answered_like_any_other(tmp_path: Path) -> None:
    """A dataclass is made so: begun with `python -m`, Python would end by the signal, and not with the status."""
    (tmp_path / "interrupted.py").write_text(
        "import sys, twentyone.cli.law\n"
        "twentyone.cli.law.run = lambda _: exec('raise KeyboardInterrupt')\n"
        "sys.exit(twentyone.cli.main(['law']))"
    )
    done = subprocess.run([sys.executable, "-m", "interrupted"], cwd=tmp_path, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (INTERRUPTED, "interrupted\n")


def test_a_file_that_fails_is_named(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def fail(_: object) -> int:
        raise OSError(5, "Input/output error", "some.file")

    monkeypatch.setattr("twentyone.cli.law.run", fail)
    assert main(["law"]) == REFUSED
    assert capsys.readouterr().err == "twentyone: some.file: Input/output error\n"
