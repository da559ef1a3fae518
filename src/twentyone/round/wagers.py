"""Wagers placed before the first card, and what the meters show then."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from twentyone.errors import Refused
from twentyone.law import carries
from twentyone.money import Amount
from twentyone.round.events import MeterShown, WagerPlaced
from twentyone.round.play import Play
from twentyone.rulebook.clauses import MeterFloor
from twentyone.rulebook.wagers import Wagers, check_own_boxes, check_unit, check_wagers, key_cite
from twentyone.rulebook.wheels import meters_of

__all__ = ["Wagers", "check_own_boxes", "check_unit", "check_wagers", "key_cite", "place_wagers", "show_meters"]


def place_wagers(play: Play, wagers: Sequence[Wagers]) -> None:
    """Check all wagers of a round and place them."""
    check_wagers(play.rules, wagers)
    for row in wagers:
        play.emit(WagerPlaced(play.rules.wagers["main"].cite, row.box, row.player, "main", row.main))
    for row in wagers:
        for kind, amount in row.sides.items():
            play.emit(WagerPlaced(play.rules.wagers[kind].cite, row.box, row.player, kind, amount))


@carries("meter")
def show_meters(play: Play, meters: Mapping[str, Amount], waits: Mapping[str, Fraction]) -> None:
    """Record what the progressive meters show before the round, and what they hold beside that."""
    if not meters:
        return
    cites = {c.name: c.cite for c in play.rules.rulebook.clauses if isinstance(c, MeterFloor)}
    in_use = meters_of(play.rules)
    for name, amount in meters.items():
        terms = in_use.get(name)
        if terms is None and name not in cites:
            raise Refused(f"this game has no meter {name!r}", step="meters")
        cite = terms.cite if terms is not None else cites[name]
        if amount <= 0:
            raise Refused(f"a meter that shows {amount} is none", cite, "meters")
        if terms is not None and terms.limit is not None and amount > terms.limit:
            raise Refused(f"the meter {name} shows at most its limit of {terms.limit}, not {amount}", cite, "meters")
        shown = amount if terms is None else terms.shows(Fraction(int(amount)))
        play.emit(MeterShown(cite, name, shown, int(amount - shown) + waits.get(name, Fraction(0))))
