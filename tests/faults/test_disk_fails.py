"""T3: the n-th write or synchronisation fails, for every n: an error answer, a store that stops, no half command."""

from __future__ import annotations

import itertools
import shutil
from collections.abc import Sequence
from contextlib import closing, nullcontext, suppress
from pathlib import Path
from typing import Any

import apsw
import pytest
from tests.daily import daily
from tests.faults.disk import ApswConnection, Disk
from tests.faults.failing import check_after, fail_at
from tests.faults.work import Expected, command, scratch

from twentyone.ledger.sqlite import STATEMENTS, SqliteStore
from twentyone.ledger.store import open_store

COMMANDS = 14


@pytest.fixture(scope="module")
def new_ledger(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("new") / "new.db"
    open_store(str(path), create=True).close()
    return path


@pytest.mark.parametrize(
    ("error", "sticky"),
    daily(
        itertools.product([apsw.IOError, apsw.FullError], [False, True]), (apsw.IOError, False), (apsw.FullError, True)
    ),
)
def test_every_write_and_synchronisation_may_fail(error: type[Exception], sticky: bool, new_ledger: Path) -> None:
    """Until the work is done without meeting the failure."""
    outcomes: list[bool] = []
    with scratch() as folder:
        while True:
            path = folder / f"{len(outcomes)}.db"
            shutil.copy(new_ledger, path)
            expected, failed = fail_at(len(outcomes) + 1, path, error, sticky, COMMANDS)
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
