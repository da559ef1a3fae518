"""The cards themselves: where each of them lies, as a camera over the table sees it.

It follows the commands and never asks the table where a card is; `check` then compares the two.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from random import Random

from twentyone.cards import RANKS, SUITS, Card
from twentyone.round.events import CardSetAside, HandTakenAway
from twentyone.rulebook import Rules
from twentyone.table import Command, TableEvent, TableState
from twentyone.table import card_events as e
from twentyone.table.events import RoundBegun, RoundEvent, TableClosed
from twentyone.table.model import RACK
from twentyone.table.shoe import after_cut, full_batch

__all__ = ["Camera"]

CUT = 20
"""Cards that a stack needs for a cut ten cards or more from either end."""


class Camera:
    """The cards of a table: in the shoe, in the rack, on the layout, in waiting batches, taken out of play."""

    def __init__(self, rules: Rules, rng: Random) -> None:
        self.rules = rules
        self.rng = rng
        self.decks = full_batch(rules)
        """Every card that belongs to a batch."""
        self.shoe: list[Card] = []
        """The cards in the shoe, the next one last."""
        self.rack: list[Card] = []
        self.layout: list[Card] = []
        self.removed: list[Card] = []
        """Cards taken out of the batch in play for good."""
        self.stacks: dict[str, list[Card]] = {}
        """Batches that are not in the shoe, the top card first."""
        self.cuts: dict[str, int] = {}
        """Cards above the cut of a stack, since it was shuffled."""
        self.batch = ""
        """The batch that shoe and rack belong to."""
        self.lost: dict[str, list[Card]] = {}
        """Batch to what has been taken out of it while another one is in play."""
        self.in_round = False
        self.face_up: list[Card] = []
        """Cards that lay face up in the shoe in this round."""
        self.uncut = False
        """Whether the shoe was filled from a rack that could be cut, and nobody has cut it."""

    @property
    def top(self) -> Card:
        """The next card of the shoe."""
        return self.shoe[-1]

    def plant(self, card: Card) -> None:
        """A card too many was in the decks from the start: it lies on top of the shoe."""
        self.shoe.append(card)

    def shuffled(self, cards: Iterable[Card]) -> list[Card]:
        """Some cards in a random order."""
        order = list(cards)
        self.rng.shuffle(order)
        return order

    # -- following

    def follow(self, command: Command, events: Iterable[TableEvent]) -> None:
        """Move the cards as a command that was carried out says."""
        if self._draws(command):
            assert not self.uncut, "a card comes out of a rack that was not cut"
            drawn = self.shoe.pop()
            assert drawn.name == command.args["card"], (command, drawn)
            (self.rack if command.do == "burn" else self.layout).append(drawn)
        for event in events:
            self._move(event)

    def _draws(self, command: Command) -> bool:
        if command.do == "happened":
            name, exposed = command.args["name"], command.args.get("exposed", False)
            return bool(name == "dealer_drew_past_17" or (name == "card_drawn_in_error" and exposed))
        return command.do in ("card", "burn")

    def _move(self, event: TableEvent) -> None:
        if isinstance(event, e.CardsReceived):
            self._receive(event.batch)
        elif isinstance(event, e.CardsShuffled):
            self._take_up(event.batch)
            assert event.batch in self.stacks, f"the {event.batch} cards are not at the table"
            self.stacks[event.batch] = self.shuffled(self.stacks[event.batch])
            self.cuts.pop(event.batch, None)
        elif isinstance(event, e.ShoeLoaded):
            self._load(event.batch, self.cuts.get(event.batch, 0))
        elif isinstance(event, e.TableIdle) or (isinstance(event, e.RecutOrdered) and event.loaded):
            self._take_up(self.batch)
        elif isinstance(event, RoundBegun):
            self.in_round, self.face_up = True, []
        elif isinstance(event, e.CardsPickedUp):
            self._collect()
        elif isinstance(event, e.CardsReturned):
            self.shoe, self.rack = self.shuffled([*self.shoe, *self.rack]), []
        elif isinstance(event, TableClosed):
            self.shoe, self.rack, self.removed, self.stacks, self.batch = [], [], [], {}, ""
        else:
            self._move_in_round(event)

    def _move_in_round(self, event: TableEvent) -> None:
        """A paid hand and a card that may not be used go into the rack; the rack, shuffled and cut, fills the shoe."""
        if isinstance(event, RoundEvent):
            for taken in event.events:
                if isinstance(taken, HandTakenAway):
                    self._take_away(taken.cards)
                elif isinstance(taken, CardSetAside) and taken.card.rank not in self.rules.cards.without:
                    self._take_away([taken.card])
                    self.face_up += [taken.card] if taken.reason == "face_up" else []
        elif isinstance(event, e.RackReloaded):
            kept = self.face_up if self.rules.submission.readings.get("face-up-reload") == "kept-out" else []
            self.shoe, self.rack = self.shuffled((Counter(self.rack) - Counter(kept)).elements()), list(kept)
            self.uncut = len(self.shoe) >= CUT and self.rules.submission["shuffler"] == "manual"
        elif isinstance(event, e.CutMade) and event.batch == RACK:
            self.uncut = False
            self.shoe = list(after_cut(self.shoe[::-1], event.place))[::-1]
        elif isinstance(event, e.CutMade):
            self.cuts[event.batch] = event.place

    def _receive(self, batch: str) -> None:
        self.shoe, self.rack, self.removed, self.batch = [], [], [], ""
        preshuffled = self.rules.submission.get("preinspected")
        self.stacks[batch] = self.shuffled(self.decks) if preshuffled else list(self.decks)
        self.lost.pop(batch, None)

    def _take_up(self, batch: str) -> None:
        """Shoe and rack become the stack of their batch again."""
        if batch == self.batch and batch not in self.stacks:
            self.stacks[batch] = [*self.shoe, *([] if self.in_round else self.rack)]
            self.shoe, self.rack = [], self.rack if self.in_round else []

    def _load(self, batch: str, cut: int) -> None:
        if self.batch and self.batch != batch:
            self.lost[self.batch] = self.removed
            self.removed = self.lost.pop(batch, [])
        self.shoe = list(after_cut(self.stacks.pop(batch), cut))[::-1]
        self.rack, self.batch = self.rack if self.in_round else [], batch

    def _take_away(self, hand: Iterable[Card]) -> None:
        for card in hand:
            self.layout.remove(card)
            self.rack.append(card)

    def _collect(self) -> None:
        strange = self.rules.cards.without
        self.removed += [card for card in self.layout if card.rank in strange]
        self.rack += [card for card in self.layout if card.rank not in strange]
        self.layout, self.in_round = [], False

    # -- comparing

    def check(self, state: TableState, closely: bool) -> None:
        """Every card is where the table says, and none is missing: by number, and closely by face."""
        rack = [card for bundle in state.rack for hand in bundle.hands for card in hand]
        lying = on_layout(state)
        assert len(rack) == len(self.rack), f"{len(rack)} in the rack, really {len(self.rack)}"
        assert len(lying) == len(self.layout), f"{len(lying)} on the layout, really {len(self.layout)}"
        assert self.in_play or not self.stacks or state.shoe is None, "cards that were taken up are in the shoe"
        if state.shoe is not None and self.in_play:
            assert state.shoe.left == len(self.shoe), f"{state.shoe.left} in the shoe, really {len(self.shoe)}"
            self._check_whole()
        if closely:
            assert Counter(rack) == Counter(self.rack), "the rack holds other cards"
            assert Counter(lying) == Counter(self.layout), "other cards lie on the layout"
            known = Counter([*state.removed, *state.found])
            assert not Counter(self.removed) - known, "a card taken out of play is not recorded"
            self._check_faces()

    @property
    def in_play(self) -> bool:
        """Whether the cards are in the shoe, and not taken up to be shuffled."""
        return bool(self.batch) and self.batch not in self.stacks

    def _check_whole(self) -> None:
        """Shoe, rack and layout are the whole batch, but for cards that were too many; none of those is in the rack."""
        strange = self.rules.cards.without
        cards = [card for card in (*self.shoe, *self.rack, *self.layout) if card.rank not in strange]
        assert len(cards) == len(self.decks)
        assert not [card for card in self.rack if card.rank in strange]

    def _check_faces(self) -> None:
        """The cards of the batch are those of its decks, but for cards that should not be there."""
        if self.in_play:
            found = Counter([*self.shoe, *self.rack, *self.layout, *self.removed])
            wrong = sum(count for card, count in found.items() if card.rank in self.rules.cards.without)
            assert (found - Counter(self.decks)).total() == wrong


def on_layout(state: TableState) -> list[Card]:
    """The cards that lie in front of players and dealer, as the round knows them."""
    if state.round is None or state.phase not in ("round", "settled"):
        return []
    layout = state.round.state
    hands = [card for box in layout.boxes for hand in layout.hands[box] for card in hand.lying]
    return [*hands, *layout.dealer, *layout.taken_out, *([layout.held] if layout.held is not None else [])]


def strangers(rules: Rules) -> tuple[Card, ...]:
    """The cards that should not be in the decks."""
    return tuple(Card(rank + suit) for rank in RANKS if rank in rules.cards.without for suit in SUITS)
