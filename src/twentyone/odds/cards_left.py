"""Values from any cards left: one condition of the dealer's at a time, and only the hands that can still come.

`Core` works out a whole game; here one situation is asked, from whatever cards have not been seen. The rules as arrays
are made once (`LeftShoes`); a set of cards and a condition (`Against`) shares the dealer's chances among all hands.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import replace
from functools import cached_property
from types import SimpleNamespace
from typing import Any, NamedTuple, cast

import numpy as np

from twentyone.cards import Card
from twentyone.odds.choosers import Best
from twentyone.odds.core import Core
from twentyone.odds.dealer import Final, Finals, Walk
from twentyone.odds.dealer_cache import DealerOddsCache
from twentyone.odds.hand_group import HandGroup
from twentyone.odds.kernels import CHANCE
from twentyone.odds.model import Condition, FloatArray, IntArray
from twentyone.odds.payoffs import Kind
from twentyone.odds.phase_values import GameTables, deal
from twentyone.odds.player import HandsAndShoe, Plan, Solution, solve
from twentyone.odds.reachable import reachable
from twentyone.odds.tables import Tables
from twentyone.rulebook import Rules

__all__ = ["Against", "LeftShoes", "SolvedHands"]

KEPT = 64
"""Sets of cards whose values are kept."""


class SolvedHands(NamedTuple):
    """Hands worked out against one condition."""

    group: HandGroup
    """The hands."""
    held: HandsAndShoe
    """The cards left beside each."""
    solution: Solution
    """Their values, joint with the condition."""
    chances: FloatArray | None
    """[2, hands, 1]: what a second chance is worth on each; none: there is no such decision."""


class LeftShoes:
    """A game whose situations are valued from any cards left."""

    def __init__(self, rules: Rules) -> None:
        self.core = Core(Tables(rules))
        self.tables = self.core.tables
        ranks = self.tables.classes.ranks
        self._class = {rank: number for number, some in enumerate(ranks) for rank in some}
        self._walks: dict[int, Walk] = {}
        self._ends: dict[tuple[int, ...], int | None] = {}
        self._suits: dict[tuple[Kind, int], bool] = {}
        self._known: OrderedDict[tuple[Any, ...], Against] = OrderedDict()

    def class_of(self, card: Card) -> int:
        """The value class of a card."""
        return self._class[card.rank]

    def classes_of(self, cards: Mapping[Card, int]) -> IntArray:
        """[classes]: how many of these cards are of each value class."""
        counts = [0] * len(self.tables.shoe)
        for card, many in cards.items():
            counts[self._class[card.rank]] += many
        return np.array(counts, dtype=np.int64)

    def against(self, shoe: IntArray, condition: int) -> Against:
        """The values against one condition, from the cards that were not seen and the dealer's that were."""
        key = (condition, *shoe.tolist())
        if key not in self._known:
            self._known[key] = Against(self, shoe, condition)
            if len(self._known) > KEPT:
                self._known.popitem(last=False)
        self._known.move_to_end(key)
        return self._known[key]

    def conditions(self, up: Card, hole: str | None = None) -> list[int]:
        """The conditions with this up card; `hole`: with what is told of the hole card, where that is known."""
        name = self.tables.classes.names[self.tables.classes.index(up.rank)]
        told = [k for k, condition in enumerate(self.tables.conditions) if condition.up == name]
        return [k for k in told if hole is None or self.tables.conditions[k].hole == hole]

    def walk(self, condition: int) -> Walk:
        """The walk over the dealer's final hands that one condition allows."""
        if condition not in self._walks:
            finals = self.tables.finals
            rows = finals.ways[:, condition] > 0
            ways = np.pad(finals.ways[rows][:, [condition]], ((0, 0), (0, 1)))
            told = (finals.told != condition).astype(np.int64)
            both = (finals.conditions[condition], Condition("", "any other"))
            shoe = self.tables.classes.shoe.tolist()
            allowed = Finals(both, told, finals.kinds, finals.counts[rows], finals.kind[rows], ways)
            self._walks[condition] = Walk.of(allowed, self.core.walk.column, shoe)
        return self._walks[condition]

    @cached_property
    def kinds(self) -> tuple[int, ...]:
        """[columns]: a kind of the dealer's final hand that is gathered in each column."""
        return tuple(self.core.walk.column.index(column) for column in range(self.core.walk.columns))

    def final_column(self, held: tuple[int, ...]) -> int | None:
        """The column of a hand that the dealer ends with, as classes; none: he draws."""
        if held not in self._ends:
            hand = self.tables.rules.dealer_hand(self.tables.classes.cards(held))
            drawn = len(hand.cards) < 2 or self.tables.rules.dealer_draws(hand)
            final = Final(hand.points, len(hand.cards) > 2, hand.blackjack)
            self._ends[held] = None if drawn else self.core.walk.column[self.tables.finals.kinds.index(final)]
        return self._ends[held]

    def suits_matter(self, kind: Kind, start: int) -> bool:
        """Whether a special hand that begins with a class pays otherwise after a split if it is of one suit."""
        if (kind, start) not in self._suits:
            rows, tables, group = self.core.game.rows, self.tables, self.core.split_groups[kind, start]
            ids = {
                frozenset(tables.suited(kind, counts, suit)[doubled] for suit in "SH")
                | {int(group.pays.played[doubled, group.find(np.array(counts))])}
                for counts in tables.special
                if counts[start]
                for doubled in (0, 1)
            }
            self._suits[kind, start] = any((rows[list(some)] != rows[min(some)]).any() for some in ids)
        return self._suits[kind, start]

    def group(self, kind: Kind, start: int | None, ranges: tuple[str, ...] = ()) -> HandGroup:
        """The hands of a kind: first hands with these value ranges, or those out of the split of a class."""
        if start is not None:
            return self.core.split_groups[kind, start]
        return self.core.groups.get(ranges, self.core.groups[()])


class _OneCondition:
    """The dealer's chances against one condition, as `deal` asks for them."""

    def __init__(self, walk: Walk, shoe: IntArray) -> None:
        self.cache = DealerOddsCache(walk, shoe, 1.0)

    def chances(self, out: IntArray) -> FloatArray:
        """[sets, 1, columns]."""
        return self.cache.chances(out)[:, :1]


class Against:
    """The values of hands from one set of cards against one condition."""

    def __init__(self, shoes: LeftShoes, shoe: IntArray, condition: int) -> None:
        self.shoes, self.shoe, self.condition = shoes, shoe, condition
        tables, game = shoes.tables, shoes.core.game
        some = SimpleNamespace(number=float, shoe=shoe, read=(tables.read[condition],))
        odds = _OneCondition(shoes.walk(condition), shoe)
        self.game = GameTables(cast(Tables, some), Best(), cast(DealerOddsCache, odds), game.rows, game.blackjack)
        self._played: dict[tuple[Any, ...], SolvedHands] = {}
        self._groups: dict[int, HandGroup] = {}

    @cached_property
    def dealer(self) -> FloatArray:
        """[columns]: the chance of the condition and each final hand, a Blackjack that was read left out."""
        chances = self._all.copy()
        if self.game.blackjack >= 0 and self.shoes.tables.read[self.condition]:
            chances[self.game.blackjack] = 0.0
        return chances

    @cached_property
    def _all(self) -> FloatArray:
        chances: FloatArray = self.game.dealer_odds.chances(np.zeros((1, len(self.shoe)), dtype=np.int64))[0, 0]
        return chances

    @property
    def chance(self) -> float:
        """The chance of the condition, a Blackjack that was read left out."""
        return float(self.dealer.sum())

    @property
    def seen(self) -> float:
        """The chance of a dealer's Blackjack that is read."""
        read = self.game.blackjack >= 0 and self.shoes.tables.read[self.condition]
        return float(self._all[self.game.blackjack]) if read else 0.0

    def play(self, group: HandGroup, own: IntArray, more: int = 0, like: SolvedHands | None = None) -> SolvedHands:
        """Work out the hands that can come of a hand; its own cards are out of the shoe already.

        `own`: its cards; none: every hand; one card: a hand out of a split before its second. `more`: of that card's
        class so many further cards are out; `like`: with the decisions of this one.
        """
        key = (id(group), more, like is not None, *own.tolist())
        if key not in self._played:
            self._played[key] = self._play(group, own, more, like)
        return self._played[key]

    def _play(self, group: HandGroup, own: IntArray, more: int, like: SolvedHands | None) -> SolvedHands:
        group = self._condition(group)
        removed = -own
        if more:
            removed[own.argmax()] += more
        room = self.shoe - removed
        starts = group.two if not own.any() else group.hands.find(own[None, :])
        if own.sum() == 1:
            second = group.hands.find(own + np.eye(len(own), dtype=np.int64))
            starts = second[(second >= 0) & (self.shoe - (removed + own) > 0)]
        listed = reachable(group.hands.after, group.may, group.hands.counts, room, starts)
        held, _ = deal(self.game, group, removed, listed)
        busted = listed[(group.may[listed] >> CHANCE & 3) > 0]
        chances = self._second_chances(group, held, removed, busted) if len(busted) else None
        plan: Plan | None = like.solution.plan if like is not None else None
        return SolvedHands(group, held, solve(held, self.game.rows, group.pays, group.may, plan, chances), chances)

    def _second_chances(self, group: HandGroup, held: HandsAndShoe, removed: IntArray, busted: IntArray) -> FloatArray:
        """[2, hands, 1]: what a second chance is worth on each busted hand, all cards that may come at once."""
        count, game = len(self.shoe), self.game
        out = removed + group.hands.counts[busted]
        more = (out[:, None, :] + np.eye(count, dtype=np.int64)).reshape(-1, count)
        chances = game.dealer_odds.chances(more).reshape(len(busted), count, -1)
        if game.blackjack >= 0 and self.shoes.tables.read[self.condition]:
            chances[:, :, game.blackjack] = 0.0
        chances *= held.left[busted][:, :, None]
        worth = np.zeros((2, *held.dealer.shape[:2]))
        for doubled in (0, 1):
            worth[doubled, busted, 0] = (chances * game.rows[group.pays.chance[doubled, busted]]).sum(axis=(1, 2))
        return worth

    def _condition(self, group: HandGroup) -> HandGroup:
        """The hands with the rows of this condition alone."""
        if id(group) not in self._groups:
            pays = replace(group.pays, surrender=group.pays.surrender[self.condition : self.condition + 1])
            self._groups[id(group)] = replace(group, pays=pays)
        return self._groups[id(group)]
