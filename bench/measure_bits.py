"""T18: tests of NIST SP 800-22 on the words of shoes, over many streams: proportion passed, evenness of the p-values.

    python -m bench.measure_bits [--streams N]

Frequency, frequency within blocks, runs, cumulative sums, spectral, serial and approximate entropy, each at the 1 %
level. Two bad sources are measured by the same means and must fail. Exit status: 0 held, 1 a fault.
"""

from __future__ import annotations

import argparse
import secrets
import sys
from collections.abc import Callable, Sequence
from hashlib import sha256
from itertools import islice

import numpy as np
from numpy.typing import NDArray
from rich.progress import track
from scipy import special, stats  # type: ignore[import-untyped]

from bench.prove import FAULT, PROVED
from twentyone.table.shoe import WORD_BITS, words

__all__ = ["TESTS", "judge", "main"]

Bits = NDArray[np.int8]
LENGTH = 1 << 17
"""Bits of a stream."""
LEVEL, EVEN = 0.01, 0.0001
"""A p-value below the first fails its stream; p-values that are even less often than the second fail the source."""


def frequency(bits: Bits) -> float:
    """As many ones as zeros."""
    return float(special.erfc(abs(2.0 * bits.sum() - len(bits)) / np.sqrt(2 * len(bits))))


def block_frequency(bits: Bits, size: int = 1024) -> float:
    """As many ones as zeros in every block."""
    blocks = bits[: len(bits) // size * size].reshape(-1, size)
    figure = 4 * size * ((blocks.mean(axis=1) - 0.5) ** 2).sum()
    return float(special.gammaincc(len(blocks) / 2, figure / 2))


def runs(bits: Bits) -> float:
    """As many runs as there should be."""
    share, count = bits.mean(), 1 + int((bits[1:] != bits[:-1]).sum())
    if abs(share - 0.5) >= 2 / np.sqrt(len(bits)):
        return 0.0
    middle = 2 * share * (1 - share)
    return float(special.erfc(abs(count - len(bits) * middle) / (np.sqrt(2 * len(bits)) * middle)))


def cumulative_sums(bits: Bits) -> float:
    """A walk of plus and minus one goes as far as it should."""
    n, most = len(bits), int(np.abs(np.cumsum(2 * bits.astype(np.int64) - 1)).max())
    root = np.sqrt(n)
    first = np.arange((-n // most + 1) // 4, (n // most - 1) // 4 + 1)
    second = np.arange((-n // most - 3) // 4, (n // most - 1) // 4 + 1)
    norm = stats.norm.cdf
    one = (norm((4 * first + 1) * most / root) - norm((4 * first - 1) * most / root)).sum()
    two = (norm((4 * second + 3) * most / root) - norm((4 * second + 1) * most / root)).sum()
    return float(1 - one + two)


def spectral(bits: Bits) -> float:
    """No period stands out."""
    n = len(bits)
    heights = np.abs(np.fft.rfft(2.0 * bits - 1))[: n // 2]
    below = int((heights < np.sqrt(np.log(1 / 0.05) * n)).sum())
    return float(special.erfc(abs(below - 0.95 * n / 2) / np.sqrt(n * 0.95 * 0.05 / 4) / np.sqrt(2)))


def _psi(bits: Bits, size: int) -> tuple[float, NDArray[np.float64]]:
    """The figure of overlapping patterns of a length, and their shares."""
    if size == 0:
        return 0.0, np.ones(1)
    ring, number = np.concatenate([bits, bits[: size - 1]]).astype(np.int64), np.zeros(len(bits), dtype=np.int64)
    for place in range(size):
        number = 2 * number + ring[place : place + len(bits)]
    counts = np.bincount(number, minlength=1 << size).astype(float)
    return float((1 << size) / len(bits) * (counts**2).sum() - len(bits)), counts / len(bits)


def serial(bits: Bits, size: int = 8) -> float:
    """Every pattern as often as every other."""
    one, two, three = (_psi(bits, size - less)[0] for less in range(3))
    return float(special.gammaincc(2 ** (size - 3), (one - 2 * two + three) / 2))


def approximate_entropy(bits: Bits, size: int = 6) -> float:
    """Patterns of one length beside those of the next."""

    def entropy(length: int) -> float:
        shares = _psi(bits, length)[1]
        shares = shares[shares > 0]
        return float((shares * np.log(shares)).sum())

    figure = 2 * len(bits) * (np.log(2) - (entropy(size) - entropy(size + 1)))
    return float(special.gammaincc(2 ** (size - 1), figure / 2))


TESTS: tuple[Callable[[Bits], float], ...] = (
    frequency, block_frequency, runs, cumulative_sums, spectral, serial, approximate_entropy,
)  # fmt: skip


def judge(streams: Sequence[Bits]) -> list[str]:
    """What a laboratory would object to in a source."""
    complaints = []
    for test in TESTS:
        found = np.array([test(bits) for bits in streams])
        passed, margin = float((found >= LEVEL).mean()), 3 * np.sqrt(LEVEL * (1 - LEVEL) / len(streams))
        if passed < 1 - LEVEL - margin:
            complaints.append(f"{test.__name__}: {passed:.1%} of {len(streams)} streams pass")
        cells = np.histogram(np.clip(found, 0, 1), bins=10, range=(0, 1))[0]
        if not np.isfinite(found).all() or stats.chisquare(cells).pvalue < EVEN:
            complaints.append(f"{test.__name__}: its p-values are not even")
    return complaints


# -- sources


def of_shoes(seed: bytes, number: int) -> Bits:
    """The words that a shoe is shuffled by."""
    source = words(sha256(seed + number.to_bytes(8, "big")).digest())
    raw = b"".join(word.to_bytes(WORD_BITS // 8, "big") for word in islice(source, LENGTH // WORD_BITS))
    return np.unpackbits(np.frombuffer(raw, dtype=np.uint8)).astype(np.int8)


def congruential(number: int) -> Bits:
    """The low bits of a linear congruential generator."""
    state, found = 2 * number + 1, bytearray()
    for _ in range(LENGTH // 8):
        state = (1_103_515_245 * state + 12_345) % 2**31
        found.append(state & 255)
    return np.unpackbits(np.frombuffer(bytes(found), dtype=np.uint8)).astype(np.int8)


def biased(number: int) -> Bits:
    """One bit in fifty is always a one."""
    dice = np.random.default_rng(number)
    bits = dice.integers(0, 2, LENGTH, dtype=np.int8)
    bits[dice.random(LENGTH) < 0.02] = 1
    return bits


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure the shoes and the bad sources."""
    parser = argparse.ArgumentParser(prog="python -m bench.measure_bits", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--streams", type=int, default=100)
    count, seed = parser.parse_args(arguments).streams, secrets.token_bytes(32)
    complaints = judge([of_shoes(seed, number) for number in track(range(count), "streams", transient=True)])
    if complaints:  # one in some thousand runs of a sound source complains: it must come twice
        complaints = judge([of_shoes(seed, count + number) for number in range(count)])
    bad = {source.__name__: len(judge([source(number) for number in range(20)])) for source in (congruential, biased)}
    told = f"{count} streams of {LENGTH:,} bits, {len(TESTS)} tests, {len(complaints)} complaints (seed {seed.hex()})"
    print(*complaints, sep="\n", end="\n" if complaints else "")
    print(
        f"measure bits: {told}; bad sources: {', '.join(f'{name} {found} complaints' for name, found in bad.items())}"
    )
    return PROVED if not complaints and all(bad.values()) else FAULT


if __name__ == "__main__":
    sys.exit(main())
