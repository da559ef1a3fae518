"""What `make test`, `make prove` and `make bench` came to, as files: `make evidence` writes the documents from them.

A result is left in `.prove/results/` by the command and taken over into `docs/results/`, which is committed. It holds a
digest of the files that it depends on: where that is another one today, the result is stale.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import sys
import time
import tomllib
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import redirect_stdout
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple, TextIO, TypeVar

from bench.line_report import machine, version

__all__ = ["KEPT", "LEFT", "ROOT", "Result", "Row", "Running", "digest_of", "paths_of", "results_in", "row_of", "told"]

Answer = TypeVar("Answer")
ROOT = Path(__file__).parents[1]
LEFT = ROOT / ".prove" / "results"
"""Where the commands leave their results."""
KEPT = ROOT / "docs" / "results"
"""Where they are committed."""
CONTROL = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]|\r")
"""What moves a terminal's cursor and colours its text."""
FIGURE = re.compile(r"(?P<what>\S.*?)(?:\s{2,}|: )(?P<figure>\S.*?)(?:\s*\((?P<bar>[^()]*\b(?:bar|floor)\b[^()]*)\))?")


class Row(NamedTuple):
    """One line of a result."""

    what: str
    figure: str
    bar: str = ""


class Result(NamedTuple):
    """What a command came to."""

    name: str
    """`bench-sim`, `prove-T11-quick`, `test`: also the name of its file."""
    command: str
    status: str
    """`held`, `broken` or `not run`."""
    rows: tuple[Row, ...]
    date: str
    seconds: float
    version: str
    machine: dict[str, Any]
    load: float
    """How many processes wanted a core when it began."""
    of: tuple[str, ...]
    """What it depends on: paths, or a package with every layer below it (`twentyone.sim`)."""
    digest: str

    @classmethod
    def read(cls, file: Path) -> Result:
        """From its file."""
        body = json.loads(file.read_text(encoding="utf-8"))
        return cls(**{**body, "rows": tuple(Row(*row) for row in body["rows"]), "of": tuple(body["of"])})

    def write(self, folder: Path) -> None:
        """Its file, whole or not at all."""
        folder.mkdir(parents=True, exist_ok=True)
        new = folder / f"{self.name}.new"
        new.write_text(json.dumps(self._asdict(), indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
        new.replace(folder / f"{self.name}.json")


def results_in(folder: Path) -> list[Result]:
    """All results of a folder, by name."""
    return sorted(Result.read(file) for file in folder.glob("*.json"))


# -- what a result depends on


def paths_of(name: str, root: Path = ROOT) -> Iterator[Path]:
    """The files and folders that a name stands for.

    Of a package these are all that stand in no layer above it or beside it: import-linter holds that it imports none
    of those. What is in no layer (rulebooks, charts) belongs to all.
    """
    package, _, top = name.partition(".")
    if package != "twentyone":
        yield root / name
        return
    contract = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"]["contracts"]
    others: set[str] = set()
    for layer in contract[0]["layers"] if top else ():
        names = {one.strip(" ()") for one in layer.split("|")}
        others |= names - {top}
        if top in names:
            break
    yield from (path for path in sorted((root / "src" / package).iterdir()) if path.stem not in others)


def digest_of(names: Iterable[str], root: Path = ROOT) -> str:
    """A digest of the files that some names stand for."""
    digest = hashlib.sha256()
    for path in (path for name in names for path in paths_of(name, root)):
        for file in sorted(path.rglob("*")) if path.is_dir() else [path]:
            if file.is_file() and "__pycache__" not in file.parts:
                digest.update(file.relative_to(root).as_posix().encode() + b"\0" + file.read_bytes())
    return digest.hexdigest()[:16]


# -- a command at work


class Running:
    """A command that has begun: what it depends on is looked at now, not when it is done."""

    def __init__(self, name: str, command: str, of: Sequence[str]) -> None:
        self.began = time.monotonic()
        self.known: dict[str, Any] = {"name": name, "command": command, "of": tuple(of), "digest": digest_of(of)}
        self.known |= {"version": version(), "machine": machine(), "load": round(os.getloadavg()[0], 1)}
        self.known["date"] = datetime.now(UTC).isoformat(timespec="minutes")

    def ends(self, status: str, rows: Iterable[Row], folder: Path | None = None) -> None:
        """Leave the result."""
        seconds = round(time.monotonic() - self.began, 1)
        Result(**self.known, status=status, rows=tuple(rows), seconds=seconds).write(folder or LEFT)


class _Heard:
    """Output that is listened to; all else is asked of the stream itself."""

    def __init__(self, stream: TextIO) -> None:
        self.stream, self.heard = stream, ""

    def write(self, text: str) -> int:
        self.heard += text
        return self.stream.write(text)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.stream, name)


def told(command: Callable[[], Answer]) -> tuple[Answer, list[Row]]:
    """What a command answers, and what it prints meanwhile, line by line; bars of progress are left out."""
    heard = _Heard(sys.stdout)
    with redirect_stdout(heard):
        answer = command()
    lines = CONTROL.sub("", heard.heard).splitlines()
    return answer, [row_of(line) for line in lines if line.strip() and "━" not in line]


def row_of(line: str) -> Row:
    """A printed line as what was measured, the figure and its bar.

    >>> row_of("commands, one client                      0.61 of it (bar 0.40)")
    Row(what='commands, one client', figure='0.61 of it', bar='bar 0.40')
    >>> row_of("prove ledger disk: 150 operations (undone 440), 0 faults, 2 s")
    Row(what='prove ledger disk', figure='150 operations (undone 440), 0 faults, 2 s', bar='')
    """
    found = FIGURE.fullmatch(line.strip())
    return Row(found["what"], found["figure"], found["bar"] or "") if found else Row("", line.strip())
