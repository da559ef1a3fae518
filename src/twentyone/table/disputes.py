"""Disputes: the hands of earlier rounds, rebuilt from the discard rack."""

from __future__ import annotations

from twentyone.table import events as e
from twentyone.table.model import Bundle
from twentyone.table.play import TablePlay, command

__all__ = ["reconstruct_rack"]


@command("reconstruct")
def reconstruct(play: TablePlay) -> None:
    """Rebuild the hands of the rounds in the discard rack, for a dispute."""
    rounds = tuple(bundle.hands for bundle in reconstruct_rack(play.state.rack))
    play.emit(e.HandsReconstructed, play.cite, rounds=rounds)


def reconstruct_rack(rack: tuple[Bundle, ...]) -> tuple[Bundle, ...]:
    """The rounds in a discard rack, hand by hand in the order of their pick-up."""
    return tuple(bundle for bundle in rack if bundle.round)
