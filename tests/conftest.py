"""What tests of several folders share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.postgres import Postgres


@pytest.fixture(scope="session")
def postgres(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Postgres]:
    """One PostgreSQL for all tests of a process."""
    from tests.postgres import Postgres

    server = Postgres(tmp_path_factory.mktemp("postgres") / "data")
    yield server
    server.close()
