"""The chain: each event carries the hash of the one before it in its stream.

A chain alone does not protect against the owner of the file, who can rehash or cut off its end: `checkpoints` does.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from json.encoder import encode_basestring
from typing import NamedTuple

from twentyone.ledger.canonical import canonical
from twentyone.ledger.rows import LedgerFailed, StoredEvent
from twentyone.ledger.store import Store

__all__ = ["GENESIS", "Chain", "Fault", "event_hash", "heads_digest", "verify_chain", "verify_stream"]

GENESIS = "0" * 64
"""The hash before the first event of a stream."""
_START = (0, GENESIS)
_TYPES = [int, str, int, int, str, int, str, str, str]
_quoted = encode_basestring


class Fault(NamedTuple):
    """Something that is wrong in a ledger, and where."""

    stream: str
    """The stream, or the file for what belongs to none."""
    ver: int
    """The version at which it shows; 0 where there is none."""
    what: str
    """What is wrong, in one sentence."""

    def __str__(self) -> str:
        return f"{self.stream} version {self.ver}: {self.what}" if self.ver else f"{self.stream}: {self.what}"


def event_hash(
    prev: str, stream: str, ver: int, ts: int, kind: str, schema: int, body: str, idem: str | None, mark: str | None
) -> str:
    """SHA-256 of the canonical JSON of an event's parts, in this order; `mark` is the command's fingerprint.

    Written out for speed: verification spends its time here. A test compares it with `canonical`.
    """
    key = "null" if idem is None else _quoted(idem)
    command = "null" if mark is None else _quoted(mark)
    ends = f"{schema},{_quoted(body)},{key},{command}]"
    text = f"[{_quoted(prev)},{_quoted(stream)},{ver},{ts},{_quoted(kind)},{ends}"
    return hashlib.sha256(text.encode()).hexdigest()


class Chain:
    """Follows the chains of all streams, event by event, in the order of the ledger."""

    def __init__(self, heads: Mapping[str, tuple[int, str]] | None = None) -> None:
        """From the first event, or from known `heads` on."""
        self.heads: dict[str, tuple[int, str]] = dict(heads or {})
        """Version and hash of the last event of each stream so far."""
        self.count = 0
        """Events followed so far."""
        self.form = 0
        """The form of the last event."""
        self._gseq = 0

    def follow(self, event: StoredEvent) -> Fault | None:
        """Take the next event; the first thing that is wrong with it, if any."""
        gseq, stream, ver, ts, kind, schema, body, prev, hash_, idem, mark = event
        last, before = self.heads.get(stream, _START)
        known, self._gseq = self._gseq, gseq
        self.count += 1
        if ver == last + 1 and prev == before and gseq > known and schema >= self.form:
            try:
                if event_hash(prev, stream, ver, ts, kind, schema, body, idem, mark) == hash_:
                    self.heads[stream], self.form = (ver, hash_), schema
                    return None
            except (TypeError, ValueError):
                return _unreadable(gseq)
        return self._suspect(event, last, before, known)

    def _suspect(self, event: StoredEvent, last: int, before: str, known: int) -> Fault:
        """What is wrong with an event; the chain goes on from it, so that one fault is not reported many times."""
        if [type(item) for item in event[:9]] != _TYPES:
            return _unreadable(event.gseq)
        self.heads[event.stream] = (event.ver, event.hash)
        form, self.form = self.form, event.schema
        return _fault(event, last, before, known, form)

    def follow_all(self, events: Iterable[StoredEvent]) -> list[Fault]:
        """Take many events; everything that is wrong with them."""
        follow = self.follow
        return [fault for event in events if (fault := follow(event)) is not None]


def _unreadable(gseq: int) -> Fault:
    return Fault("ledger", 0, f"the event numbered {gseq} is unreadable: the file is damaged")


def _fault(event: StoredEvent, last: int, before: str, known: int, form: int) -> Fault:
    if event.ver != last + 1:
        return Fault(event.stream, event.ver, f"follows version {last}: an event was removed, added or moved")
    if event.prev != before:
        return Fault(event.stream, event.ver, "does not continue the event before it: one of the two was altered")
    if event.gseq <= known:
        return Fault(event.stream, event.ver, f"is numbered {event.gseq} in the ledger, after {known}: it was moved")
    if event.schema < form:
        what = f"is of form {event.schema}, after events of form {form}: no version of this software goes back"
        return Fault(event.stream, event.ver, what)
    return Fault(event.stream, event.ver, "its content does not give its hash: it was altered")


def verify_stream(events: Iterable[StoredEvent]) -> list[Fault]:
    """Everything that is wrong with the chain of one stream, read from its first event."""
    return Chain().follow_all(events)


def verify_chain(store: Store, progress: Callable[[int], None] | None = None) -> tuple[list[Fault], Chain]:
    """Everything wrong with the chains of a ledger and with its file; `progress` is called with the events read."""
    chain, faults = Chain(), list[Fault]()
    try:
        faults += chain.follow_all(_counted(store.read_all(), progress) if progress else store.read_all())
        faults += _compare_heads(store, chain)
        faults += [Fault(store.where, 0, what) for what in store.self_check()]
    except LedgerFailed as fault:
        faults.append(Fault(store.where, 0, str(fault)))
    return faults, chain


def _compare_heads(store: Store, chain: Chain) -> Iterator[Fault]:
    """Reading all events in order and reading stream by stream must agree."""
    names = {name for name in store.streams() if isinstance(name, str)}
    for name in sorted({*names, *chain.heads}):
        if name not in names or store.head(name) != chain.heads.get(name):
            yield Fault(name, store.head(name)[0], "is not the last event of its stream when all events are read")


def _counted(events: Iterator[StoredEvent], progress: Callable[[int], None]) -> Iterator[StoredEvent]:
    for count, event in enumerate(events, 1):
        if count % 10_000 == 0:
            progress(count)
        yield event


def heads_digest(heads: dict[str, tuple[int, str]]) -> str:
    """One hash over the heads of all streams."""
    return hashlib.sha256(canonical([[name, *heads[name]] for name in sorted(heads)]).encode()).hexdigest()
