"""A naive round, written from the texts alone: whom the dealer asks now, and what each may answer.

It knows the order of the deal, who speaks for which hand, and what a hand may do; it pays nobody.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

__all__ = ["DEALER", "GAMES", "Game", "NaiveRound"]

FACES = ("J", "Q", "K")
TENS = ("10", *FACES)
DEALER = "dealer"


class Game(NamedTuple):
    """What a text lets players answer."""

    hands: int
    """Hands that one box may be split into."""
    surrender: bool = True
    any_double: bool = True
    """Whether a hand of three cards and more may be doubled."""
    rescue: bool = True
    second_chance: bool = False
    even_money: bool = False
    ace_draws: bool = True
    """Whether a split ace may draw a third card."""
    always_read: bool = False
    """Whether the hole card is read against every first card."""


GAMES = {
    "pa-spanish-21": Game(4),  # 635a.8 to 635a.11
    "md-spanish-21": Game(4),  # Ch. 8 to 11
    "s13-spanish-21": Game(4),  # 13(h) to (m)
    "pa-double-back-jack": Game(2, any_double=False, rescue=False, second_chance=True),  # 673a.7(l), 673a.8 to 673a.11
    "pa-down-under-blackjack": Game(
        2, surrender=False, any_double=False, rescue=False, even_money=True, ace_draws=False, always_read=True
    ),  # 685a.7(g), (h), 685a.8 to 685a.10
}


def value(card: str) -> int:
    """What a card counts, an ace as eleven."""
    rank = card[:-1]
    return 11 if rank == "A" else 10 if rank in TENS else int(rank)


def total(cards: Sequence[str]) -> int:
    """The count of a hand: an ace counts one where eleven would be too much."""
    points = sum(map(value, cards))
    for card in cards:
        points -= 10 if value(card) == 11 and points > 21 else 0
    return points


@dataclass
class Lying:
    """A hand on the layout."""

    box: int
    players: list[str]
    """Who has chips on it, the one who calls first."""
    cards: list[str] = field(default_factory=list)
    split: bool = False
    done: bool = False
    due: str = ""
    """The decision that a card is due for."""
    doubled: list[str] = field(default_factory=list)
    waiting: list[str] = field(default_factory=list)
    """Who of those that are asked beside the caller has not answered."""
    asks: str = ""
    """What they are asked about."""

    @property
    def blackjack(self) -> bool:
        """An ace and a card of ten as the first two."""
        return len(self.cards) == 2 and not self.split and total(self.cards) == 21


class NaiveRound:
    """A round in progress."""

    def __init__(self, game: Game, boxes: dict[int, list[str]]) -> None:
        self.game = game
        self.hands = [Lying(box, boxes[box]) for box in sorted(boxes)]
        self.deal: list[Lying | None] = [*self.hands, None, *self.hands, None]
        """Who gets the first cards: each box, the dealer, each box, the dealer."""
        self.dealer: list[str] = []
        self.uninsured: list[tuple[int, str]] = []
        """Who may still insure, by box."""
        self.read = False
        self.over = False

    # -- what is asked

    def options(self) -> set[tuple[str, str]]:
        """Who may say what now; nothing where a card is due, or the players are done."""
        if self.deal or self.over:
            return set()
        if self.uninsured:
            return _optional(self._insuring())
        hand = self.turn
        return set() if hand is None else self._of(hand)

    def _insuring(self) -> Iterator[tuple[str, str]]:
        for box, player in self.uninsured:
            yield player, "insure"
            if self.game.even_money and any(hand.box == box and hand.blackjack for hand in self.hands):
                yield player, "even_money"

    def _of(self, hand: Lying) -> set[tuple[str, str]]:
        if hand.waiting and hand.asks == "split":
            return {(name, answer) for name in hand.waiting for answer in ("split", "designate")}
        if hand.waiting:
            return _optional((name, hand.asks) for name in hand.waiting)
        if hand.due:
            return set()
        return {(hand.players[0], answer) for answer in self._calls(hand)}

    def _calls(self, hand: Lying) -> Iterator[str]:
        yield from ("stand", "hit")
        two = len(hand.cards) == 2
        if two or self.game.any_double:
            yield "double"
        if two and value(hand.cards[0]) == value(hand.cards[1]) and self._split_into(hand.box) < self.game.hands:
            yield "split"
        if two and not hand.split and self.game.surrender:
            yield "surrender"

    def _split_into(self, box: int) -> int:
        return sum(hand.box == box for hand in self.hands)

    @property
    def turn(self) -> Lying | None:
        """The first hand from the dealer's left that is not complete."""
        return next((hand for hand in self.hands if not hand.done), None)

    # -- what happens

    def card(self, name: str, reads: bool) -> None:
        """A card comes out of the shoe; `reads`: a reader is there that works."""
        hand = self.turn
        if self.deal:
            to = self.deal.pop(0)
            (self.dealer if to is None else to.cards).append(name)
            if not self.deal:
                self._after_the_deal(reads)
        elif not self.over and hand is not None:
            self._drawn(hand, name)

    def _after_the_deal(self, reads: bool) -> None:
        if self.dealer[0][:-1] == "A":
            self.uninsured = [(hand.box, player) for hand in self.hands for player in hand.players]
        for hand in self.hands:
            hand.done = hand.blackjack
        self._look(reads)

    def _look(self, reads: bool) -> None:
        """Once everybody has answered about insurance, the hole card goes into the reader."""
        if self.uninsured or self.read:
            return
        self.read = True
        first = self.dealer[0]
        looked = self.game.always_read or value(first) >= 10
        self.over = reads and looked and total(self.dealer) == 21

    def _drawn(self, hand: Lying, name: str) -> None:
        for_what, hand.due = hand.due, ""
        if for_what == "second_chance":
            hand.done = True
            return
        hand.cards.append(name)
        aces = hand.split and value(hand.cards[0]) == 11 and not self.game.ace_draws
        if total(hand.cards) > 21 and self.game.second_chance:
            hand.asks, hand.waiting = "second_chance", hand.players[:1]
        elif for_what == "double" and self.game.rescue and total(hand.cards) <= 21:
            hand.asks, hand.waiting = "rescue", list(hand.doubled)
        else:
            hand.done = for_what == "double" or total(hand.cards) >= 21 or aces

    def said(self, player: str, action: str, which: int | None, reads: bool) -> None:
        """Somebody answers; `player` is `dealer` where the dealer closes an offer."""
        if self.uninsured:
            own = next((place for place in self.uninsured if place[1] == player), None)
            self.uninsured = [] if own is None else [place for place in self.uninsured if place != own]
            self._look(reads)
            return
        hand = self.turn
        assert hand is not None
        if hand.waiting:
            self._answered(hand, player, action, which)
        else:
            getattr(self, f"_{action}")(hand)

    def _answered(self, hand: Lying, player: str, action: str, which: int | None) -> None:
        hand.waiting = [] if player == DEALER else [name for name in hand.waiting if name != player]
        if action == "double":
            hand.doubled.append(player)
        if action == "designate":
            twin = self.hands[self.hands.index(hand) + 1]
            (twin if which == 1 else hand).players.remove(player)
        if action == "second_chance":
            hand.due = action
        elif hand.asks in ("rescue", "second_chance") and not hand.waiting:
            hand.done = True

    def _stand(self, hand: Lying) -> None:
        hand.done = True

    _surrender = _stand

    def _hit(self, hand: Lying) -> None:
        hand.due = "hit"

    def _double(self, hand: Lying) -> None:
        hand.due, hand.doubled = "double", hand.players[:1]
        hand.asks, hand.waiting = "double", hand.players[1:]

    def _split(self, hand: Lying) -> None:
        twin = Lying(hand.box, list(hand.players), [hand.cards.pop()], split=True, due="split")
        self.hands.insert(self.hands.index(hand) + 1, twin)
        hand.split, hand.due = True, "split"
        hand.asks, hand.waiting = "split", hand.players[1:]


def _optional(asked: Iterator[tuple[str, str]]) -> set[tuple[str, str]]:
    """What may be answered, and a no: each for himself, the dealer for all who say nothing."""
    answers = set(asked)
    return {*answers, *((player, "decline") for player, _ in answers), (DEALER, "decline")}
