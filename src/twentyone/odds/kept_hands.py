"""Every first hand against one up card, from a full shoe: made once and kept, then looked up without working it out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from twentyone.cards import SUITS, Card
from twentyone.odds.cache import kept, key_of
from twentyone.rulebook import Rules
from twentyone.strategy import value_class

__all__ = ["kept_hand"]

Table = dict[str, Any]
"""Hand, as `name_of` calls it, to decision and value; empty where a game cannot be kept so."""


def kept_hand(rules: Rules, cards: tuple[Card, ...], up: Card, hole: str, doubled: bool) -> dict[str, float] | None:
    """The values of a hand that was not split; none: it is to be asked by itself."""
    key = key_of(rules, "hands against", value_class(rules, up), hole)
    table: Table = kept(key, lambda: _make(rules, up, hole))[0]
    name = name_of([value_class(rules, card) for card in cards], doubled)
    suits = {card.suit for card in cards}
    if len(suits) == 1 and f"{name}/{cards[0].suit}" in table:
        name = f"{name}/{cards[0].suit}"
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
    return dict(_Hands(shoes, condition).all())


class _Hands:
    """All first hands against one condition."""

    def __init__(self, shoes: Any, condition: int) -> None:
        self.shoes, self.condition, self.tables = shoes, condition, shoes.tables
        self.rows = shoes.core.game.rows
        shoe = self.tables.classes.shoe
        self.played = shoes.against(shoe, condition).play(shoes.core.groups[()], shoe * 0)

    def all(self) -> Iterator[tuple[str, dict[str, float]]]:
        """Every hand with its values."""
        group = self.played.group
        for hand, counts in enumerate(group.hands.counts):
            dealer = self.played.held.dealer[hand, 0]
            if dealer.sum() > 0:
                classes = [
                    name for name, many in zip(self.tables.classes.names, counts, strict=True) for _ in range(many)
                ]
                for doubled in (False, True):
                    for suit, values in self._values(hand, doubled):
                        given = {name: float(value / dealer.sum()) for name, value in values.items()}
                        yield name_of(classes, doubled) + suit, given

    def _values(self, hand: int, doubled: bool) -> Iterator[tuple[str, dict[str, Any]]]:
        from twentyone.odds.kernels import CHANCE, DECISIONS, RESCUE, SPLIT
        from twentyone.odds.payoffs import SPLIT_MAIN

        group, dealer = self.played.group, self.played.held.dealer[hand, 0]
        may, size = int(group.may[hand]), int(group.hands.size[hand])
        if doubled or group.hands.over[hand]:
            values = {"decline": dealer @ self.rows[group.pays.played[int(doubled), hand]]}
            if may >> (CHANCE + doubled) & 1 and self.played.chances is not None:
                values = {"second_chance": self.played.chances[int(doubled), hand, 0], **values}
            elif doubled and may >> RESCUE & 1:
                values = {"rescue": dealer @ self.rows[group.pays.rescue], **values}
            yield "", values
        elif size == 2 and group.hands.total[hand] == self.tables.rules.limit:
            yield "", {"stand": dealer @ self.rows[self.shoes.core.blackjack_rows[self.condition]]}
        else:
            found = self.played.solution.values[hand, 0]
            values = {name: found[i] for i, name in enumerate(DECISIONS[:SPLIT]) if may >> i & 1}
            if size == 2 and may >> SPLIT & 1:
                start = int(group.hands.counts[hand].argmax())
                if self.shoes.suits_matter(SPLIT_MAIN, start):
                    return
                values["split"] = self._split(start)
            yield "", values
            yield from self._suited(hand, values)

    def _split(self, start: int) -> float:
        from twentyone.odds.hand_values import decks_of
        from twentyone.odds.left_values import Unseen, Waiting

        rank = self.tables.classes.ranks[start][0]
        pair = Card(rank + SUITS[0]), Card(rank + SUITS[1])
        left = {card: many - Counter(pair)[card] for card, many in decks_of(self.tables.rules).items()}
        waiting = Waiting(pair, self.tables.most_hands(start), True)
        return Unseen(self.shoes, left, ()).split(waiting, None, self.condition)

    def _suited(self, hand: int, values: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
        """The same hand all of one suit, where that may earn more."""
        from twentyone.odds.hand_values import decks_of
        from twentyone.odds.left_values import Held, Unseen

        counts = self.played.group.hands.counts[hand]
        dealer = self.played.held.dealer[hand, 0]
        for suit in SUITS if any((counts <= special).all() for special in self.tables.special) else ():
            cards = tuple(
                Card(self.tables.classes.ranks[i][0] + suit) for i, many in enumerate(counts) for _ in range(many)
            )
            if tuple(counts.tolist()) in self.tables.special:
                row, _ = self.tables.suited(self.played.group.kind, tuple(counts.tolist()), suit)
                yield f"/{suit}", {**values, "stand": dealer @ self.rows[row]}
            elif len(cards) == 2:
                left = {card: many - cards.count(card) for card, many in decks_of(self.tables.rules).items()}
                hit, double = Unseen(self.shoes, left, ()).suited(Held(cards), self.played, hand)
                more = {"hit": hit, "double": double}
                yield f"/{suit}", {name: value + more.get(name, 0.0) for name, value in values.items()}
