"""The value of every decision on one hand, from a shoe without the cards that have left it."""

from __future__ import annotations

from collections import Counter

from twentyone.cards import RANKS, SUITS, Card
from twentyone.errors import Refused
from twentyone.odds.cards_left import Against, LeftShoes
from twentyone.odds.left_values import Held, Unseen, Waiting
from twentyone.odds.lookup import condition_of, hand_in, possible
from twentyone.rulebook import Rules

__all__ = ["decks_of", "hand_values"]


def hand_values(
    rules: Rules,
    cards: tuple[Card, ...],
    up: Card,
    hole: str = "",
    *,
    split: bool = False,
    doubled: bool = False,
    out: tuple[Card, ...] = (),
) -> dict[str, float]:
    """The expected net result of each decision that the law allows on these very cards, in original wagers.

    `out`: cards that have left the shoe beside the hand's own and the up card. Cards of a split hand begin with the
    card that was split. An impossible hand is `Refused` with its paragraph.
    """
    asked = _Asked(rules, cards, up, hole, split, out)
    values = asked.offers(doubled) or asked.turn()
    return {name: value / asked.against.chance for name, value in values.items()}


class _Asked:
    """One hand, and what is known beside it."""

    def __init__(
        self, rules: Rules, cards: tuple[Card, ...], up: Card, hole: str, split: bool, out: tuple[Card, ...]
    ) -> None:
        self.rules, self.shoes = rules, LeftShoes(rules)
        possible(self.shoes.core, (*cards, up, *out))
        self.condition = condition_of(self.shoes.core, up, hole)
        self.hand = Held(cards, None, split)
        if split and self._start not in self.shoes.core.starts:
            raise Refused(f"a pair of {cards[0]} may not be split", rules.decisions["split"].cite)
        gone = Counter((*cards, *out, *((self._twin(cards[0], (*cards, up, *out)),) if split else ())))
        self.unseen = Unseen(self.shoes, {card: many - gone[card] for card, many in decks_of(rules).items()}, ())
        self.at = hand_in(self.shoes.core, self.unseen.group(self.hand), cards)
        if self.against.chance <= 0:
            raise Refused(f"{hole or up} beside {' '.join(map(str, cards))} leaves nothing to decide", rules.cards.cite)

    @property
    def _start(self) -> int:
        return self.shoes.tables.classes.index(self.hand.cards[0].rank)

    def _twin(self, card: Card, gone: tuple[Card, ...]) -> Card:
        """The other card of a pair that was split: one of its rank that may still be out."""
        decks = int(self.rules.submission["decks"])
        twins = [Card(card.rank + suit) for suit in SUITS]
        free = [twin for twin in twins if gone.count(twin) < decks]
        if not free:
            raise Refused(f"no card is left that {card} was split from", self.rules.cards.cite)
        return free[-1]

    @property
    def against(self) -> Against:
        """The values against what is known."""
        return self.unseen.against(self.condition)

    def offers(self, doubled: bool) -> dict[str, float]:
        """What is asked of a doubled hand, and of one that went over."""
        group = self.unseen.group(self.hand)
        if not (doubled or group.hands.over[self.at]):
            return {}
        row = self.shoes.core.game.rows[group.pays.played[int(doubled), self.at]]
        declined = float(self.against.dealer @ row)
        return self.unseen.offers(self.hand, self.condition, doubled) | {"decline": declined}

    def turn(self) -> dict[str, float]:
        """The decisions of a turn."""
        cards, core = self.hand.cards, self.shoes.core
        if self.rules.hand(cards, self.hand.split).blackjack:
            return {"stand": float(self.against.dealer @ core.game.rows[core.blackjack_rows[self.condition]])}
        values = self.unseen.turn(self.hand, self.condition)
        counts = tuple(self.unseen.own(cards).tolist())
        if counts in self.shoes.tables.special and len({card.suit for card in cards}) == 1:
            row, _ = self.shoes.tables.suited(self.hand.kind, counts, cards[0].suit)
            return values | {"stand": float(self.against.dealer @ core.game.rows[row])}
        if "surrender" in values and len(cards) == 2 and not self.hand.split:
            values["surrender"] += self._saved()
        if self._may_split:
            waiting = Waiting(cards, self.shoes.tables.most_hands(self._start), True)
            values["split"] = self.unseen.split(waiting, None, self.condition)
        return values

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
    decks = int(rules.submission["decks"])
    return {Card(rank + suit): decks for rank in RANKS if rank not in rules.cards.without for suit in SUITS}
