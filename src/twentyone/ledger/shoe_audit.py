"""Every shoe checked against its commitment: seal, cut, the cards that left it, and the seed revealed at its end."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from twentyone.cards import Card
from twentyone.ledger.keys import Keyring
from twentyone.ledger.rows import LedgerRefused
from twentyone.ledger.seed_seals import open_seal
from twentyone.ledger.shoes import Custody, Seal, order_of
from twentyone.rulebook import Rules
from twentyone.table import TableEvent, TableState
from twentyone.table.card_events import CardBurned, RackReloaded
from twentyone.table.events import RoundEvent
from twentyone.table.model import Shoe
from twentyone.table.shoe import commitment

__all__ = ["ShoeAudit"]


class Dealt(NamedTuple):
    """A card that left a shoe."""

    offset: int
    """How many had left before it."""
    card: Card
    """The card."""
    version: int
    """The version of the event by which it left."""


def _taken(event: TableEvent) -> tuple[Card, ...]:
    """The cards that an event takes out of the shoe."""
    if isinstance(event, CardBurned):
        return (event.card,)
    return event.cards if isinstance(event, RoundEvent) else ()


def _with_cards(seal: Seal, body: Mapping[str, Any]) -> Seal:
    """A shoe with the cards that its reveal says it is made of."""
    return seal._replace(cards=body["cards"]) if seal.sealed_cards else seal


class ShoeAudit:
    """Follows the shoes of one table."""

    def __init__(self, stream: str, rules: Rules, keyring: Keyring | None) -> None:
        self.rules = rules
        """The rules of the table by now; each shoe is held against those that it was sealed under."""
        self._stream, self._keyring = stream, keyring
        self._sealed_under: dict[str, Rules] = {}
        self._dealt: dict[str, list[Dealt]] = {}
        self._racks: dict[str, str] = {}
        self.revealed = 0
        """Shoes that were revealed and agree with their seeds."""
        self.sealed = 0
        """Seeds that were sealed."""

    def dealt(self, event: TableEvent, version: int, shoe: Shoe | None, custody: Custody) -> Iterator[str]:
        """Keep the cards that an event takes out of the shoe; `shoe` and `custody` are those before it."""
        cards = _taken(event)
        if isinstance(event, RackReloaded):
            self._racks[event.commitment] = " ".join(card.name for card in event.cards)
        if not cards:
            return
        if custody.shoe is None or shoe is None:
            yield "a card leaves a shoe that no seed was sealed for"
            return
        first = shoe.size - shoe.left
        known = self._dealt.setdefault(custody.shoe.commitment, [])
        known += [Dealt(index, card, version) for index, card in enumerate(cards, first)]

    def seal(self, body: Mapping[str, Any], version: int, state: TableState) -> Iterator[str]:
        """Check a sealed seed: it is the one whose commitment the table was given."""
        self.sealed += 1
        self._sealed_under[body["commitment"]] = self.rules
        in_shoe = body["place"] == "shoe"
        promised = state.commitments.get(body["batch"])
        if in_shoe:
            made = body.get("cards") or body.get("sealed_cards")
            promised = state.shoe.commitment if state.shoe is not None and made else None
        if promised and promised != body["commitment"]:
            yield f"the sealed seed is of commitment {body['commitment'][:16]}, the table was promised {promised[:16]}"
        if in_shoe and body.get("cards") and state.rack and not state.rack[0].round:
            drawn_off = Dealt(0, state.rack[0].hands[0][0], version)
            self._dealt.setdefault(body["commitment"], []).append(drawn_off)
        if self._keyring is not None:
            kept = body.get("sealed_cards", "")
            yield from self._opened(Seal(body["commitment"], body["sealed"], body["batch"], sealed_cards=kept))

    def _opened(self, seal: Seal) -> Iterator[str]:
        assert self._keyring is not None
        try:
            open_seal(self._keyring, self._stream, seal)
        except LedgerRefused as refused:
            yield str(refused)

    def reveal(self, body: Mapping[str, Any], custody: Custody) -> Iterator[str]:
        """Check a revealed seed: it is the committed one, and the cards came in its order."""
        over = (*custody.to_reveal, *custody.held)
        seal = next((seal for seal in over if seal.commitment == body["commitment"]), None)
        if seal is None:
            yield f"shoe {body['commitment'][:16]} is revealed, but no such shoe is over"
            return
        seed = bytes.fromhex(body["seed"])
        if commitment(seed) != seal.commitment:
            yield f"the revealed seed does not give the commitment {seal.commitment[:16]}"
            return
        if body["cut"] != seal.cut:
            yield f"the shoe was cut at {seal.cut}, the reveal says {body['cut']}"
        faults = [*self._made_of(seal, body), *self._compare(_with_cards(seal, body), seed)]
        self.revealed += not faults
        yield from faults

    def _made_of(self, seal: Seal, body: Mapping[str, Any]) -> Iterator[str]:
        """Check the cards that the shoe is said to be made of: those of the rack, and those that were sealed."""
        if not seal.sealed_cards:
            return
        if self._racks.pop(seal.commitment, body["cards"]) != body["cards"]:
            yield f"shoe {seal.commitment[:16]} is said to be made of other cards than lay in the discard rack"
        if self._keyring is not None and open_seal(self._keyring, self._stream, seal)[0].cards != body["cards"]:
            yield f"shoe {seal.commitment[:16]} is said to be made of other cards than were sealed"

    def _compare(self, seal: Seal, seed: bytes) -> Iterator[str]:
        """Compare each card with the order; one that is not of this game is none of it (an earlier form counted it)."""
        rules = self._sealed_under.pop(seal.commitment, self.rules)
        order = order_of(seal, seed, rules)
        for index, card, version in self._dealt.pop(seal.commitment, ()):
            if index >= len(order):
                yield f"card {index + 1} of version {version} left a shoe of {len(order)} cards"
            elif order[index] != card and card.rank not in rules.cards.without:
                yield f"card {index + 1} of version {version} is {card.name}, the seed makes it {order[index].name}"

    def unrevealed(self, custody: Custody) -> Iterator[str]:
        """The shoes that are not over, opened with the key and compared with the cards so far."""
        live = [*custody.stacks.values(), *([custody.shoe] if custody.shoe is not None else [])]
        for seal in live if self._keyring is not None else ():
            assert self._keyring is not None
            try:
                yield from self._compare(*open_seal(self._keyring, self._stream, seal))
            except LedgerRefused:
                continue  # reported when it was sealed
