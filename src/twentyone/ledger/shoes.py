"""Where each sealed seed is: with a shuffled batch, in the shoe in play, at the wheel, or over and to be revealed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from twentyone.cards import Card, parse_cards
from twentyone.round import Round
from twentyone.rulebook import Rules
from twentyone.rulebook.clauses import Symbol
from twentyone.table import card_events as cards
from twentyone.table.events import TableClosed, TableEvent
from twentyone.table.model import RACK, TableState
from twentyone.table.shoe import after_cut, full_batch, shoe_order

__all__ = ["WHEEL", "Custody", "LeftOut", "Seal", "cards_left", "order_of", "rack_cards"]

WHEEL = "(wheel)"
"""Stands for the batch in a seal of the wheels."""


class Seal(NamedTuple):
    """A sealed seed, and what else its order depends on."""

    commitment: str
    """SHA-256 of the seed."""
    sealed: str
    """The seed, encrypted."""
    batch: str
    """The batch it is the order of."""
    cards: str = ""
    """The cards of a discard rack that became the shoe, or of a shoe shuffled within a round; empty: the batch."""
    cut: int = 0
    """Cards above the cut; after a second cut the sum of both, modulo the size of the batch."""
    sealed_cards: str = ""
    """The cards, encrypted: they would tell which lie face down; empty: they are not, or it is the batch."""


class LeftOut(NamedTuple):
    """Cards that the events of one command call unknown, because they lie face down."""

    version: int
    """The version of the command."""
    cards: str
    """What they are; empty for who has no key."""
    until: str
    """Until when: the hole card is `shown`, the `round` or the `shoe` is over; the last `burn` card may be shown."""
    seal: str
    """The commitment of their shoe."""


def order_of(seal: Seal, seed: bytes, rules: Rules) -> tuple[Card, ...]:
    """The cards in the order in which they leave the shoe."""
    batch = parse_cards(seal.cards) if seal.cards else full_batch(rules)
    return after_cut(shoe_order(seed, batch), seal.cut)


def rack_cards(state: TableState) -> str:
    """The cards of the discard rack, the oldest first: what is shuffled when a shoe is filled from it."""
    return " ".join(card.name for bundle in state.rack for hand in bundle.hands for card in hand)


def cards_left(state: TableState, rules: Rules) -> str:
    """The cards of the batch that have not left the shoe, in the order of new decks."""
    gone, left = Counter(state.gone), []
    for card in full_batch(rules):
        if gone[card.name] > 0:
            gone[card.name] -= 1
        else:
            left.append(card.name)
    return " ".join(left)


class Custody(NamedTuple):
    """The seals of a table. It changes only by events, the table's and the ledger's own."""

    stacks: Mapping[str, Seal] = {}
    """Shuffled batches that wait, by name."""
    shoe: Seal | None = None
    """The shoe in play."""
    to_reveal: tuple[Seal, ...] = ()
    """Seals of orders that are over: to be revealed."""
    held: tuple[Seal, ...] = ()
    """Seals of orders that ended within a round: they would tell its hole card, and are revealed after it."""
    wheel: Seal | None = None
    """The seal of the wheels: for the round in progress, or for the next one."""
    wheel_over: Seal | None = None
    """The seal of the wheels of a round that is over: to be revealed."""
    face_down: tuple[LeftOut, ...] = ()
    """Cards that lie face down; no snapshot is made meanwhile."""

    @property
    def closed(self) -> tuple[Seal, ...]:
        """Every seal that is not revealed."""
        shoe = () if self.shoe is None else (self.shoe,)
        return (*self.stacks.values(), *shoe, *self.to_reveal, *self.held)

    def after(self, event: TableEvent, state: TableState) -> Custody:
        """After an event of the table; `state` is the table's before its command."""
        change = _CHANGES.get(type(event))
        return self if change is None else change(self, event, state)

    def sealed(self, body: Mapping[str, Any]) -> Custody:
        """After a seed was sealed."""
        told, kept = body.get("cards", ""), body.get("sealed_cards", "")
        seal = Seal(body["commitment"], body["sealed"], body["batch"], told, body.get("cut", 0), kept)
        if body["place"] == "shoe":
            return self._replace(shoe=seal)
        return self._replace(stacks={**self.stacks, seal.batch: seal})

    def revealed(self, body: Mapping[str, Any]) -> Custody:
        """After a seed was revealed."""
        over, held = (
            tuple(seal for seal in seals if seal.commitment != body["commitment"])
            for seals in (self.to_reveal, self.held)
        )
        return self._replace(to_reveal=over, held=held)

    def laid_down(self, lying: LeftOut | None) -> Custody:
        """After cards were laid down that the ledger calls unknown."""
        return self if lying is None else self._replace(face_down=(*self.face_down, lying))

    def opened(self, body: Mapping[str, Any]) -> Custody:
        """After the ledger said what they are."""
        known = {version for version, _ in body["opened"]}
        return self._replace(face_down=tuple(lying for lying in self.face_down if lying.version not in known))

    def wheel_sealed(self, body: Mapping[str, Any]) -> Custody:
        """After a seed of the wheels was sealed."""
        return self._replace(wheel=Seal(body["commitment"], body["sealed"], WHEEL))

    def wheel_revealed(self) -> Custody:
        """After a seed of the wheels was revealed."""
        return self._replace(wheel_over=None)

    def overdue(self) -> Iterator[str]:
        """What is over and not revealed."""
        for seal in self.to_reveal:
            yield f"shoe {seal.commitment[:16]} is over and not revealed"
        if self.wheel_over is not None:
            yield f"the round of wheel seed {self.wheel_over.commitment[:16]} is over, and it is not revealed"

    def to_json(self) -> dict[str, Any]:
        """As JSON values."""
        shoe = None if self.shoe is None else list(self.shoe)
        return {
            "stacks": [list(seal) for seal in self.stacks.values()],
            "shoe": shoe,
            "over": list(map(list, self.to_reveal)),
            "held": list(map(list, self.held)),
            "wheels": [None if seal is None else list(seal) for seal in (self.wheel, self.wheel_over)],
        }

    @classmethod
    def from_json(cls, body: Mapping[str, Any]) -> Custody:
        """The custody that JSON values describe."""
        stacks = {seal.batch: seal for seal in _seals(body["stacks"])}
        shoe = None if body["shoe"] is None else Seal(*body["shoe"])
        wheel, over = (None if seal is None else Seal(*seal) for seal in body.get("wheels", (None, None)))
        due, held = tuple(_seals(body["over"])), tuple(_seals(body.get("held", ())))
        return cls(stacks, shoe, due, held, wheel, over)


def _seals(rows: Iterable[Any]) -> list[Seal]:
    return [Seal(*row) for row in rows]


def _cards_replaced(custody: Custody, event: cards.BatchEvent, state: TableState) -> Custody:
    """A batch is shuffled again, or new cards come: its old order is over, in its stack and in the shoe."""
    if state.phase == "round":
        return _shoe_held(custody, event, state)
    batch = event.batch
    gone = [seal for seal in (custody.stacks.get(batch), custody.shoe) if seal is not None and seal.batch == batch]
    stacks = {name: seal for name, seal in custody.stacks.items() if name != batch}
    shoe = custody.shoe if custody.shoe not in gone else None
    return custody._replace(stacks=stacks, shoe=shoe, to_reveal=(*custody.to_reveal, *gone))


def _cut_made(custody: Custody, event: cards.CutMade, state: TableState) -> Custody:
    """A stack is cut, or the rack that fills the shoe in a round."""
    seal = custody.shoe if event.batch == RACK else custody.stacks.get(event.batch)
    if seal is None:
        return custody
    seal = seal._replace(cut=(seal.cut + event.place) % state.stack_size(event.batch))
    if event.batch == RACK:
        return custody._replace(shoe=seal)
    return custody._replace(stacks={**custody.stacks, seal.batch: seal})


def _shoe_loaded(custody: Custody, event: cards.ShoeLoaded, _: TableState) -> Custody:
    stacks = dict(custody.stacks)
    shoe = stacks.pop(event.batch, None)
    over = () if custody.shoe is None else (custody.shoe,)
    return custody._replace(stacks=stacks, shoe=shoe, to_reveal=(*custody.to_reveal, *over))


def _shoe_over(custody: Custody, _: TableEvent, __: TableState) -> Custody:
    if custody.shoe is None:
        return custody
    return custody._replace(shoe=None, to_reveal=(*custody.to_reveal, custody.shoe))


def _shoe_held(custody: Custody, _: TableEvent, __: TableState) -> Custody:
    """The order of the shoe ends within a round."""
    return custody if custody.shoe is None else custody._replace(shoe=None, held=(*custody.held, custody.shoe))


def _collected(custody: Custody, event: cards.CardsPickedUp, state: TableState) -> Custody:
    """The round is over, and what ended within it may be known; some devices took the cards back at once."""
    after = custody._replace(to_reveal=(*custody.to_reveal, *custody.held), held=())
    if custody.wheel is not None and state.round is not None and _wheel_wager_lay(state.round):
        after = after._replace(wheel=None, wheel_over=custody.wheel)
    return _shoe_over(after, event, state) if event.returned else after


def _wheel_wager_lay(round_: Round) -> bool:
    """Whether a wager on a wheel was part of a round: then its seed is not used for another."""
    wheels = {symbol.wheel for symbol in round_.rules.all(Symbol)}
    return any(side.wager in wheels for side in round_.state.sides)


def _closed(custody: Custody, event: TableClosed, state: TableState) -> Custody:
    stacks = tuple(custody.stacks.values())
    over = _shoe_over(custody, event, state).to_reveal
    return Custody({}, None, (*over, *stacks), face_down=custody.face_down, wheel_over=custody.wheel)


def _no_longer(was: str, now: str) -> Callable[[Custody, TableEvent, TableState], Custody]:
    """Cards that lay face down until one thing lie so until another."""

    def change(custody: Custody, _: TableEvent, __: TableState) -> Custody:
        rows = [lying._replace(until=now) if lying.until == was else lying for lying in custody.face_down]
        return custody._replace(face_down=tuple(rows))

    return change


_CHANGES: dict[type[TableEvent], Callable[[Custody, Any, TableState], Custody]] = {
    cards.CardsReceived: _cards_replaced,
    cards.CardsShuffled: _cards_replaced,
    cards.CutMade: _cut_made,
    cards.ShoeLoaded: _shoe_loaded,
    cards.RackReloaded: _shoe_held,
    cards.TableIdle: _shoe_over,
    cards.CardsPickedUp: _collected,
    cards.CardsReturned: _shoe_over,
    cards.CardBurned: _no_longer("burn", "shoe"),
    cards.BurnCardShown: _no_longer("burn", "now"),
    TableClosed: _closed,
}
