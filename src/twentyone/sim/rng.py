"""Random numbers by counting: the number of a draw is a function of (seed, stream, round, draw of the round).

The generator is `squares` (Widynski): five squarings of a counter under a key, 64 bits each. Nothing is carried from
one draw to the next, so threads, blocks, machines and restarts cannot change a run.
"""

from __future__ import annotations

import hashlib

import numpy as np

from twentyone.sim.jit import inlined

__all__ = ["WORDS", "key_of", "key_squares", "squares", "squares_after", "squares_in_row", "words_of"]

WORDS = 8
"""Bits of a counter that number the words of a round: 256 words, 1,024 draws of sixteen bits."""

_HALF, _ONE = np.uint64(32), np.uint64(1)


def key_of(seed: int, stream: int = 0) -> np.uint64:
    """The key of a stream: odd, all of its bits mixed from seed and stream."""
    digest = hashlib.blake2b(f"twentyone sim {seed} {stream}".encode(), digest_size=8).digest()
    return np.uint64(int.from_bytes(digest, "little") | 1)


@inlined
def squares(counter, key):  # type: ignore[no-untyped-def]
    """The word of a counter under a key."""
    y = counter * key
    return squares_after(y * y + y, y, y + key)


@inlined
def squares_after(x, y, z):  # type: ignore[no-untyped-def]
    """The word of a counter whose first squaring is `x`; `y` is the counter times the key, `z` the next one so."""
    x = (x >> _HALF) | (x << _HALF)
    x = x * x + z
    x = (x >> _HALF) | (x << _HALF)
    x = x * x + y
    x = (x >> _HALF) | (x << _HALF)
    x = x * x + z
    t = x
    x = (x >> _HALF) | (x << _HALF)
    return t ^ ((x * x + y) >> _HALF)


@inlined
def squares_in_row(counter, key, steps, words):  # type: ignore[no-untyped-def]
    """The words of as many counters in a row as there is room for, from this one on; `steps`: see `key_squares`.

    With y for the first counter times the key k, the first squaring of the n-th is (y + nk)(y + nk + 1), which is
    y(y + 1) + n(2y + 1)k + (nk)^2: additions, where a core has no multiplication of sixty-four bits by vectors.
    """
    y = counter * key
    first, each = y * y + y, (y + y + _ONE) * key
    for index in range(len(words)):
        words[index] = squares_after(first + steps[index], y, y + key)
        y += key
        first += each


@inlined
def key_squares(key, steps):  # type: ignore[no-untyped-def]
    """The squares of the multiples of a key."""
    for index in range(len(steps)):
        multiple = np.uint64(index) * key
        steps[index] = multiple * multiple


def words_of(seed: int, stream: int, round_number: int, count: int) -> list[int]:
    """The first words of a round, computed with Python's whole numbers: the definition that tests compare with."""
    key = int(key_of(seed, stream))
    return [_squares((round_number << WORDS) + word, key) for word in range(count)]


def _squares(counter: int, key: int) -> int:
    bits = (1 << 64) - 1
    x = y = counter * key & bits
    z = (y + key) & bits
    for add in (y, z, y):
        x = (x * x + add) & bits
        x = (x >> 32 | x << 32) & bits
    t = (x * x + z) & bits
    x = (t >> 32 | t << 32) & bits
    return t ^ (((x * x + y) & bits) >> 32)
