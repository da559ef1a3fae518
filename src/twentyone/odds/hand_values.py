"""The value of every decision on one hand, from a shoe without the cards that have left it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any, NamedTuple

from twentyone.cards import RANKS, SUITS, Card
from twentyone.errors import Refused
from twentyone.money import Amount
from twentyone.odds.cards_left import Against, LeftShoes
from twentyone.odds.decks import decks_of as how_many_decks
from twentyone.odds.left_values import Held, Unseen, Waiting
from twentyone.odds.lookup import condition_of, hand_in, possible
from twentyone.rulebook import Rules

__all__ = ["SeenHand", "decks_of", "hand_values", "left_shoes", "suits_count", "values_of_hand"]


KEPT = 4
"""Games whose arrays are kept."""


class SeenHand(NamedTuple):
    """A hand that somebody asks about, and what is known beside it."""

    cards: tuple[Card, ...]
    """Its cards; of one out of a split, the card that was split first."""
    up: Card
    """The up card."""
    hole: str = ""
    """What is known of the hole card."""
    split: bool = False
    """Whether it came out of a split."""
    doubled: bool = False
    """Whether it was doubled."""
    out: tuple[Card, ...] = ()
    """Cards that have left the shoe beside these."""
    any_suit: bool = False
    """Whether the up card may be of any suit."""
    twin: Card | None = None
    """The card that the first was split from; none: any of its rank."""
    wager: Amount | None = None
    """The original wager, by which the super bonus goes; none: the super bonus is left out."""


def hand_values(rules: Rules, cards: tuple[Card, ...], up: Card, hole: str = "", **more: Any) -> dict[str, float]:
    """`values_of_hand` of one hand; `more`: the other fields of `SeenHand`."""
    return values_of_hand(left_shoes(rules), SeenHand(cards, up, hole, **more))


@lru_cache(maxsize=KEPT)
def left_shoes(rules: Rules) -> LeftShoes:
    """A game whose situations are valued; those that were asked last are kept."""
    return LeftShoes(rules)


def values_of_hand(shoes: LeftShoes, asked: SeenHand) -> dict[str, float]:
    """The expected net result of each decision that the law allows on these very cards, in original wagers.

    What is not known of the suits of the up card and of the card that was split is a mean over those that are left.
    An impossible hand is `Refused` with its paragraph.
    """
    possible(shoes.core, (*asked.cards, *asked.out, *(() if asked.any_suit else (asked.up,))))
    told: dict[str, float] = {}
    every = 0
    for one, ways in _dealt(shoes, asked):
        every += ways
        for name, value in _Known(shoes, one).values().items():
            told[name] = told.get(name, 0.0) + ways * value
    return {name: value / every for name, value in told.items()}


def _dealt(shoes: LeftShoes, asked: SeenHand) -> Iterator[tuple[SeenHand, int]]:
    """The hand with every suit of what is not known where suits count, else with one, and how many ways there are."""
    left = Counter(decks_of(shoes.tables.rules))
    left.subtract((*asked.cards, *asked.out))
    counts = suits_count(shoes, asked.cards)
    ups = _any(left, asked.up, counts) if asked.any_suit else [asked.up]
    if not ups:
        raise Refused(f"no {asked.up.rank} is left that may lie face up", shoes.tables.rules.cards.cite)
    for up in ups:
        ways = left[up] if asked.any_suit else 1
        left[up] -= 1
        unknown = asked.split and asked.twin is None
        twins = _any(left, asked.cards[0], counts) if unknown else [asked.twin]
        if not twins:
            raise Refused(f"no card is left that {asked.cards[0]} was split from", shoes.tables.rules.cards.cite)
        for twin in twins:
            yield asked._replace(up=up, twin=twin), ways * (left[twin] if unknown and twin is not None else 1)
        left[up] += 1


def _any(left: Mapping[Card, int], card: Card, every: bool) -> list[Card]:
    """The cards of a rank that are left: of every suit, or one of them."""
    free = [same for same in (Card(card.rank + suit) for suit in reversed(SUITS)) if left.get(same, 0) > 0]
    return free if every else free[:1]


def suits_count(shoes: LeftShoes, cards: tuple[Card, ...]) -> bool:
    """Whether the suits of other cards can matter to a hand: a special hand may still come of it."""
    own, special = shoes.classes_of(Counter(cards)), shoes.tables.special
    if len(cards) == 2 and cards[0].rank == cards[1].rank:
        return any(hand[shoes.class_of(cards[0])] for hand in special)
    return len(cards) < 3 and any((own <= hand).all() for hand in special)


class _Known:
    """One hand, every card that is seen known with its suit."""

    def __init__(self, shoes: LeftShoes, asked: SeenHand) -> None:
        self.rules, self.shoes, self.asked = shoes.tables.rules, shoes, asked
        self.condition = condition_of(shoes.core, asked.up, asked.hole)
        self.hand = Held(asked.cards, asked.wager, asked.split)
        if asked.split and self._start not in shoes.core.starts:
            raise Refused(f"a pair of {asked.cards[0]} may not be split", self.rules.decisions["split"].cite)
        seen = Counter((*asked.cards, asked.up, *asked.out, *((asked.twin,) if asked.twin is not None else ())))
        left = {card: many - seen[card] for card, many in decks_of(self.rules).items()}
        self.unseen = Unseen(shoes, left, (asked.up,))
        self.at = hand_in(shoes.core, self.unseen.group(self.hand), asked.cards)
        if self.against.chance <= 0:
            told = f"{asked.hole or asked.up} beside {' '.join(map(str, asked.cards))} leaves nothing to decide"
            raise Refused(told, self.rules.cards.cite)

    def values(self) -> dict[str, float]:
        """The value of each decision."""
        values = self._offers() or self._turn()
        return {name: value / self.against.chance for name, value in values.items()}

    @property
    def _start(self) -> int:
        return self.shoes.tables.classes.index(self.hand.cards[0].rank)

    @property
    def against(self) -> Against:
        """The values against what is known."""
        return self.unseen.against(self.condition)

    def _offers(self) -> dict[str, float]:
        """What is asked of a doubled hand, and of one that went over."""
        group = self.unseen.group(self.hand)
        if not (self.asked.doubled or group.hands.over[self.at]):
            return {}
        offers = self.unseen.offers(self.hand, self.condition, self.asked.doubled)
        return offers | {"decline": self._stood(self.asked.doubled)}

    def _turn(self) -> dict[str, float]:
        """The decisions of a turn."""
        cards, core = self.hand.cards, self.shoes.core
        if self.rules.hand(cards, self.hand.split).blackjack:
            return {"stand": float(self.against.dealer @ core.game.rows[core.blackjack_rows[self.condition]])}
        values = self.unseen.turn(self.hand, self.condition)
        values |= {"stand": self._stood(doubled=False)} if "stand" in values else {}
        if "surrender" in values and len(cards) == 2 and not self.hand.split:
            values["surrender"] += self._saved()
        if self._may_split:
            waiting = Waiting(cards, self.shoes.tables.most_hands(self._start), True)
            values["split"] = float(self.unseen.split(waiting, self.asked.wager, self.condition))
        return values

    def _stood(self, doubled: bool) -> float:
        """What a hand that draws no more is worth."""
        cards, tables = self.hand.cards, self.shoes.tables
        counts = tuple(self.unseen.own(cards).tolist())
        row = self.unseen.group(self.hand).pays.played[int(doubled), self.at]
        if counts in tables.special and len({card.suit for card in cards}) == 1:
            row = tables.suited(self.hand.kind, counts, cards[0].suit)[int(doubled)]
        pays = self.shoes.core.game.rows[row]
        return float(self.against.dealer @ (pays + self.unseen.super_bonus(self.hand, doubled) * (pays > 0)))

    def _saved(self) -> float:
        """What a surrender before the hole card is read keeps of what a Blackjack that is read takes."""
        if not self.shoes.tables.early[self.condition] or self.against.seen <= 0:
            return 0.0
        pays, game = self.unseen.group(self.hand).pays, self.shoes.core.game
        given_up, lost = game.rows[pays.surrender[self.condition]], game.rows[pays.played[0, self.at]]
        return self.against.seen * float(given_up[game.blackjack] - lost[game.blackjack])

    @property
    def _may_split(self) -> bool:
        if self.hand.split or len(self.hand.cards) != 2:
            return False
        return self.rules.refusal("split", self.rules.hand(self.hand.cards)) is None


def decks_of(rules: Rules) -> dict[Card, int]:
    """Every card of the decks."""
    decks = how_many_decks(rules)
    return {Card(rank + suit): decks for rank in RANKS if rank not in rules.cards.without for suit in SUITS}
