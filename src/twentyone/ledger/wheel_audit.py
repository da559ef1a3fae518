"""Every spin checked against its commitment: sealed before the wagers, turned again by the seed revealed after it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from twentyone.ledger.keys import Keyring
from twentyone.ledger.rows import LedgerRefused
from twentyone.ledger.seed_seals import unseal
from twentyone.ledger.shoes import Custody, Seal
from twentyone.round import Round, Spin
from twentyone.rulebook import Rules
from twentyone.rulebook.wheels import paytables
from twentyone.table import Command, TableState
from twentyone.table.shoe import commitment
from twentyone.table.wheel import Turn, draw, spin_words, stopped_at, turn_due

__all__ = ["WheelAudit"]

DRAWN = ("symbol", "hot_spot")
"""Arguments of a `spin` that the seed decides."""


class StoredSpin(NamedTuple):
    """A spin that is compared once its seed is known."""

    rules: Rules
    """The rules of its round."""
    turn: Turn
    """Which turn it was."""
    stored: dict[str, Any]
    """Where the wheel stopped, as stored."""
    version: int
    """The version of its command."""


class WheelAudit:
    """Follows the wheels of one table, from form 3 on."""

    def __init__(self, stream: str, keyring: Keyring | None) -> None:
        self._stream, self._keyring = stream, keyring
        self._spun: dict[str, list[StoredSpin]] = {}
        self.sealed = self.revealed = self.spins = 0
        """Seeds that were sealed, seeds that were revealed and agree with their spins, spins."""

    def begin(self, rules: Rules, custody: Custody) -> Iterator[str]:
        """A round begins: a seed stands for its wheels; it can only have been sealed before the wagers."""
        if custody.wheel is None and paytables(rules):
            yield "a round begins, and no seed was sealed for its wheels before its wagers"

    def spin(self, command: Command, version: int, round_: Round | None, custody: Custody) -> Iterator[str]:
        """Keep a spin; `custody` is that before it."""
        if command.do != "spin" or round_ is None or not isinstance(round_.next, Spin):
            return
        self.spins += 1
        if custody.wheel is None:
            yield "the wheel is spun, and no seed was sealed for it"
            return
        stored = {name: command.args[name] for name in DRAWN if name in command.args}
        spun = StoredSpin(round_.rules, turn_due(round_, round_.next), stored, version)
        self._spun.setdefault(custody.wheel.commitment, []).append(spun)

    def seal(self, body: Mapping[str, Any], state: TableState, custody: Custody, changed: bool) -> Iterator[str]:
        """Check a sealed seed: none stood, and no wager lies for which it comes too late.

        `changed`: the form of the stream changed right before; a round or wagers of the earlier form may lie there.
        """
        self.sealed += 1
        if custody.wheel is not None:
            yield f"a seed is sealed for the wheels where {custody.wheel.commitment[:16]} stands: it is exchanged"
        if not changed and (state.placed or state.verbal or state.phase in ("round", "settled", "closed")):
            yield f"wheel seed {body['commitment'][:16]} is sealed after the fact: wagers or a round lie there"
        if self._keyring is not None:
            try:
                unseal(self._keyring, self._stream, body["commitment"], body["sealed"])
            except LedgerRefused as refused:
                yield str(refused)

    def reveal(self, body: Mapping[str, Any], custody: Custody) -> Iterator[str]:
        """Check a revealed seed: it is the committed one, and each spin of the round stopped where it makes it."""
        seal = custody.wheel_over
        if seal is None or seal.commitment != body["commitment"]:
            yield f"wheel seed {body['commitment'][:16]} is revealed, but no round of such a seed is over"
            return
        seed = bytes.fromhex(body["seed"])
        if commitment(seed) != seal.commitment:
            yield f"the revealed seed does not give the commitment {seal.commitment[:16]}"
            return
        faults = list(self._compare(seal, seed))
        self.revealed += not faults
        yield from faults

    def _compare(self, seal: Seal, seed: bytes) -> Iterator[str]:
        for rules, turn, stored, version in self._spun.pop(seal.commitment, ()):
            due = draw(rules, turn, spin_words(seed, turn.number))
            if stored != due:
                is_at, would_be = stopped_at(stored), stopped_at(due)
                yield f"spin {turn.number} of version {version} is {is_at}, the seed makes it {would_be}"

    def unrevealed(self, custody: Custody) -> Iterator[str]:
        """The seed of a round that is not over, opened with the key and compared with its spins so far."""
        for seal in (custody.wheel, custody.wheel_over):
            yield from self._opened(seal) if seal is not None and self._keyring is not None else ()

    def _opened(self, seal: Seal) -> Iterator[str]:
        assert self._keyring is not None
        try:
            yield from self._compare(seal, unseal(self._keyring, self._stream, seal.commitment, seal.sealed))
        except LedgerRefused:
            return  # reported when it was sealed
