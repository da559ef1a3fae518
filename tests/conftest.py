"""What tests of several folders share."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.citing import citations_checked
from twentyone.rulebook.folders import OWN_FOLDER

if TYPE_CHECKING:
    from tests.postgres import Postgres

os.environ.pop(OWN_FOLDER, None)  # whoever runs the tests may have rulebooks of his own


@pytest.fixture(scope="session", autouse=True)
def _citations() -> Iterator[None]:
    """No refusal of any test cites what no rulebook has."""
    with citations_checked():
        yield


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    """One PostgreSQL for a process's tests; not in pytest's folder, which another run closes to the server's user."""
    from tests.postgres import Postgres

    with (
        tempfile.TemporaryDirectory(prefix="twentyone-postgres-") as name,
        closing(Postgres(Path(name) / "data")) as server,
    ):
        yield server
