"""A group of commands that share one commit: each is examined alone, then all accepted events are stamped.

Nothing here touches a database.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple, TypeAlias

from twentyone.errors import TwentyoneError
from twentyone.ledger.canonical import LARGEST, canonical
from twentyone.ledger.chain import GENESIS, event_hash
from twentyone.ledger.rows import Appended, Batch, KeyReused, NewEvent, NotCanonical, StaleVersion, StoredEvent

__all__ = ["Draft", "Heads", "Known", "Verdict", "answers", "draft", "examine", "stamp"]

LONGEST = 200
"""Characters in the name of a stream, a type, a key, a fingerprint."""
LARGEST_BODY = 1_000_000
"""Characters in the body of an event."""
Heads: TypeAlias = dict[str, tuple[int, str]]
"""Version and hash of the last event of each stream."""


class Draft(NamedTuple):
    """A batch whose own content can be stored."""

    stream: str
    """The table."""
    expected: int
    """The version that the command was made on."""
    events: list[tuple[int, str, int, str]]
    """Time, type, schema and canonical body of each event."""
    key: str
    """The command's key."""
    fingerprint: str
    """SHA-256 of the command."""


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
    stream, expected, events, key, mark = batch
    try:
        for what, value in (("stream", stream), ("key", key), ("fingerprint", mark)):
            _check_name(what, value)
        _check_whole("expected", expected)
        if not events:
            raise NotCanonical("events", "a command makes at least one event")
        return Draft(stream, expected, [_event(index, event) for index, event in enumerate(events)], key, mark)
    except TwentyoneError as fault:
        return fault


def _event(index: int, event: NewEvent) -> tuple[int, str, int, str]:
    where = f"events[{index}]"
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
    drafts: Sequence[Draft | TwentyoneError], versions: Mapping[str, int], known: Mapping[str, Known]
) -> list[Verdict]:
    """The verdict on each command of a group, in order; a known key is answered at any version."""
    now, taken = dict(versions), dict[str, Draft]()
    return [_verdict(item, now, known, taken) if isinstance(item, Draft) else item for item in drafts]


def _verdict(item: Draft, now: dict[str, int], known: Mapping[str, Known], taken: dict[str, Draft]) -> Verdict:
    before = known.get(item.key) or taken.get(item.key)
    if before is not None:
        if (before.stream, before.fingerprint) != (item.stream, item.fingerprint):
            return KeyReused(item.key)
        return Appended(before.events, True) if isinstance(before, Known) else item.key
    actual = now.get(item.stream, 0)
    if item.expected != actual:
        return StaleVersion(item.stream, item.expected, actual)
    now[item.stream] = actual + len(item.events)
    taken[item.key] = item
    return item


def stamp(accepted: Sequence[Draft], heads: Heads, numbers: Iterator[int]) -> dict[str, tuple[StoredEvent, ...]]:
    """The events of the accepted commands as they will be stored, by key."""
    heads = dict(heads)
    return {item.key: tuple(_stamp(item, heads, numbers)) for item in accepted}


def _stamp(item: Draft, heads: Heads, numbers: Iterator[int]) -> Iterator[StoredEvent]:
    stream = item.stream
    ver, prev = heads.get(stream, (0, GENESIS))
    key: str | None = item.key
    mark: str | None = item.fingerprint
    for ts, kind, schema, body in item.events:
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
