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
        yield SeenSeed(event.stream, event.ver, "commitment", body["commitment"])
    elif "seed" in body:
        yield SeenSeed(event.stream, event.ver, "seed", body["seed"])


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
        self._known: set[str] = set()

    def note(self, event: StoredEvent) -> None:
        """An event is stored."""
        if event.type in SEALED:
            self._known.add(json.loads(event.body)["commitment"])

    def check(self, events: Iterable[NewEvent]) -> None:
        """`SourceFailed` where one of these events would seal a seed that the stream has sealed before."""
        for event in events:
            if event.type in SEALED and event.body["commitment"] in self._known:
                raise SourceFailed(
                    f"the source of entropy gave the seed {event.body['commitment'][:16]} a second time: replace it"
                )
