"""The registry of decisions: for each, when it is refused, how much it may wager, and what it does."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from twentyone.law import carries
from twentyone.money import Amount
from twentyone.round.play import Play, Speaker
from twentyone.rulebook.decisions import Refusal

__all__ = ["ACTIONS", "Action", "action"]

Check = Callable[[Play, Speaker], Refusal | None]
Most = Callable[[Play, Speaker], Amount]
Take = Callable[[Play, Speaker, Amount | None, int | None], None]


class Action(NamedTuple):
    """One kind of decision."""

    check: Check
    """Why it is refused, or nothing: the only place that says so."""
    most: Most | None
    """The largest wager it may make, where the player chooses one."""
    take: Take
    """Carry it out."""


ACTIONS: dict[str, Action] = {}


def action(name: str, check: Check, most: Most | None = None) -> Callable[[Take], Take]:
    """Register what a decision does."""

    def register(take: Take) -> Take:
        ACTIONS[name] = Action(check, most, take)
        return carries(f"decision.{name}")(take)

    return register
