"""The commands of the odds: what they refuse, with what words and which exit status."""

from __future__ import annotations

from pathlib import Path

import pytest

from twentyone.cli import REFUSED, USAGE, main
from twentyone.rulebook import Rulebook
from twentyone.strategy import Place, default_strategy, to_csv, to_json

PA = "pa-spanish-21"


def refused(argv: list[str], capsys: pytest.CaptureFixture[str]) -> str:
    """Run a command that is to be refused; answers what it said."""
    assert main(argv) == REFUSED
    said = capsys.readouterr()
    assert said.out == ""
    assert "Traceback" not in said.err
    return said.err


def strategy_file(folder: Path, book: str, change: str = "") -> str:
    """The default chart as a CSV file, with one line changed."""
    text = to_csv(default_strategy(Rulebook.load(book).under()))
    if change:
        start = change.rpartition(",")[0].rsplit(",", 9)[0]
        lines = [change if line.startswith(start + ",") else line for line in text.splitlines()]
        text = "\n".join(lines)
    (folder / "chart.csv").write_text(text, encoding="utf-8")
    return str(folder / "chart.csv")


@pytest.mark.parametrize("command", ["odds", "strategy", "effects"])
def test_an_unknown_rulebook_is_a_wrong_command_line(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        main([command, "spanish-22"])
    assert left.value.code == USAGE
    assert "there is no such rulebook" in capsys.readouterr().err


@pytest.mark.parametrize("command", ["odds", "strategy", "effects"])
def test_an_unknown_key_is_refused_with_the_paragraph(
    command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "ours.toml"
    file.write_text('deks = 6\nrulebook = "pa-spanish-21"')
    assert "58 Pa. Code § 635a.6(f)" in refused([command, PA, "--submission", str(file)], capsys)


@pytest.mark.parametrize("text", ["decks = ", 'rulebook = "md-spanish-21"', "decks = 7", "\xff"])
def test_a_wrong_submission_is_refused(text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "ours.toml"
    file.write_bytes(text.encode("latin-1"))
    assert refused(["odds", PA, "--submission", str(file)], capsys)


def test_no_such_submission(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        main(["odds", PA, "--submission", "/no/such/file.toml"])
    assert left.value.code == USAGE


def test_a_missing_cell_is_refused_with_its_place(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = strategy_file(tmp_path, PA, "first,,hard,16,S,S,.,S,S,H,H,H,H,H")
    said = refused(["value", PA, "--strategy", file], capsys)
    assert "first, hard 16 against 4: the cell is missing" in said
    assert "635a.7(h)" in said


def test_an_illegal_cell_is_refused_with_the_paragraph(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = strategy_file(tmp_path, PA, "split,,hard,16,Rh,S,S,S,S,H,H,H,H,H")
    said = refused(["value", PA, "--strategy", file], capsys)
    assert "split, hard 16 against 2: Rh: the hand may not surrender" in said
    assert "635a.9(a)" in said


def test_a_strategy_for_another_game_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    said = refused(["value", "md-spanish-21", "--strategy", strategy_file(tmp_path, PA)], capsys)
    assert "for pa-spanish-21, not for md-spanish-21" in said


@pytest.mark.parametrize("content", [b"", b"{}", b"\xff\xfe", b"strategy/1", b'{"format": "strategy/1"}', b"[[[["])
def test_a_file_that_is_no_strategy_is_refused(
    content: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "chart").write_bytes(content)
    assert refused(["value", PA, "--strategy", str(tmp_path / "chart")], capsys)


@pytest.mark.parametrize(
    ("argv", "said"),
    [
        ([PA, "6S 7X", "--up", "5"], "there is no card '7X'"),
        ([PA, "6S 7S", "--up", "11"], "there is no card '11'"),
        ([PA, "6S 7S", "--up", "5", "--hole", "small"], "knows nothing of the hole card"),
        (["pa-down-under-blackjack", "6S 7S", "--up", "5"], "small or medium or large"),
        (["pa-down-under-blackjack", "6S 7S", "--up", "10", "--hole", "large"], "small or medium or =10"),
    ],
)
def test_a_hand_that_cannot_be_is_refused(argv: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert said in refused(["hand", *argv], capsys)


def test_a_strategy_in_both_forms_is_read(tmp_path: Path) -> None:
    """The check of the helper itself: an unchanged file is the default chart."""
    rules = Rulebook.load(PA).under()
    text = Path(strategy_file(tmp_path, PA)).read_text(encoding="utf-8")
    assert text == to_csv(default_strategy(rules))
    assert '"strategy/1"' in to_json(default_strategy(rules))
    assert Place("first", "", "hard", "16", "4") in default_strategy(rules).cells
