"""Periods: one ledger follows another, as books are closed at the end of a year.

The last event of a closed one names the next; the first event of the next names the one before it, its last event and
its last checkpoint. No event ever leaves a ledger. Here are the events of the house that say so, and what they mean.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from twentyone.ledger.codec import SCHEMA, read_body
from twentyone.ledger.house_rows import Body, Place, Rows, house_event
from twentyone.ledger.rows import HOUSE, LedgerRefused, NewEvent, NotCanonical, PeriodClosed, StoredEvent
from twentyone.ledger.timestamps import moment

if TYPE_CHECKING:
    from twentyone.ledger.store import Store

__all__ = [
    "BEGUN",
    "BEGUN_KEY",
    "CLOSED",
    "CLOSED_KEY",
    "EXPIRED",
    "PERIOD_WORDS",
    "Link",
    "begun_in",
    "closed_in",
    "closed_refusal",
    "expired",
    "identity_in",
    "refuse_closed",
]

CLOSED, BEGUN, EXPIRED = "period_closed", "period_begun", "archive_expired"
"""The last event of a period, the first of one that follows another, and the removal of an archive."""
CLOSED_KEY, BEGUN_KEY = f"{HOUSE} {CLOSED}", f"{HOUSE} {BEGUN}"
"""Under which they are stored: each once."""


class Link(NamedTuple):
    """An event that begins or closes a period."""

    event: StoredEvent
    """As it is stored."""
    body: Mapping[str, Any]
    """Its fields."""


def closed_in(store: Store) -> Link | None:
    """The event that closed a ledger; none while it is open."""
    return _found(store, CLOSED_KEY)


def begun_in(store: Store) -> Link | None:
    """The event by which a ledger follows another; none for a first one."""
    return _found(store, BEGUN_KEY)


def _found(store: Store, key: str) -> Link | None:
    found = store.find_key(key)
    return None if found is None else Link(found[1][0], read_body(found[1][0]))


def identity_in(store: Store) -> tuple[str, int]:
    """By what a ledger is known for ever, and its number: a first one by the hash of its first event."""
    begun = begun_in(store)
    if begun is not None:
        return str(begun.body["identity"]), int(begun.body["number"])
    first = next(store.read_all(), None)
    if first is None:
        raise LedgerRefused(f"{store.where} holds nothing: there is no period to close")
    return first.hash, 1


def closed_refusal(where: str, event: StoredEvent) -> PeriodClosed:
    """Why nothing is stored in a closed ledger, and where to go on."""
    goes_on = read_body(event)["next"]["name"]
    return PeriodClosed(
        f"{where} is a closed period since {moment(event.ts)} (UTC): nothing was stored; go on with {goes_on} (if that "
        "is not there yet, `twentyone archive close` was interrupted: the same command goes on)"
    )


def refuse_closed(store: Store) -> None:
    """Refuse to play on a closed ledger."""
    closed = closed_in(store)
    if closed is not None:
        raise closed_refusal(store.where, closed.event)


def expired(archive: Mapping[str, Any], keep: str, by: str, at: int) -> NewEvent:
    """An archive that was kept long enough is removed."""
    said = {name: archive[name] for name in ("identity", "number", "file", "sha256", "events", "checkpoint")}
    return NewEvent(EXPIRED, {**said, "keep": keep, "by": by}, at, SCHEMA)


# -- in words


def _closed_words(body: Body) -> str:
    after = body["next"]
    return f"{body['by']} closes period {body['number']}; period {after['number']} is in {after['name']}"


def _begun_words(body: Body) -> str:
    return f"period {body['number']} begins with what period {body['before']['number']} left"


def _expired_words(body: Body) -> str:
    point = f"its last checkpoint {body['checkpoint']['digest'][:16]}"
    return f"{body['by']} removes the archive of period {body['number']} ({body['file']}), kept {body['keep']}; {point}"


PERIOD_WORDS: dict[str, Callable[[Body], str]] = {
    CLOSED: _closed_words,
    BEGUN: _begun_words,
    EXPIRED: _expired_words,
}
"""The wording of each kind of event."""


# -- what they do: no row changes


def _texts(*names: str) -> Callable[[Body], tuple[Place, ...]]:
    """It must say what it is about."""

    def no_rows(body: Body) -> tuple[Place, ...]:
        if type(body["number"]) is not int or not all(isinstance(body[name], str) for name in names):
            raise NotCanonical("house", "the event names no period")
        return ()

    return no_rows


@house_event(CLOSED, _texts("identity", "by", "balances", "heads"))
@house_event(BEGUN, _texts("identity", "key", "balances"))
@house_event(EXPIRED, _texts("identity", "by", "sha256", "keep"))
def _no_rows(_: Rows, __: Body, ___: int) -> None:
    """None of them changes a row."""
