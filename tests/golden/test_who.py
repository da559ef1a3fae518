"""Who may give which command is as it was, under every submission that changes it; no role is refused by accident."""

from __future__ import annotations

import pytest
from tests.golden.transcripts import FOLDER
from tests.golden.who import who_log

from twentyone.rulebook import rulebook_ids


@pytest.mark.parametrize("book", rulebook_ids())
def test_who_log(book: str) -> None:
    golden = FOLDER / f"who-{book}.txt"
    assert who_log(book) == golden.read_text(encoding="utf-8"), "`make golden` writes them anew"


def test_continuous_shuffler_leaves_no_cut() -> None:
    """Under a continuous shuffler nobody cuts or spreads cards (635a.5(h)), and the refusal says why and where."""
    log = who_log("pa-spanish-21").partition("== {'shuffler': 'continuous'}")[2].partition("==")[0]
    refused = [line for line in log.splitlines() if "nobody under this submission" in line]
    assert [line.partition(":")[0] for line in refused if "shuffler = manual or automated" in line] == [
        "ask_face_up", "cover_card_seen", "cut", "decline_cut", "insert_cover_card", "offer_cut", "recut",
        "spread_idle", "turn_cards_up",
    ]  # fmt: skip
    assert all("635a." in line for line in refused)
