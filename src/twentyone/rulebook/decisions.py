"""Which decisions a hand may take: the conditions of `decision` and `may_not` clauses, each with its citation."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from twentyone.law import carries
from twentyone.rulebook.charlie import charlie_of
from twentyone.rulebook.clauses import Decision, MayNot
from twentyone.rulebook.pairs import are_alike
from twentyone.rulebook.patterns import HandFacts

if TYPE_CHECKING:
    from twentyone.rulebook.rules import Rules

__all__ = ["DRAWING", "Refusal", "refusal"]

DRAWING = ("hit", "double", "split")
"""Decisions that bring a card to the hand; `may_not.draw` speaks of all of them."""


class Refusal(NamedTuple):
    """Why not, and which paragraph says so."""

    why: str
    """What is wrong."""
    cite: str
    """The paragraph."""


@carries("decision", "may_not")
def refusal(rules: Rules, name: str, hand: HandFacts) -> Refusal | None:
    """Why `name` may not be decided on this hand, or None."""
    for clause in rules.may_nots:
        if (clause.name == name or (clause.name == "draw" and name in DRAWING)) and _forbids(rules, clause, hand):
            return Refusal(_reason(rules, clause, hand), clause.cite)
    charlie = charlie_of(rules, hand)
    if charlie is not None and name in DRAWING:
        return Refusal(f"a hand of {len(hand.cards)} cards has won", charlie.cite)
    decision = rules.decisions.get(name)
    if decision is None:
        return Refusal(f"this game has no {name.replace('_', ' ')}", rules.rulebook.options_cite)
    why = (
        _wrong_cards(decision, hand)
        or _wrong_total(decision, hand)
        or _wrong_kind(decision, hand)
        or _wrong_pair(rules, decision, hand)
    )
    return Refusal(why, decision.cite) if why else None


def _forbids(rules: Rules, clause: MayNot, hand: HandFacts) -> bool:
    most = clause.hands if clause.hands_key is None else rules.submission[clause.hands_key]
    return (
        (clause.total is None or hand.points == clause.total)
        and (clause.soft is None or hand.soft == clause.soft)
        and (clause.blackjack is None or hand.blackjack == clause.blackjack)
        and (clause.split is None or hand.split == clause.split)
        and (clause.after is None or _came_after(clause.after, hand))
        and (not clause.ranks or (hand.split and hand.cards[0].rank in clause.ranks))
        and (most is None or hand.hands >= most)
    )


def _came_after(decision: str, hand: HandFacts) -> bool:
    if decision == "double":
        return hand.doubled
    if decision == "split":
        return hand.split
    if decision == "stand":
        return False
    return len(hand.cards) > 2 and not hand.doubled


def _reason(rules: Rules, clause: MayNot, hand: HandFacts) -> str:
    if clause.hands is not None or clause.hands_key is not None:
        return f"a box may not hold more than {hand.hands} hands"
    if clause.after is not None:
        verb = "draw again" if clause.name == "draw" else clause.name
        return f"a hand may not {verb} after a {clause.after}"
    if clause.ranks:
        return "a split ace receives only one card"
    if clause.blackjack:
        return f"a Blackjack may not {clause.name}"
    if clause.total is not None:
        return f"a hand of {hand.points} may not draw"
    if clause.split:
        return f"a split hand may not {clause.name}"
    return f"{clause.name} is not available in {rules.rulebook.title}"


def _wrong_cards(decision: Decision, hand: HandFacts) -> str | None:
    count = len(hand.cards)
    if decision.cards is not None and count != decision.cards:
        return f"it is allowed on {decision.cards} cards, the hand has {count}"
    if decision.cards_least is not None and count < decision.cards_least:
        return f"it is allowed on {decision.cards_least} cards or more, the hand has {count}"
    return None


def _wrong_total(decision: Decision, hand: HandFacts) -> str | None:
    points = hand.points
    if decision.soft_total is not None and hand.soft and points == decision.soft_total:
        return None
    if decision.total_below is not None and points >= decision.total_below:
        return f"the hand's total of {points} is not less than {decision.total_below}"
    if decision.total_most is not None and points > decision.total_most:
        return f"the hand's total of {points} exceeds {decision.total_most}"
    if decision.total_over is not None and points <= decision.total_over:
        return f"the hand's total of {points} does not exceed {decision.total_over}"
    return None


def _wrong_kind(decision: Decision, hand: HandFacts) -> str | None:
    if decision.blackjack is False and hand.blackjack:
        return "the hand is a Blackjack"
    if decision.blackjack is True and not hand.blackjack:
        return "the hand is no Blackjack"
    if hand.split and not decision.split_hands:
        return "the hand came out of a split"
    return None


def _wrong_pair(rules: Rules, decision: Decision, hand: HandFacts) -> str | None:
    if decision.alike is not None and not are_alike(rules, hand.cards):
        cards = " and ".join(card.name for card in hand.cards)
        return f"{cards} are not identical in {decision.alike}"
    most = decision.hands if decision.hands_key is None else rules.submission[decision.hands_key]
    if most is not None and hand.hands >= most:
        return f"a box may not hold more than {most} hands"
    return None
