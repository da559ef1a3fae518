"""Every event can be said in words."""

from __future__ import annotations

from twentyone.money import Amount
from twentyone.round import entry_events, events
from twentyone.round.state import SideWager, side_settled
from twentyone.round.words import _WORDS, in_words


def test_every_event_has_words() -> None:
    held = [*vars(events).values(), *vars(entry_events).values()]
    kinds = {kind for kind in held if isinstance(kind, type) and issubclass(kind, events.Event)}
    assert kinds - {events.Event} == set(_WORDS)


def test_a_wager_that_wins_and_is_kept_is_said_so() -> None:
    """What it wins is another row: without these words a win would read as a loss; a prize says nothing of it."""
    side = SideWager(2, "p2", "xtreme_16", Amount("5"))
    kept = in_words(side_settled(side, "cite", "win", -side.amount))
    assert kept == "p2 at box 2: xtreme 16 $5.00 wins: the wager is kept, its payment follows, −$5.00"
    assert "kept" not in in_words(side_settled(side, "cite", "win", Amount("195")))
    assert "kept" not in in_words(side_settled(side, "cite", "lose", -side.amount))
