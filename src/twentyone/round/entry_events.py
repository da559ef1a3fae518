"""What happens in a round whose cards a person enters: a reader that was wrong, an entry that is corrected."""

from __future__ import annotations

from twentyone.round.event_base import Event, frozen

__all__ = ["EntryCorrected", "ReaderContradicted"]


@frozen
class ReaderContradicted(Event):
    """The hole card, turned up, makes a Blackjack that the reader did not tell."""


@frozen
class EntryCorrected(Event):
    """An entry of the round was wrong; from here on the round is that of `again`."""

    wrong: str
    """What was entered."""
    right: str
    """What it is."""
    why: str
    """How the mistake came about."""
    again: tuple[Event, ...]
    """Everything that happened in the round, with the right entry."""
