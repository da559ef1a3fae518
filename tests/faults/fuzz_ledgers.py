"""Altered ledgers: events with other bodies, stamped anew; files with damaged pages. Read in every way there is."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable
from contextlib import closing, suppress
from functools import cache
from pathlib import Path
from typing import Any

from hypothesis import strategies as st
from tests.contracts.runner_driver import KEYRING, begin, seeded_source
from tests.faults.altering import altered_bytes, altered_json
from tests.faults.tampering import forge, restamp

from twentyone.errors import TwentyoneError
from twentyone.ledger.checkpoints import write_checkpoint
from twentyone.ledger.data_tables import rows_of
from twentyone.ledger.export import export_round
from twentyone.ledger.house_words import house_story
from twentyone.ledger.report import pages, shift_report
from twentyone.ledger.rounds import list_rounds
from twentyone.ledger.rows import StoredEvent
from twentyone.ledger.runner import Runner
from twentyone.ledger.start import Files, examine
from twentyone.ledger.store import Store, open_store, table_streams
from twentyone.ledger.timestamps import Period
from twentyone.ledger.transcript import transcript
from twentyone.ledger.verify import verify
from twentyone.rulebook import Rulebook, rulebook_ids

__all__ = ["files", "ledgers", "read_file", "read_ledger"]

MOMENT = 1_750_000_000


# -- one event has another body


@cache
def _events() -> tuple[StoredEvent, ...]:
    """A short day at a table with a wheel and at one with coupons."""
    with tempfile.TemporaryDirectory() as folder, closing(open_store(f"{folder}/t.db", create=True)) as store:
        for seed, book in enumerate(rulebook_ids()):
            rules = Rulebook.load(book).under(Rulebook.load(book).showcase)
            begin(store, rules, seed, stream=book).work(1)
        return tuple(store.read_all())


def ledgers() -> st.SearchStrategy[Any]:
    """A ledger of which one event has another body, with its chain stamped anew."""
    events = _events()

    def alter(place: int) -> st.SearchStrategy[tuple[int, str]]:
        bodies = altered_json(st.just(json.loads(events[place].body)))
        return bodies.map(lambda body: (place, json.dumps(body, sort_keys=True, separators=(",", ":"))))

    kinds: dict[str, list[int]] = {}
    for place, event in enumerate(events):
        kinds.setdefault(event.type, []).append(place)
    places = st.sampled_from(sorted(kinds)).flatmap(lambda kind: st.sampled_from(kinds[kind]))
    return places.flatmap(alter)


def read_ledger(material: tuple[int, str]) -> None:
    """Read an altered table in every way: loaded to be played on, verified, listed, exported, reported."""
    place, body = material
    stream = _events()[place].stream
    rows = [
        event._replace(body=body) if number == place else event
        for number, event in enumerate(_events())
        if event.stream in (stream, "(house)")
    ]
    with tempfile.TemporaryDirectory() as folder, closing(open_store(f"{folder}/t.db", create=True)) as store:
        forge(store, restamp(rows))
        _read(store, None)


def _read(store: Store, checkpoints: Path | None) -> None:
    """Load every table to be played on, verify, list, export, report."""
    with suppress(TwentyoneError):
        for table in table_streams(store):
            with suppress(TwentyoneError):
                Runner(store, table, KEYRING, seeded_source(1), lambda: MOMENT).load()
    verify(store, KEYRING, checkpoints)
    for reads in READERS:
        with suppress(TwentyoneError):
            reads(store)


def _rounds(store: Store) -> None:
    for row in list_rounds(store, keyring=KEYRING):
        with suppress(TwentyoneError):
            json.dumps(export_round(store, row))
        with suppress(TwentyoneError):
            transcript(store, row)


READERS: tuple[Callable[[Store], object], ...] = (
    _rounds,
    house_story,
    lambda store: list(rows_of(store)),
    lambda store: list(pages(shift_report(store, Period(), MOMENT))),
)


# -- the file has damaged pages

PAGE, HEAD = 4096, 40
"""Bytes of a page, and of its head with the first places of its rows."""


@cache
def _ledger() -> tuple[bytes, bytes]:
    """The file of a short day at one table, and its checkpoints."""
    with tempfile.TemporaryDirectory() as name:
        folder, rules = Path(name), Rulebook.load("pa-spanish-21").under({})
        with closing(open_store(str(folder / "t.db"), create=True)) as store:
            begin(store, rules, 1, stream="one").work(3)
            _rounds(store)
            write_checkpoint(store, folder / "trail", KEYRING.signer, MOMENT)
        return (folder / "t.db").read_bytes(), (folder / "trail").read_bytes()


def files() -> st.SearchStrategy[bytes]:
    """Its bytes replaced: anywhere, in the head of a page, or a page by another."""
    whole, _ = _ledger()
    pages_ = st.integers(0, len(whole) // PAGE - 1)
    heads = st.tuples(pages_, st.integers(0, HEAD - 1), st.integers(0, 255)).map(
        lambda at: _with(whole, at[0] * PAGE + (100 if at[0] == 0 else 0) + at[1], bytes([at[2]]))
    )
    moved = st.tuples(pages_, pages_).map(
        lambda at: _with(whole, at[0] * PAGE, whole[at[1] * PAGE : (at[1] + 1) * PAGE])
    )
    return st.one_of(heads, heads, heads, moved, altered_bytes(st.just(whole)))


def _with(whole: bytes, at: int, piece: bytes) -> bytes:
    return whole[:at] + piece + whole[at + len(piece) :]


def read_file(content: bytes) -> None:
    """Open a damaged file as `serve` does, and read it as every command does."""
    with tempfile.TemporaryDirectory() as name:
        path, trail = Path(name) / "t.db", Path(name) / "trail"
        path.write_bytes(content)
        path.chmod(0o600)
        trail.write_bytes(_ledger()[1])
        with suppress(TwentyoneError), closing(open_store(str(path))) as store:
            with suppress(TwentyoneError):
                examine(store, KEYRING, Files(path, trail))
            _read(store, trail)
