"""A seed is used once: no commitment and no revealed seed occurs twice in a ledger, whatever its table or use."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from twentyone.ledger.chain import Fault
from twentyone.ledger.rows import NewEvent, StoredEvent
from twentyone.table.health import SourceFailed

__all__ = ["SEALED", "SealedSeeds", "SeenSeed", "repeated_seeds", "seed_in"]

SEALED = ("shoe_sealed", "wheel_sealed")
"""Events that commit to a seed."""
STORED = -1
"""Stands for the version at which a seed came that was found in the ledger."""


class SeenSeed(NamedTuple):
    """A commitment or a revealed seed of a stream."""

    stream: str
    """The stream."""
    version: int
    """The version of its event."""
    what: str
    """`commitment` or `seed`."""
    value: str
    """Itself, in hexadecimal."""


def seed_in(event: StoredEvent, body: Mapping[str, Any]) -> Iterator[SeenSeed]:
    """What an event of the ledger's own seals or reveals."""
    if event.type in SEALED:
        yield SeenSeed(event.stream, event.ver, "commitment", str(body["commitment"]))
    elif "seed" in body:
        yield SeenSeed(event.stream, event.ver, "seed", str(body["seed"]))


def repeated_seeds(seen: Iterable[SeenSeed]) -> Iterator[Fault]:
    """Every commitment and every revealed seed that occurred before, at this table or another."""
    first: dict[str, SeenSeed] = {}
    for one in seen:
        known = first.setdefault(one.value, one)
        if known is not one:
            where = f"{known.stream} version {known.version}"
            yield Fault(
                one.stream,
                one.version,
                f"{one.what} {one.value[:16]} stands at {where} too: every shoe and every round's wheels have a seed "
                "of their own",
            )


class SealedSeeds:
    """The commitments of one stream, as far as this process has read and written it."""

    def __init__(self) -> None:
        self._known: dict[str, int] = {}

    def note(self, event: StoredEvent) -> None:
        """An event is stored."""
        if event.type in SEALED:
            self._known.setdefault(json.loads(event.body)["commitment"], STORED)

    def check(self, events: Iterable[NewEvent], version: int) -> None:
        """`SourceFailed` where one of these events would seal a seed that came at another version of the stream."""
        for event in events:
            if event.type in SEALED and self._known.setdefault(event.body["commitment"], version) != version:
                raise SourceFailed(
                    f"the source of entropy gave the seed {event.body['commitment'][:16]} a second time: replace it"
                )
