"""What goes into a ledger and what comes out of it: events, batches, answers, refusals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from twentyone.errors import TwentyoneError

__all__ = [
    "ACCESS",
    "HOUSE",
    "OWN_STREAMS",
    "Appended",
    "Batch",
    "KeyReused",
    "LedgerClosed",
    "LedgerFailed",
    "LedgerRefused",
    "NewEvent",
    "NoSuchLedger",
    "NotCanonical",
    "OtherKey",
    "PeriodClosed",
    "ProjectionRow",
    "RulesUnavailable",
    "StaleVersion",
    "StoredEvent",
    "Superseded",
]


HOUSE = "(house)"
"""The stream of all money that is not at a table; no table can be called so."""
ACCESS = "(access)"
"""The stream of access: who came in, who changed what about people, settings and tables."""
OWN_STREAMS = (HOUSE, ACCESS)
"""The streams that are no table's; an event goes to their end, whatever their version."""


class NewEvent(NamedTuple):
    """An event that is to be stored."""

    type: str
    """What happened (`command`, `card_dealt`)."""
    body: Mapping[str, Any]
    """Its fields: only values that canonical JSON can represent."""
    ts: int
    """Seconds UTC, given by the caller; the order of events never depends on it."""
    schema: int = 1
    """Version of the body's form."""


class StoredEvent(NamedTuple):
    """An event as stored in the ledger."""

    gseq: int
    """Its number in the whole ledger; rises, and in PostgreSQL may leave numbers out."""
    stream: str
    """The table it belongs to."""
    ver: int
    """Its number in its stream: 1, 2, 3 and so on."""
    ts: int
    """Seconds UTC."""
    type: str
    """What happened."""
    schema: int
    """Version of the body's form."""
    body: str
    """Its fields in canonical JSON."""
    prev: str
    """The hash of the event before it in its stream."""
    hash: str
    """SHA-256 over everything here but `gseq`."""
    idem: str | None
    """The key of the command, on the first event that the command made."""
    fingerprint: str | None
    """SHA-256 of the command, on the same event."""


class Batch(NamedTuple):
    """The events of one command: all are stored or none."""

    stream: str
    """The table, or the house."""
    expected: int
    """The version that the command was made on; 0 for a new stream. Streams of the house itself are not asked."""
    events: Sequence[NewEvent]
    """What happened; at least one event."""
    key: str
    """The command's idempotency key."""
    fingerprint: str
    """SHA-256 of the canonical command."""
    house: Sequence[NewEvent] = ()
    """What it does to the money of the house: stored with it, at the end of the house's stream, or refused with it."""


class Appended(NamedTuple):
    """The answer to a batch."""

    events: tuple[StoredEvent, ...]
    """The events as stored."""
    repeated: bool
    """Whether they were stored before, under the same key."""


class ProjectionRow(NamedTuple):
    """One row of a projection: derived from events, may be dropped and built again."""

    key: str
    """Its key within the projection."""
    gseq: int
    """The last event that it knows of."""
    body: str
    """Its fields, in the form its owner chose."""


class NotCanonical(TwentyoneError):
    """A value that canonical JSON cannot represent."""

    def __init__(self, where: str, why: str) -> None:
        super().__init__(f"{where}: {why}")
        self.where = where
        """The path to the value (`body.cards[2]`)."""


class StaleVersion(TwentyoneError):
    """A command made on a version of the table that is no longer the last one."""

    def __init__(self, stream: str, expected: int, actual: int) -> None:
        super().__init__(
            f"{stream} is at version {actual}, the command was made on version {expected}: "
            "nothing was stored; read the table again, then decide"
        )
        self.expected = expected
        """The version that the command was made on."""
        self.actual = actual
        """The version that the stream has."""


class Superseded(TwentyoneError):
    """A command at a table that another process leads by now; the table is carried on there."""

    def __init__(self, stream: str) -> None:
        super().__init__(
            f"{stream} is led by another process by now: nothing was stored; send it again with the same key"
        )
        self.stream = stream
        """The table."""
        self.status, self.wait = 421, 1
        """The status of an answer over HTTP, and the seconds after which it may be tried again."""


class KeyReused(TwentyoneError):
    """An idempotency key that another command has used."""

    def __init__(self, key: str) -> None:
        super().__init__(
            f"the key {key!r} belongs to another command: nothing was stored; send a new command a new key"
        )
        self.key = key
        """The key."""


class LedgerRefused(TwentyoneError):
    """A ledger that this software will not open or write, and what to do about it."""


class PeriodClosed(LedgerRefused):
    """A ledger whose period is closed: it is read for ever, and nothing more is stored in it."""


class RulesUnavailable(LedgerRefused):
    """A table whose rulebook does not load: the other tables of the ledger are as they were."""


class OtherKey(LedgerRefused):
    """A ledger that was sealed with another key than the one at hand."""


class NoSuchLedger(LedgerRefused):
    """There is no ledger at the path or address that was named."""


class LedgerFailed(TwentyoneError):
    """The database failed: the store has stopped, and whether the last command was stored shows on opening it again."""

    def __init__(self, why: str, passing: str = "") -> None:
        super().__init__(why)
        self.passing = passing
        """What has happened, where it passes by itself; empty: a person has to look."""


class LedgerClosed(LedgerFailed):
    """The database had failed before: of this command nothing is stored."""
