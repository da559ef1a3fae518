"""Longer forms of tests that have no size of their own: replay under hash seeds, shoes of fresh entropy, meters.

    python -m bench.measure hash-seeds|shoes|meters --count N

Exit status: 0 held, 1 a fault.
"""

from __future__ import annotations

import argparse
import secrets
import sys
from collections.abc import Iterator, Sequence
from hashlib import sha256

import numpy as np
from rich.progress import track
from tests.contracts import test_shuffle_statistics as shoes_test
from tests.contracts import test_table_meters as meters_test
from tests.golden.ledger import GOLDEN
from tests.golden.test_ledger import test_the_hash_seed_of_the_process_changes_nothing

from bench.prove import FAULT, PROVED
from twentyone.table.evolve import evolve
from twentyone.table.shoe import shuffled, words

__all__ = ["main"]

A_BLOCK = 20_000
"""Shoes that are judged together."""


def hash_seeds(count: int) -> bool:
    """T14: golden ledgers read by processes of other hash seeds."""
    for seed in track(range(count), "hash seeds", transient=True):
        test_the_hash_seed_of_the_process_changes_nothing(str(seed))
    print(f"measure: {len(GOLDEN)} golden ledgers lead to the same states under {count} hash seeds")
    return True


def shoes(count: int) -> bool:
    """T16: shoes of fresh entropy; a complaint is judged once more on other shoes before it counts."""
    complaints, seed = list[str](), secrets.token_bytes(32)
    for block in track(range(-(-count // A_BLOCK)), "shoes", transient=True):
        cards = shoes_test.DECKS[block % len(shoes_test.DECKS)]
        if _complaints(cards, seed, 2 * block):
            complaints += [f"block {block}: {line}" for line in _complaints(cards, seed, 2 * block + 1)]
    print(
        f"measure: {count:,} shoes of {len(shoes_test.DECKS)} decks by turns, fresh entropy (seed {seed.hex()}), "
        f"{len(complaints)} complaints that came twice"
    )
    print(*complaints[:5], sep="\n", end="\n" if complaints else "")
    return not complaints


def _complaints(cards: int, seed: bytes, block: int) -> list[str]:
    return shoes_test.complaints(shoes_test.p_values(np.array(list(_orders(cards, seed, block)))))


def _orders(cards: int, seed: bytes, block: int) -> Iterator[list[int]]:
    for number in range(A_BLOCK):
        own = sha256(seed + (block * A_BLOCK + number).to_bytes(8, "big")).digest()
        yield shuffled(range(cards), words(own))


def meters(count: int) -> bool:
    """T24: contributions and jackpots, the auditor's book held against the meter after every event."""
    turns = max(1, count // meters_test.CONTRIBUTIONS)
    for turn in track(range(turns), "meters", transient=True):
        meters_test.run(meters_test.TERMS[turn % len(meters_test.TERMS)], evolve, seed=turn)
    print(f"measure: {turns * meters_test.CONTRIBUTIONS:,} contributions, the identity exact after every event")
    return True


WORKS = {"hash-seeds": hash_seeds, "shoes": shoes, "meters": meters}


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure one of them."""
    parser = argparse.ArgumentParser(prog="python -m bench.measure", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("what", choices=tuple(WORKS))
    parser.add_argument("--count", type=int, default=10)
    options = parser.parse_args(arguments)
    try:
        return PROVED if WORKS[options.what](options.count) else FAULT
    except AssertionError as fault:
        print(f"measure {options.what}: {fault}")
        return FAULT


if __name__ == "__main__":
    sys.exit(main())
