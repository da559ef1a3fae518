"""What happened to the ledger itself, told in the house's stream: it took no commands; it is not what it was."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from twentyone.ledger.canonical import fingerprint
from twentyone.ledger.codec import SCHEMA
from twentyone.ledger.house_rows import Body, Place, Rows, house_event
from twentyone.ledger.rows import HOUSE, NewEvent, NotCanonical
from twentyone.ledger.timestamps import moment

if TYPE_CHECKING:
    from twentyone.ledger.store import Store

__all__ = ["DIFFERS", "INTERRUPTED", "differs_words", "interrupted_words", "tell_difference", "tell_interruption"]

INTERRUPTED = "ledger_interrupted"
"""The database failed, answers again, and was compared with what was acknowledged and signed."""
DIFFERS = "ledger_differs"
"""The ledger was examined while it was in use, and is not what it was: no more rounds are dealt."""


def tell_interruption(store: Store, since: int, until: int, why: str, key: str) -> None:
    """Store for how long the ledger took no commands; that it is stored shows that it takes them again."""
    _append(store, INTERRUPTED, {"since": since, "until": until, "why": why}, until, key)


def tell_difference(store: Store, at: int, what: str, key: str) -> None:
    """Store what an examination has found."""
    _append(store, DIFFERS, {"what": what}, at, key)


def _append(store: Store, kind: str, body: dict[str, Any], at: int, key: str) -> None:
    store.append(HOUSE, 0, [NewEvent(kind, body, at, SCHEMA)], f"{HOUSE} {kind} {key}", fingerprint(body))


def interrupted_words(body: Mapping[str, Any]) -> str:
    """What happened, for a person.

    >>> interrupted_words({"since": 0, "until": 60, "why": "the disk is full"})
    'no commands from 1970-01-01 00:00:00 to 1970-01-01 00:01:00 (UTC): the disk is full; compared, then played on'
    """
    period = f"no commands from {moment(body['since'])} to {moment(body['until'])} (UTC)"
    return f"{period}: {body['why']}; compared, then played on"


def differs_words(body: Mapping[str, Any]) -> str:
    """What was found, for a person."""
    return f"the ledger is not what it was ({body['what']}): no more rounds are dealt"


def _interrupted(body: Body) -> tuple[Place, ...]:
    """It changes no money; it must say when and why."""
    if not (type(body["since"]) is type(body["until"]) is int and isinstance(body["why"], str)):
        raise NotCanonical("house", "the event does not say when the ledger was interrupted, and why")
    return ()


def _differs(body: Body) -> tuple[Place, ...]:
    if not isinstance(body["what"], str):
        raise NotCanonical("house", "the event does not say what was found")
    return ()


@house_event(INTERRUPTED, _interrupted)
@house_event(DIFFERS, _differs)
def _no_rows(_: Rows, __: Body, ___: int) -> None:
    """Neither changes a row."""
