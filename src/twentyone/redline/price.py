"""What the difference of two laws is worth: two exact house edges, and that of each changed clause alone."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from twentyone.errors import TwentyoneError
from twentyone.odds.cache import code_hash, kept
from twentyone.odds.edges import game_key
from twentyone.odds.prices import NO_GAIN, NO_PLAY, NONE_TO_SEE, play_of
from twentyone.odds.side_wagers import side_wagers
from twentyone.redline.model import Provision, Redline
from twentyone.redline.transplant import transplanted
from twentyone.rulebook import Rules

__all__ = ["ClausePrice", "Edges", "RedlinePrice", "edges_of", "price"]


@dataclass(frozen=True)
class Edges:
    """The house edge of a game."""

    house_edge: float
    """Without the super bonus, as `twentyone odds` states it."""
    house_edge_with_super_bonus: float
    """With it, for a wager of $5 and no other player at the table."""


@dataclass(frozen=True)
class ClausePrice:
    """One provision changed in the first law, all else as it is."""

    key: str
    """The clause."""
    left: str
    """Its paragraph in the first law; empty where only the second has it."""
    right: str
    """Its paragraph in the second."""
    effect: float | None
    """House edge after less house edge before; none where it cannot be changed alone."""
    note: str = ""
    """Why there is no effect."""


@dataclass(frozen=True)
class RedlinePrice:
    """What the difference is worth."""

    left: Edges
    """The first law."""
    right: Edges
    """The second."""
    clauses: tuple[ClausePrice, ...]
    """Each changed provision alone, in the order of the redline."""
    sides: Mapping[str, tuple[float | None, float | None]] = field(default_factory=dict)
    """Side wager to its edge under both laws, where they differ; none: not offered, or not priced."""

    @property
    def difference(self) -> float:
        """House edge under the second law less that under the first."""
        return self.right.house_edge - self.left.house_edge

    @property
    def interplay(self) -> float:
        """What the changes are worth together beyond the sum of each alone."""
        return self.difference - sum(row.effect or 0.0 for row in self.clauses)

    def body(self) -> dict[str, Any]:
        """The price as JSON."""
        bonus = self.right.house_edge_with_super_bonus - self.left.house_edge_with_super_bonus
        return {
            "left": vars(self.left),
            "right": vars(self.right),
            "difference": {"house_edge": self.difference, "house_edge_with_super_bonus": bonus},
            "interplay": self.interplay,
            "clauses": [vars(row) for row in self.clauses],
            "side_wagers": {name: {"left": one, "right": two} for name, (one, two) in self.sides.items()},
        }


Tell = Callable[[float], None]


def edges_of(rules: Rules, progress: Tell | None = None) -> Edges:
    """The exact edges of a game, kept on disk by all that a plain round reads of its rules."""

    def make() -> dict[str, Any]:
        from twentyone.odds.analysis import analyse

        figures = analyse(rules, progress=progress).figures
        return {name: float(getattr(figures, name)) for name in Edges.__dataclass_fields__}

    name = repr(("redline", game_key(rules), rules.rulebook.order, code_hash()))
    body, _ = kept(hashlib.sha256(name.encode()).hexdigest(), make)
    return Edges(**{key: float(body[key]) for key in Edges.__dataclass_fields__})


def price(redline: Redline, progress: Tell | None = None) -> RedlinePrice:
    """The price of a redline; what was worked out is kept, so that an interrupted run goes on where it was."""
    tell = progress or (lambda _: None)
    rows = redline.provisions
    steps = len(rows) + 2
    sides = _side_edges(redline)
    left = edges_of(redline.left.rules, lambda share: tell(share / steps))
    right = edges_of(redline.right.rules, lambda share: tell((1 + share) / steps))
    clauses: list[ClausePrice] = []
    for number, row in enumerate(rows, 2):
        tell(number / steps)
        clauses += _alone(redline, row, left)
    tell(1.0)
    return RedlinePrice(left, right, tuple(clauses), sides)


def _alone(redline: Redline, row: Provision, base: Edges) -> Iterator[ClausePrice]:
    """The price of one provision; nothing of what no plain round of one player reads."""
    cites = row.left.cite if row.left else "", row.right.cite if row.right else ""
    rules = redline.left.rules
    try:
        changed = transplanted(redline, row)
        if changed is None or play_of(changed) == play_of(rules):
            yield ClausePrice(row.key, *cites, 0.0, NO_PLAY)
            return
        effect = edges_of(changed).house_edge - base.house_edge
    except TwentyoneError as refused:
        yield ClausePrice(row.key, *cites, None, f"not alone: {refused}")
    else:
        yield ClausePrice(row.key, *cites, effect, NO_GAIN if abs(effect) < NONE_TO_SEE else "")


def _side_edges(redline: Redline) -> dict[str, tuple[float | None, float | None]]:
    edges = [
        {name: wager.edge for name, wager in side_wagers(version.rules).items()}
        for version in (redline.left, redline.right)
    ]
    names = [name for name in dict.fromkeys([*edges[0], *edges[1]]) if edges[0].get(name) != edges[1].get(name)]
    return {name: (_float(edges[0].get(name)), _float(edges[1].get(name))) for name in names}


def _float(edge: Any) -> float | None:
    return None if edge is None else float(edge)
