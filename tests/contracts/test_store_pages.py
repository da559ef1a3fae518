"""A damaged file may answer with the same page for ever: whoever reads page by page ends with a refusal."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from tests.faults.tampering import faults_of, fill
from tests.faults.work import scratch

from twentyone.ledger.house import TABLES
from twentyone.ledger.rows import LedgerFailed, LedgerRefused
from twentyone.ledger.store import open_store

NUMBER, KEY = (0, "hash"), ("b", 1, "{}")
VERSION, BACK = ((1, "table 1", ver, 0, "t", 10, "{}", "", "", None, None) for ver in (0, 9))
"""A row that is not further than where the page begins."""
READERS: dict[str, tuple[Callable[[Any], Iterator[Any]], tuple[Any, ...]]] = {
    "read": (lambda store: store.read("table 1"), VERSION),
    "read_all": (lambda store: store.read_all(), (0, *VERSION[1:])),
    "numbered": (lambda store: store.numbered(0, 1_000), NUMBER),
    "read_derived": (lambda store: store.read_derived(next(iter(TABLES)), "b"), KEY),
    "read_projection": (lambda store: store.read_projection("rounds", "b"), KEY),
    "read_projection_back": (lambda store: store.read_projection_back("rounds", "b", "a"), KEY),
    "read_seals": (lambda store: store.read_seals("table 1"), VERSION),
    "read_seals_back": (lambda store: store.read_seals_back("table 1", 9), BACK),
}
MANY = 5_000
CELLS = 4
"""Where a page of SQLite has the low byte of the number of its cells."""


@pytest.mark.parametrize("reader", READERS)
def test_a_page_that_does_not_come_further_is_refused(reader: str, monkeypatch: pytest.MonkeyPatch) -> None:
    read, row = READERS[reader]
    with scratch() as folder, closing(open_store(str(folder / "ledger.db"), create=True)) as store:
        monkeypatch.setattr(store, "settled", lambda: 1_000)
        monkeypatch.setattr(store, "find_projection", lambda *_: None)
        monkeypatch.setattr(store, "_query", lambda *_: [row])
        with pytest.raises(LedgerFailed, match="its order is damaged"):
            assert len(list(islice(read(store), MANY))) < MANY, "it would be read for ever"


@pytest.mark.parametrize("claimed", [173, 255])
def test_a_page_that_claims_more_cells_than_it_has_ends_every_examination(claimed: int) -> None:
    """Byte 40,964 of such a ledger, once 173, let the examination of its checkpoints go on for ever."""
    with scratch() as folder:
        path, trail = folder / "ledger.db", folder / "trail"
        with closing(open_store(str(path), create=True)) as store:
            fill(store, trail, commands=6)
        whole = path.read_bytes()
        size, damaged = int.from_bytes(whole[16:18], "big"), 0
        for page in range(1, len(whole) // size):
            path.write_bytes(whole[: page * size + CELLS] + bytes([claimed]) + whole[page * size + CELLS + 1 :])
            damaged += _is_noticed(path, trail)
            for end in ("-wal", "-shm"):
                path.with_name(path.name + end).unlink(missing_ok=True)
        assert damaged > 3


def _is_noticed(path: Path, trail: Path) -> bool:
    try:
        with closing(open_store(str(path))) as store:
            return bool(faults_of(store, trail))
    except (LedgerRefused, LedgerFailed):
        return True
