"""Golden transcripts: rounds of each rulebook as a floorperson's log. `make golden` writes them anew.

A change of behaviour shows as a difference in review; the files are never edited by hand.
"""

from __future__ import annotations

import json
from pathlib import Path

from twentyone.round.words import in_words
from twentyone.rulebook import rulebook_ids
from twentyone.script import replay

__all__ = ["FOLDER", "transcript"]

FOLDER = Path(__file__).parent
LAW = FOLDER.parent / "law"
EVERY = 12


def scripts(rulebook: str) -> list[Path]:
    """Every twelfth dealt round script of a rulebook."""
    found = [path for path in sorted((LAW / rulebook).glob("*/*.json")) if _is_dealt(path)]
    return found[::EVERY]


def _is_dealt(path: Path) -> bool:
    body = json.loads(path.read_text(encoding="utf-8"))
    return body["format"] == "round-script/1" and "refused" not in body.get("expect", {})


def transcript(rulebook: str) -> str:
    """Some rounds of a rulebook, event by event, each with its paragraph."""
    lines = []
    for path in scripts(rulebook):
        verdict = replay(path.read_text(encoding="utf-8"))
        assert verdict.round is not None, verdict.error
        lines.append(f"== {path.relative_to(LAW)}")
        lines += [f"{event.cite:46} {in_words(event)}" for event in verdict.round.events]
        lines.append("")
    return "\n".join(lines)


if __name__ == "__main__":
    for name in rulebook_ids():
        (FOLDER / f"{name}.txt").write_text(transcript(name), encoding="utf-8")
