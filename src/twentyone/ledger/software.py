"""The software that plays on a ledger, in the house's stream: what begins, and what was altered while it ran.

A ledger that signed software has played on is not played on by unsigned software, nor by what another key signed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from twentyone.authentic import NO_MANIFEST, TRUSTED, ExaminedPackage
from twentyone.ledger.canonical import fingerprint
from twentyone.ledger.codec import SCHEMA, read_body
from twentyone.ledger.house_rows import Body, Place, Rows, house_event
from twentyone.ledger.rows import HOUSE, Batch, KeyReused, LedgerRefused, NewEvent, NotCanonical
from twentyone.version import __version__

if TYPE_CHECKING:
    from twentyone.ledger.store import Store

__all__ = [
    "ALTERED",
    "BEGUN",
    "admit",
    "altered",
    "altered_words",
    "begin_software",
    "begun_words",
    "last_software",
    "software_batch",
]

BEGUN, ALTERED = "software_begun", "software_altered"
"""Other software than before plays on the ledger; the software was altered while it ran."""
NAMED = 20
"""Files that an event names at most."""


def admit(store: Store | None, found: ExaminedPackage, required: bool | None, trusted: str) -> None:
    """Refuse software that may not play on a ledger, or on a new one; `required` overrules what it remembers."""
    before = _signer(store) if store is not None else ""
    if required is None:
        required = bool(trusted) or before != ""
    if not required:
        return
    where = store.where if store is not None else "a new ledger"
    if not found.authentic:
        raise LedgerRefused(
            f"{where}: this software cannot be authenticated ({found.words}), and only signed software may play "
            "on this ledger: install the signed package, or say that it need not be authentic"
        )
    if before not in ("", found.signer) and not trusted:
        raise LedgerRefused(
            f"{where}: this software is signed by {found.signer[:16]}, the software before it by {before[:16]}: "
            f"if the key was changed, name the public key in {TRUSTED}"
        )


def begin_software(store: Store, found: ExaminedPackage, at: int) -> bool:
    """Let a ledger say which software plays on it from here, unless it does; whether it is other than before."""
    body = {"version": __version__, "package": found.digest, "signer": found.signer}
    while True:
        number, last = _last(store)
        if last == body:
            return False
        event = NewEvent(BEGUN, body if last is None else {**body, "before": last["package"]}, at, SCHEMA)
        key = _key(number + 1)
        with suppress(KeyReused):  # another process was quicker
            store.append(HOUSE, 0, [event], key, fingerprint([key, event.body]))
            return True


def altered(store: Store, before: ExaminedPackage, now: ExaminedPackage, at: int) -> None:
    """Record, once for each state of the files, that the software was altered while it ran."""
    named = [str(one) for one in now.differences[:NAMED]] or [NO_MANIFEST]
    body = {"before": before.digest, "after": now.digest, "files": named, "count": max(1, len(now.differences))}
    key = f"{HOUSE} altered {at} {before.digest[:16]} {now.digest}"
    store.append(HOUSE, 0, [NewEvent(ALTERED, body, at, SCHEMA)], key, fingerprint([key, body]))


def last_software(store: Store) -> dict[str, str] | None:
    """The software that played on a ledger last."""
    return _last(store)[1]


def software_batch(body: dict[str, str], at: int) -> Batch:
    """A ledger that follows another begins with the software that played on that one last."""
    return Batch(HOUSE, 0, [NewEvent(BEGUN, body, at, SCHEMA)], _key(1), fingerprint([_key(1), body]))


def _signer(store: Store) -> str:
    """Who signed the software that played on a ledger last; empty where nobody did."""
    last = _last(store)[1]
    return last["signer"] if last is not None else ""


def _last(store: Store) -> tuple[int, dict[str, str] | None]:
    """How often the software of a ledger changed, and to what."""
    begun = list(_begun(store))
    return len(begun), begun[-1] if begun else None


def _begun(store: Store) -> Iterator[dict[str, str]]:
    number = 1
    while (found := store.find_key(_key(number))) is not None:
        body = read_body(found[1][0])
        body.pop("before", None)
        yield body
        number += 1


def _key(number: int) -> str:
    return f"{HOUSE} software {number}"


# -- the events


def begun_words(body: Mapping[str, Any]) -> str:
    """What happened, for a person."""
    signed = f"signed by {body['signer'][:16]}" if body["signer"] else NO_MANIFEST
    return f"twentyone {body['version']}, package {body['package'][:16]}, plays on from here ({signed})"


def altered_words(body: Mapping[str, Any]) -> str:
    """What happened, for a person."""
    return f"the software was altered while it ran: {', '.join(body['files'])} ({body['count']} in all)"


def _texts(*names: str) -> Any:
    """It changes no money; it must say what it is about."""

    def no_rows(body: Body) -> tuple[Place, ...]:
        if not all(isinstance(body[name], str) for name in names):
            raise NotCanonical("house", "the event names no software")
        return ()

    return no_rows


@house_event(BEGUN, _texts("version", "package", "signer"))
def _begin(_: Rows, __: Body, ___: int) -> None:
    """No row changes."""


@house_event(ALTERED, _texts("before", "after"))
def _alter(_: Rows, __: Body, ___: int) -> None:
    """No row changes."""
