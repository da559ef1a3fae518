"""T3: the n-th write or synchronisation fails, for every n: an error answer, a store that stops, no half command."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from contextlib import closing, nullcontext, suppress
from pathlib import Path
from typing import Any

import apsw
import pytest
from tests.faults.disk import ApswConnection, Disk, store_on
from tests.faults.work import STREAMS, Expected, command

from twentyone.ledger.rows import Batch, LedgerFailed
from twentyone.ledger.sqlite import STATEMENTS, SqliteStore
from twentyone.ledger.store import open_store

COMMANDS = 14


@pytest.fixture(scope="module")
def new_ledger(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("new") / "new.db"
    open_store(str(path), create=True).close()
    return path


def work(store: SqliteStore, expected: Expected) -> Batch | None:
    """Give the commands one by one; the one that had an error for an answer."""
    for number in range(COMMANDS):
        stream = f"table {number % STREAMS}"
        batch = command(number, stream, expected.version(stream))
        try:
            expected.acknowledge(store.append(*batch))
        except LedgerFailed:
            return batch
    return None


def fail_at(number: int, path: Path, error: type[Exception], sticky: bool) -> tuple[Expected, Batch | None]:
    """Work until the disk fails; a store that had a failure takes nothing more, and says so again."""
    disk, expected = Disk(), Expected()
    store = store_on(disk, path, new=False, checkpoint_pages=8)
    disk.arm(number, error, sticky)
    failed = work(store, expected)
    assert (failed is not None) == (disk.fired > 0)
    disk.arm(0, error, sticky=False)
    if failed is not None:
        for again in (failed, command(99, "table 9", 0)):
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
        assert answer.repeated == survived
        expected.acknowledge(answer)
        assert expected.faults(store, {**acknowledged, failed.stream: answer.events[-1].ver}) == []
        return survived


@pytest.mark.parametrize("sticky", [False, True], ids=["once", "from then on"])
@pytest.mark.parametrize("error", [apsw.IOError, apsw.FullError], ids=["EIO", "ENOSPC"])
def test_every_write_and_synchronisation_may_fail(
    error: type[Exception], sticky: bool, new_ledger: Path, tmp_path: Path
) -> None:
    """Until the work is done without meeting the failure."""
    outcomes: list[bool] = []
    while True:
        path = tmp_path / f"{len(outcomes)}.db"
        shutil.copy(new_ledger, path)
        expected, failed = fail_at(len(outcomes) + 1, path, error, sticky)
        if failed is None:
            break
        outcomes.append(check_after(path, expected, failed))
    assert len(outcomes) >= 5 * COMMANDS
    assert set(outcomes) == {True, False}  # some had come to the disk although the answer was an error


def test_an_acknowledgement_before_the_commit_is_found(new_ledger: Path, tmp_path: Path) -> None:
    """The negative control: a connection that swallows the failure of a commit."""

    class Careless(ApswConnection):
        def rows(self, sql: str, parameters: Sequence[Any] = ()) -> list[Any]:
            with suppress(*self.errors) if sql == "COMMIT" else nullcontext():
                return super().rows(sql, parameters)
            return []

    path = tmp_path / "control.db"
    shutil.copy(new_ledger, path)
    disk, expected = Disk(), Expected()
    connection = Careless(path, disk)
    store = SqliteStore(str(path), connection, connection, STATEMENTS)
    disk.arm(2, apsw.IOError, sticky=True)
    expected.acknowledge(store.append(*command(1, "table 1", 0)))
    store.close()
    with closing(open_store(str(path))) as opened:
        assert expected.faults(opened, {"table 1": expected.version("table 1")}) != []
