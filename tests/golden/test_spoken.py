"""What a screen reader says in one round of each game is as it was."""

from __future__ import annotations

import pytest
from tests.golden.day import BOOKS
from tests.golden.spoken import spoken
from tests.golden.transcripts import FOLDER


@pytest.mark.parametrize("book", BOOKS)
def test_spoken(book: str) -> None:
    golden = FOLDER / f"spoken-{book}.txt"
    assert spoken(book) == golden.read_text(encoding="utf-8"), "`make golden` writes them anew"
