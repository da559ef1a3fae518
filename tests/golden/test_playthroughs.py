"""The playthroughs are as they were; a difference is a change of the environments to be looked at."""

from __future__ import annotations

import pytest
from tests.golden.playthroughs import FOLDER, playthrough

from twentyone.rulebook import rulebook_ids


@pytest.mark.parametrize("name", rulebook_ids())
def test_playthrough(name: str) -> None:
    golden = FOLDER / f"playthrough-{name}.txt"
    assert playthrough(name) == golden.read_text(encoding="utf-8"), "`make golden` writes them anew"
