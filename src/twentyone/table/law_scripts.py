"""The law scripts of a rulebook, played: what each of them expects and does not get."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from twentyone.errors import TwentyoneError
from twentyone.rulebook import Rulebook
from twentyone.rulebook.coverage import paragraphs_of_path
from twentyone.script import COMMAND_FORMAT, FORMAT, FORMAT_2, play_commands, replay
from twentyone.table.script import TABLE_FORMAT, play_table_script

__all__ = ["script_faults"]

PLAYERS: dict[str, Callable[[Mapping[str, Any]], list[str]] | None] = {
    FORMAT: None,
    FORMAT_2: None,
    COMMAND_FORMAT: play_commands,
    TABLE_FORMAT: play_table_script,
}
"""Format to what plays a script of it; a round script is read as text, where a number with a point is refused."""


def script_faults(book: Rulebook, path: Path) -> list[str]:
    """What is wrong with a script's name or with how it plays; empty where it passes."""
    try:
        text = path.read_text(encoding="utf-8")
        body = json.loads(text)
        play = PLAYERS[body["format"]]
        return [*_name_faults(book, path, body), *(play(body) if play else _play_round(text, body))]
    except (ValueError, RecursionError, OSError) as wrong:
        return [f"the script cannot be read: {wrong}"]
    except TwentyoneError as refused:
        return [str(refused)]
    except (KeyError, TypeError, AttributeError) as wrong:
        return [f"this is no script of the format {' or '.join(PLAYERS)} ({type(wrong).__name__}: {wrong})"]


def _name_faults(book: Rulebook, path: Path, body: Mapping[str, Any]) -> list[str]:
    faults = [f"{book.id} has no paragraph {name}" for name in paragraphs_of_path(path) if name not in book.entries]
    if body["rulebook"] != book.id:
        faults.append(f"it is a script of {body['rulebook']}")
    if not (body.get("expect") or body.get("expect_events")):
        faults.append("it expects nothing")
    return faults


def _play_round(text: str, body: Mapping[str, Any]) -> list[str]:
    verdict = replay(text)
    wanted = 2 if "refused" in body.get("expect", {}) else 0
    return list(verdict.faults) or ([] if verdict.exit == wanted else [verdict.error])
