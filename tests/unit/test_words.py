"""Every event can be said in words."""

from __future__ import annotations

from twentyone.round import events
from twentyone.round.words import _WORDS


def test_every_event_has_words() -> None:
    kinds = {kind for kind in vars(events).values() if isinstance(kind, type) and issubclass(kind, events.Event)}
    assert kinds - {events.Event} == set(_WORDS)
