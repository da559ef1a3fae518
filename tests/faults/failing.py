"""T3: a ledger is worked until the n-th write or synchronisation fails, then opened again."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest
from tests.faults.disk import Disk, store_on
from tests.faults.work import STREAMS, Expected, command

from twentyone.ledger.rows import Batch, LedgerFailed
from twentyone.ledger.sqlite import SqliteStore
from twentyone.ledger.store import open_store

__all__ = ["check_after", "fail_at"]


def work(store: SqliteStore, expected: Expected, commands: int) -> Batch | None:
    """Give the commands one by one; the one that had an error for an answer."""
    for number in range(commands):
        stream = f"table {number % STREAMS}"
        batch = command(number, stream, expected.version(stream))
        try:
            expected.acknowledge(store.append(*batch))
        except LedgerFailed:
            return batch
    return None


def fail_at(
    number: int, path: Path, error: type[Exception], sticky: bool, commands: int
) -> tuple[Expected, Batch | None]:
    """Work until the disk fails; a store that had a failure takes nothing more, and says so again."""
    disk, expected = Disk(), Expected()
    store = store_on(disk, path, new=False, checkpoint_pages=8)
    disk.arm(number, error, sticky)
    failed = work(store, expected, commands)
    assert (failed is not None) == (disk.fired > 0)
    disk.arm(0, error, sticky=False)
    if failed is not None:
        for again in (failed, command(99_999, "table 9", 0)):
            with pytest.raises(LedgerFailed, match="takes no more commands"):
                store.append(*again)
        with pytest.raises(LedgerFailed):
            store.save_snapshot("table 0", 1, 1, "{}")
    store.close()
    return expected, failed


def check_after(path: Path, expected: Expected, failed: Batch) -> bool:
    """Nothing acknowledged is lost; the failed command is whole or absent, and stored once when it is sent again."""
    with closing(open_store(str(path))) as store:
        acknowledged = {stream: len(known) for stream, known in expected.hashes.items()}
        survived = store.find_key(failed.key) is not None
        answer = store.append(*failed)
        assert (answer.repeated, len(answer.events)) == (survived, len(failed.events))
        expected.acknowledge(answer)
        assert expected.faults(store, {**acknowledged, failed.stream: answer.events[-1].ver}) == []
        return survived
