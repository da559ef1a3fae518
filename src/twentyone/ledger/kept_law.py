"""The law that a ledger carries with it: the files of every rulebook that was played, packed, once per hash.

They lie in the house's stream, in its chain. A table is played, dealt again and exported under the law that it began
with, whatever rulebooks this software has.
"""

from __future__ import annotations

import json
import zlib
from base64 import b64decode, b64encode
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache, partial
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from twentyone.errors import RulebookError
from twentyone.ledger.canonical import canonical, fingerprint
from twentyone.ledger.codec import SCHEMA, read_body
from twentyone.ledger.house_rows import Body, Place, Rows, house_event
from twentyone.ledger.identity import rulebook_hash
from twentyone.ledger.rows import HOUSE, Batch, LedgerRefused, NewEvent, NotCanonical
from twentyone.rulebook import Rulebook
from twentyone.rulebook.rulebook import rulebook_from

if TYPE_CHECKING:
    from twentyone.ledger.store import Store

__all__ = [
    "KEPT",
    "Laws",
    "keep_law",
    "kept_batch",
    "law_batch",
    "law_faults",
    "law_words",
    "laws_of",
    "packed",
    "shelf",
    "unpacked",
]

KEPT = "law_kept"
"""The event that brings a rulebook into a ledger."""
MOST = 4_000_000
"""Characters that the files of a rulebook have at most: more are not unpacked."""
BOOKS = 32
"""Rulebooks that were unpacked and are held."""
Laws = Callable[[str, str, str], Rulebook | None]
"""The rulebook with an id, a hash and an edition (empty: none was named); none where nobody has it."""


def shelf(name: str, known_as: str, edition: str = "") -> Rulebook | None:
    """The rulebook of this software, if it is the one with this hash."""
    try:
        book = Rulebook.load(name, at=edition or None)
    except RulebookError:
        return None
    return book if (rulebook_hash(book), book.edition) == (known_as, edition) else None


def laws_of(store: Store) -> Laws:
    """The rulebooks that this software and a ledger have."""
    return partial(_find, store)


def _find(store: Store, name: str, known_as: str, edition: str) -> Rulebook | None:
    book = shelf(name, known_as, edition)
    if book is not None:
        return book
    found = store.find_key(_key(known_as))
    if found is None:
        return None
    body = read_body(found[1][0])
    wrong = next(law_faults(body), None)
    if wrong is not None or (body["rulebook"], body["rulebook_hash"]) != (name, known_as):
        why = wrong or f"it is that of {body['rulebook']}, not of {name}"
        raise LedgerRefused(f"the law that is kept as {known_as[:16]}: {why}; verify the ledger")
    return unpacked(body["rulebook"], body["files"], known_as, edition)


def keep_law(store: Store, book: Rulebook, at: int) -> None:
    """Let a ledger keep a rulebook, unless it does."""
    if store.find_key(_key(rulebook_hash(book))) is None and book.texts:
        store.append(*law_batch(book, at))


def law_batch(book: Rulebook, at: int) -> Batch:
    """A rulebook as it is kept."""
    known_as = rulebook_hash(book)
    body = {
        "rulebook": book.id,
        "rulebook_hash": known_as,
        "law": sha256(_text(book)).hexdigest(),
        "files": packed(book),
    }
    return Batch(HOUSE, 0, [NewEvent(KEPT, body, at, SCHEMA)], _key(known_as), fingerprint([KEPT, known_as]))


def kept_batch(store: Store, book: Rulebook, at: int) -> Batch | None:
    """A rulebook as a ledger keeps it, to be kept by the next; none where nobody has its files."""
    found = store.find_key(_key(rulebook_hash(book)))
    if found is None:
        return law_batch(book, at) if book.texts else None
    return law_batch(book, at)._replace(events=[NewEvent(KEPT, read_body(found[1][0]), at, SCHEMA)])


def law_faults(body: Mapping[str, Any]) -> Iterator[str]:
    """What is wrong with a kept law: it cannot be unpacked, or is not what its hash says."""
    try:
        written = _written(body["files"])
    except (ValueError, zlib.error) as wrong:
        yield f"the kept rulebook {body['rulebook']} does not unpack: {wrong}"
        return
    if sha256(written).hexdigest() != body["law"]:
        yield f"the kept rulebook {body['rulebook']} is not the one that its hash names"


def law_words(body: Mapping[str, Any]) -> str:
    """What happened, for a person."""
    return f"the ledger keeps the rulebook {body['rulebook']}, {body['rulebook_hash'][:16]}"


def packed(book: Rulebook) -> str:
    """The files of a rulebook, packed."""
    return b64encode(zlib.compress(_text(book), 9)).decode()


def _text(book: Rulebook) -> bytes:
    return canonical(dict(book.texts)).encode()


def _key(known_as: str) -> str:
    return f"{HOUSE} law {known_as}"


def _written(files: str) -> bytes:
    unpacked = zlib.decompressobj()
    written = unpacked.decompress(b64decode(files, validate=True), MOST)
    if not unpacked.eof:
        raise ValueError("it is larger than any rulebook, or cut off")
    return written


@lru_cache(maxsize=BOOKS)
def unpacked(name: str, files: str, known_as: str, edition: str) -> Rulebook:
    """The rulebook whose files were packed."""
    return rulebook_from(name, json.loads(_written(files)), known_as, edition)


def _no_rows(body: Body) -> tuple[Place, ...]:
    """It changes no money; it must say what it keeps."""
    if not all(isinstance(body[name], str) for name in ("rulebook", "rulebook_hash", "law", "files")):
        raise NotCanonical("house", "the event names no law")
    return ()


@house_event(KEPT, _no_rows)
def _keep(_: Rows, body: Body, __: int) -> None:
    for wrong in law_faults(body):
        raise NotCanonical("house", wrong)
