"""The cells of a rulebook's charts: which ones a strategy needs, and which decisions the law allows in each."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from twentyone.cards import SUITS, Card
from twentyone.rulebook import HandFacts, Rules
from twentyone.rulebook.decisions import Refusal
from twentyone.rulebook.pairs import by_rank
from twentyone.strategy.situation import UPS, Situation, hole_conditions, ranks_of, value_class

__all__ = ["TURN", "CellKey", "chart_cells", "refusal_in_cell"]

TURN = ("hit", "stand", "double", "split", "surrender")
"""What a player may decide on his turn."""

FULL = 1_000_000
"""More hands on a box than any text allows."""


Asked = tuple[str, str, str, frozenset[str], HandFacts]
"""Phase, hand, row, what may be decided, and a hand that is asked there."""


class CellKey(NamedTuple):
    """Which cell of the charts: phase, hole card, hand and up card."""

    phase: str
    """The chart's phase."""
    hole: str
    """What is known of the hole card."""
    hand: str
    """`hard`, `soft` or `pairs`."""
    row: str
    """The total, or the value class of the pair."""
    up: str
    """The value class of the up card."""

    @classmethod
    def of(cls, asked: Situation) -> CellKey:
        """Where a situation is looked up."""
        if asked.pair is not None:
            return cls(asked.phase, asked.hole, "pairs", asked.pair, asked.up)
        return cls(asked.phase, asked.hole, "soft" if asked.soft else "hard", str(asked.total), asked.up)

    def __str__(self) -> str:
        hole = f", hole {self.hole}" if self.hole else ""
        return f"{self.phase}{hole}, {self.hand} {self.row} against {self.up}"


@lru_cache(maxsize=64)
def chart_cells(rules: Rules) -> dict[CellKey, frozenset[str]]:
    """Every cell that a player of this game needs, with the decisions that he may take there."""
    allowed: dict[CellKey, set[str]] = {}
    early = _early_ups(rules)
    holes = {up: hole_conditions(rules, up) for up in UPS}
    for phase, hand, row, may, _ in _asked(rules):
        for up in UPS if phase != "early" else early:
            late = may - {"surrender"} if phase == "first" and up in early else may
            if late - {"stand"}:
                for hole in holes[up]:
                    allowed.setdefault(CellKey(phase, hole, hand, row, up), set()).update(late)
    return {key: frozenset(may) for key, may in allowed.items()}


def refusal_in_cell(rules: Rules, key: CellKey, decision: str) -> Refusal:
    """Why a decision may not be taken on the hands of a cell, by the one with the fewest cards."""
    there = [facts for phase, hand, row, _, facts in _asked(rules) if (phase, hand, row) == key[:1] + key[2:4]]
    for facts in sorted(there, key=lambda facts: len(facts.cards)):
        refusal = rules.refusal(decision, facts)
        if refusal is not None:
            return refusal
    return Refusal(f"the hand may not {decision.replace('_', ' ')}", rules.rulebook.decide_cite)


def _early_ups(rules: Rules) -> tuple[str, ...]:
    """The up cards against which surrender is offered before the hole card is read."""
    return tuple(
        up for up in UPS if any(rules.surrender_before_reader(Card(rank + SUITS[0])) for rank in ranks_of(rules, up))
    )


def _asked(rules: Rules) -> Iterator[Asked]:
    """Every kind of hand that can be reached by drawing, and what it is asked."""
    for split in (False, True):
        for facts in _hands(rules, split):
            may = _may(rules, facts)
            yield _row(rules, "split" if split else "first", facts, may)
            if not split and "surrender" in may:
                yield _row(rules, "early", facts, frozenset({"surrender", "decline"}), paired="split" in may)
            yield from _offers(rules, facts, may)


def _row(rules: Rules, phase: str, facts: HandFacts, may: frozenset[str], paired: bool = False) -> Asked:
    if "split" in may or paired:
        return phase, "pairs", value_class(rules, facts.cards[0]), may, facts
    return phase, "soft" if facts.soft else "hard", str(facts.points), may, facts


def _offers(rules: Rules, facts: HandFacts, may: frozenset[str]) -> Iterator[Asked]:
    """What is offered after a double, and over the limit."""
    for decision in ("double", "hit"):
        if decision not in may:
            continue
        for card in _cards(rules):
            drawn = rules.hand((*facts.cards, card), facts.split, decision == "double")
            for offer, phase in (("rescue", "doubled"), ("second_chance", "busted")):
                wanted = decision == "double" or offer != "rescue"
                if wanted and rules.refusal(offer, drawn) is None:
                    yield _row(rules, phase, drawn, frozenset({offer, "decline"}))


def _may(rules: Rules, facts: HandFacts) -> frozenset[str]:
    return frozenset(name for name in TURN if rules.refusal(name, facts) is None)


def _cards(rules: Rules) -> list[Card]:
    """One card of each class; of two ranks where they tell a pair."""
    told = 2 if by_rank(rules) else 1
    return [Card(rank + SUITS[0]) for name in UPS for rank in ranks_of(rules, name)[:told]]


def _hands(rules: Rules, split: bool) -> list[HandFacts]:
    """One hand of every kind that a player can come to hold before he doubles, stands or busts."""
    if split and "split" not in rules.decisions:
        return []
    special = {rank for clause in rules.may_nots for rank in clause.ranks}
    queue = [facts for pair in _starts(rules, split) for facts in _boxes(rules, pair, split)]
    kinds: dict[tuple[object, ...], HandFacts] = {}
    while queue:
        facts = queue.pop()
        if facts.blackjack or facts.points > rules.limit:
            continue
        kind = (facts.points, facts.soft, split and facts.cards[0].rank in special, _cards_kind(facts))
        if kind not in kinds:
            kinds[kind] = facts
            if rules.refusal("hit", facts) is None:
                queue += [rules.hand((*facts.cards, card), split) for card in _cards(rules)]
    return list(kinds.values())


def _cards_kind(facts: HandFacts) -> tuple[object, ...]:
    """Two cards by themselves and the hands of their box; more cards by their number."""
    return (facts.cards, facts.hands) if len(facts.cards) == 2 else (len(facts.cards),)


def _starts(rules: Rules, split: bool) -> list[tuple[Card, Card]]:
    cards = _cards(rules)
    if not split:
        return [(one, other) for number, one in enumerate(cards) for other in cards[number:]]
    pairs = [one for one in cards if rules.refusal("split", rules.hand((one, one))) is None]
    return [(one, other) for one in pairs for other in cards]


def _boxes(rules: Rules, pair: tuple[Card, Card], split: bool) -> list[HandFacts]:
    """The hand as the only one of its box, or out of a first split and out of the last."""
    return [rules.hand(pair, split, hands=hands) for hands in ((2, FULL) if split else (1,))]
