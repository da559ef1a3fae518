"""The transcripts are as they were; a difference is a change of behaviour to be looked at."""

from __future__ import annotations

import pytest
from tests.golden.transcripts import FOLDER, transcript

from twentyone.rulebook import rulebook_ids


@pytest.mark.parametrize("name", rulebook_ids())
def test_transcript(name: str) -> None:
    golden = FOLDER / f"{name}.txt"
    assert transcript(name) == golden.read_text(encoding="utf-8"), "`make golden` writes them anew"
