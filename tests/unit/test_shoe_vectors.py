"""Test vectors that the server's shoes and wheels share with the browser's check of them."""

from __future__ import annotations

import json
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from twentyone.cards import parse_cards
from twentyone.table.shoe import after_cut, commitment, shoe_order, words
from twentyone.table.wheel import draw_hot_spot, draw_symbol, spin_words

VECTORS: dict[str, Any] = json.loads(Path("tests/vectors/shoes.json").read_text())


def test_the_keystream_is_that_of_rfc_8439() -> None:
    """Appendix A.1, test vector 1: key, nonce and block counter are zero."""
    given = VECTORS["keystream"]
    found = b"".join(word.to_bytes(2, "little") for word in islice(words(bytes.fromhex(given["key"])), 32))
    assert found.hex() == given["bytes"]


@pytest.mark.parametrize("shoe", VECTORS["shoes"])
def test_the_order_of_a_shoe(shoe: dict[str, Any]) -> None:
    seed = bytes.fromhex(shoe["seed"])
    assert commitment(seed) == shoe["commitment"]
    assert after_cut(shoe_order(seed, parse_cards(shoe["cards"])), shoe["cut"]) == parse_cards(shoe["dealt"])


@pytest.mark.parametrize("wheel", VECTORS["wheels"])
def test_the_stops_of_a_wheel(wheel: dict[str, Any]) -> None:
    seed = bytes.fromhex(wheel["seed"])
    assert commitment(seed) == wheel["commitment"]
    for number, spin in enumerate(wheel["spins"], 1):
        drawn = spin_words(seed, number)
        assert draw_symbol(dict(sorted(wheel["weights"][spin["wheel"]].items())), drawn) == spin["symbol"]
        assert (draw_hot_spot(spin["boxes"], drawn) if spin["boxes"] else None) == spin["hot_spot"]
