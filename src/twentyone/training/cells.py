"""The cells of a game's chart as questions: hands that come to a cell, marked by exact values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from twentyone.cards import SUITS, Card
from twentyone.errors import Refused
from twentyone.rulebook import Rules
from twentyone.service.shift.chance import Chance
from twentyone.service.shift.players import STAND_FROM
from twentyone.strategy import CellKey
from twentyone.strategy.situation import ranks_of

__all__ = ["PER_HOUR", "CellMark", "CellQuestion", "by_importance", "cell_of", "deal", "mark", "name_of"]

PER_HOUR = 100
"""Rounds of an hour: those of a SCORE."""
LEAST = 1e-9
"""A difference of values below this is rounding."""
EARLY = "early"

Body = Mapping[str, Any]
"""What lies behind a cell, as the question `cells` answers it."""


class CellQuestion(NamedTuple):
    """A hand on which somebody is asked."""

    cell: CellKey
    """The cell of the chart."""
    number: int
    """Which hand of the cell."""
    hand: tuple[Card, ...]
    """The player's cards."""
    up: Card
    """The dealer's up card."""
    split_from: str
    """The class of the pair that the hand was split from; empty where it was not."""
    may: tuple[str, ...]
    """The decisions that may be taken."""


class CellMark(NamedTuple):
    """What an answer is worth."""

    right: bool
    """Whether nothing better is known: neither on this hand nor in its cell."""
    best: str
    """What is best on this hand."""
    lost: float
    """What the decision loses on this hand, in original wagers."""
    per_hour: float
    """What it loses in an hour if it is taken on every hand of the cell that allows it, in original wagers."""
    values: Mapping[str, float]
    """The value of every decision on this hand."""


def name_of(body: Body) -> str:
    """The cell, as progress names it."""
    return "|".join(body["cell"])


def cell_of(name: str) -> CellKey:
    """The cell that progress names; refused where it is none."""
    words = name.split("|")
    if len(words) != len(CellKey._fields):
        raise Refused(f"{name[:60]!r} is no cell of a chart")
    return CellKey(*words)


def by_importance(cells: Sequence[Body]) -> list[str]:
    """The cells of a game: those first in which a novice loses most, then where the second-best decision does."""
    return [name_of(body) for body in sorted(cells, key=lambda body: (-_lost(body)[_novice(body)], -_next_best(body)))]


def _next_best(body: Body) -> float:
    return sorted(_lost(body).values())[1]


def _novice(body: Body) -> str:
    """What somebody does who plays as a dealer does: he never doubles, splits or gives up, and declines every offer."""
    key, may = CellKey(*body["cell"]), _lost(body)
    points = int(key.row) * (2 if key.hand == "pairs" else 1) if key.row != "A" else 0
    wanted = ("stand", "hit") if points >= STAND_FROM else ("hit", "stand")
    return next(name for name in (*wanted, "decline") if name in may)


def deal(rules: Rules, body: Body, chance: Chance) -> CellQuestion:
    """A hand that comes to a cell, with suits as they fall."""
    key, number = CellKey(*body["cell"]), chance.below(len(body["hands"]))
    hand = body["hands"][number]
    split, may = hand["split_from"], tuple(_values(key, hand["values"]))
    if "cards" in hand:
        return CellQuestion(key, number, tuple(map(Card, hand["cards"])), Card(hand["up"]), split, may)
    classes = sorted(hand["hand"].split(), key=lambda name: name != split)
    up = Card(chance.among(ranks_of(rules, key.up)) + chance.among(SUITS))
    ranks = _ranks(rules, classes, key.hand == "pairs", chance)
    cards = tuple(
        Card(rank + suit) for rank, suit in zip(ranks, _suits(hand["bonus"], len(classes), chance), strict=True)
    )
    return CellQuestion(key, number, cards, up, split, may)


def _ranks(rules: Rules, classes: Sequence[str], pair: bool, chance: Chance) -> list[str]:
    """The ranks of a hand; a pair has two of one rank, because not every text lets others split."""
    if pair:
        return [chance.among(ranks_of(rules, classes[0]))] * len(classes)
    return [chance.among(ranks_of(rules, name)) for name in classes]


def _suits(bonus: str, count: int, chance: Chance) -> list[str]:
    """Suits that let a hand become the special hand that it can, and no better one."""
    if bonus == "spades":
        return ["S"] * count
    if bonus == "suited":
        return [chance.among("HDC")] * count
    fallen = [chance.among(SUITS) for _ in range(count)]
    if bonus and len(set(fallen)) == 1:
        fallen[0] = next(suit for suit in SUITS if suit != fallen[0])
    return fallen


def mark(body: Body, number: int, decision: str) -> CellMark:
    """What a decision on a hand of a cell is worth; refused where it may not be taken."""
    key = CellKey(*body["cell"])
    if not 0 <= number < len(body["hands"]):
        raise Refused(f"the trainer has no hand {number} in the cell {key}")
    values = _values(key, body["hands"][number]["values"])
    if decision not in values:
        raise Refused(f"this hand may not {decision[:20].replace('_', ' ')}, only {', '.join(values)}")
    best = max(values, key=lambda name: values[name])
    lost, in_cell = values[best] - values[decision], _lost(body)
    taught = min(in_cell, key=lambda name: in_cell[name])
    right = lost < LEAST or decision == taught
    return CellMark(right, best, lost, in_cell[decision] * PER_HOUR, values)


def _values(key: CellKey, values: Mapping[str, float]) -> dict[str, float]:
    """The values of what may be answered: a surrender before the reader is taken, or the hand goes on."""
    if key.phase != EARLY:
        return dict(values)
    on = max(value for name, value in values.items() if name != "surrender")
    return {"surrender": values["surrender"], "decline": on}


def _lost(body: Body) -> dict[str, float]:
    """What each decision that some hand of the cell may take loses in a round."""
    lost = {name: body["lost"][name] for name in body["decisions"]}
    if body["cell"][0] != EARLY:
        return lost
    return {"surrender": lost["surrender"], "decline": min(v for name, v in lost.items() if name != "surrender")}
