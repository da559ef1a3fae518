"""Whether two rows can both match: asked at load, so that no hand is ever decided by two."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, NamedTuple

from twentyone.rulebook import clauses as c
from twentyone.rulebook.patterns import HandPattern

__all__ = ["can_be_together", "outcomes_overlap", "pays_overlap"]

INITIAL = 2
"""The cards of an initial hand, which a Blackjack is made of."""


def pays_overlap(one: c.Pay, other: c.Pay) -> bool:
    """Whether some wager on some hand may be paid by both rows."""
    return (
        bool(set(one.wagers) & set(other.wagers))
        and can_be_together(one, other)
        and one.hand.overlaps(other.hand)
        and one.dealer.overlaps(other.dealer)
    )


def outcomes_overlap(one: c.Outcome, other: c.Outcome, blackjack: int | None) -> bool:
    """Whether some two hands may be compared by both rows; `blackjack` is the total of a Blackjack, if it is known."""
    players = [_counted(row.player, blackjack) for row in (one, other)]
    dealers = [_counted(row.dealer, blackjack) for row in (one, other)]
    if not (can_be_together(one, other) and players[0].overlaps(players[1]) and dealers[0].overlaps(dealers[1])):
        return False
    player, dealer = _points(*players), _points(*dealers)
    relations = {row.compare for row in (one, other) if row.compare is not None}
    if len(relations) != 1:
        return not relations
    return _RELATED[relations.pop()](player, dealer)


def _counted(pattern: HandPattern, blackjack: int | None) -> HandPattern:
    """A pattern with what is known of its total: a Blackjack is one total, and no other two cards count more."""
    if blackjack is None or pattern.total is not None:
        return pattern
    if pattern.blackjack:
        return replace(pattern, total=blackjack, split=False)
    if pattern.card_count == INITIAL and pattern.most is None:
        return replace(pattern, most=blackjack)
    return pattern


def can_be_together(one: c.Clause, other: c.Clause) -> bool:
    """Whether both clauses can be in force at once."""
    return not (_exclusive(one.reading, other.reading) or _exclusive(one.when, other.when))


def _exclusive(one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    return any(_apart(one[key], other[key]) for key in one if key in other)


def _apart(one: Any, other: Any) -> bool:
    ones = one if isinstance(one, list) else [one]
    others = other if isinstance(other, list) else [other]
    return not any(value in others for value in ones)


class _Points(NamedTuple):
    """The totals that hands of two patterns can have."""

    low: int
    high: int


def _points(one: HandPattern, other: HandPattern) -> _Points:
    spans = (one.span, other.span)
    return _Points(max(span[0] for span in spans), min(span[1] for span in spans))


_RELATED: dict[str, Callable[[_Points, _Points], bool]] = {
    "above": lambda player, dealer: player.high > dealer.low,
    "same": lambda player, dealer: max(player.low, dealer.low) <= min(player.high, dealer.high),
    "below": lambda player, dealer: player.low < dealer.high,
}
"""Whether some total of the player's is in this relation to some total of the dealer's."""
