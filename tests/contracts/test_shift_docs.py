"""Every command that docs/ledger.md shows runs, in its order, and leaves as it says."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from twentyone.cli import main

PAGE = Path(__file__).parents[2] / "docs" / "ledger.md"
COMMAND = re.compile(
    r"^\$ twentyone (?P<words>[^>#]+?)(?: > (?P<file>\S+))?(?:\s+# exit (?P<status>\d+))?$", re.MULTILINE
)


def test_the_commands_on_the_page_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    page = PAGE.read_text(encoding="utf-8")
    found = list(COMMAND.finditer(page))
    assert len(found) == page.count("\n$ twentyone")
    monkeypatch.chdir(tmp_path)
    for command in found:
        capsys.readouterr()
        status = main(shlex.split(command["words"]))
        out, err = capsys.readouterr()
        assert status == int(command["status"] or 0), (command[0], err)
        if command["file"]:
            Path(command["file"]).write_text(out, encoding="utf-8")
