"""What tests of several folders share."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.postgres import Postgres


def pytest_configure(config: pytest.Config) -> None:
    """What the programs keep on disk (compiled games, odds) is worked out once for all processes of a run."""
    if not hasattr(config, "workerinput"):
        kept = tempfile.TemporaryDirectory(prefix="twentyone-cache-", ignore_cleanup_errors=True)
        config.add_cleanup(kept.cleanup)
        os.environ["XDG_CACHE_HOME"] = kept.name


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    """One PostgreSQL for a process's tests; not in pytest's folder, which another run closes to the server's user."""
    from tests.postgres import Postgres

    with (
        tempfile.TemporaryDirectory(prefix="twentyone-postgres-") as name,
        closing(Postgres(Path(name) / "data")) as server,
    ):
        yield server
