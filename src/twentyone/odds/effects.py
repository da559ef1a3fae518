"""The prices of a game together: choices, readings, and the removal of one card of each value; kept on disk."""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter
from typing import TYPE_CHECKING, Any

from twentyone.odds.cache import kept, key_of
from twentyone.odds.prices import prices
from twentyone.rulebook import Rules

if TYPE_CHECKING:
    from twentyone.odds.model import IntArray

__all__ = ["effects_of", "house_edge", "removals"]

Progress = Callable[[float], None]

SHARE = 0.7
"""The share of the work that the choices and readings take."""


def effects_of(rules: Rules, progress: Progress | None = None) -> tuple[dict[str, Any], bool]:
    """The prices of a game as JSON, from the cache if they are there, and whether they were."""
    return kept(key_of(rules, "effects"), lambda: _effects(rules, progress or (lambda _: None)))


def _effects(rules: Rules, tell: Progress) -> dict[str, Any]:
    start = perf_counter()
    edge = house_edge(rules)
    priced = prices(rules, house_edge, lambda share: tell(SHARE * share))
    removed = removals(rules, edge, lambda share: tell(SHARE + (1 - SHARE) * share))
    return {
        "rulebook": rules.rulebook.id,
        "title": rules.rulebook.title,
        "house_edge": edge,
        "effects": [price.body() for price in priced],
        "removal": removed,
        "seconds": round(perf_counter() - start, 1),
    }


def house_edge(rules: Rules, shoe: IntArray | None = None) -> float:
    """The house edge under best play, of a full shoe or of these cards that are left of one, their suits unknown."""
    from twentyone.odds.classes import Classes
    from twentyone.odds.core import Core
    from twentyone.odds.insurance import insured
    from twentyone.odds.settlement_mass import SettlementMass
    from twentyone.odds.tables import Tables

    core = Core(Tables(rules, shoe, whole=None if shoe is None else Classes.of(rules).shoe))
    return -float(SettlementMass(core).value + insured(core).value)


def removals(rules: Rules, edge: float, tell: Progress) -> list[dict[str, Any]]:
    """What one card less of each value class does to the house edge under best play."""
    from twentyone.odds.classes import Classes

    classes = Classes.of(rules)
    effects = []
    for number, (name, ranks) in enumerate(zip(classes.names, classes.ranks, strict=True)):
        tell(number / len(classes.names))
        shoe = classes.shoe
        shoe[number] -= 1
        effects.append({"rank": name, "ranks": list(ranks), "effect": house_edge(rules, shoe) - edge})
    return effects
