"""What the difference of two laws is worth: two exact house edges, and that of each changed clause alone."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from twentyone.errors import TwentyoneError
from twentyone.odds.edges import edges_by_play
from twentyone.odds.prices import NO_GAIN, NO_PLAY, NONE_TO_SEE, play_of
from twentyone.odds.side_wagers import side_wagers
from twentyone.redline.model import Redline
from twentyone.redline.transplant import transplanted
from twentyone.rulebook import Rules, rules_of

__all__ = ["ClausePrice", "HouseEdges", "RedlinePrice", "edges_of", "price"]


@dataclass(frozen=True)
class HouseEdges:
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

    left: HouseEdges
    """The first law."""
    right: HouseEdges
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


def edges_of(rules: Rules, progress: Tell | None = None) -> HouseEdges:
    """The exact edges of a game, kept on disk by all that a plain round reads of its rules."""
    return HouseEdges(**edges_by_play(rules, progress))


def price(redline: Redline, progress: Tell | None = None) -> RedlinePrice:
    """The price of a redline; what was worked out is kept, so that an interrupted run goes on where it was."""
    tell = progress or (lambda _: None)
    one_text = redline.left.book is redline.right.book
    changes = list(_choices(redline) if one_text else _provisions(redline))
    steps = len(changes) + 2
    sides = _side_edges(redline)
    left = edges_of(redline.left.rules, lambda share: tell(share / steps))
    right = edges_of(redline.right.rules, lambda share: tell((1 + share) / steps))
    clauses: list[ClausePrice] = []
    for number, (words, changed) in enumerate(changes, 2):
        tell(number / steps)
        clauses.append(_alone(redline.left.rules, words, changed, left))
    tell(1.0)
    return RedlinePrice(left, right, tuple(clauses), sides)


Change = tuple[tuple[str, str, str], Callable[[], Rules | None]]
"""What is changed alone (key, paragraph of the first law, of the second), and what makes the rules with it."""


def _provisions(redline: Redline) -> Iterator[Change]:
    for row in redline.provisions:
        cites = row.left.cite if row.left else "", row.right.cite if row.right else ""
        yield (row.key, *cites), partial(transplanted, redline, row)


def _choices(redline: Redline) -> Iterator[Change]:
    """Of two submissions under one text: each choice and reading that differs; clauses follow from them."""
    one, other = redline.left.rules, redline.right.rules
    named = {change.field for change in redline.choices}
    for choice in other.submission.choices:
        if choice.key in named:
            cites = choice.cite, choice.cite
            yield (f"choice {choice.key}", *cites), partial(rules_of, one, {choice.key: choice.value})
    for name, value in other.submission.readings.items():
        if one.submission.readings.get(name, value) != value:
            readings = {**one.submission.given.get("readings", {}), name: value}
            yield (f"reading {name}", "", ""), partial(rules_of, one, {"readings": readings})


def _alone(
    rules: Rules, words: tuple[str, str, str], make: Callable[[], Rules | None], base: HouseEdges
) -> ClausePrice:
    """The price of one change; nothing of what no plain round of one player reads."""
    try:
        changed = make()
        if changed is None or play_of(changed) == play_of(rules):
            return ClausePrice(*words, 0.0, NO_PLAY)
        effect = edges_of(changed).house_edge - base.house_edge
    except TwentyoneError as refused:
        return ClausePrice(*words, None, f"not alone: {refused}")
    return ClausePrice(*words, effect, NO_GAIN if abs(effect) < NONE_TO_SEE else "")


def _side_edges(redline: Redline) -> dict[str, tuple[float | None, float | None]]:
    edges = [
        {name: wager.body()["edge"] for name, wager in side_wagers(version.rules).items()}
        for version in (redline.left, redline.right)
    ]
    names = [name for name in dict.fromkeys([*edges[0], *edges[1]]) if edges[0].get(name) != edges[1].get(name)]
    return {name: (edges[0].get(name), edges[1].get(name)) for name in names}
