"""A table's game for those who do not know it: what differs from Blackjack, what is paid, what a wager costs.

Everything is asked of the table's own rules, under its submission and readings.
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import Any

from twentyone.odds.side_wagers import SideWagerPrice, side_wagers
from twentyone.rulebook import Rules
from twentyone.rulebook.differences import differences, in_one_line, pay_table
from twentyone.rulebook.wheels import weights_of

__all__ = ["BASIS", "game_of"]

KEPT = 128
"""Games that are kept at hand."""
BASIS = (
    "exact, for the best play of every hand from a fresh shoe of {decks} decks; super bonus and side wagers left out"
)
"""What a house edge is the edge of."""
ONCE_EACH = " The submission gives no weights: each symbol is on the wheel once."


@lru_cache(maxsize=KEPT)
def game_of(rules: Rules) -> dict[str, Any]:
    """Everything about a game but its house edge."""
    book = rules.rulebook
    return {
        "rulebook": book.id,
        "title": book.full_title,
        "source": book.source,
        "line": in_one_line(rules),
        "differences": [fact._asdict() for fact in differences(rules)],
        "pays": [row._asdict() for row in pay_table(rules)],
        "sides": [_side(rules, wager) for wager in _priced(rules)],
        "basis": BASIS.format(decks=rules.submission["decks"]),
    }


def _priced(rules: Rules) -> list[SideWagerPrice]:
    """The side wagers, on the wheels that turn at the table."""
    weights = weights_of(rules)
    if not weights or rules.submission.get("wheel_weights"):
        return list(side_wagers(rules).values())
    given = {choice.key: choice.value for choice in rules.submission.choices if choice.given}
    chosen = {**given, "readings": dict(rules.submission.readings), "wheel_weights": weights}
    bare, priced = side_wagers(rules), side_wagers(rules.rulebook.under(chosen))
    return [price if bare[name].edge is not None else _noted(price) for name, price in priced.items()]


def _noted(price: SideWagerPrice) -> SideWagerPrice:
    return replace(price, definition=price.definition + ONCE_EACH)


def _side(rules: Rules, wager: SideWagerPrice) -> dict[str, Any]:
    return {
        "name": wager.name,
        "title": wager.title,
        "cite": wager.cite,
        "edge": float(wager.edge) if wager.edge is not None else None,
        "wins": float(wager.wins),
        "says": wager.definition,
        "laid": wager.title in [laid.title for laid in rules.wagers.values()],
    }
