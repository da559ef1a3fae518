"""What tests of several folders share."""

from __future__ import annotations

import os
import re
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.postgres import Postgres


MEMORY = Path("/dev/shm")
ROOM = 4 << 30
"""Bytes that the memory must have free: a run needs a quarter of them at most."""


def pytest_configure(config: pytest.Config) -> None:
    """One folder for all processes of a run, gone afterwards: in memory, where nobody waits for a disk.

    What the programs keep on disk (compiled games, odds) is there too, so that it is worked out once.
    """
    if hasattr(config, "workerinput"):
        return
    in_memory = os.access(MEMORY, os.W_OK) and shutil.disk_usage(MEMORY).free >= ROOM
    folder = tempfile.TemporaryDirectory(
        prefix="twentyone-tests-", dir=MEMORY if in_memory else None, ignore_cleanup_errors=True
    )
    config.add_cleanup(folder.cleanup)
    Path(folder.name).chmod(0o755)  # PostgreSQL runs as a user of its own
    tempfile.tempdir = folder.name
    os.environ |= {"TMPDIR": folder.name, "XDG_CACHE_HOME": f"{folder.name}/cache"}


COMPILED = re.compile(r"^tests/\w+/test_(cli_)?(odds|sim)")
"""Tests of what Numba compiles."""


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What Numba compiles comes first, and so in one of two processes: it is compiled once, and analysed once."""
    items.sort(key=lambda item: COMPILED.match(item.nodeid) is None)


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    """One PostgreSQL for a process's tests; not in pytest's folder, which another run closes to the server's user."""
    from tests.postgres import Postgres

    with (
        tempfile.TemporaryDirectory(prefix="twentyone-postgres-") as name,
        closing(Postgres(Path(name) / "data")) as server,
    ):
        yield server
