"""The game with one rule taken away or turned: what the text itself decides, where the operator has no choice."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

from twentyone.rulebook import Rules
from twentyone.rulebook import clauses as c
from twentyone.rulebook.words import hand_words

__all__ = ["Variant", "variants"]

DECISIONS = ("double", "split", "surrender", "rescue", "second_chance")
"""Decisions that a game can do without."""

GONE = "taken away"


class Variant(NamedTuple):
    """A game with one rule changed."""

    key: str
    """The clause."""
    says: str
    """What the rule is, in a few words."""
    after: str
    """What became of it."""
    cite: str
    """Its paragraph."""
    rules: Rules
    """The game without it."""


def variants(rules: Rules) -> Iterator[Variant]:
    """Each rule that can be taken away or turned alone."""
    for clause in rules.clauses:
        if isinstance(clause, c.Decision) and clause.name in DECISIONS:
            yield _without(rules, clause, clause.name.replace("_", " "))
        if isinstance(clause, c.Pay) and _is_bonus(clause):
            yield _without(rules, clause, f"{hand_words(clause.hand)} pays {clause.odds}")
        if isinstance(clause, c.Outcome) and _is_particular(clause):
            words = f"{hand_words(clause.player)} against {hand_words(clause.dealer)}: {clause.result}"
            yield _without(rules, clause, words)
        if isinstance(clause, c.NotPayable):
            yield _without(rules, clause, f"{clause.on} hands earn nothing of {' '.join(clause.rows)}")
        if isinstance(clause, c.Spared):
            yield _without(rules, clause, f"a Blackjack spares the {clause.wager} wager")
        if isinstance(clause, c.MayNot) and clause.ranks:
            yield _without(rules, clause, f"a split ace may not {clause.name}")
    yield from _turned(rules)


def _turned(rules: Rules) -> Iterator[Variant]:
    """Rules that have a plain opposite."""
    dealer, double = rules.dealer, rules.decisions.get("double")
    least = min(dealer.stands)
    if not dealer.hits_soft:
        other = replace(dealer, hits_soft=(least,))
        yield _instead(rules, dealer, other, f"the dealer stands on soft {least}", f"he hits soft {least}")
    if double is not None and double.cards is None:
        two = replace(double, cards=double.cards_least, cards_least=None)
        yield _instead(rules, double, two, "double on any number of cards", f"on {double.cards_least} only")
    elif double is not None:
        more = replace(double, cards=None, cards_least=double.cards)
        yield _instead(rules, double, more, f"double on {double.cards} cards", "on any number")


def _is_bonus(row: c.Pay) -> bool:
    return row.odds.win > row.odds.lay and "main" in row.wagers


def _is_particular(row: c.Outcome) -> bool:
    """A row that lifts a particular hand out of the plain comparison, in the player's favour."""
    particular = row.player.blackjack is True or row.player.total is not None
    return row.result != "lose" and particular and row.compare is None


def _without(rules: Rules, clause: c.Clause, says: str) -> Variant:
    return Variant(clause.key, says, GONE, clause.cite, _changed(rules, clause, None))


def _instead(rules: Rules, clause: c.Clause, other: c.Clause, says: str, after: str) -> Variant:
    return Variant(clause.key, says, after, clause.cite, _changed(rules, clause, other))


def _changed(rules: Rules, clause: c.Clause, other: c.Clause | None) -> Rules:
    """The same rules with one clause replaced or gone."""
    kept = (other if row is clause else row for row in rules.clauses)
    return rules.with_clauses(row for row in kept if row is not None)
