"""The ledger's own events in words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from twentyone.ledger.codec import CARRIED, LAW_BEGUN, LAW_REFUSED, OPENED
from twentyone.ledger.law_in_force import law_words

__all__ = ["WHEEL_WORDS", "own_words"]

WHEEL_WORDS = {
    "wheel_sealed": "the wheels of the next round are committed to as {commitment}",
    "wheel_revealed": "the seed of the wheels committed to as {commitment} is published: {seed}",
}
"""What everybody at the table is told."""


def own_words(kind: str, body: Mapping[str, Any]) -> str:
    """An event of the ledger's own in words.

    >>> own_words("shoe_sealed", {"commitment": "66687aadf862bd776c8f"})
    'shoe sealed, commitment 66687aadf862bd77'
    """
    if kind in WHEEL_WORDS:
        return WHEEL_WORDS[kind].format(**body)
    if kind in (LAW_BEGUN, LAW_REFUSED):
        return law_words(body)
    if kind == CARRIED:
        return "the table goes on as the period before left it"
    if kind == OPENED:
        return f"face down lay: {', '.join(cards for _, cards in body['opened'])}"
    mark = f", commitment {body['commitment'][:16]}" if "commitment" in body else ""
    return f"{kind.replace('_', ' ')}{mark}"
