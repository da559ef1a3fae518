"""When something is asked again: spaced repetition, with the time given and chance out of a seed.

The schedule is that of the library `fsrs` without its random part: the same answers at the same times make the same
schedule.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, NamedTuple

from twentyone.extras import needed
from twentyone.service.shift.chance import Chance

__all__ = ["NEW", "Progress", "after", "next_item"]

AMONG = 10
"""What is new is taken from so many: those that matter most."""


class Progress(NamedTuple):
    """How well somebody knows one thing."""

    seen: int = 0
    """How often it was asked."""
    missed: int = 0
    """How often the answer was wrong."""
    due: int = 0
    """When it is to be asked again, in seconds UTC."""
    card: Mapping[str, Any] = {}
    """What the scheduler knows of it."""

    @property
    def known(self) -> bool:
        """Whether it has left the steps of learning: its last answers were right."""
        return self.card.get("state") == 2


NEW = Progress()
"""What was never asked."""


def after(progress: Progress, right: bool, at: int) -> Progress:
    """What is known of a thing after an answer at a time.

    >>> wrong, right = after(NEW, False, 0), after(NEW, True, 0)
    >>> wrong.due, right.due, after(right, True, right.due).due // 86400
    (60, 600, 2)
    """
    fsrs: Any = needed("fsrs", "training", "twentyone[desk]")
    now = datetime.fromtimestamp(at, UTC)
    card = fsrs.Card.from_dict(progress.card) if progress.card else fsrs.Card(card_id=1, due=now)
    told = fsrs.Scheduler(enable_fuzzing=False).review_card(
        card, fsrs.Rating.Good if right else fsrs.Rating.Again, now
    )[0]
    return Progress(progress.seen + 1, progress.missed + (not right), int(told.due.timestamp()), dict(told.to_dict()))


def next_item(items: Sequence[str], known: Mapping[str, Progress], at: int, chance: Chance) -> str:
    """What is asked next: what is due, the longest first; else something new; else what is due soonest.

    `items` begins with what matters most: of what is new that comes first.
    """
    asked = sorted((known[item].due, number, item) for number, item in enumerate(items) if item in known)
    if asked and asked[0][0] <= at:
        return asked[0][2]
    new = [item for item in items if item not in known]
    return chance.among(new[:AMONG]) if new else asked[0][2]
