"""What the documents show works: commands are known to the command line, and quick ones are carried out."""

from __future__ import annotations

import re
from argparse import ArgumentParser
from functools import cache
from pathlib import Path

import pytest
from tests.shown import DOCUMENTS, FENCE, ROOT, Session, Shown, console_of, written_in

from twentyone.cli import COMMANDS, main, whole_parser

CARRIED_OUT = ("docs/first-round.md", "docs/add-a-rulebook.md", *(name for name in DOCUMENTS if "/people/" in name))
"""Pages whose commands are carried out; docs/ledger.md has a test of its own (tests/contracts/test_shift_docs.py)."""
EDITS_A_RULEBOOK = "docs/add-a-rulebook.md"
"""A process reads a rulebook once: here each command has its own."""
LONG = (
    *("odds", "hand", "strategy", "value", "effects", "compare", "sweep", "indices", "simulate", "analyse"),
    *("submission", "serve", "play"),
)
"""Commands that compile, or do not end by themselves: `make prove PART=site` carries those out that end."""
RUN_ELSEWHERE = {"docs/learn.md": "tests/unit/test_learn.py", "docs/data.md": "below"}
OWN_GAMES = {"my-game": "classic-blackjack"}
"""Games that a reader makes, and what they are copies of."""
INLINE = re.compile(r"`(twentyone [^`]+)`")


def text_of(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


@cache
def known() -> dict[str, ArgumentParser]:
    """The parser of every command."""
    actions = whole_parser()._subparsers
    assert actions is not None
    choices = actions._group_actions[0].choices
    assert isinstance(choices, dict)
    return choices


def fault_of(shown: Shown, capsys: pytest.CaptureFixture[str]) -> str:
    """What the command line has against a command; empty: nothing."""
    words = [OWN_GAMES.get(word, word) for word in shown.words]
    if not words or words[0] in ("--version", "--help"):
        return ""
    if words[0] not in COMMANDS:
        return f"{shown.command}: there is no command {words[0]}"
    try:
        known()[words[0]].parse_args(words[1:])
    except SystemExit as leaving:
        return f"{shown.command}: {capsys.readouterr().err}" if leaving.code else ""
    return ""


def options_of(parser: ArgumentParser) -> set[str]:
    """All options of a command."""
    return set(re.findall(r"--[a-z][a-z0-9-]*", parser.format_help()))


@pytest.mark.parametrize("name", DOCUMENTS)
def test_every_command_that_a_document_shows_is_known(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    text = text_of(name)
    ours = [shown for shown in console_of(text) if shown.command.startswith("twentyone ")]
    faults = [fault for shown in (*ours, *written_in(text)) if (fault := fault_of(shown, capsys))]
    assert faults == []


def test_the_page_of_the_command_line_has_every_command_and_no_other() -> None:
    text = text_of("docs/command-line.md")
    named = set(re.findall(r"`(?:twentyone )?([a-z-]+)(?=[ `])", text))
    assert set(COMMANDS) - named == set()
    for line in INLINE.findall(text):
        command = line.split()[1]
        if command.startswith("-") or command.isupper():
            continue
        assert command in COMMANDS, line
        assert set(re.findall(r"--[a-z][a-z0-9-]*", line)) <= options_of(known()[command]), line


@pytest.mark.parametrize("name", CARRIED_OUT)
def test_the_quick_commands_of_a_page_do_what_it_says(name: str, tmp_path: Path) -> None:
    session = Session(tmp_path, apart=name == EDITS_A_RULEBOOK)
    for shown in console_of(text_of(name)):
        if not shown.command.startswith("make ") and (shown.words or [""])[0] not in LONG:
            session.types(shown)


def test_every_python_block_is_run() -> None:
    """Sessions by doctest, as pyproject.toml lists them; the others by a test that is named here."""
    config = text_of("pyproject.toml")
    listed = set(re.findall(r'"([\w/.-]+\.md)"', config[config.index("testpaths") :].partition("\n")[0]))
    having = {name for name in DOCUMENTS if any(block["kind"] == "python" for block in FENCE.finditer(text_of(name)))}
    assert having - listed - set(RUN_ELSEWHERE) == set()
    assert {name for name in listed | set(RUN_ELSEWHERE) if not (ROOT / name).is_file()} == set()


def test_the_program_on_the_page_of_the_data_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["shift", "pa-spanish-21", "--rounds", "2", "--ledger", "t.db", "--seed", "7"]) == 0
    assert main(["export", "t.db", "--parquet", "data"]) == 0
    """The program over the rounds of a simulation is run in tests/unit/test_parquet.py, which makes that file."""
    blocks = [block["body"] for block in FENCE.finditer(text_of("docs/data.md")) if block["kind"] == "python"]
    (block,) = (block for block in blocks if "data/wagers.parquet" in block)
    names: dict[str, object] = {}
    exec(block, names)
    assert len(names["by_wager"]) > 0  # type: ignore[arg-type]


def test_a_command_that_is_not_there_and_an_output_that_is_not_so_are_noticed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The checks can fail: a command, an option, a status, an output."""
    text = "```console\n$ twentyone deal it\n$ twentyone law --find x\n$ twentyone law --search rescue\nnothing\n```\n"
    command, option, output = console_of(text)
    assert "no command deal" in fault_of(command, capsys)
    assert "--find" in fault_of(option, capsys)
    assert fault_of(output, capsys) == ""
    with pytest.raises(AssertionError, match="the document says"):
        Session(tmp_path).types(output)
    with pytest.raises(AssertionError, match="left with 0"):
        Session(tmp_path).types(output._replace(output="", status=2))
