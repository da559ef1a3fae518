"""Before a ledger is played on: its key, its schema, its streams and its derived rows, compared with what was signed.

Whatever is not as it was signed stops the start with the reason, before anything is written.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

from twentyone.ledger.chain import Chain, Fault
from twentyone.ledger.checkpoints import Checkpoint, compare, read_trail, write_checkpoint
from twentyone.ledger.codec import read_body
from twentyone.ledger.house_audit import HouseAudit
from twentyone.ledger.keys import Keyring
from twentyone.ledger.migrations import OlderSchema
from twentyone.ledger.periods import refuse_closed
from twentyone.ledger.private_files import refuse_shared
from twentyone.ledger.rounds import row_faults
from twentyone.ledger.rows import LedgerRefused, NoSuchLedger
from twentyone.ledger.store import Store, open_store, path_of, read_store, without_secrets
from twentyone.table.health import Source

__all__ = ["COMPARED", "Check", "Files", "anybody", "examine", "open_to_play", "refuse_shared_database"]

COMPARED = (
    "only its owner can read the files",
    "the tables of the database are the ledger's own",
    "every stream was begun with this key",
    "the checkpoints are signed and in order",
    "every stream is as far as the last checkpoint says, with its hash",
    "the chain after the last checkpoint is whole",
    "purses and coupons are what the events lead to",
    "the list of rounds bears the key's mark",
)
"""What a ledger with events is held against before it is played on: the start stops at the first that does not hold."""


class Files(NamedTuple):
    """What belongs to a ledger, and what its owner says of it."""

    key: Path
    """The key file."""
    checkpoints: Path
    """The signed checkpoints."""
    accept_unsigned: bool = False
    """Whether a ledger without checkpoints is played on and signed from here."""


Check = Callable[[Store | None], None]
"""Refuses to play on a ledger, or on a new one; asked before anything is written."""


def anybody(_: Store | None) -> None:
    """Refuse nothing."""


def open_to_play(url: str, files: Files, entropy: Source, at: int, check: Check = anybody) -> tuple[Store, Keyring]:
    """The ledger with its keys, opened to be written: one that is as it was signed, or a new one, signed at once.

    One of an older schema is brought up to date once nothing and nobody refuses it (`Store.upgraded` says so).
    """
    refuse_shared_database(url)
    refuse_shared(files.checkpoints)
    store = _present(url, files, check)
    if store is not None:
        with _closed_if_refused(store):
            if store.read_only:
                raise LedgerRefused(f"{store.where} lies where nothing can be written: play on a copy on another disk")
            keyring = _playable(store, files, check)
            if keyring is not None:
                return store, keyring
        store.close()
    check(None)
    return _begin(url, files, entropy, at)


def _playable(store: Store, files: Files, check: Check) -> Keyring | None:
    """The keys of a ledger on which this process may play; none where it holds no event."""
    _check_schema(store)
    refuse_closed(store)
    if not store.streams():
        return None
    keyring = Keyring.load(files.key)
    _check(store, keyring, files)
    check(store)
    return keyring


def examine(store: Store, keyring: Keyring, files: Files) -> None:
    """Refuse a ledger in use that is not what was signed: asked again after its database failed."""
    _check_schema(store)
    if store.streams():
        _check(store, keyring, files)


def _check_schema(store: Store) -> None:
    for what in store.schema_faults():
        raise _refusal(store, what, "its schema was changed: restore a backup, or undo the change")


def refuse_shared_database(url: str) -> None:
    """Nothing is written where others may read it; SQLite itself would amend the mode of an empty log."""
    from twentyone.ledger.sqlite import refuse_shared_ledger

    path = path_of(url)
    if path is not None and Path(path).is_file():
        refuse_shared_ledger(Path(path))


def _present(url: str, files: Files, check: Check) -> Store | None:
    """The ledger, opened to be written; one of an older schema is looked at first: a refusal changes nothing."""
    path = path_of(url)
    if path is not None and Path(path).is_file() and Path(path).stat().st_size == 0:
        return None
    try:
        return open_store(url)
    except NoSuchLedger:
        return None
    except OlderSchema:
        with suppress(OlderSchema), closing(read_store(url)) as before:
            _playable(before, files, check)
        return open_store(url, upgrade=True)


@contextmanager
def _closed_if_refused(store: Store) -> Iterator[None]:
    try:
        yield
    except BaseException:
        store.close()
        raise


def _begin(url: str, files: Files, entropy: Source, at: int) -> tuple[Store, Keyring]:
    """A new ledger: it gets its key, and a checkpoint before its first event, so that none is ever without one."""
    known = Keyring.load(files.key) if files.key.exists() else None
    signed = files.checkpoints.exists() and files.checkpoints.stat().st_size > 0
    if signed and (known is None or _names_streams(files.checkpoints, known)):
        raise LedgerRefused(
            f"{files.checkpoints} holds the checkpoints of a ledger with events, and {without_secrets(url)} has none: "
            "if its database was lost, restore a backup; for a new ledger, move them away or name other files"
        )
    store = open_store(url, create=True)
    with _closed_if_refused(store):
        keyring = known or Keyring.create(files.key, entropy)
        if not signed:
            write_checkpoint(store, files.checkpoints, keyring.signer, at)
    return store, keyring


def _names_streams(checkpoints: Path, keyring: Keyring) -> bool:
    """Whether there is more in a file than the checkpoint that a new ledger of this key begins with."""
    trail = read_trail(checkpoints, keyring.signer.public_key())
    return bool(trail.faults) or any(point.heads for point in trail.checkpoints)


def _check(store: Store, keyring: Keyring, files: Files) -> None:
    for stream in store.streams():
        _check_key(store, stream, keyring)
    trail = read_trail(files.checkpoints, keyring.signer.public_key())
    for fault in trail.faults:
        raise _refusal(store, str(fault), f"put the checkpoints of this ledger back into {files.checkpoints}")
    if trail.checkpoints:
        for fault in (
            *compare(store, files.checkpoints, trail.checkpoints[-1:]),
            *_tails(store, trail.checkpoints[-1]),
        ):
            raise _refusal(store, str(fault), "it is an older or another database: restore the newest backup")
    elif not files.accept_unsigned:
        raise _refusal(
            store,
            f"there are events, and no signed checkpoint in {files.checkpoints}: a part of them may be gone unseen",
            "put that file back or name it; accepted as unsigned, the ledger is played on and signed from here",
        )
    for fault in _money_faults(store):
        raise _refusal(store, str(fault), "a row was edited: restore a backup; `twentyone verify` names every such row")
    for what in row_faults(store, keyring):
        raise _refusal(store, what, "rebuild it, then start again")


def _refusal(store: Store, what: str, remedy: str) -> LedgerRefused:
    return LedgerRefused(f"{store.where} is not what was signed ({what}): nothing was written; {remedy}")


def _check_key(store: Store, stream: str, keyring: Keyring) -> None:
    """Every stream names the key that it was begun with."""
    first = store.born(stream)
    named = read_body(first).get("key", keyring.id) if first is not None else keyring.id
    if named != keyring.id:
        raise LedgerRefused(
            f"{stream} was sealed with key {named}, the key file holds {keyring.id}: nothing was written; "
            "name the key file that was made with this ledger"
        )


def _money_faults(store: Store) -> list[Fault]:
    """Where the rows of purses and coupons are not what the house's events lead to."""
    house = HouseAudit()
    house.finish(store)
    return house.faults


def _tails(store: Store, point: Checkpoint) -> Iterator[Fault]:
    """What is wrong with the chain after the last checkpoint, which nothing else protects yet."""
    signed = next(store.read_all(point.last - 1), None) if point.last else None
    for stream in store.streams():
        chain = Chain()
        chain.form = 0 if signed is None else signed.schema
        if stream in point.heads:
            chain.heads[stream] = point.heads[stream]
        yield from chain.follow_all(store.read(stream, point.heads.get(stream, (0, ""))[0]))
