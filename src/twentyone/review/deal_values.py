"""What a box is worth while its first cards come: from the whole game worked out for the cards before the round.

Of the cards dealt so far only the box's own and the up card count here. Those of other boxes are looked at once
the deal is over; in whatever order cards are looked at before anybody decides, the values add up to the same.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import numpy as np

from twentyone.cards import Card
from twentyone.money import Amount
from twentyone.odds.core import Core
from twentyone.odds.deals import joint_worth
from twentyone.odds.figures import super_bonus_of
from twentyone.odds.insurance import gains, offered
from twentyone.odds.model import FloatArray
from twentyone.odds.tables import Tables
from twentyone.rulebook import Rules

__all__ = ["DealValues"]


class DealValues:
    """The values of first deals from one set of cards, for a main wager of one unit."""

    def __init__(self, rules: Rules, cards: Mapping[Card, int]) -> None:
        self.cards = dict(cards)
        tables = Tables(rules)
        shoe = np.zeros(len(tables.shoe), dtype=np.int64)
        for card, many in cards.items():
            shoe[tables.classes.index(card.rank)] += many
        self.core = Core(Tables(rules, shoe, cards=cards))
        self.shoe = shoe
        self._ups = [self.core.tables.classes.names.index(k.up) for k in self.core.tables.conditions]
        self._worth: dict[Amount, dict[Any, FloatArray]] = {}
        self._values: dict[tuple[Any, ...], float] = {}
        self._found: dict[tuple[Card, ...], tuple[tuple[str, ...], int]] = {}
        self._bonus = super_bonus_of(self.core, given=False)

    # -- what was dealt so far

    def value(self, wager: Amount, own: tuple[Card, ...], up: Card | None) -> float:
        """What a main wager is worth with these first cards and this up card, as far as they lie there."""
        suits = "".join(card.suit for card in own) if self.core.tables.special else ""
        key = wager, tuple(card.rank for card in own), suits, up.rank if up is not None else ""
        if key not in self._values:
            self._values[key] = self._value(wager, own, up)
        return self._values[key]

    def _value(self, wager: Amount, own: tuple[Card, ...], up: Card | None) -> float:
        worth = self._joint(wager)
        if not own:
            states = [(dealt, worth[key][s]) for key in worth for s, dealt in enumerate(self.core.dealt(key))]
        elif len(own) == 1:
            states = list(self._seconds(worth, own[0]))
        else:
            states = [(1.0, self._of(worth, own))]
        if up is None:
            return float(sum(chance * value.sum() for chance, value in states))
        at = self._up(up)
        return float(sum(chance * value[at] for chance, value in states)) / self._chance_of(at, own)

    def _chance_of(self, up: int, own: tuple[Card, ...]) -> float:
        """The chance of such an up card beside the own cards."""
        names = self.core.tables.classes.names
        held = sum(self._up(card) == up for card in own)
        alike = sum(int(many) for many, name in zip(self.shoe, names, strict=True) if name == names[up])
        return float((alike - held) / (self.shoe.sum() - len(own)))

    def _up(self, card: Card) -> int:
        """The first of the classes that an up card counts as: a game that tells tens apart has several."""
        classes = self.core.tables.classes
        return classes.names.index(classes.names[classes.index(card.rank)])

    def _seconds(self, worth: Mapping[Any, FloatArray], first: Card) -> Any:
        """Every second card with its chance, by suit where a special hand can come of both."""
        left = {**self.cards, first: self.cards[first] - 1}
        whole = sum(left.values())
        for second, many in left.items():
            if many > 0:
                yield many / whole, self._of(worth, (first, second))

    def _of(self, worth: Mapping[Any, FloatArray], own: tuple[Card, ...]) -> FloatArray:
        """[up cards]: the value of two cards joint with the up card."""
        if own not in self._found:
            self._found[own] = self._find(own)
        key, s = self._found[own]
        row: FloatArray = worth[key][s]
        return row

    def _find(self, own: tuple[Card, ...]) -> tuple[tuple[str, ...], int]:
        """The state of two cards: by their suits where that matters."""
        tables = self.core.tables
        ranges = tables.rules.ranges_of(own) if tables.ranged else ()
        key = ranges if ranges in self.core.first else ()
        group = self.core.first[key].group
        where = [tables.classes.index(card.rank) for card in own]
        hand = group.find(np.array([where.count(i) for i in range(len(self.shoe))]))
        suits = {card.suit for card in own}
        states = [s for s, state in enumerate(group.states) if state.hand == hand]
        suited = [s for s in states if len(suits) == 1 and suits <= set(group.states[s].suits)]
        return key, (suited or [s for s in states if not group.states[s].suits])[0]

    # -- the values

    def _joint(self, wager: Amount) -> dict[Any, FloatArray]:
        """Ranges of the first cards to [states, up cards]: with insurance where it gains, and the super bonus."""
        if wager not in self._worth:
            self._worth[wager] = {key: self._of_phase(key, wager) for key in self.core.first}
        return self._worth[wager]

    def _of_phase(self, key: tuple[str, ...], wager: Amount) -> FloatArray:
        phase = self.core.first[key]
        worth = joint_worth(self.core, phase)
        self._add_bonus(worth, phase, wager)
        by_up = np.zeros((len(worth), len(self.shoe)))
        for k, up in enumerate(self._ups):
            by_up[:, up] += worth[:, k]
        for up in offered(self.core):
            for s in range(len(worth)):
                by_up[s, up] += max(0.0, *(float(gain) for gain in gains(self.core, phase, s, up).values()))
        return by_up

    def _add_bonus(self, worth: FloatArray, phase: Any, wager: Amount) -> None:
        band = self.core.tables.rules.band(wager)
        pays = float(Fraction(int(band.pays), int(wager))) if band is not None else 0.0
        for state, s, k, (_, now, hit, wins) in self._bonus.spots:
            if s < len(phase.group.states) and phase.group.states[s] is state:
                hits = now == hit or hit + wins * pays > now
                worth[s, k] += hit + wins * pays - now if hits else 0.0
