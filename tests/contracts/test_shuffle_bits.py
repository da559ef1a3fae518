"""The bits that shuffle a shoe: the four tests of FIPS 140-2 on blocks of 20,000 bits, and what `ent` prints.

Each shoe has a seed and so a keystream of its own; blocks are filled from the beginnings of thousands of them, as much
as a shuffle of eight decks reads. A fair source fails about 8 blocks in 10,000. A source with a slight bias, one that
sticks and one that repeats itself fail nearly all.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from hashlib import sha256
from itertools import islice

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import stats  # type: ignore[import-untyped]

from twentyone.table.shoe import words

Bits = NDArray[np.uint8]
Counts = NDArray[np.int64]

BLOCK = 20_000
BLOCKS = 20_000
PART = 1_000
"""Blocks that are looked at together."""
WORDS_A_SHOE = 500
"""16-bit words read from each keystream: a shoe of eight decks takes a little over 415."""
CONTROL = 200
"""Blocks of an unfair source."""
MOST_FAILED = 0.002
"""The share of blocks that a fair source may fail."""

POKER = (2.16, 46.17)
ONES = (9_725, 10_275)
RUNS = ((2_315, 2_685), (1_114, 1_386), (527, 723), (240, 384), (103, 209), (103, 209))
"""How many runs of one to five, and of six and more, a block may have of either bit (FIPS 140-2, change notice 1)."""
LONGEST = 25


def source(shoes: range) -> bytes:
    """The beginnings of the keystreams of some shoes, from fixed seeds."""
    keys = (sha256(b"twentyone bits %d" % number).digest() for number in shoes)
    return b"".join(np.fromiter(islice(words(key), WORDS_A_SHOE), dtype="<u2").tobytes() for key in keys)


@lru_cache(maxsize=2)
def fair(part: int = 0) -> Bits:
    """A part of the blocks, by the table's own code."""
    shoes = -(-PART * BLOCK // (16 * WORDS_A_SHOE))
    raw = np.frombuffer(source(range(part * shoes, (part + 1) * shoes)), dtype=np.uint8)[: PART * BLOCK // 8]
    return np.unpackbits(raw).reshape(PART, BLOCK)


# -- the four tests


def monobit(blocks: Bits) -> NDArray[np.bool_]:
    """Whether each block has too few or too many ones."""
    ones = blocks.sum(axis=1, dtype=np.int64)
    return np.asarray((ones <= ONES[0]) | (ones >= ONES[1]))


def poker(blocks: Bits) -> NDArray[np.bool_]:
    """Whether the sixteen groups of four bits are spread too unevenly, or too evenly, in each block."""
    weights = np.array([8, 4, 2, 1], dtype=np.uint8)
    fours = blocks.reshape(len(blocks), -1, 4) @ weights
    counts = np.stack([(fours == value).sum(axis=1, dtype=np.int64) for value in range(16)])
    figure = 16 / 5_000 * (counts**2).sum(axis=0) - 5_000
    return np.asarray((figure <= POKER[0]) | (figure >= POKER[1]))


def run_lengths(block: Bits) -> tuple[Counts, Counts]:
    """The lengths of the runs of a block, and the bit of each."""
    ends = np.flatnonzero(np.diff(block)) + 1
    edges = np.concatenate([[0], ends, [len(block)]])
    return np.diff(edges), block[edges[:-1]].astype(np.int64)


def runs_fail(block: Bits) -> bool:
    """Whether a block has too few or too many runs of some length, or one that is too long."""
    lengths, bits = run_lengths(block)
    if lengths.max() > LONGEST:
        return True
    counts = np.bincount(np.minimum(lengths, 6) + 6 * bits, minlength=13)[1:].reshape(2, 6)
    low, high = np.array(RUNS).T
    return bool(((counts < low) | (counts > high)).any())


def failed(blocks: Bits) -> float:
    """The share of blocks that fail one of the tests."""
    runs = np.fromiter((runs_fail(block) for block in blocks), dtype=bool, count=len(blocks))
    return float((monobit(blocks) | poker(blocks) | runs).mean())


@pytest.mark.prove
def test_bits_of_the_shoes_pass() -> None:
    shares = [failed(fair(part)) for part in range(BLOCKS // PART)]
    assert sum(shares) / len(shares) <= MOST_FAILED


# -- what `ent` looks at


def ent(raw: NDArray[np.uint8]) -> dict[str, float]:
    """Entropy of a byte, the chance of its chi-square, the mean, and the correlation of neighbours."""
    counts = np.bincount(raw, minlength=256)
    shares = counts[counts > 0] / len(raw)
    values = raw.astype(np.float64)
    return {
        "entropy": float(-(shares * np.log2(shares)).sum()),
        "chi-square": float(stats.chisquare(counts).pvalue),
        "mean": float(values.mean()),
        "correlation": float(np.corrcoef(values[:-1], values[1:])[0, 1]),
    }


def test_bytes_of_the_shoes_are_even() -> None:
    raw = np.packbits(fair().ravel())
    found = ent(raw)
    error = 256 / np.sqrt(12 * len(raw))
    assert found["entropy"] > 7.999
    assert 1e-6 < found["chi-square"] < 1 - 1e-6
    assert abs(found["mean"] - 127.5) < 5 * error
    assert abs(found["correlation"]) < 5 / np.sqrt(len(raw))


# -- unfair sources


def biased() -> Bits:
    """Ones come 51.5 times in a hundred."""
    return (np.random.default_rng(1).random((CONTROL, BLOCK)) < 0.515).astype(np.uint8)


def sticking() -> Bits:
    """One time in thirty a bit is the one before it."""
    bits = np.random.default_rng(2).integers(0, 2, (CONTROL, BLOCK), dtype=np.uint8)
    stuck = np.random.default_rng(3).random((CONTROL, BLOCK - 1)) < 1 / 30
    for place in range(1, BLOCK):
        bits[:, place] = np.where(stuck[:, place - 1], bits[:, place - 1], bits[:, place])
    return bits


def too_even() -> Bits:
    """Every group of four bits comes equally often, and in turn."""
    fours = np.tile(np.arange(16, dtype=np.uint8), BLOCK // 64 + 1)[: BLOCK // 4]
    return np.tile(np.unpackbits(fours[:, None], axis=1)[:, 4:].reshape(1, BLOCK), (CONTROL, 1))


def with_a_gap() -> Bits:
    """Once in each block twenty-six zeros follow each other."""
    bits = fair()[:CONTROL].copy()
    bits[:, 5_000:5_026] = 0
    return bits


@pytest.mark.parametrize("unfair", [biased, sticking, too_even, with_a_gap])
def test_an_unfair_source_fails(unfair: Callable[[], Bits]) -> None:
    assert failed(unfair()) > 50 * MOST_FAILED


def test_each_test_catches_its_own() -> None:
    assert monobit(biased()).mean() > 0.5
    assert poker(too_even()).all()
    assert all(runs_fail(block) for block in with_a_gap())


def test_a_keystream_that_is_used_twice_shows_in_the_bytes() -> None:
    """The same two hundred bytes again and again."""
    assert ent(np.tile(np.packbits(fair()[0, :1_600]), 500))["chi-square"] < 1e-6
