"""The registry of decisions: for each, when it is refused, how much it may wager, and what it does."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from twentyone.law import carries
from twentyone.money import Amount
from twentyone.round.events import DecisionTaken
from twentyone.round.play import Play, Speaker
from twentyone.rulebook.decisions import Refusal

__all__ = ["ACTIONS", "Action", "Request", "action"]

Check = Callable[[Play, Speaker], Refusal | None]
Most = Callable[[Play, Speaker], Amount]


class Request(NamedTuple):
    """A decision that may be taken, to be carried out."""

    action: str
    """The decision."""
    speaker: Speaker
    """Who takes it, on which hand."""
    amount: Amount | None = None
    """The wager it makes."""
    choice: int | None = None
    """The hand that it names."""

    def taken(self, cite: str, amount: Amount | None = None, choice: int | None = None) -> DecisionTaken:
        """The event of this decision."""
        hand, player = self.speaker
        return DecisionTaken(cite, *hand, player, self.action, self.amount if amount is None else amount, choice)


Take = Callable[[Play, Request], None]


class Action(NamedTuple):
    """One kind of decision."""

    check: Check
    """Why it is refused, or None: no other function says so."""
    most: Most | None
    """The largest wager it may make, where the player chooses one."""
    take: Take
    """Carry it out."""
    late: str
    """The clause that is cited once its moment is over; empty: that of all decisions."""
    elsewhere: str
    """The clause that is cited while something else is asked."""
    limit: str
    """The clause that is cited for a wager of the wrong size."""
    like: str
    """The decision whose refusal tells why a closed hand does not take it."""


ACTIONS: dict[str, Action] = {}


def action(
    name: str,
    check: Check,
    most: Most | None = None,
    *,
    late: str = "",
    elsewhere: str = "",
    limit: str = "",
    like: str = "",
) -> Callable[[Take], Take]:
    """Register what a decision does, and the clauses that bar it at another moment."""
    own = f"decision.{name}"

    def register(take: Take) -> Take:
        ACTIONS[name] = Action(check, most, take, late, elsewhere or own, limit or elsewhere or own, like or name)
        return carries(f"decision.{name}")(take)

    return register
