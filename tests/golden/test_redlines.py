"""The differences of the three books of Spanish 21 are those that were read beside the texts, and no others."""

from __future__ import annotations

import pytest
from tests.golden.redlines import PAIRS, redline_log
from tests.golden.transcripts import FOLDER


@pytest.mark.parametrize("pair", PAIRS)
def test_redline_log(pair: tuple[str, str]) -> None:
    golden = FOLDER / f"redline-{'-'.join(pair)}.txt"
    assert redline_log(*pair) == golden.read_text(encoding="utf-8"), "`make golden` writes them anew"
