"""A group of commands that share one commit: each is examined alone, then all accepted events are stamped.

Nothing here touches a database.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from typing import NamedTuple, TypeAlias

from twentyone.errors import TwentyoneError
from twentyone.ledger.canonical import LARGEST, canonical
from twentyone.ledger.chain import GENESIS, event_hash
from twentyone.ledger.house import HOUSE, HouseRows, Written, touched
from twentyone.ledger.house_rows import Place
from twentyone.ledger.rows import (
    OWN_STREAMS,
    Appended,
    Batch,
    KeyReused,
    NewEvent,
    NotCanonical,
    StaleVersion,
    StoredEvent,
)

__all__ = ["Draft", "Heads", "Known", "Verdict", "answers", "draft", "examine", "house_key", "stamp"]

LONGEST = 200
"""Characters in the name of a stream, a type, a key, a fingerprint."""
LARGEST_BODY = 1_000_000
"""Characters in the body of an event."""
Heads: TypeAlias = dict[str, tuple[int, str]]
"""Version and hash of the last event of each stream."""
NOTHING: frozenset[Place] = frozenset()


class Draft(NamedTuple):
    """A batch whose own content can be stored."""

    stream: str
    """The table."""
    expected: int
    """The version that the command was made on."""
    events: list[Written]
    """Its events."""
    key: str
    """The command's key."""
    fingerprint: str
    """SHA-256 of the command."""
    house: list[Written]
    """Its part in the house's stream."""
    touches: frozenset[Place]
    """The derived rows that it needs."""

    @property
    def money(self) -> list[Written]:
        """Its events of the house, in whichever part they are."""
        return self.events if self.stream == HOUSE else self.house


class Known(NamedTuple):
    """A command that is stored already."""

    stream: str
    """Its table."""
    fingerprint: str
    """SHA-256 of the command."""
    events: tuple[StoredEvent, ...]
    """What it made."""


Verdict: TypeAlias = Draft | Appended | TwentyoneError | str
"""To be stored; stored before; refused; or the key of an earlier command of the same group."""


def draft(batch: Batch) -> Draft | TwentyoneError:
    """A batch with its bodies in canonical JSON, or why it cannot be stored."""
    stream, expected, events, key, mark, house = batch
    try:
        for what, value in (("stream", stream), ("key", key), ("fingerprint", mark)):
            _check_name(what, value)
        _check_whole("expected", expected)
        if not events:
            raise NotCanonical("events", "a command makes at least one event")
        own = [_event(f"events[{index}]", event) for index, event in enumerate(events)]
        part = [_event(f"house[{index}]", event) for index, event in enumerate(house)]
        return Draft(stream, expected, own, key, mark, part, _touched(stream, key, own, part))
    except TwentyoneError as fault:
        return fault


def _touched(stream: str, key: str, own: list[Written], part: list[Written]) -> frozenset[Place]:
    """The derived rows that a command needs; the house's own keys and stream are for events of the house."""
    if key.startswith(HOUSE) and stream != HOUSE:
        raise NotCanonical("key", f"{key!r} begins like a key of the house's own")
    if stream != HOUSE:
        return touched(part) if part else NOTHING
    if part:
        raise NotCanonical("house", "a command of the house itself has no second part")
    return touched(own)


def house_key(key: str) -> str:
    """The key of a command's part in the house's stream."""
    return f"{HOUSE} {sha256(key.encode()).hexdigest()}"


def _event(where: str, event: NewEvent) -> Written:
    _check_name(f"{where}.type", event.type)
    _check_whole(f"{where}.ts", event.ts)
    _check_whole(f"{where}.schema", event.schema)
    if not isinstance(event.body, Mapping):
        raise NotCanonical(f"{where}.body", "the fields of an event are an object")
    body = canonical(event.body, f"{where}.body")
    if len(body) > LARGEST_BODY:
        raise NotCanonical(f"{where}.body", f"it has {len(body):,} characters, {LARGEST_BODY:,} are the most")
    return event.ts, event.type, event.schema, body


def _check_name(what: str, value: object) -> None:
    if not isinstance(value, str) or not value or len(value) > LONGEST or not value.isprintable():
        raise NotCanonical(what, f"{value!r} is not a text of 1 to {LONGEST} printable characters")


def _check_whole(what: str, value: object) -> None:
    if type(value) is not int or not 0 <= value <= LARGEST:
        raise NotCanonical(what, f"{value!r} is not a whole number from 0 to 2^63 - 1")


def examine(
    drafts: Sequence[Draft | TwentyoneError], versions: Mapping[str, int], known: Mapping[str, Known], rows: HouseRows
) -> list[Verdict]:
    """The verdict on each command of a group, in order; a known key is answered at any version.

    `rows` changes as the accepted commands change it.
    """
    now, taken = dict(versions), dict[str, Draft]()
    return [_verdict(item, now, known, taken, rows) if isinstance(item, Draft) else item for item in drafts]


def _verdict(
    item: Draft, now: dict[str, int], known: Mapping[str, Known], taken: dict[str, Draft], rows: HouseRows
) -> Verdict:
    before = known.get(item.key) or taken.get(item.key)
    if before is not None:
        if (before.stream, before.fingerprint) != (item.stream, item.fingerprint):
            return KeyReused(item.key)
        return Appended(before.events, True) if isinstance(before, Known) else item.key
    actual = now.get(item.stream, 0)
    if item.expected != actual and item.stream not in OWN_STREAMS:
        return StaleVersion(item.stream, item.expected, actual)
    if item.money and (refused := rows.carry_out(item.money)) is not None:
        return refused
    now[item.stream] = actual + len(item.events)
    taken[item.key] = item
    return item


def stamp(accepted: Sequence[Draft], heads: Heads, numbers: Iterator[int]) -> dict[str, tuple[StoredEvent, ...]]:
    """The events of the accepted commands as they will be stored, by key; the house's parts under keys of their own."""
    heads, stored = dict(heads), dict[str, tuple[StoredEvent, ...]]()
    for item in accepted:
        stored[item.key] = tuple(_stamp(item.stream, item.events, item.key, item.fingerprint, heads, numbers))
        if item.house:
            key = house_key(item.key)
            stored[key] = tuple(_stamp(HOUSE, item.house, key, item.fingerprint, heads, numbers))
    return stored


def _stamp(
    stream: str, events: Sequence[Written], key: str | None, mark: str | None, heads: Heads, numbers: Iterator[int]
) -> Iterator[StoredEvent]:
    ver, prev = heads.get(stream, (0, GENESIS))
    for ts, kind, schema, body in events:
        ver += 1
        own = event_hash(prev, stream, ver, ts, kind, schema, body, key, mark)
        yield StoredEvent(next(numbers), stream, ver, ts, kind, schema, body, prev, own, key, mark)
        prev, key, mark = own, None, None
    heads[stream] = (ver, prev)


def answers(plan: Sequence[Verdict], stored: Mapping[str, tuple[StoredEvent, ...]]) -> list[Appended | Exception]:
    """The answer to each command of a group, once its events are stored."""
    return [_answer(item, stored) for item in plan]


def _answer(item: Verdict, stored: Mapping[str, tuple[StoredEvent, ...]]) -> Appended | Exception:
    if isinstance(item, Draft):
        return Appended(stored[item.key], False)
    if isinstance(item, str):
        return Appended(stored[item], True)
    return item
