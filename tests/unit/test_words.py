"""Every event can be said in words."""

from __future__ import annotations

from twentyone.round import entry_events, events
from twentyone.round.words import _WORDS


def test_every_event_has_words() -> None:
    held = [*vars(events).values(), *vars(entry_events).values()]
    kinds = {kind for kind in held if isinstance(kind, type) and issubclass(kind, events.Event)}
    assert kinds - {events.Event} == set(_WORDS)
