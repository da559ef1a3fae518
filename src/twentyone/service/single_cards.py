"""Single cards that a page shows apart from the others: one drawn in error, one that is subtracted."""

from __future__ import annotations

from twentyone.round import Round
from twentyone.round.events import HandRef

__all__ = ["exposed", "subtracted"]


def exposed(round_: Round | None) -> str | None:
    """The card drawn in error whose face is exposed: it lies on the layout until it is dealt, taken or refused."""
    held = round_.state.held if round_ is not None else None
    return held.name if held is not None else None


def subtracted(round_: Round, ref: HandRef) -> str | None:
    """The second chance card of a hand: it lies last and sideways, and is subtracted from the others."""
    chance = round_.state.hand(ref).chance
    return chance.name if chance is not None else None
