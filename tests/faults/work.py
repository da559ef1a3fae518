"""Commands as a table gives them, and what must be true of a ledger that has been through something."""

from __future__ import annotations

import os
import random
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from twentyone.ledger.canonical import fingerprint
from twentyone.ledger.chain import GENESIS, verify_chain
from twentyone.ledger.rows import Appended, Batch, NewEvent
from twentyone.ledger.store import Store

__all__ = ["Expected", "command", "groups", "scratch"]

KINDS = (
    "wager_placed",
    "card_dealt",
    "decision_made",
    "hand_split",
    "insurance_offered",
    "meter_raised",
    "round_voided",
)
STREAMS = 3


@contextmanager
def scratch() -> Iterator[Path]:
    """A folder that is gone afterwards, in memory where there is such a place: what is tried here needs no disk."""
    memory = Path("/dev/shm")
    where = memory if os.access(memory, os.W_OK) else None
    with tempfile.TemporaryDirectory(prefix="twentyone-", dir=where) as name:
        yield Path(name)


def command(number: int, stream: str, version: int, seed: int = 1) -> Batch:
    """The command with a number: one to twelve events of different kinds and sizes."""
    dice = random.Random(f"{seed}:{number}")
    asked = {"do": "deal", "number": number, "by": "Dän"}
    events = [NewEvent("command", asked, 1_700_000_000 + number)]
    for place in range(dice.randrange(12)):
        body = {"place": place, "amount": dice.randrange(10**9), "text": "♠" * dice.choice((0, 3, 40, 400))}
        events.append(NewEvent(dice.choice(KINDS), body, 1_700_000_000 + number))
    return Batch(stream, version, events, f"key-{seed}-{number}", fingerprint(asked))


@dataclass
class Expected:
    """What was acknowledged, and what was sent."""

    hashes: dict[str, list[str]] = field(default_factory=dict)
    """The hash of every event that was acknowledged, by stream; version 1 first."""
    ends: dict[str, set[int]] = field(default_factory=dict)
    """The versions at which a command ended."""

    def version(self, stream: str) -> int:
        """The last acknowledged version."""
        return len(self.hashes.get(stream, []))

    def acknowledge(self, answer: Appended) -> None:
        """Note an answer."""
        stream = answer.events[0].stream
        known = self.hashes.setdefault(stream, [])
        assert [event.ver for event in answer.events] == list(
            range(len(known) + 1, len(known) + 1 + len(answer.events))
        )
        known.extend(event.hash for event in answer.events)
        self.ends.setdefault(stream, {0}).add(len(known))

    def faults(self, store: Store, acknowledged: dict[str, int]) -> list[str]:
        """What a ledger that was opened again has lost, doubled or half of."""
        found = [str(fault) for fault in verify_chain(store)[0]]
        for stream in sorted({*acknowledged, *store.streams()}):
            version, head = store.head(stream)
            if version < acknowledged.get(stream, 0):
                found.append(f"{stream}: {acknowledged[stream]} events were acknowledged, {version} are there")
            elif version not in self.ends.get(stream, {0}):
                found.append(f"{stream}: half a command is there, up to {version}")
            elif head != (self.hashes[stream][version - 1] if version else GENESIS):
                found.append(f"{stream}: version {version} is not what was acknowledged")
        return found


def groups(count: int, seed: int) -> Iterator[list[int]]:
    """The numbers of commands, some alone and some together."""
    dice, number = random.Random(seed), 0
    while number < count:
        size = min(dice.choice((1, 1, 1, 2, 5)), count - number)
        yield list(range(number, number + size))
        number += size
