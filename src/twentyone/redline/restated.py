"""One text says in a paragraph of its own what another says in passing: the same law, in more clauses or in fewer."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import fields, replace
from typing import Any

from twentyone.redline.pairing import Claim
from twentyone.redline.terms import terms_of
from twentyone.rulebook import clauses as c

__all__ = ["completed", "said_with"]


def completed(claim: Claim, own: Iterable[Claim]) -> dict[str, Any]:
    """The terms of a clause together with what its own book says of them in other paragraphs."""
    clause, terms = claim.clause, dict(claim.terms.decides)
    if not isinstance(clause, COMPLETED):
        return terms
    beside = [other.clause for other in own if not other.reading]
    if isinstance(clause, c.CutOffer):
        terms["rotates"] |= any(isinstance(other, c.CutPassed) and other.on == clause.on for other in beside)
    if isinstance(clause, c.Irregularity) and clause.choice:
        more = [effect for other in beside for effect in _remedy(other) if set(_remedy(other)) & set(clause.effects)]
        terms["effects"] = tuple(dict.fromkeys([*clause.effects, *more]))
    if isinstance(clause, c.Decision):
        terms["split_hands"] &= not any(_forbids(other, clause.name) == "split" for other in beside)
        if any(_bars_blackjack(other, clause.name) for other in beside):
            terms["blackjack"] = False
    if isinstance(clause, c.MayNot) and any(_is_other_half(clause, other) for other in beside):
        terms["soft"] = None
    return terms


def _is_other_half(one: c.MayNot, other: c.Clause) -> bool:
    """Whether two clauses forbid the same, one on soft and one on hard totals; no hard total is a Blackjack."""
    if not isinstance(other, c.MayNot) or one.soft is None:
        return False
    terms = [{**terms_of(clause).decides, "soft": None, "blackjack": None} for clause in (one, other)]
    return one.name == other.name and other.soft is (not one.soft) and terms[0] == terms[1]


def _bars_blackjack(clause: c.Clause, decision: str) -> bool:
    """Whether a clause forbids this decision on a Blackjack, and on nothing else."""
    if not isinstance(clause, c.MayNot) or clause.name != decision:
        return False
    return clause.blackjack is True and not _other_terms(clause, "blackjack")


COMPLETED = (c.CutOffer, c.Irregularity, c.Decision, c.MayNot)
"""What another paragraph of the same text may add to."""
REMEDIES = ("late_card", "called_dead")
"""What a player may choose, where the text gives each choice a paragraph."""


def _remedy(clause: c.Clause) -> tuple[str, ...]:
    """What follows a choice that has a paragraph of its own; nothing of other clauses."""
    return clause.effects if isinstance(clause, c.Irregularity) and clause.name in REMEDIES else ()


def _forbids(clause: c.Clause, decision: str) -> str | None:
    """After what a clause forbids this decision, where it asks for nothing else."""
    if not isinstance(clause, c.MayNot) or clause.name != decision or clause.after is None:
        return None
    return clause.after if not _other_terms(clause, "after") else None


def _other_terms(clause: c.MayNot, term: str) -> bool:
    """Whether a clause asks for more than this."""
    others = [field.name for field in fields(clause) if field.name not in ("name", term, *PLACE)]
    return any(getattr(clause, name) not in (None, ()) for name in others)


IN_PASSING = (c.CutPassed, c.Irregularity, c.MayNot, c.SurrenderLost, c.DecisionCards, c.LayoutItem, c.NotPayable)
"""What another text may say without a clause of its own."""
PLACE = ("paragraph", "cite", "place", "when", "reading")


def said_with(claim: Claim, others: Iterable[Claim]) -> Claim | None:
    """The clause of the other law that says the same in passing, of a clause that has no counterpart of its own."""
    if not isinstance(claim.clause, IN_PASSING):
        return None
    there = list(others)
    return next((other for other in there if not other.reading and _says_too(other, claim.clause, there)), None)


def _says_too(other: Claim, clause: c.Clause, there: list[Claim]) -> bool:
    row = other.clause
    if isinstance(clause, c.CutPassed):
        return isinstance(row, c.CutOffer) and row.on == clause.on and completed(other, there)["rotates"]
    if _remedy(clause):
        return isinstance(row, c.Irregularity) and bool(row.choice) and set(_remedy(clause)) <= set(row.effects)
    if isinstance(clause, c.MayNot):
        return _forbids_too(other, clause, there)
    if isinstance(clause, c.SurrenderLost):
        return isinstance(row, c.SurrenderSettled) and row.at == "reveal"
    if isinstance(clause, c.LayoutItem) and isinstance(row, c.LayoutItem):
        kinds = [(item.item, item.device, item.wager, item.each) for item in (clause, row)]
        return bool(clause.alternative and row.alternative) and kinds[0] == kinds[1]
    if isinstance(clause, c.NotPayable):
        return isinstance(row, c.NotPayable) and row.on == clause.on
    if isinstance(clause, c.DecisionCards) and isinstance(row, c.DecisionCards):
        return not row.decision and (row.face, row.lies) == (clause.face, clause.lies)
    return False


def _forbids_too(other: Claim, clause: c.MayNot, there: list[Claim]) -> bool:
    """Whether a clause of the other law leaves no room for what this one forbids after another decision."""
    row, after = other.clause, _forbids(clause, clause.name)
    if isinstance(row, c.MayNot) and row.soft is None and clause.soft is not None:
        return _is_other_half(clause, replace(row, soft=not clause.soft))
    if isinstance(row, c.Decision) and row.name == clause.name and _bars_blackjack(clause, clause.name):
        return row.blackjack is False
    if after is None:
        return False
    if isinstance(row, c.Decision) and row.name == clause.name:
        if after == "split":
            return not completed(other, there)["split_hands"]
        return after == "stand" or (after in ("hit", "double") and row.cards is not None)
    drawn = {"hit": ("draw",), "double": ("draw",), "draw": ("hit",)}.get(clause.name, ())
    return isinstance(row, c.MayNot) and row.name in drawn and _forbids(row, row.name) == after
