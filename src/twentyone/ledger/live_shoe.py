"""The live shoe of a table: the cards, commitments and wheel symbols that the runner adds to commands."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from twentyone.cards import Card
from twentyone.errors import Refused
from twentyone.ledger.codec import SCHEMA
from twentyone.ledger.face_down import opening
from twentyone.ledger.keys import Keyring
from twentyone.ledger.live_wheel import LiveWheel
from twentyone.ledger.open_shoe import OpenShoe
from twentyone.ledger.rows import NewEvent
from twentyone.ledger.seed_seals import open_seal, seal, seal_cards
from twentyone.ledger.shoes import Custody, Seal, cards_left, rack_cards
from twentyone.round import Spin
from twentyone.rulebook import Rules
from twentyone.table import Command, Table, TableEvent, TableState
from twentyone.table import card_events as cards
from twentyone.table.events import RoundEvent
from twentyone.table.health import Source
from twentyone.table.model import Todo
from twentyone.table.play import TablePlay
from twentyone.table.shoe import commitment, new_seed

__all__ = ["LiveShoe"]

ENTERED = ("reader_told", "turn_card", "correct_entry")
"""Commands of tables where a person enters the cards."""
OURS = ("commitment", "symbol", "hot_spot")
"""Arguments that only the runner adds."""


class LiveShoe:
    """Holds the shoe in play of one table, decrypted, in memory only."""

    def __init__(self, stream: str, rules: Rules, keyring: Keyring, entropy: Source) -> None:
        self.rules = rules
        """The rules of the table."""
        self._stream = stream
        self._keyring, self._entropy = keyring, entropy
        self._shoe = OpenShoe(stream, rules, keyring)
        self._wheel = LiveWheel(stream, rules, keyring, entropy)

    def apply(self, table: Table, custody: Custody, command: Command) -> tuple[Command, Table, list[NewEvent], Custody]:
        """Apply a command with all that it needs: the command as given, the table after it, the ledger's own events."""
        self._check_arguments(table, command)
        bring = _BRING.get(command.do)
        seeds: list[bytes] = []
        if bring is not None:
            command = bring(self, table, custody, command, seeds)
        after = table.apply(command)
        own, custody = self._own_events(table.state, after, custody, seeds, command.at)
        return command, after, own, custody

    def _check_arguments(self, table: Table, command: Command) -> None:
        if command.do == "cover_card_seen":
            raise _refuse(table, command, "the table's own shoe tells when its cover card comes out")
        if command.do in ENTERED:
            raise _refuse(table, command, "cards come from the table's own shoe: nobody enters or corrects them")
        for name in OURS:
            if name in command.args:
                raise _refuse(table, command, f"{name} is drawn by the table's own shoe and wheel: leave it out")
        brought = command.args.get("card")
        strange = isinstance(brought, str) and brought[:-1] in self.rules.cards.without
        if command.do in _BRING and brought is not None and not strange:
            why = (
                f"cards come from the table's own shoe: {brought!r} cannot be given, only one that is not of this game"
            )
            raise _refuse(table, command, why)

    # -- cards

    def next_card(self, state: TableState, custody: Custody) -> Card | None:
        """The card that leaves the shoe next; none where no shoe is in play, or it is empty."""
        return self._shoe.next_card(state, custody)

    def bring_card(self, table: Table, custody: Custody, command: Command, _: list[bytes]) -> Command:
        """The next card, for a burn or the draw that is due."""
        if "card" in command.args:
            return command
        card = self.next_card(table.state, custody)
        if card is None:
            empty = table.state.shoe is not None and custody.shoe is not None
            why = "the shoe is empty: the discard rack is shuffled first" if empty else "no shoe is in play"
            raise _refuse(table, command, why)
        return _with(command, card=card.name)

    def with_card_if_used(self, table: Table, custody: Custody, command: Command, _: list[bytes]) -> Command:
        """The next card, if the irregularity takes it out of the shoe; else it is not revealed."""
        card = self.next_card(table.state, custody)
        if "card" in command.args or card is None:
            return command
        tried = _with(command, card=card.name)
        events = table.apply(tried).events
        return tried if any(isinstance(event, RoundEvent) and event.cards for event in events) else command

    def bring_seed(self, _: Table, __: Custody, command: Command, seeds: list[bytes]) -> Command:
        """A fresh seed's commitment, for a shuffle."""
        seeds.append(new_seed(self._entropy))
        return _with(command, commitment=commitment(seeds[0]))

    def bring_rack(self, table: Table, custody: Custody, command: Command, seeds: list[bytes]) -> Command:
        """A fresh seed's commitment, for a rack that fills the shoe."""
        if not rack_cards(table.state):
            raise _refuse(table, command, "the discard rack is empty")
        return self.bring_seed(table, custody, command, seeds)

    def bring_spin(self, table: Table, custody: Custody, command: Command, _: list[bytes]) -> Command:
        """The symbol a wheel stops at: that of the seed sealed for this round."""
        round_ = table.state.round
        need = round_.next if round_ is not None else None
        if round_ is None or not isinstance(need, Spin):
            raise _refuse(table, command, "no spin is due")
        return _with(command, **self._wheel.spin(round_, need, custody))

    # -- the ledger's own events

    def _own_events(
        self, before: TableState, after: Table, custody: Custody, seeds: list[bytes], at: int
    ) -> tuple[list[NewEvent], Custody]:
        own: list[NewEvent] = []
        for event in after.events:
            custody = custody.after(event, before)
            where = _needs_seal(event, after.state, custody)
            if where:
                body = self._seal(event, where, seeds, before, after.state)
                custody = custody.sealed(body)
                own.append(NewEvent("shoe_sealed", body, at, SCHEMA))
        for over in custody.to_reveal:
            body = self._reveal(over)
            custody = custody.revealed(body)
            own.append(NewEvent("shoe_revealed", body, at, SCHEMA))
        if (turned := opening(custody, after.state, at)) is not None:
            own.append(turned)
            custody = custody.opened(turned.body)
        of_wheel, custody = self._wheel.own_events(after.state.phase, custody, at)
        return [*own, *of_wheel], custody

    def _seal(
        self, event: TableEvent, where: str, seeds: list[bytes], before: TableState, after: TableState
    ) -> dict[str, Any]:
        seed = seeds.pop() if seeds else new_seed(self._entropy)
        shoe = after.shoe.batch if after.shoe is not None else ""
        batch = event.batch if isinstance(event, cards.BatchEvent) else shoe
        sealed = seal(self._keyring, self._stream, seed)
        body = {"batch": batch, "commitment": commitment(seed), "sealed": sealed, "place": where}
        if isinstance(event, cards.RackReloaded):
            names = " ".join(card.name for card in event.cards)
            return {**body, "sealed_cards": self._sealed(seed, names), "cut": event.cut}
        if isinstance(event, cards.CardsShuffled) and before.phase == "round":
            return {**body, "sealed_cards": self._sealed(seed, cards_left(before, self.rules))}
        return body

    def _sealed(self, seed: bytes, names: str) -> str:
        return seal_cards(self._keyring, self._stream, commitment(seed), names)

    def _reveal(self, over: Seal) -> dict[str, Any]:
        known, seed = open_seal(self._keyring, self._stream, over)
        body = {"batch": over.batch, "commitment": over.commitment, "seed": seed.hex(), "cut": over.cut}
        return {**body, "cards": known.cards} if over.sealed_cards else body


def _needs_seal(event: TableEvent, state: TableState, custody: Custody) -> str:
    """Where the new seed goes if an event begins a new order: `stack` or `shoe`; empty if it does not."""
    if isinstance(event, cards.CardsShuffled):
        return "stack"
    if isinstance(event, cards.CardsReceived):
        return "" if Todo("shuffle", event.batch) in state.agenda else "stack"
    if isinstance(event, cards.RackReloaded | cards.CardsReturned):
        return "shoe"
    if isinstance(event, cards.CardsPickedUp) and event.returned:
        return "shoe"
    return "shoe" if isinstance(event, cards.ShoeLoaded) and custody.shoe is None else ""


Bring = Callable[[LiveShoe, Table, Custody, Command, list[bytes]], Command]

_BRING: dict[str, Bring] = {
    "burn": LiveShoe.bring_card,
    "card": LiveShoe.bring_card,
    "happened": LiveShoe.with_card_if_used,
    "shuffle": LiveShoe.bring_seed,
    "reload_rack": LiveShoe.bring_rack,
    "spin": LiveShoe.bring_spin,
}


def _with(command: Command, **args: Any) -> Command:
    return command._replace(args={**command.args, **args})


def _refuse(table: Table, command: Command, why: str) -> Refused:
    return TablePlay(table.rules, table.state, command).refuse(why)
