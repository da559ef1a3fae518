"""Both databases, for every contract of the store."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from tests.contracts.store_places import Maker, Place


@pytest.fixture(params=["sqlite", "postgresql"])
def new_place(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Maker]:
    """Makes new ledgers in one of the two databases."""
    numbers = itertools.count(1)
    with ExitStack() as exits:
        if request.param == "sqlite":
            yield lambda: Place(str(tmp_path / f"ledger{next(numbers)}.db"), exits)
        else:
            server = request.getfixturevalue("postgres")
            yield lambda: Place(server.new_database(), exits)


@pytest.fixture
def place(new_place: Maker) -> Place:
    """One new ledger in one of the two databases."""
    return new_place()
