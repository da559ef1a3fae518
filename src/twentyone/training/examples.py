"""Rounds that show a game: few of them, in which as many of its own paragraphs as possible decide something."""

from __future__ import annotations

from functools import lru_cache

from twentyone.round import Round
from twentyone.rulebook import Rules
from twentyone.rulebook.differences import differences, pay_table
from twentyone.training.drill_rounds import dealt_round

__all__ = ["example_rounds"]

AMONG = 150
"""Rounds out of which they are taken."""


@lru_cache(maxsize=16)
def example_rounds(rules: Rules, count: int = 5) -> tuple[Round, ...]:
    """Some whole rounds by their seeds: each shows most of what those before it did not."""
    dealt = [round_ for number in range(AMONG) if (round_ := _whole(rules, number)) is not None]
    wanted = {fact.cite for fact in differences(rules)} | {row.cite for row in pay_table(rules)}
    shown: set[str] = set()
    taken: list[Round] = []
    for _ in range(count):
        best = max(dealt, key=lambda round_: _weight(round_, wanted, shown))
        dealt.remove(best)
        taken.append(best)
        shown |= _cites(best)
    return tuple(taken)


def _weight(round_: Round, wanted: set[str], shown: set[str]) -> tuple[int, int]:
    new = _cites(round_) - shown
    return len(new & wanted), len(new)


def _cites(round_: Round) -> set[str]:
    return {event.cite for event in round_.events}


def _whole(rules: Rules, number: int) -> Round | None:
    """The round to its end; none where it needs a wheel that nobody turns here."""
    moments = list(dealt_round(rules, f"example {number}", mishaps=False))
    return moments[-1].after if moments and moments[-1].after.over else None
