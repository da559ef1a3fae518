"""The order of a shoe in play, for who has the key: decrypted in memory only."""

from __future__ import annotations

from twentyone.cards import Card
from twentyone.ledger.keys import Keyring
from twentyone.ledger.seed_seals import open_seal
from twentyone.ledger.shoes import Custody, Seal, order_of
from twentyone.rulebook import Rules
from twentyone.table import TableState

__all__ = ["OpenShoe"]


class OpenShoe:
    """Holds the shoe in play of one table."""

    def __init__(self, stream: str, rules: Rules, keyring: Keyring) -> None:
        self._stream, self._rules, self._keyring = stream, rules, keyring
        self._open: tuple[Seal | None, tuple[Card, ...]] = (None, ())

    def next_card(self, state: TableState, custody: Custody) -> Card | None:
        """The card that leaves the shoe next; none where no shoe is in play, or it is empty."""
        if state.shoe is None or custody.shoe is None or state.shoe.left < 1:
            return None
        if self._open[0] != custody.shoe:
            known, seed = open_seal(self._keyring, self._stream, custody.shoe)
            self._open = (custody.shoe, order_of(known, seed, self._rules))
        order, index = self._open[1], state.shoe.size - state.shoe.left
        return order[index] if index < len(order) else None
