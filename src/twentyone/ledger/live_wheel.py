"""The wheels of a table: their seed is sealed before the wagers of a round are laid, and revealed when it is over."""

from __future__ import annotations

from typing import Any

from twentyone.ledger.codec import SCHEMA
from twentyone.ledger.keys import Keyring
from twentyone.ledger.rows import NewEvent
from twentyone.ledger.seed_seals import seal, unseal
from twentyone.ledger.shoes import Custody, Seal
from twentyone.round import Round, Spin
from twentyone.rulebook import Rules
from twentyone.rulebook.wheels import paytables
from twentyone.table.health import Source
from twentyone.table.shoe import commitment, new_seed
from twentyone.table.wheel import turn_wheel

__all__ = ["LiveWheel"]


class LiveWheel:
    """Seals, turns and reveals the wheels of one table."""

    def __init__(self, stream: str, rules: Rules, keyring: Keyring, entropy: Source) -> None:
        self._stream, self._keyring, self._entropy = stream, keyring, entropy
        self._in_use = bool(paytables(rules))

    def spin(self, round_: Round, need: Spin, custody: Custody) -> dict[str, Any]:
        """The arguments of the `spin` that a round needs."""
        assert custody.wheel is not None
        return turn_wheel(round_, need, self._open(custody.wheel))

    def own_events(self, phase: str, custody: Custody, at: int) -> tuple[list[NewEvent], Custody]:
        """Reveal the seed of a round that is over, and seal one for the next round of an open table that has none."""
        own: list[NewEvent] = []
        if custody.wheel_over is not None:
            over = custody.wheel_over
            body = {"commitment": over.commitment, "seed": self._open(over).hex()}
            own.append(NewEvent("wheel_revealed", body, at, SCHEMA))
            custody = custody.wheel_revealed()
        if self._in_use and custody.wheel is None and phase != "closed":
            seed = new_seed(self._entropy)
            body = {"commitment": commitment(seed), "sealed": seal(self._keyring, self._stream, seed)}
            own.append(NewEvent("wheel_sealed", body, at, SCHEMA))
            custody = custody.wheel_sealed(body)
        return own, custody

    def _open(self, sealed: Seal) -> bytes:
        return unseal(self._keyring, self._stream, sealed.commitment, sealed.sealed)
