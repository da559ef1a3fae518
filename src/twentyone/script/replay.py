"""`replay`: one script in, its verdict out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from twentyone.errors import NotAScript, Refused, TwentyoneError
from twentyone.round import Round
from twentyone.rulebook import Rulebook
from twentyone.script.deal import deal
from twentyone.script.parse import Script, parse
from twentyone.script.result import differences, result

__all__ = ["Verdict", "names", "replay"]


@dataclass(frozen=True)
class Verdict:
    """What came of a script."""

    exit: int
    """0 dealt, 1 dealt but not as expected, 2 refused."""
    result: dict[str, Any] | None = None
    """The result, where the round was dealt."""
    error: str = ""
    """The refusal, in one line."""
    cite: str | None = None
    """The paragraph that refuses."""
    faults: tuple[str, ...] = ()
    """Where the result differs from what was expected, a line each."""
    round: Round | None = None
    """The round, where it was dealt."""


def replay(script: Script | str | bytes | Mapping[str, Any], rulebook: Rulebook | None = None) -> Verdict:
    """Deal a script again; `rulebook`: the one that it was written under, else that of the shelf.

    >>> verdict = replay('{"format": "round-script/1", "rulebook": "pa-spanish-21", "wagers": '
    ...     '[{"box": 1, "player": "Ann", "main": "10"}], "cards": "AS 7H KS KD"}')
    >>> verdict.exit, verdict.result["net"]
    (0, {'Ann': '15'})
    """
    expect: Mapping[str, Any] = {}
    try:
        script = script if isinstance(script, Script) else parse(script)
        expect = script.expect or {}
        round_ = deal(script, rulebook)
    except Refused as refused:
        faults = _refusal_faults(expect, refused)
        return Verdict(2, None, _line(refused), refused.cite, faults)
    except NotAScript as wrong:
        faults = (f"expected something else, but it is not a script: {wrong}",) if expect else ()
        return Verdict(2, None, _line(wrong), None, faults)
    except TwentyoneError as wrong:
        return Verdict(2, None, f"fault in the rulebook: {_line(wrong)}")
    actual = result(round_)
    if "refused" in expect:
        faults = (f"expected a refusal under {expect['refused']}, but everything was allowed",)
    else:
        faults = tuple(differences(expect, actual))
    return Verdict(1 if faults else 0, actual, "", None, faults, round_)


def _line(refusal: Exception) -> str:
    """A refusal as one line that any terminal can print."""
    return " ".join(str(refusal).split()).encode("utf-8", "backslashreplace").decode("utf-8")


def _refusal_faults(expect: Mapping[str, Any], refused: Refused) -> tuple[str, ...]:
    """Where a refusal is not the one that was expected."""
    if not expect:
        return ()
    wanted = expect.get("refused")
    if wanted is None:
        return (f"expected a result, but it was refused: {refused}",)
    return () if names(refused.cite, wanted) else (f"expected a refusal under {wanted}, got {refused.cite}",)


def names(cite: str, paragraph: str) -> bool:
    """Whether a citation names this paragraph (with or without its prefix).

    >>> names("58 Pa. Code § 635a.7(i)", "635a.7(i)"), names("58 Pa. Code § 635a.7(i)", "(i)")
    (True, False)
    """
    return cite == paragraph or cite.endswith(f" {paragraph}")
