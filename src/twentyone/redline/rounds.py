"""The law scripts of two laws dealt under both: the rounds that end otherwise, side by side."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from twentyone.errors import NotAScript
from twentyone.redline.model import Version
from twentyone.rulebook.coverage import law_folder, script_name
from twentyone.rulebook.folders import folders
from twentyone.script import Script, Verdict, parse, replay

__all__ = ["DealtRounds", "RoundPair", "deal_both"]

FORM = "round-script/"
"""Every round script names its format, which begins like this."""


@dataclass(frozen=True)
class RoundPair:
    """One script, dealt under two laws that do not agree on it."""

    script: str
    """Its name."""
    title: str
    """What it shows."""
    cards: str
    """The cards as they left the shoe."""
    left: Verdict
    """What came of it under the first law."""
    right: Verdict
    """Under the second."""

    @property
    def dealt(self) -> bool:
        """Whether both laws let it be played to its end."""
        return self.left.result is not None and self.right.result is not None

    def body(self) -> dict[str, Any]:
        """The pair as JSON."""
        sides = {"left": self.left, "right": self.right}
        told = {side: verdict.result or {"refused": verdict.error} for side, verdict in sides.items()}
        return {"script": self.script, "title": self.title, "cards": self.cards, **told}


@dataclass(frozen=True)
class DealtRounds:
    """Every script that was dealt, and those on which two laws do not agree."""

    dealt: int
    """Scripts dealt under both; those of a reading that one of them does not know are none of them."""
    pairs: tuple[RoundPair, ...]
    """Those that end otherwise: first those that both laws let be played to the end."""

    def body(self) -> dict[str, Any]:
        """The rounds as JSON."""
        return {"dealt": self.dealt, "pairs": [pair.body() for pair in self.pairs]}


def deal_both(left: Version, right: Version) -> DealtRounds:
    """Deal the law scripts of both laws under each of them."""
    pairs, dealt = [], 0
    for path in _scripts(left, right):
        script = _read(path)
        if script is None or not _readable(script, left, right):
            continue
        verdicts = [replay(_under(script, version), version.book) for version in (left, right)]
        dealt += 1
        if _outcome(verdicts[0]) != _outcome(verdicts[1]):
            cards = str(script.source.get("cards", ""))
            pairs.append(RoundPair(script_name(path), script.title, cards, verdicts[0], verdicts[1]))
    return DealtRounds(dealt, tuple(sorted(pairs, key=lambda pair: not pair.dealt)))


def _scripts(left: Version, right: Version) -> list[Path]:
    """The law scripts of both, those that lie in a folder of one's own too; each once."""
    shelf = folders()
    places = [shelf[version.book.id] for version in (left, right) if version.book.id in shelf]
    places += [version.folder for version in (left, right) if version.folder is not None]
    return list(dict.fromkeys(path for place in places for path in sorted(law_folder(place).glob("*/*.json"))))


def _read(path: Path) -> Script | None:
    """A round script; none of other formats, whose scripts play a table."""
    try:
        text = path.read_text(encoding="utf-8")
        return parse(text) if FORM in text else None
    except (NotAScript, OSError, ValueError):
        return None


def _readable(script: Script, left: Version, right: Version) -> bool:
    """Whether both laws know the readings that a script is written for."""
    given = script.submission
    named = dict(given.get("readings", {}))
    return all(name in version.rules.submission.readings for name in named for version in (left, right))


def _under(script: Script, version: Version) -> Script:
    """The script with nothing expected, and with the submission of the law where one was named."""
    given = {**script.submission, **version.rules.submission.given} if version.stated else script.submission
    return replace(script, expect=None, submission=given)


def _outcome(verdict: Verdict) -> Any:
    """What came of a script, without the names of laws and paragraphs."""
    return None if verdict.result is None else _plain(verdict.result)


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _plain(inner) for key, inner in value.items() if key not in ("cite", "rulebook")}
    return list(_each(value)) if isinstance(value, list) else value


def _each(values: Iterable[Any]) -> Iterator[Any]:
    return (_plain(value) for value in values)
