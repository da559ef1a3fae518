"""A situation: everything a strategy may look at when a player is asked."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

from twentyone.cards import RANKS, SUITS, Card
from twentyone.rulebook import HandFacts, Rules
from twentyone.rulebook.clauses import Pay
from twentyone.rulebook.rows import stands_under
from twentyone.rulebook.words import SUIT_NAMES

__all__ = [
    "UPS",
    "Situation",
    "hole_conditions",
    "hole_told",
    "ranks_of",
    "situation",
    "special_hand",
    "special_names",
    "special_suit",
    "value_class",
]

UPS = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "A")
"""The value classes of an up card, in the order of a chart's columns."""

PHASES = ("first", "split", "doubled", "busted", "early", "insurance")
"""Where a player is asked: his turn on a hand that was not split, or on one that was; after a double; over the limit;
for a surrender before the hole card is read; for insurance."""


class Situation(NamedTuple):
    """What a player knows when he is asked."""

    phase: str
    """One of `PHASES`."""
    total: int
    """The total point count of the hand."""
    soft: bool
    """Whether an ace in it counts high."""
    pair: str | None
    """The value class of a hand that may split now, else none."""
    cards: int
    """How many cards it has."""
    up: str
    """The value class of the up card: `2` to `10`, `A`."""
    hole: str = ""
    """What is known of the hole card: nothing, an announced range, or `=7` for an exposed card's value class."""
    bonus: str = ""
    """The best special hand it can still become: none, `any`, `suited` or `spades`."""
    may: frozenset[str] = frozenset()
    """The decisions the law allows now; `decline` where an offer may be left."""


def value_class(rules: Rules, card: Card) -> str:
    """The class of cards that count the same: `A`, `2` to `10`."""
    return str(rules.values[card.rank]) if card.rank in rules.values else "A"


@lru_cache(maxsize=1024)
def ranks_of(rules: Rules, name: str) -> tuple[str, ...]:
    """The ranks of a value class that this game's decks hold."""
    held = [rank for rank in RANKS if rank not in rules.cards.without]
    return tuple(rank for rank in held if value_class(rules, Card(rank + SUITS[0])) == name)


def situation(
    rules: Rules, hand: HandFacts, up: str, may: Iterable[str], *, phase: str = "", hole: str = ""
) -> Situation:
    """The situation of a hand; without a phase it is the player's turn."""
    allowed = frozenset(may)
    paired = "split" in allowed or (phase == "early" and rules.refusal("split", hand) is None)
    pair = value_class(rules, hand.cards[0]) if paired else None
    return Situation(
        phase or ("split" if hand.split else "first"),
        hand.points,
        hand.soft,
        pair,
        len(hand.cards),
        up,
        hole,
        special_hand(rules, hand.cards, hand.split, hand.doubled),
        allowed,
    )


def hole_conditions(rules: Rules, up: str) -> tuple[str, ...]:
    """What can be known of the hole card when the players act on this up card."""
    if not rules.has_step("announce_range"):
        return ("",)
    shown = Card(ranks_of(rules, up)[0] + SUITS[0])
    holes = [Card(rank + SUITS[0]) for name in UPS for rank in ranks_of(rules, name)]
    return tuple(
        dict.fromkeys(hole_told(rules, shown, hole) for hole in holes if not rules.is_blackjack((shown, hole)))
    )


def hole_told(rules: Rules, up: Card, hole: Card) -> str:
    """What the players know of this hole card when they act, as a situation names it."""
    if not rules.has_step("announce_range"):
        return ""
    exposed = rules.hole_card_exposed(up, hole) is not None
    return f"={value_class(rules, hole)}" if exposed else rules.ranges[hole.rank].name


# -- special hands


def special_hand(rules: Rules, cards: tuple[Card, ...], split: bool = False, doubled: bool = False) -> str:
    """The best hand of named ranks that these cards can still become and that would be paid for it."""
    closed = [row for clause in rules.barred(split, doubled, doubled) for row in clause.rows]
    kinds = {
        _kind(row) for row in rules.all(Pay) if row.hand.ranks and not stands_under(row, closed) and _within(row, cards)
    }
    return next((kind for kind in ("spades", "suited", "any") if kind in kinds), "")


def special_names(rules: Rules) -> str:
    """The hands of named ranks that are paid more, as a person says them: `a 6-7-8 or 7-7-7`."""
    names = dict.fromkeys("-".join(row.hand.ranks) for row in rules.all(Pay) if row.hand.ranks)
    return f"a {' or '.join(names)}" if names else "a special hand"


def special_suit(rules: Rules) -> str:
    """The suit in which such a hand is paid most, as a person says it."""
    suits = [row.hand.suits for row in rules.all(Pay) if row.hand.ranks and row.hand.suits in SUIT_NAMES]
    return SUIT_NAMES[suits[0] or ""] if suits else "the best-paid suit"


def _kind(row: Pay) -> str:
    return {"same": "suited", "mixed": "any", None: "any"}.get(row.hand.suits, "spades")


def _within(row: Pay, cards: tuple[Card, ...]) -> bool:
    """Whether some further cards can make this row's hand."""
    left = list(row.hand.ranks or ())
    for card in cards:
        if card.rank not in left:
            return False
        left.remove(card.rank)
    suits = {card.suit for card in cards}
    wanted = row.hand.suits
    if wanted in (None, "mixed"):
        return bool(left)
    return bool(left) and len(suits) == 1 and wanted in ("same", *suits)
