"""What the documents show: the commands of their `console` blocks, and a session that carries them out."""

from __future__ import annotations

import contextlib
import doctest
import io
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from twentyone.cli import main

__all__ = ["DOCUMENTS", "ROOT", "Session", "Shown", "console_of", "written_in"]

ROOT = Path(__file__).parents[1]
DOCUMENTS = tuple(
    str(path.relative_to(ROOT))
    for path in sorted((*ROOT.glob("*.md"), *ROOT.glob("conformance/*.md"), *(ROOT / "docs").rglob("*.md")))
)
"""Every document, by its path."""
FENCE = re.compile(r"^(`{3,})(?P<kind>\w*)\n(?P<body>.*?)^\1$", re.MULTILINE | re.DOTALL)
STATUS = re.compile(r"\s+# exit (\d+)$")
SAVED = re.compile(r"cat (\S+)")
LINE = re.compile(r"(?:    )?(?P<command>twentyone [a-z-]+(?: .+)?)$")
"""A command in a block that is no console."""
SAME = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


class Shown(NamedTuple):
    """A command of a document."""

    command: str
    """As it is typed."""
    output: str
    """What the document says that it prints; empty: it does not say."""
    status: int
    """With which status it leaves."""

    @property
    def words(self) -> list[str]:
        """The words of a command of ours, without its name and what the shell does with its output."""
        return shlex.split(re.split(r" (?:>>?|\||&&) ", self.command)[0], comments=True)[1:]


def console_of(text: str) -> Iterator[Shown]:
    """The commands of a document's console blocks, in their order."""
    for block in FENCE.finditer(text):
        if block["kind"] == "console":
            for part in re.split(r"^\$ ", block["body"].replace("\\\n", ""), flags=re.MULTILINE)[1:]:
                command, _, output = part.partition("\n")
                status = STATUS.search(command)
                yield Shown(STATUS.sub("", command), output.rstrip("\n"), int(status[1]) if status else 0)


def written_in(text: str) -> Iterator[Shown]:
    """Commands of ours that stand elsewhere: in plain or indented blocks; what stands far behind one is a remark."""
    for block in FENCE.finditer(text):
        if block["kind"] == "":
            yield from _lines(block["body"])
    yield from _lines("\n".join(line for line in FENCE.sub("", text).splitlines() if line.startswith("    ")))


def _lines(body: str) -> Iterator[Shown]:
    for line in body.splitlines():
        if found := LINE.match(line):
            for command in re.split(r" && ", re.split(r"\s{2,}", found["command"])[0]):
                yield Shown(command, "", 0)


class Session:
    """A reader who types what a document shows, in a folder of his own."""

    def __init__(self, folder: Path, apart: bool = False) -> None:
        self.folder, self.apart = folder, apart
        self.env = {"PYTHONPATH": str(ROOT / "src")}

    def types(self, shown: Shown) -> None:
        """Carry a command out, and compare status and output with what the document says."""
        saved = SAVED.fullmatch(shown.command)
        if saved and not (self.folder / saved[1]).exists():
            (self.folder / saved[1]).write_text(f"{shown.output}\n", encoding="utf-8")
            return
        if shown.command.startswith("export "):
            name, _, value = shown.command.removeprefix("export ").partition("=")
            self.env[name] = value
            return
        status, printed = self._run(shown)
        assert status == shown.status, f"{shown.command}: left with {status}\n{printed}"
        wanted = f"{shown.output}\n"
        if shown.output and not doctest.OutputChecker().check_output(wanted, printed, SAME):
            raise AssertionError(f"{shown.command}: the document says\n{wanted}\nand it prints\n{printed}")

    def _run(self, shown: Shown) -> tuple[int, str]:
        if not shown.command.startswith("twentyone "):
            return self._apart(["sh", "-c", shown.command])
        if self.apart:
            return self._apart([sys.executable, "-m", "twentyone", *shown.words])
        out = io.StringIO()
        with contextlib.chdir(self.folder), contextlib.redirect_stdout(out), contextlib.redirect_stderr(out):
            try:
                status = main(shown.words)
            except SystemExit as leaving:
                status = int(leaving.code or 0)
        into = re.search(r" > (\S+)$", shown.command)
        if into:
            (self.folder / into[1]).write_text(out.getvalue(), encoding="utf-8")
        return status, out.getvalue()

    def _apart(self, words: list[str]) -> tuple[int, str]:
        ran = subprocess.run(
            words, cwd=self.folder, env=os.environ | self.env, capture_output=True, text=True, stdin=subprocess.DEVNULL
        )
        return ran.returncode, ran.stdout + ran.stderr
