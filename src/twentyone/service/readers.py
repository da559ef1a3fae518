"""Who may read which rounds: staff all of them, a player those with a wager of his own."""

from __future__ import annotations

from twentyone.ledger.round_rows import RoundRow
from twentyone.service.people import NotAllowed, Person

__all__ = ["check_reader", "only_of"]


def only_of(person: Person | None) -> str | None:
    """The player whose rounds somebody may read; none: everybody's."""
    if person is None:
        raise NotAllowed("rounds are shown to those who played them: sit down or log in first", 401)
    return person.name if person.role == "player" else None


def check_reader(person: Person | None, row: RoundRow) -> None:
    """Refuse a round that somebody may not read."""
    player = only_of(person)
    if player is not None and player not in row.net:
        raise NotAllowed("no wager of yours lay in this round")
