"""What a round is brought as plain JSON values, under names that follow from their types."""

from __future__ import annotations

import re
from dataclasses import fields
from typing import Any, get_args

from twentyone.cards import Card
from twentyone.money import Amount
from twentyone.round.commands import Command, Corrected

__all__ = ["STEPS", "Step", "as_step", "snake"]


def snake(name: str) -> str:
    """A class's name as records write it.

    >>> snake("CardsReceived")
    'cards_received'
    """
    return re.sub(r"(?<=.)([A-Z])", r"_\1", name).lower()


Step = Command | Corrected
"""What a round is brought: a command, or the correction of one."""
STEPS: dict[str, type[Step]] = {snake(kind.__name__): kind for kind in get_args(Step)}
"""The kinds of step, by the names that records and round scripts have for them."""


def as_step(command: Step) -> dict[str, Any]:
    """A command as plain JSON values; a field is left out while it has its default.

    >>> from twentyone.round.commands import Decision
    >>> as_step(Decision("insure", 1, "Ann", Amount("5")))
    {'step': 'decision', 'action': 'insure', 'box': 1, 'player': 'Ann', 'amount': '5'}
    """
    values = ((field, getattr(command, field.name)) for field in fields(command))
    said = {field.name: _plain(value) for field, value in values if value != field.default}
    return {"step": snake(type(command).__name__), **said}


def _plain(value: Any) -> Any:
    if isinstance(value, tuple):
        return [_plain(item) for item in value]
    return str(value) if isinstance(value, Card | Amount) else value
