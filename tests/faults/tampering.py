"""T10: what somebody who owns the database can do to a ledger, and whether it is found."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from tests.faults.work import STREAMS, command

from twentyone.ledger.chain import GENESIS, event_hash, verify_chain
from twentyone.ledger.checkpoints import verify_checkpoints, write_checkpoint
from twentyone.ledger.rows import LedgerFailed, LedgerRefused, StoredEvent
from twentyone.ledger.sql import INSERT, SqlStore
from twentyone.ledger.store import Store, open_store

__all__ = ["KEY", "attacks", "faults_of", "fill", "flip", "forge"]

KEY = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
"""The ledger's signing key, which whoever owns the database does not have."""
Rows = list[StoredEvent]


def fill(store: Store, trail: Path | None, commands: int = 12, text: str = "") -> Rows:
    """Some work with two checkpoints, the last one at the end."""
    for number in range(commands):
        stream = f"table {number % STREAMS}"
        store.append(*command(number, stream, store.version(stream), seed=3)._replace(key=f"k{number}{text}"))
        if trail is not None and number in (commands // 2, commands - 1):
            write_checkpoint(store, trail, KEY, 1_700_000_000 + number)
    return list(store.read_all())


def faults_of(store: Store, trail: Path | None) -> list[str]:
    """Everything that is found; without a trail only what the chain finds."""
    faults = verify_chain(store)[0]
    if trail is not None:
        faults = faults + verify_checkpoints(store, trail, KEY.public_key()).faults
    return [str(fault) for fault in faults]


# -- events altered, removed, added, moved


def restamp(rows: Sequence[StoredEvent]) -> Rows:
    """Number and hash events anew, as the software itself would."""
    heads: dict[str, tuple[int, str]] = {}
    stamped = []
    for place, row in enumerate(rows, 1):
        ver, prev = heads.get(row.stream, (0, GENESIS))
        own = event_hash(prev, row.stream, ver + 1, row.ts, row.type, row.schema, row.body, row.idem, row.fingerprint)
        stamped.append(row._replace(gseq=place, ver=ver + 1, prev=prev, hash=own))
        heads[row.stream] = (ver + 1, own)
    return stamped


def attacks(rows: Rows) -> Iterator[tuple[str, Rows, bool]]:
    """Each attack on each event: its name, the events as they stand then, and whether the chain alone can know."""
    for place, row in enumerate(rows):
        yield from _on_one(rows, place, row)
        yield "cut", rows[:place], False
        filler = restamp([*rows[:place], *_others(rows[place:])])
        yield "cut and refill", filler, False
        yield "cut and refill with more", restamp([*filler, *_others(filler[place:], "+")]), False


def _on_one(rows: Rows, place: int, row: StoredEvent) -> Iterator[tuple[str, Rows, bool]]:
    before, after = rows[:place], rows[place + 1 :]
    last = all(other.stream != row.stream for other in after)
    yield "remove", before + after, not last
    yield "remove and stamp anew", restamp(before + after), False
    if not last:
        copy = row._replace(idem=None, fingerprint=None)
        yield "add a copy and stamp anew", restamp([*before, row, copy, *after]), False
    for name, changed in _alterations(row):
        yield f"alter {name}", [*before, changed, *after], True
        goes_back = name == "schema" and bool(after)
        yield f"alter {name} and stamp anew", restamp([*before, changed, *after]), goes_back
    twin = next((at for at in range(place + 1, len(rows)) if rows[at].stream == row.stream), None)
    if twin is not None:
        moved = [*before, rows[twin], *rows[place + 1 : twin], row, *rows[twin + 1 :]]
        yield "swap", [item._replace(gseq=number) for number, item in enumerate(moved, 1)], True
        yield "swap and stamp anew", restamp(moved), False


def _alterations(row: StoredEvent) -> Iterator[tuple[str, StoredEvent]]:
    yield "body", row._replace(body='{"paid":1000000}')
    yield "time", row._replace(ts=row.ts + 1)
    yield "type", row._replace(type="other")
    yield "schema", row._replace(schema=row.schema + 1)
    yield "key", row._replace(idem=f"other{row.gseq}")
    yield "fingerprint", row._replace(fingerprint="other")


def _others(rows: Rows, mark: str = "") -> Rows:
    """As many other events."""
    return [row._replace(body=f'{{"other":{row.gseq}}}', idem=row.idem and f"{row.idem}{mark}*") for row in rows]


def forge(store: Store, rows: Rows) -> None:
    """Put events into an empty ledger as they are, past every check but the database's own."""
    assert isinstance(store, SqlStore)
    store._transact(lambda: store._writing.write_many(INSERT, rows))


# -- bytes of the file flipped


def flip(
    original: bytes, rows: Rows, places: Sequence[int], trail: Path, folder: Path
) -> tuple[Counter[str], list[int]]:
    """Flip a byte at each place: how often which way it was found, and where it was missed."""
    found, missed, dice = Counter[str](), list[int](), random.Random(7)
    path = folder / "flipped.db"
    for place in places:
        damaged = bytearray(original)
        damaged[place] ^= dice.randrange(1, 256)
        path.write_bytes(damaged)
        outcome = _outcome(path, rows, trail)
        found[outcome] += 1
        if outcome == "missed":
            missed.append(place)
        for end in ("-wal", "-shm", "-journal"):
            path.with_name(path.name + end).unlink(missing_ok=True)
    return found, missed


def _outcome(path: Path, rows: Rows, trail: Path) -> str:
    try:
        with closing(open_store(str(path))) as store:
            if faults_of(store, trail):
                return "found"
            return "same content" if list(store.read_all()) == rows else "missed"
    except (LedgerRefused, LedgerFailed):
        return "database error"
