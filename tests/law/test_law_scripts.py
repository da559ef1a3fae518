"""Every law script deals as its paragraph says, or is refused under the paragraph it names.

The scripts were derived from the texts by reading; the file's name is the paragraph.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from twentyone.rulebook import Rulebook, rulebook_ids
from twentyone.rulebook.coverage import paragraphs_of_path
from twentyone.script import COMMAND_FORMAT, play_commands, replay
from twentyone.table.script import TABLE_FORMAT, play_table_script

FOLDER = Path(__file__).parent
SCRIPTS = sorted(FOLDER.glob("*/*/*.json"))


def name_of(path: Path) -> str:
    return str(path.relative_to(FOLDER).with_suffix(""))


@pytest.mark.parametrize("path", SCRIPTS, ids=name_of)
def test_script(path: Path) -> None:
    """The round is what the script expects it to be."""
    text = path.read_text(encoding="utf-8")
    body: dict[str, Any] = json.loads(text)
    assert body.get("expect") or body.get("expect_events"), "a script that expects nothing tests nothing"
    players = {COMMAND_FORMAT: play_commands, TABLE_FORMAT: play_table_script}
    if body["format"] in players:
        assert players[body["format"]](body) == []
        return
    verdict = replay(text)
    wanted = 2 if "refused" in body["expect"] else 0
    assert verdict.faults == ()
    assert verdict.exit == wanted, verdict.error
    assert wanted == 0 or verdict.cite is not None, "a refusal of the law names its paragraph"


@pytest.mark.parametrize("book", rulebook_ids())
def test_paths_name_paragraphs_of_their_rulebook(book: str) -> None:
    """The path says which paragraph the script is about, and the script is of that rulebook."""
    scripts, entries = sorted((FOLDER / book).glob("*/*.json")), Rulebook.load(book).entries
    assert scripts
    assert [name_of(path) for path in scripts if json.loads(path.read_text(encoding="utf-8"))["rulebook"] != book] == []
    assert [name_of(path) for path in scripts if set(paragraphs_of_path(path)) - set(entries)] == []


def test_every_script_is_of_a_rulebook() -> None:
    assert {path.relative_to(FOLDER).parts[0] for path in SCRIPTS} <= set(rulebook_ids())
