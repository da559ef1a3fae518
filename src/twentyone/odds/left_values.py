"""What one hand, or a box of split hands, is worth from any cards left: joint values against one condition.

All answers are joint with the condition, in wagers of the hand: divide by `Against.chance` for the value given what the
player knows. A hand is played by its own further cards; what has been seen is out of the shoe.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import NamedTuple

import numpy as np

from twentyone.cards import SUITS, Card
from twentyone.money import Amount
from twentyone.odds.cards_left import Against, LeftShoes, SolvedHands
from twentyone.odds.hand_group import HandGroup
from twentyone.odds.kernels import CHANCE, DECISIONS, DOUBLE, HIT, RESCUE, SPLIT
from twentyone.odds.model import FloatArray, IntArray
from twentyone.odds.payoffs import FIRST, SPLIT_MAIN, SPLIT_MORE, Kind
from twentyone.odds.splits import box_weights, split_weights

__all__ = ["Held", "Unseen", "Waiting"]


class Held(NamedTuple):
    """A hand that is played."""

    cards: tuple[Card, ...]
    """Its cards; of one out of a split, the card it began with first."""
    wager: Amount | None = None
    """What was laid on it: the super bonus goes by it; none: it is left out."""
    split: bool = False
    """Whether it came out of a split."""
    original: bool = True
    """Whether the original wager lies on it."""

    @property
    def kind(self) -> Kind:
        """What lies on it."""
        return FIRST if not self.split else SPLIT_MAIN if self.original else SPLIT_MORE


class Waiting(NamedTuple):
    """Hands of a split box that wait for their second card."""

    cards: tuple[Card, ...]
    """The card that each began with."""
    most: int
    """How many hands these may become."""
    original: bool
    """Whether the original wager lies on the first of them."""


@dataclass(frozen=True)
class Unseen:
    """The cards that a player has not seen, and the dealer's that he has."""

    shoes: LeftShoes
    """The game."""
    cards: Mapping[Card, int]
    """How many of each card he has not seen."""
    dealer: tuple[Card, ...]
    """The dealer's cards that lie face up and make the condition: the up card, an exposed hole card."""

    def against(self, condition: int) -> Against:
        """The values against one condition."""
        return self.shoes.against(self._shoe, condition)

    @cached_property
    def _shoe(self) -> IntArray:
        shown = {card: self.dealer.count(card) for card in self.dealer}
        return self.left + self.shoes.classes_of(shown)

    @cached_property
    def left(self) -> IntArray:
        """[classes]: the cards that he has not seen."""
        return self.shoes.classes_of(self.cards)

    # -- one hand

    def group(self, hand: Held) -> HandGroup:
        """The hands that a hand is one of."""
        tables = self.shoes.tables
        if hand.split:
            return self.shoes.group(hand.kind, tables.classes.index(hand.cards[0].rank))
        return self.shoes.group(FIRST, None, tables.rules.ranges_of(hand.cards[:2]) if tables.ranged else ())

    def own(self, cards: tuple[Card, ...]) -> IntArray:
        """[classes]: the cards of a hand."""
        return self.shoes.classes_of({card: cards.count(card) for card in cards})

    def turn(self, hand: Held, condition: int) -> dict[str, float]:
        """The decisions of a turn, splitting left out."""
        against = self.against(condition)
        own = self.own(hand.cards)
        played = against.play(self.group(hand), own)
        at = played.group.find(own)
        values = played.solution.values[at, 0].copy()
        if len(hand.cards) == 2:
            hit, double = self.suited(hand, played, at)
            values[HIT] += hit
            values[DOUBLE] += double
        may = int(played.group.may[at])
        return {name: float(values[i]) for i, name in enumerate(DECISIONS[:SPLIT]) if may >> i & 1}

    def offers(self, hand: Held, condition: int, doubled: bool) -> dict[str, float]:
        """What a doubled hand, or one that went over, may still take; nothing where it may take nothing."""
        against = self.against(condition)
        own = self.own(hand.cards)
        played = against.play(self.group(hand), own)
        at, rows = played.group.find(own), self.shoes.core.game.rows
        may, dealer = int(played.group.may[at]), played.held.dealer[at, 0]
        if may >> (CHANCE + doubled) & 1 and played.chances is not None:
            return {"second_chance": float(played.chances[int(doubled), at, 0])}
        if doubled and may >> RESCUE & 1:
            return {"rescue": float(dealer @ rows[played.group.pays.rescue])}
        return {}

    def suited(self, hand: Held, played: SolvedHands, at: int, drawn: tuple[Card, ...] = ()) -> tuple[float, float]:
        """What a hit and a double gain because a third card may be of the suit of both; `drawn`: see `share`."""
        gains = [0.0, 0.0]
        if len({card.suit for card in hand.cards}) == 1:
            for card, target, rows in self._goals(hand, played, at):
                chance = float(played.held.left[at, card]) * self.share(card, hand.cards[0].suit, drawn)
                dealer = played.held.dealer[target, 0]
                for doubled in (0, 1):
                    row = self.shoes.core.game.rows[rows[doubled]]
                    more = row - self.shoes.core.game.rows[played.group.pays.played[doubled, target]]
                    extra = self._bonus(hand, card, bool(doubled))
                    gains[doubled] += chance * float(dealer @ (more + extra * (row > 0)))
        return gains[0], gains[1]

    def _goals(self, hand: Held, played: SolvedHands, at: int) -> Iterator[tuple[int, int, tuple[int, int]]]:
        """The special hands of one suit that a third card makes: its class, the hand, its rows."""
        tables, counts = self.shoes.tables, played.group.hands.counts[at]
        ranges = tables.rules.ranges_of(hand.cards[:2]) if tables.ranged else ()
        for target in tables.special:
            missing = np.array(target) - counts
            if missing.min() >= 0:
                found = played.group.find(np.array(target))
                if found >= 0:
                    yield int(missing.argmax()), found, tables.suited(hand.kind, target, hand.cards[0].suit, ranges)

    def share(self, card: int, suit: str, drawn: tuple[Card, ...] = ()) -> float:
        """The share of one suit among the cards of a class that were not seen; `drawn`: some of them that are gone."""
        rank = self.shoes.tables.classes.ranks[card][0]
        every = sum(many for other, many in self.cards.items() if other.rank == rank)
        every -= sum(other.rank == rank for other in drawn)
        same = Card(rank + suit)
        return (self.cards.get(same, 0) - drawn.count(same)) / every if every > 0 else 0.0

    def _bonus(self, hand: Held, card: int, doubled: bool) -> float:
        """The super bonus, in wagers, of the hand that a third card of the same suit makes."""
        third = Card(self.shoes.tables.classes.ranks[card][0] + hand.cards[0].suit)
        return self.super_bonus(hand._replace(cards=(*hand.cards, third)), doubled)

    def super_bonus(self, hand: Held, doubled: bool) -> float:
        """What the super bonus adds to a hand that wins, in wagers; nothing where no wager is named."""
        if hand.wager is None:
            return 0.0
        rules = self.shoes.tables.rules
        band = rules.band(hand.wager)
        facts, barred = rules.hand(hand.cards, hand.split, doubled), rules.barred(hand.split, doubled, doubled)
        if band is None or rules.super_bonus(facts, self.dealer[0], barred) is None:
            return 0.0
        return float(Fraction(int(band.pays), int(hand.wager)))

    # -- hands out of a split

    def split(self, waiting: Waiting, wager: Amount | None, condition: int) -> float:
        """What hands that wait for their second card are worth together, pairs split again always or never."""
        if not waiting.cards:
            return 0.0
        if self.shoes.core._alike:
            waiting = waiting._replace(original=False)
        start = self.shoes.tables.classes.index(waiting.cards[0].rank)
        suits = self.shoes.suits_matter(SPLIT_MORE, start) or self.shoes.suits_matter(SPLIT_MAIN, start)
        box = (_SuitedBox if suits else _SplitBox)(self, waiting, wager, condition)
        if waiting.most <= len(waiting.cards):
            return box.never()
        return max(box.never(), box.again())


class _SplitBox:
    """Hands of one pair that wait for their second card, against one condition."""

    def __init__(self, unseen: Unseen, waiting: Waiting, wager: Amount | None, condition: int) -> None:
        self.unseen, self.waiting, self.wager, self.condition = unseen, waiting, wager, condition
        self.start = unseen.shoes.tables.classes.index(waiting.cards[0].rank)
        self.against = unseen.against(condition)
        self._worth: dict[tuple[bool, int], tuple[FloatArray, FloatArray]] = {}

    def never(self) -> float:
        """No pair is split again."""
        return self.free(self.waiting.original, 0) + (len(self.waiting.cards) - 1) * self.free(False, 0)

    def again(self) -> float:
        """Every pair that may be split is."""
        shoe = self.against.shoe.astype(float)
        waiting = self.waiting
        weights = split_weights(waiting.most, shoe[self.start], shoe.sum(), len(waiting.cards))
        total = 0.0
        for (original, more), weight in weights.parted.items():
            total += weight * self.parted(original and waiting.original, more) if weight else 0.0
        for (original, more), weight in weights.free.items():
            total += weight * self.free(original and waiting.original, more) if weight else 0.0
        return total

    def free(self, original: bool, more: int) -> float:
        """One hand whose second card may be any, `more` further pair cards being out."""
        left, worth = self._seconds(original, more)
        return float(left @ worth)

    def parted(self, original: bool, more: int) -> float:
        """One hand whose second card is no pair card."""
        left, worth = self._seconds(original, more)
        return self.free(original, more) - float(left[self.start] * worth[self.start])

    def _seconds(self, original: bool, more: int) -> tuple[FloatArray, FloatArray]:
        """[classes]: the chance of each second card, and what the hand is then worth."""
        if (original, more) not in self._worth:
            self._worth[original, more] = self._work_out(original, more)
        return self._worth[original, more]

    def _work_out(self, original: bool, more: int) -> tuple[FloatArray, FloatArray]:
        left, seconds, played = self._dealt(original, more)
        worth = np.zeros(len(left))
        for card in np.flatnonzero(left > 0):
            worth[card] = float(played.solution.best[0, seconds[card], 0])
        return left, worth

    def _dealt(self, original: bool, more: int) -> tuple[FloatArray, IntArray, SolvedHands]:
        """[classes]: the chance of each second card and the hand it makes; and all hands that can come."""
        hand = Held(self.waiting.cards[:1], self.wager, True, original)
        own = self.unseen.own(hand.cards)
        group = self.unseen.group(hand)
        like = self.against.play(group, own) if more else None
        played = self.against.play(group, own, more, like)
        shoe = self.against.shoe.astype(float)
        shoe[self.start] -= more
        return shoe / shoe.sum(), played.group.hands.find(own + np.eye(len(own), dtype=np.int64)), played


class _SuitedBox(_SplitBox):
    """The same where a special hand pays by its suit: hand by hand, by the suit of the card that each began with."""

    def never(self) -> float:
        return sum(self._hand(place, 0)[1] for place in range(len(self.waiting.cards)))

    def again(self) -> float:
        shoe = self.against.shoe.astype(float)
        weights = box_weights(self.waiting.most, shoe[self.start], shoe.sum(), len(self.waiting.cards))
        parted = sum(weight * self._hand(*which)[0] for which, weight in weights.parted.items() if weight)
        free = sum(weight * self._hand(*which)[1] for which, weight in weights.free.items() if weight)
        return float(parted + free)

    def _hand(self, place: int, more: int) -> tuple[float, float]:
        """One hand whose second card is no pair card, and one whose second card may be any."""
        rank = self.unseen.shoes.tables.classes.ranks[self.start][0]
        if place < len(self.waiting.cards):
            begun = {self.waiting.cards[place]: 1.0}
        else:
            begun = {Card(rank + suit): self.unseen.share(self.start, suit) for suit in SUITS}
        parted = free = 0.0
        for card, share in begun.items():
            drawn = () if place < len(self.waiting.cards) else (card,)
            left, worth = self._begun(card, drawn, self.waiting.original and place == 0, more)
            free += share * float(left @ worth)
            parted += share * float(left @ worth - left[self.start] * worth[self.start])
        return parted, free

    def _begun(self, first: Card, drawn: tuple[Card, ...], original: bool, more: int) -> tuple[FloatArray, FloatArray]:
        """[classes]: the chance of each second card of a hand that began with this card, and what it is then worth."""
        left, seconds, played = self._dealt(original, more)
        likely = played if not more else self._dealt(original, 0)[2]
        ranks, worth = self.unseen.shoes.tables.classes.ranks, np.zeros(len(left))
        for card in np.flatnonzero(left > 0):
            at, second = int(seconds[card]), Card(ranks[card][0] + first.suit)
            share = self.unseen.share(int(card), first.suit, drawn)
            worth[card] = (1 - share) * float(played.solution.best[0, at, 0])
            if share > 0:
                hand = Held((first, second), self.wager, True, original)
                worth[card] += share * self._suited(hand, (*drawn, second), at, played, likely)
        return left, worth

    def _suited(self, hand: Held, drawn: tuple[Card, ...], at: int, played: SolvedHands, likely: SolvedHands) -> float:
        """Two cards of one suit; the decision is that of a shoe without further pair cards out."""
        values, chosen = ([*some.solution.values[at, 0]] for some in (played, likely))
        for found, some in ((values, played), (chosen, likely)):
            hit, double = self.unseen.suited(hand, some, at, drawn)
            found[HIT] += hit
            found[DOUBLE] += double
        may = int(played.group.may[at])
        return float(values[max((i for i in range(SPLIT) if may >> i & 1), key=lambda i: chosen[i])])
