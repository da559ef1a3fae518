"""The layout of each rulebook is as it was, under every submission that changes it."""

from __future__ import annotations

import pytest
from tests.golden.layouts import layout_log
from tests.golden.transcripts import FOLDER

from twentyone.rulebook import rulebook_ids


@pytest.mark.parametrize("book", rulebook_ids())
def test_layout_log(book: str) -> None:
    golden = FOLDER / f"layout-{book}.txt"
    assert layout_log(book) == golden.read_text(encoding="utf-8"), "`make golden` writes them anew"
