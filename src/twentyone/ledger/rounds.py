"""The rounds of a ledger: a projection of its events that can be dropped and built again, and filters over it."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from hmac import compare_digest

from twentyone.errors import TwentyoneError
from twentyone.ledger.chain import Chain
from twentyone.ledger.keys import Keyring
from twentyone.ledger.reading import Progress, counted, quiet, readable, whole
from twentyone.ledger.round_rows import MARK, RoundReader, RoundRow, key_of, row_of
from twentyone.ledger.rows import LedgerRefused, ProjectionRow
from twentyone.ledger.seed_seals import mac
from twentyone.ledger.store import Store, table_streams
from twentyone.ledger.wanted import Wanted
from twentyone.version import __version__

__all__ = [
    "PROJECTION",
    "NoSuchRound",
    "RoundRow",
    "altered",
    "find_round",
    "list_rounds",
    "refresh",
    "row_faults",
    "unmarked",
]

EARLIER = "rounds"
"""The list of earlier versions, whose rows bore no mark."""
PROJECTION = f"rounds {__version__}"
"""The list of this version: what another version counted is neither used nor compared."""
AT_ONCE = 5_000
"""Rounds written at a time."""


class NoSuchRound(TwentyoneError):
    """A round that the ledger does not hold."""


# -- the events


def _read_on(store: Store, reader: RoundReader, progress: Progress) -> Iterator[tuple[RoundRow, int]]:
    """Read the events that are new, chained to those that were read before; the rounds that end with them."""
    chain = Chain()
    for event in counted(store.read_all(reader.read), progress, reader.events):
        read = reader.known(event.stream)
        if read and event.stream not in chain.heads:
            chain.heads[event.stream] = (read, store.hash_at(event.stream, read) or "")
        if event.ver > read and (fault := chain.follow(event)) is not None:
            raise LedgerRefused(f"{fault}: verify this ledger")
        with readable(event):
            round_ = reader.follow(event)
        if round_ is not None:
            yield round_, event.gseq


# -- the projection: finished rounds, each marked with the key


def refresh(store: Store, keyring: Keyring, rebuild: bool, progress: Progress) -> RoundReader:
    """Bring the kept rounds up to the ledger's last event, or make them again from the first."""
    mark = None if rebuild else store.find_projection(PROJECTION, MARK)
    if mark is None:
        store.drop_projection(PROJECTION)
        store.drop_projection(EARLIER)
    reader = RoundReader() if mark is None else _reader_at(keyring, mark)
    rows: list[ProjectionRow] = []
    for round_, gseq in _read_on(store, reader, progress):
        rows.append(_marked(keyring, row_of(round_, gseq)))
        if len(rows) >= AT_ONCE:
            store.upsert_projection(PROJECTION, rows)
            rows.clear()
    if mark is None or reader.last > mark.gseq:
        store.upsert_projection(PROJECTION, [*rows, _marked(keyring, reader.mark())])
    return reader


def _known(store: Store, keyring: Keyring | None) -> RoundReader:
    """How far the kept rounds go, which whoever plays on the ledger keeps; from the first event without the key."""
    mark = None if keyring is None else store.find_projection(PROJECTION, MARK)
    return RoundReader() if mark is None or keyring is None else _reader_at(keyring, mark)


def _reader_at(keyring: Keyring, mark: ProjectionRow) -> RoundReader:
    return RoundReader(**json.loads(unmarked(keyring, mark).body))


def _marked(keyring: Keyring, row: ProjectionRow) -> ProjectionRow:
    """A row that nobody without the key can write."""
    return row._replace(body=f"{mac(keyring, _signed_text(row))} {row.body}")


def unmarked(keyring: Keyring, row: ProjectionRow) -> ProjectionRow:
    """A row without its mark; refused where the mark is not that of the key."""
    given, _, body = row.body.partition(" ")
    plain = row._replace(body=body)
    if not compare_digest(given.encode(), mac(keyring, _signed_text(plain)).encode()):
        raise LedgerRefused(altered(f"{row.key} does not bear the mark of key {keyring.id}"))
    return plain


def _signed_text(row: ProjectionRow) -> str:
    return f"{PROJECTION}\0{row.key}\0{row.gseq}\0{row.body}"


def altered(what: str) -> str:
    """Why the list is refused."""
    return (
        f"the list of rounds was altered ({what}): it is derived, the events are as they were; "
        "rebuild the list from them (`twentyone rounds`)"
    )


def _kept(store: Store, keyring: Keyring, reader: RoundReader) -> Iterator[RoundRow]:
    """The finished rounds; refused where one was altered or is missing."""
    missing: Counter[str] = Counter({name: reader.over(name) for name in store.streams()})
    for row in store.read_projection(PROJECTION):
        if row.key != MARK:
            round_ = RoundRow(**json.loads(unmarked(keyring, row).body))
            missing[round_.table] -= row.gseq <= reader.last
            yield round_
    for name, count in missing.items():
        if count:
            raise LedgerRefused(altered(f"{count} rounds of {name} are missing"))


def row_faults(store: Store, keyring: Keyring) -> Iterator[str]:
    """What is wrong with the kept rounds, without reading an event."""
    mark = store.find_projection(PROJECTION, MARK)
    if mark is None:
        return
    try:
        reader = _reader_at(keyring, mark)
        reader.last = mark.gseq
        for _ in _kept(store, keyring, reader):
            pass
    except LedgerRefused as altered:
        yield str(altered)


# -- the list


def list_rounds(
    store: Store,
    wanted: Wanted = Wanted(),
    keyring: Keyring | None = None,
    rebuild: bool = False,
    progress: Progress = quiet,
) -> Iterator[RoundRow]:
    """The rounds of a ledger, table by table: from the rows that bear the mark of the key, else from the events."""
    if keyring is None or store.read_only:
        reader = _known(store, keyring)
        rows = list(_kept(store, keyring, reader)) if keyring is not None and reader.read else []
        rows += [round_ for round_, _ in _read_on(store, reader, progress)]
    else:
        reader = refresh(store, keyring, rebuild, progress)
        rows = list(_kept(store, keyring, reader))
    every = {(row.table, row.number): row for row in (*reader.in_progress, *rows)}
    yield from (every[place] for place in sorted(every) if wanted.holds(every[place]))


def find_round(store: Store, name: str, keyring: Keyring | None = None) -> RoundRow:
    """A round by its id: `TABLE:NUMBER`, or its number alone where the ledger has one table."""
    table, _, number = name.rpartition(":")
    streams = table_streams(store)
    if not table and len(streams) == 1:
        table = streams[0]
    if not number.isdecimal() or not table:
        raise NoSuchRound(f"{name!r} names no round: say TABLE:NUMBER, the tables are {_list(streams)}")
    if table not in streams:
        raise NoSuchRound(f"there is no table {table!r} in this ledger, there are {_list(streams)}")
    found = _find(store, table, int(number)) if keyring is None else _look_up(store, keyring, table, int(number))
    if found is None:
        raise NoSuchRound(f"{table} has no round {number}: `twentyone rounds` lists them")
    return found


def _find(store: Store, table: str, number: int) -> RoundRow | None:
    """A round, read from the events of its table."""
    reader = RoundReader()
    for event in whole(store, table):
        with readable(event):
            round_ = reader.follow(event)
        if round_ is not None and round_.number == number:
            return round_
    return next((round_ for round_ in reader.in_progress if round_.number == number), None)


def _look_up(store: Store, keyring: Keyring, table: str, number: int) -> RoundRow | None:
    """A round, from the kept rows; where nothing may be written, also from the events that they do not tell of yet."""
    reader = _known(store, keyring) if store.read_only else refresh(store, keyring, False, quiet)
    row = store.find_projection(PROJECTION, key_of(table, number))
    if row is not None:
        return RoundRow(**json.loads(unmarked(keyring, row).body))
    if 1 <= number <= reader.over(table):
        raise LedgerRefused(altered(f"round {number} of {table} is missing"))
    if store.read_only:
        return _find(store, table, number)
    return next((round_ for round_ in reader.in_progress if (round_.table, round_.number) == (table, number)), None)


def _list(streams: Iterable[str]) -> str:
    return ", ".join(streams) or "none"
