"""The house's side of a table in the terminal: shoe, wheels, meters, and answers that need nobody."""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping
from typing import Any

from twentyone.cards import RANKS, SUITS, Card
from twentyone.errors import SubmissionRefused, TwentyoneError
from twentyone.money import Amount
from twentyone.round import Decision, Draw, Happened, Offer, Round, Spin, Spun
from twentyone.round.wagers import key_cite
from twentyone.rulebook import Rules
from twentyone.rulebook.clauses import Community, MeterFloor, Symbol

__all__ = ["House", "OutOfCards", "Shoe", "automatic", "meters_of", "seat", "weights_of"]

BEHIND_COVER = 4
"""One card in so many lies behind the cover card."""

HIT_BELOW = 17
"""The plain rule: hit below this total, else stand."""


class OutOfCards(TwentyoneError):
    """Neither the shoe nor the discard rack holds a card that is due."""


class Shoe:
    """A shuffled batch with the cover card in it and its first card burned."""

    def __init__(self, rules: Rules, chance: random.Random) -> None:
        self._chance = chance
        ranks = [rank for rank in RANKS if rank not in rules.cards.without]
        self._batch = [Card(rank + suit) for rank in ranks for suit in SUITS] * rules.submission["decks"]
        self._continuous = rules.submission.get("shuffler") == "continuous"
        self._rack: list[Card] = []
        self._dealt: list[Card] = []
        self._left: list[Card] = []
        self.cover_out = False
        """Whether the cover card has come out."""
        self.shuffle()

    @property
    def size(self) -> int:
        """Cards of the batch."""
        return len(self._batch)

    @property
    def left(self) -> int:
        """Cards still in the shoe."""
        return len(self._left)

    def shuffle(self) -> None:
        """Shuffle the whole batch, put the cover card in, burn the first card."""
        self._dealt, self.cover_out = [], False
        self._load(list(self._batch))

    def refill(self) -> None:
        """Shuffle the discard rack into the empty shoe and burn its first card."""
        self._load(self._rack)

    def _load(self, stack: list[Card]) -> None:
        self._chance.shuffle(stack)
        self._rack = stack[-1:]
        self._left = stack[:-1]

    def draw(self) -> Card | None:
        """The next card; nothing where the shoe is empty."""
        if len(self._left) * BEHIND_COVER <= self.size:
            self.cover_out = True
        if not self._left:
            return None
        self._dealt.append(self._left.pop())
        return self._dealt[-1]

    def end_round(self) -> bool:
        """Clear the layout; says whether the cover card had come out and the shoe was shuffled again."""
        self._rack += self._dealt
        self._dealt = []
        reshuffled = self.cover_out
        if reshuffled or self._continuous:
            self.shuffle()
        return reshuffled and not self._continuous


class House:
    """Brings what a round needs from the house: cards and spins of the wheels."""

    def __init__(self, rules: Rules, chance: random.Random) -> None:
        self._chance = chance
        self.shoe = Shoe(rules, chance)
        """The shoe."""
        self.meters = meters_of(rules)
        """What the progressive meters show before every round."""
        wheels = dict.fromkeys(symbol.wheel for symbol in rules.all(Symbol))
        self._weights = {wheel: weights_of(rules, wheel) for wheel in wheels}

    def bring(self, round_: Round) -> Round:
        """Carry a round on until somebody is asked or it is over."""
        while isinstance(need := round_.next, Draw | Spin):
            round_ = self._deal(round_) if isinstance(need, Draw) else round_.apply(self._spin(round_, need))
        return round_

    def _deal(self, round_: Round) -> Round:
        card = self.shoe.draw()
        if card is None:
            if "insufficient_cards" in round_.rules.irregularities:
                round_ = round_.apply(Happened("insufficient_cards"))
            self.shoe.refill()
            card = self.shoe.draw()
        if card is None:
            raise OutOfCards("neither the shoe nor the discard rack holds a card for this round")
        return round_.apply(card)

    def _spin(self, round_: Round, need: Spin) -> Spun:
        boxes = [side.box for side in round_.state.sides if side.wager == need.wheel and not side.settled]
        hot_spot = self._chance.choice(boxes) if need.box is None else None
        return Spun(self._symbol(self._weights[need.wheel]), hot_spot)

    def _symbol(self, weights: Mapping[str, int]) -> str:
        place = self._chance.randrange(sum(weights.values()))
        for symbol, weight in weights.items():
            place -= weight
            if place < 0:
                return symbol
        raise AssertionError("weights add up to more than their places")


# -- what the submission says of wheels and meters


def weights_of(rules: Rules, wheel: str) -> dict[str, int]:
    """How often each symbol stands on a wheel: as the submission says, else once each."""
    plain = [symbol.name for symbol in rules.all(Symbol) if symbol.wheel == wheel]
    given = rules.submission.get("wheel_weights")
    if given is None:
        return dict.fromkeys(plain, 1)
    own = given.get(wheel, {}) if any(isinstance(value, Mapping) for value in given.values()) else given
    known = set(_symbols(rules, wheel))
    weights = {name: _weight(rules, name, weight) for name, weight in own.items() if name in known}
    _check_names(rules, own if own is not given else given, own is given, wheel)
    return weights if any(weights.values()) else dict.fromkeys(plain, 1)


def _symbols(rules: Rules, wheel: str) -> Iterable[str]:
    """Every symbol a wheel may show, with and without a Community Pay beside it."""
    extras = [row.pays for row in rules.all(Community) if row.wheel == wheel]
    for symbol in rules.all(Symbol):
        if symbol.wheel == wheel:
            yield symbol.name
            yield from (f"{symbol.name}+{pays}" for pays in extras)


def _check_names(rules: Rules, names: Mapping[str, Any], every_wheel: bool, wheel: str) -> None:
    wheels = {symbol.wheel for symbol in rules.all(Symbol)} if every_wheel else {wheel}
    known = {name for each in wheels for name in _symbols(rules, each)}
    for name in names:
        if name not in known:
            raise _refused(rules, f"no wheel in use has a symbol {name!r}")


def _weight(rules: Rules, name: str, weight: object) -> int:
    if not isinstance(weight, int) or isinstance(weight, bool) or weight < 0:
        raise _refused(rules, f"the weight of {name!r} is a whole number from 0 on, not {weight!r}")
    return weight


def _refused(rules: Rules, why: str) -> SubmissionRefused:
    return SubmissionRefused("wheel_weights", why, key_cite(rules, "wheel_weights"))


def meters_of(rules: Rules) -> dict[str, Amount]:
    """Every progressive meter at its reset amount: the submission's, else the least the text allows."""
    given: Mapping[str, Mapping[str, str]] = rules.submission.get("progressive") or {}
    return {
        floor.name: Amount(given[floor.name]["reset"]) if floor.name in given else floor.least
        for floor in rules.all(MeterFloor)
    }


# -- players


def seat(boxes: int, players: list[str]) -> list[tuple[int, str]]:
    """Who wagers where: neighbouring boxes for each player, or several players to a box.

    >>> seat(3, ["Ann", "Bob"])
    [(1, 'Ann'), (2, 'Ann'), (3, 'Bob')]
    >>> seat(1, ["Ann", "Bob"])
    [(1, 'Ann'), (1, 'Bob')]
    """
    count = len(players)
    if count <= boxes:
        return [(box, players[(box - 1) * count // boxes]) for box in range(1, boxes + 1)]
    return [(1 + place * boxes // count, player) for place, player in enumerate(players)]


def automatic(round_: Round) -> Decision:
    """The plain rule's answer to what is asked: hit below 17, else stand; decline everything else."""
    offer = round_.next
    assert isinstance(offer, Offer)
    if offer.optional:
        return Decision("decline")
    options = {option.action: option for option in offer.options}
    first = offer.options[0]
    hands = round_.state.hands[first.box]
    hand = hands[(first.hand or 1) - 1]
    total = round_.rules.hand(hand.cards, hand.split, hand.doubled, len(hands)).points
    wanted = "hit" if total < HIT_BELOW else "stand"
    return options.get(wanted, options.get("stand", first)).decision()
