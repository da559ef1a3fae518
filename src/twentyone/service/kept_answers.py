"""Answers kept by the hash of their question: the same question is answered at once, and a link names it."""

from __future__ import annotations

import contextlib
import json
import os
import re
from collections import OrderedDict
from pathlib import Path
from typing import Any, NamedTuple

from twentyone.ledger.private_files import OWNER_ONLY
from twentyone.odds.cache import folder
from twentyone.platforms import make_owners_alone
from twentyone.service.questions import DeskQuestion

__all__ = ["KeptAnswer", "KeptAnswers"]

NAME = re.compile(r"[0-9a-f]{64}")
IN_MEMORY = 32
"""Answers that are not read from the disk again."""
ON_DISK = 2000
"""Answers that are kept; the oldest go first."""


class KeptAnswer(NamedTuple):
    """A question and what came of it."""

    kind: str
    """The kind of question."""
    asked: dict[str, Any]
    """What was asked."""
    body: dict[str, Any]
    """The answer."""


class KeptAnswers:
    """The answers of one machine, in files; where none can be written, the last ones in memory."""

    def __init__(self, where: Path | None = None) -> None:
        self.folder = where or folder().with_name("desk")
        """Where they are."""
        self._recent: OrderedDict[str, KeptAnswer] = OrderedDict()

    def get(self, name: str) -> KeptAnswer | None:
        """The answer under a name, if it is kept."""
        if name not in self._recent and NAME.fullmatch(name):
            with contextlib.suppress(OSError, ValueError, TypeError):
                self._remember(name, KeptAnswer(**json.loads(self._path(name).read_text(encoding="utf-8"))))
        return self._recent.get(name)

    def keep(self, question: DeskQuestion, body: dict[str, Any]) -> None:
        """Keep an answer: whole or not at all."""
        kept = KeptAnswer(question.kind, dict(question.asked), body)
        self._remember(question.id, kept)
        path = self._path(question.id)
        part = path.with_suffix(f".{os.getpid()}.part")
        with contextlib.suppress(OSError):
            self._make_room()
            with part.open("w", encoding="utf-8") as file:
                make_owners_alone(file.fileno(), OWNER_ONLY)  # a script may name a card that was never shown
                file.write(json.dumps(kept._asdict()))
            part.replace(path)
            self.work(question.id).unlink(missing_ok=True)

    def work(self, name: str) -> Path:
        """The file in which unfinished work on a question is kept."""
        with contextlib.suppress(OSError):
            self.folder.mkdir(parents=True, exist_ok=True)
        return self.folder / f"{name}.work"

    def _path(self, name: str) -> Path:
        return self.folder / f"{name}.json"

    def _remember(self, name: str, kept: KeptAnswer) -> None:
        self._recent[name] = kept
        if len(self._recent) > IN_MEMORY:
            self._recent.popitem(last=False)

    def _make_room(self) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        files = [path for path in self.folder.iterdir() if path.suffix in (".json", ".work")]
        if len(files) > ON_DISK:
            for path in sorted(files, key=lambda path: path.stat().st_mtime)[: len(files) - ON_DISK]:
                path.unlink(missing_ok=True)
