"""Questions that are worked out beside the tables: what may be asked, by whom, and under which name it is kept."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from twentyone.errors import NotAScript, Refused
from twentyone.odds.cache import key_of
from twentyone.rulebook import Rulebook, Rules

__all__ = ["KINDS", "LEDGER", "DeskQuestion", "check_size", "code_stamp", "most_rounds", "question_of"]

LEDGER = "ledger"
"""The key of a question whose rounds are the ledger's: its answer is for who may read them."""
KINDS: Mapping[str, tuple[str, tuple[str, ...]]] = {
    "odds": ("short", ()),
    "par": ("short", ()),
    "chart": ("short", ("chart",)),
    "cell": ("short", ("chart", "cell")),
    "cells": ("short", ()),
    "picture": ("short", ("chart", "form")),
    "prices": ("long", ()),
    "redline": ("long", ("options",)),
    "simulate": ("long", ("chart", "options")),
    "papers": ("short", ("form", "options")),
    "review": ("short", ("script", "options", "laws", LEDGER)),
    "session": ("long", ("options", "laws", LEDGER)),
    "lesson": ("short", ()),
}
"""Kind of question to its queue, and what it may name beside the game."""
OPTIONS: Mapping[str, Mapping[str, type]] = {
    "redline": {**dict.fromkeys(("a", "b", "amend", "given", "other_given", "law"), str), "price": bool},
    "papers": dict.fromkeys(("operator", "made_by"), str),
    "review": {**dict.fromkeys(("name", "player", "out", "law"), str), "closed": bool},
    "session": {"rounds": list, "player": str},
}
"""What options a kind has, and what each is; those of a simulation are checked as the command checks them."""
WORDS = {str: "text", bool: "true or false", list: "a list"}
ROUND = dict.fromkeys(("name", "script", "out", "law"), str)
"""What a round of a session is told by."""
GAME = ("rulebook", "submission", "at")
ROUNDS = {"visitor": 10**8, "player": 10**9, "dealer": 10**9}
"""Rounds that one simulation may play, by who asks."""
STAFF_ROUNDS = 10**12
"""The same for everybody else."""
TRIP_ROUNDS = 100
"""A round of a trip costs as much as this many others."""


@dataclass(frozen=True)
class DeskQuestion:
    """Something to be worked out."""

    kind: str
    """One of `KINDS`."""
    asked: Mapping[str, Any]
    """The rulebook, the submission where it is not the default one, and what else the kind needs."""
    id: str
    """The name under which its answer is kept: a hash of the question, of the rulebook's text and of the code."""

    @property
    def queue(self) -> str:
        """Which queue it waits in."""
        return KINDS[self.kind][0]


def question_of(kind: str, asked: Mapping[str, Any], rules: Rules | None = None) -> DeskQuestion:
    """A question, unless the text refuses its submission or it names what its kind does not have.

    `rules`: those of a ledger, whose law may not be on the shelf.
    """
    if kind not in KINDS:
        raise NotAScript("kind", f"{kind[:40]!r} is none of {', '.join(KINDS)}")
    extra = [name for name in asked if name not in (*GAME, *KINDS[kind][1])]
    if extra:
        raise NotAScript(extra[0][:40], f"a question of kind {kind} has no such key")
    _check_options(kind, asked.get("options") or {})
    rules = rules or _rules(asked)
    said = {name: value for name, value in asked.items() if value not in (None, "", {}, [])}
    told = json.dumps(said, sort_keys=True, ensure_ascii=False)
    return DeskQuestion(kind, said, key_of(rules, "desk", code_stamp(), kind, told))


@cache
def code_stamp() -> str:
    """A hash of the code: other code answers otherwise."""
    package = Path(__file__).parents[1]
    return hashlib.sha256(b"".join(path.read_bytes() for path in sorted(package.rglob("*.py")))).hexdigest()


def _check_options(kind: str, options: Mapping[str, Any]) -> None:
    """Every option is one that the kind has, and is what it is."""
    if kind in OPTIONS:
        _check_types(OPTIONS[kind], options)
    for row in options.get("rounds", []) if kind == "session" else ():
        if not isinstance(row, dict) or not {"name", "script"} <= set(row):
            raise NotAScript("rounds", "a round is a table with its name and its script")
        _check_types(ROUND, row)


def _check_types(known: Mapping[str, type], given: Mapping[str, Any]) -> None:
    for name, value in given.items():
        if name not in known:
            raise NotAScript("options", f"{name[:40]!r} is none of {', '.join(known)}")
        if type(value) is not known[name]:
            raise NotAScript(name, f"{str(value)[:40]!r} is not {WORDS[known[name]]}")


def _rules(asked: Mapping[str, Any]) -> Rules:
    submission = asked.get("submission", {})
    if not isinstance(submission, dict):
        raise NotAScript("submission", "a table belongs here")
    return Rulebook.load(str(asked.get("rulebook", "")), at=asked.get("at") or None).under(submission)


def most_rounds(role: str) -> int:
    """Rounds that somebody may have simulated at once."""
    return ROUNDS.get(role, STAFF_ROUNDS)


def check_size(question: DeskQuestion, role: str) -> None:
    """Refuse a simulation that is larger than whoever asks may have, with what is possible."""
    if question.kind != "simulate":
        return
    options = question.asked.get("options", {})
    trips = "bankroll" in options
    wanted = _whole(options.get("trips", 10_000)) * _whole(options.get("trip_rounds", 1000)) if trips else 0
    wanted = wanted or _whole(options.get("rounds", 10**8))
    most = most_rounds(role) // (TRIP_ROUNDS if trips else 1)
    if wanted > most:
        who = "a guest" if role in ("visitor", "player") else f"a {role}"
        possible = f"up to {most:,} are possible here; staff may ask for {STAFF_ROUNDS:,}"
        why = f"{wanted:,} rounds are more than {who} may have simulated: {possible}, and `twentyone simulate` for more"
        raise Refused(why, step="rounds")


def _whole(value: Any) -> int:
    if type(value) is not int or value < 1:
        raise NotAScript("options", f"{str(value)[:40]!r} is not a positive whole number")
    return value
