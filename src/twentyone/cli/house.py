"""The house's side of a table in the terminal: shoe, wheels, meters, and answers that need nobody."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence

from twentyone.cards import RANKS, SUITS, Card
from twentyone.errors import TwentyoneError
from twentyone.money import NOTHING, Amount, dollars
from twentyone.round import Decision, Draw, Happened, Offer, Round, Spin, Spun, Wagers
from twentyone.rulebook import Rules
from twentyone.rulebook.clauses import MeterFloor
from twentyone.rulebook.wheels import weights_of

__all__ = ["House", "OutOfCards", "Shoe", "Table", "automatic", "meters_of", "seat", "signed", "weights_of"]

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
        self._weights = weights_of(rules)

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


# -- the table


class Table:
    """Chips and rounds: what stays when the cards are collected."""

    def __init__(self, rules: Rules, house: House, wagers: Sequence[Wagers]) -> None:
        Round.start(rules, wagers, house.meters)
        self.rules = rules
        """The rules in force."""
        self.house = house
        """Shoe and wheels."""
        self.wagers = tuple(wagers)
        """What is wagered each round."""
        self.chips = dict.fromkeys((row.player for row in wagers), NOTHING)
        """Each player's chips against the start."""
        self.inventory = NOTHING
        """The table inventory against the start."""
        self.rounds = 0
        """Rounds that are over."""
        self.reshuffled = False
        """Whether the shoe was shuffled after the last round."""
        self._in_progress = False

    @property
    def foot(self) -> str:
        """Where the table stands."""
        shoe = self.house.shoe
        return f"round {self.rounds + self._in_progress} · {shoe.left} of {shoe.size} cards in the shoe"

    def deal(self, answer: Callable[[Round], Round]) -> Round | None:
        """Play a round; nothing where the cards ran out and it was given up."""
        self._in_progress = True
        round_ = Round.start(self.rules, self.wagers, self.house.meters)
        try:
            while not (round_ := self.house.bring(round_)).over:
                round_ = answer(round_)
        except OutOfCards:
            self._in_progress, self.reshuffled = False, True
            self.house.shoe.shuffle()
            return None
        self._book(round_)
        return round_

    def _book(self, round_: Round) -> None:
        for player, chips in round_.state.players.items():
            self.chips[player] = self.chips[player] + chips
        self.inventory = self.inventory + round_.state.house
        self.rounds += 1
        self._in_progress = False
        self.reshuffled = self.house.shoe.end_round()

    def wager(self, amount: Amount) -> None:
        """Change the main wager of every box; refused where the rulebook does not allow it."""
        rows = tuple(Wagers(row.box, row.player, amount, row.sides) for row in self.wagers)
        Round.start(self.rules, rows, self.house.meters)
        self.wagers = rows

    def farewell(self) -> str:
        """The totals."""
        gone = "The round in progress does not count. " if self._in_progress else ""
        chips = ", ".join(f"{player} {signed(amount)}" for player, amount in self.chips.items())
        count = f"{self.rounds} round{'' if self.rounds == 1 else 's'}"
        return f"{gone}{count}: {chips}; table inventory {signed(self.inventory)}."


# -- what the submission says of wheels and meters


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


def signed(amount: Amount) -> str:
    """A gain or loss with its sign.

    >>> signed(Amount("2.5")), signed(Amount("-1"))
    ('+$2.50', '-$1.00')
    """
    return f"+{dollars(amount)}" if amount > 0 else dollars(amount)
