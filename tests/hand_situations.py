"""Random situations of a hand, and every answer there is to one: the command, the review, hints, the oracle."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

from tests.hand_oracle import Beside, Hand, Oracle
from twentyone.cards import Card
from twentyone.errors import Refused
from twentyone.money import Amount
from twentyone.odds.hand_values import SeenHand, decks_of, left_shoes, values_of_hand
from twentyone.odds.kept_hands import kept_hand
from twentyone.odds.left_values import Unseen
from twentyone.review.positions import Position
from twentyone.round import Decision, Draw, Offer, Round
from twentyone.round.events import HandRef
from twentyone.rulebook import Rulebook, Rules
from twentyone.service.hints import can_hint, hint

__all__ = ["BOUND", "Compared", "Deal", "compared", "dealt", "forgotten_up_card", "situations"]

BOUND = 1e-12
"""Two answers that are further apart are two answers."""
WAGER = Amount("10")
MOST_OUT = 0.6
"""The share of a shoe that has left at most."""
OF_A_TABLE = 60
"""Hands of a deal that are looked up in the kept table, which is read from the disk each time."""
STARTS = 2
"""Ranks that are split in a deal."""
PAIRS = 1
"""Pairs of a deal whose splits the oracle values: each takes it seconds."""


class Deal(NamedTuple):
    """What is on the table before a hand is looked at."""

    book: str
    out: tuple[Card, ...]
    up: Card
    hidden: Card
    hole: str
    """What is told of the hole card."""


@dataclass
class Compared:
    """How often two answers were held against each other, and where they were not the same."""

    hands: int = 0
    oracle: int = 0
    review: int = 0
    hints: int = 0
    kept: int = 0
    worst: float = 0.0
    faults: tuple[str, ...] = ()

    def hold(self, said: str, ours: dict[str, float], theirs: dict[str, float]) -> None:
        """Hold two answers against each other."""
        apart = max((abs(ours[name] - theirs[name]) for name in ours if name in theirs), default=0.0)
        self.worst = max(self.worst, apart)
        if not (ours.keys() <= theirs.keys() and apart <= BOUND):
            self.faults = (*self.faults, f"{said}: {ours} but {theirs}")


@cache
def oracle_of(book: str) -> Oracle:
    """The oracle of a game under its defaults."""
    return Oracle(rules_of(book))


@cache
def rules_of(book: str) -> Rules:
    """A game under its defaults."""
    return Rulebook.load(book).under()


def dealt(book: str, seed: str) -> Deal:
    """Cards that are out and an up card; nothing is out in one deal of five."""
    chance, rules = random.Random(seed), rules_of(book)
    tables = left_shoes(rules).tables
    while True:
        shoe = list(Counter(decks_of(rules)).elements())
        chance.shuffle(shoe)
        many = chance.randrange(int(MOST_OUT * len(shoe))) if chance.random() < 0.8 else 0
        out, up, hidden = tuple(shoe[:many]), shoe[many], shoe[many + 1]
        told = tables.finals.told[tables.classes.index(up.rank), tables.classes.index(hidden.rank)]
        if not rules.dealer_hand((up, hidden)).blackjack:
            return Deal(book, out, up, hidden, tables.conditions[told].hole)


def situations(deal: Deal, seed: str, hands: int) -> Iterator[SeenHand]:
    """Hands of every kind that can lie beside a deal."""
    chance, rules = random.Random(seed), rules_of(deal.book)
    left = Counter(decks_of(rules))
    left.subtract((*deal.out, deal.up, deal.hidden))
    shoe = sorted(left.elements(), key=str)
    starts = chance.sample(sorted({card.rank for card in shoe}), STARTS)
    named = {rank for special in left_shoes(rules).tables.special for rank in _ranks(rules, special)}
    while hands:
        kind = chance.choice(("two", "two", "pair", "special", "more", "more", "split", "split", "doubled"))
        cards = tuple(chance.sample(shoe, chance.choice((3, 3, 4, 5)) if kind in ("more", "doubled") else 2))
        twin = None
        if kind == "pair":
            same = [card for card in shoe if card.rank == cards[0].rank]
            cards = tuple(chance.sample(same, 2)) if len(same) > 1 else cards
        elif kind == "special" and named:
            suit = chance.choice("SHDC")
            same = [card for card in shoe if card.rank in named and card.suit == suit]
            cards = tuple(chance.sample(same, min(len(same), chance.choice((2, 2, 3)))))
        elif kind == "split":
            cards, twin = _split([card for card in shoe if card.rank in starts], shoe, chance)
        asked = SeenHand(cards, deal.up, deal.hole, kind == "split", kind == "doubled", deal.out, twin=twin)
        try:
            values_of_hand(left_shoes(rules), asked)
        except Refused:
            continue
        hands -= 1
        yield asked


def _ranks(rules: Rules, counts: tuple[int, ...]) -> set[str]:
    return {card.rank for card in left_shoes(rules).tables.classes.cards(counts)}


def _split(firsts: list[Card], shoe: list[Card], chance: random.Random) -> tuple[tuple[Card, ...], Card | None]:
    """A hand out of a split, and the card that its first was split from."""
    first = chance.choice(firsts)
    others = list(shoe)
    others.remove(first)
    same = [card for card in others if card.rank == first.rank]
    if not same:
        return (first,), None
    twin = chance.choice(same)
    others.remove(twin)
    return (first, *chance.sample(others, chance.choice((1, 1, 2, 3)))), twin


# -- every answer


def compared(deal: Deal, asked: list[SeenHand], most: int = PAIRS) -> Compared:
    """Every answer to these situations held against the command's; `most`: pairs whose splits the oracle values."""
    rules, found = rules_of(deal.book), Compared()
    left = Counter(decks_of(rules))
    left.subtract((*deal.out, deal.up))
    beside, pairs = Beside(oracle_of(deal.book), left, deal.up, deal.hole), 0
    for one in asked:
        said = f"{deal.book} {one}"
        ours = values_of_hand(left_shoes(rules), one)
        found.hands += 1
        if one.twin is not None or not one.split:
            pairs += "split" in ours
            theirs = beside.values(Hand(one.cards, one.split, one.doubled, one.twin), pairs <= most)
            if "split" in ours and "split" not in theirs:
                theirs["split"] = ours["split"]
            found.hold(f"oracle: {said}", ours, theirs)
            found.oracle += 1
        if not (one.out or one.split) and found.kept < OF_A_TABLE:
            known = kept_hand(rules, one.cards, one.up, one.hole, one.doubled)
            if known is not None:
                found.hold(f"kept: {said}", ours, known)
                found.kept += 1
        _by_rounds(deal, one, found, said)
    return found


def _by_rounds(deal: Deal, asked: SeenHand, found: Compared, said: str) -> None:
    """What the review says of the same cards in a round, and a hint where no card had left the shoe before."""
    round_ = _played(deal, asked)
    if round_ is None or not isinstance(need := round_.next, Offer):
        return
    rules, ref = round_.rules, HandRef(1, 1)
    before = Counter(decks_of(rules))
    before.subtract(deal.out)
    position = Position(left_shoes(rules), dict(before), round_.state.copy())
    (k,) = position.conditions
    chance = position.unseen.against(k).chance * int(WAGER) / 1000
    ours = values_of_hand(left_shoes(rules), asked._replace(wager=WAGER))
    theirs = {name: value / chance for name, value in position.hand_values(ref, "Ann", k).items()}
    if "decline" in ours:
        theirs["decline"] = theirs["stand"]
    if "split" in ours:
        theirs["split"] = position.box_values(1, "Ann", k)["split"] / chance
    found.hold(f"review: {said}", ours, theirs)
    found.review += 1
    option = next((one for one in need.options if one.player == "Ann"), None)
    if not asked.out and option is not None and need.kind != "insurance" and can_hint(round_, need, option):
        found.hold(f"hint: {said}", hint(round_, "Ann")["decisions"], ours)
        found.hints += 1


def _played(deal: Deal, asked: SeenHand) -> Round | None:
    """A round that has come to a hand; none: the law lets nobody draw these cards."""
    first = (asked.cards[0], asked.twin) if asked.split else asked.cards[:2]
    if None in first:
        return None
    firsts = iter((first[0], deal.up, first[1], deal.hidden))
    more = list(asked.cards[1:] if asked.split else asked.cards[2:])
    round_ = Round.start(rules_of(deal.book), [{"box": 1, "player": "Ann", "main": str(WAGER)}])
    parted = asked.split
    try:
        while True:
            need = round_.next
            if isinstance(need, Draw):
                card = next(firsts, None) or (more.pop(0) if more else None)
                if card is None:
                    return None
                round_ = round_.apply(card)
            elif not isinstance(need, Offer):
                return None
            elif need.kind not in ("turn", "rescue", "second_chance"):
                round_ = round_.apply(Decision("decline", 1, "Ann"))
            elif parted:
                round_, parted = round_.apply("split"), False
            elif more:
                round_ = round_.apply("double" if asked.doubled and len(more) == 1 else "hit")
            else:
                hand = round_.state.hands[1][0]
                same = hand.cards == asked.cards and hand.doubled == asked.doubled and need.kind != "insurance"
                return round_ if same else None
    except Refused:
        return None


# -- the control


def forgotten_up_card() -> tuple[str, object]:
    """A fault to plant: the up card is left among the cards that can come, as far as suits go."""
    right = Unseen.share

    def wrong(self: Unseen, card: int, suit: str, drawn: tuple[Card, ...] = ()) -> float:
        back = {**self.cards, self.dealer[0]: self.cards.get(self.dealer[0], 0) + 1}
        return right(Unseen(self.shoes, back, self.dealer), card, suit, drawn)

    return "twentyone.odds.left_values.Unseen.share", wrong
