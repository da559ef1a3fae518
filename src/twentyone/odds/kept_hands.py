"""Every first hand against one up card, from a full shoe: made once and kept, then looked up without working it out."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from twentyone.cards import SUITS, Card
from twentyone.odds.cache import kept, key_of
from twentyone.rulebook import Rules
from twentyone.strategy import value_class

if TYPE_CHECKING:
    from twentyone.odds.cards_left import LeftShoes

__all__ = ["kept_hand"]

Table = dict[str, Any]
"""Hand, as `name_of` calls it, to decision and value; empty where a game cannot be kept so."""


def kept_hand(
    rules: Rules, cards: tuple[Card, ...], up: Card, hole: str, doubled: bool, *, any_suit: bool = False
) -> dict[str, float] | None:
    """The values of a hand that was not split; none: it is to be asked by itself. `any_suit`: of the up card."""
    key = key_of(rules, "hands against", value_class(rules, up), hole)
    table: Table = kept(key, lambda: _make(rules, up, hole))[0]
    name = name_of([value_class(rules, card) for card in cards], doubled)
    suits = {card.suit for card in cards}
    if len(suits) == 1:
        suited = f"{name}/{cards[0].suit}"
        names = [] if any_suit else [f"{suited}/{up.suit}"]
        name = next((one for one in (*names, suited) if one in table), name)
    found: dict[str, float] | None = table.get(name)
    return found


def name_of(classes: list[str], doubled: bool) -> str:
    """A hand by the value classes of its cards."""
    return " ".join(sorted(classes)) + ("+" if doubled else "")


def _make(rules: Rules, up: Card, hole: str) -> Table:
    from twentyone.odds.cards_left import LeftShoes
    from twentyone.odds.lookup import condition_of

    shoes = LeftShoes(rules)
    tables, condition = shoes.tables, condition_of(shoes.core, up, hole)
    if tables.ranged or any(tables.early) or len(set(tables.classes.names)) < len(tables.classes.names):
        return {}
    return dict(_Hands(shoes, up, hole, condition).all())


class _Hands:
    """All first hands against one condition."""

    def __init__(self, shoes: LeftShoes, up: Card, hole: str, condition: int) -> None:
        self.shoes, self.up, self.hole, self.tables = shoes, up, hole, shoes.tables
        self.rows, self.blackjack = shoes.core.game.rows, shoes.core.blackjack_rows[condition]
        shoe = self.tables.classes.shoe
        self.played = shoes.against(shoe, condition).play(shoes.core.groups[()], shoe * 0)

    def all(self) -> Iterator[tuple[str, dict[str, float]]]:
        """Every hand with its values."""
        for hand, counts in enumerate(self.played.group.hands.counts):
            chance = self.played.held.dealer[hand, 0].sum()
            if chance > 0:
                names = zip(self.tables.classes.names, counts, strict=True)
                classes = [name for name, many in names for _ in range(many)]
                for doubled in (False, True):
                    name = name_of(classes, doubled)
                    if (found := self._values(hand, doubled)) is not None:
                        yield name, {decision: float(value / chance) for decision, value in found.items()}
                        yield from self._suited(hand, doubled, name)

    def _values(self, hand: int, doubled: bool) -> dict[str, Any] | None:
        """Joint values of a hand of mixed suits; none: its suits decide more than this table tells apart."""
        from twentyone.odds.kernels import CHANCE, DECISIONS, RESCUE, SPLIT

        group, dealer = self.played.group, self.played.held.dealer[hand, 0]
        may, size = int(group.may[hand]), int(group.hands.size[hand])
        if doubled or group.hands.over[hand]:
            declined = {"decline": dealer @ self.rows[group.pays.played[int(doubled), hand]]}
            if may >> (CHANCE + doubled) & 1 and self.played.chances is not None:
                return {"second_chance": self.played.chances[int(doubled), hand, 0], **declined}
            rescue = doubled and may >> RESCUE & 1
            return ({"rescue": dealer @ self.rows[group.pays.rescue]} if rescue else {}) | declined
        if size == 2 and group.hands.total[hand] == self.tables.rules.limit:
            return {"stand": dealer @ self.rows[self.blackjack]}
        found = self.played.solution.values[hand, 0]
        values = {name: found[i] for i, name in enumerate(DECISIONS[:SPLIT]) if may >> i & 1}
        return self._with_split(hand, values) if size == 2 and may >> SPLIT & 1 else values

    def _with_split(self, hand: int, values: dict[str, Any]) -> dict[str, Any] | None:
        from twentyone.odds.hand_values import SeenHand, values_of_hand
        from twentyone.odds.payoffs import SPLIT_MAIN

        start = int(self.played.group.hands.counts[hand].argmax())
        if self.shoes.suits_matter(SPLIT_MAIN, start):
            return None
        rank = self.tables.classes.ranks[start][0]
        pair = Card(rank + SUITS[0]), Card(rank + SUITS[1])
        found = values_of_hand(self.shoes, SeenHand(pair, self.up, self.hole, any_suit=True))
        return values | {"split": found["split"] * self.played.held.dealer[hand, 0].sum()}

    def _suited(self, hand: int, doubled: bool, name: str) -> Iterator[tuple[str, dict[str, float]]]:
        """The same hand all of one suit, where that may earn more; by the suit of the up card where that matters."""
        from twentyone.odds.hand_values import SeenHand, values_of_hand

        counts = self.played.group.hands.counts[hand]
        goals = [special for special in self.tables.special if counts.sum() > 1 and (counts <= special).all()]
        held = [self.tables.classes.ranks[i][0] for i, many in enumerate(counts) for _ in range(many)]
        for suit in SUITS if goals and (len(held) == 3 or not doubled) else ():
            cards = tuple(Card(rank + suit) for rank in held)
            asked = SeenHand(cards, self.up, self.hole, doubled=doubled)
            if self._is_there(*cards):
                yield f"{name}/{suit}", values_of_hand(self.shoes, asked._replace(any_suit=True))
            at = self.shoes.class_of(self.up)
            ups = [Card(self.up.rank + other) for other in SUITS] if len(held) == 2 else []
            for up in ups if any(special[at] > counts[at] for special in goals) else ():
                if self._is_there(*cards, up):
                    yield f"{name}/{suit}/{up.suit}", values_of_hand(self.shoes, asked._replace(up=up))

    def _is_there(self, *cards: Card) -> bool:
        """Whether the decks hold these cards."""
        return all(cards.count(card) <= self.tables.classes.decks for card in cards)
