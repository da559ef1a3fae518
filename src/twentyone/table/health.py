"""Whether the raw source of a shoe's entropy still works, tested byte by byte before it is used.

The tests are modelled on NIST SP 800-90B, section 4.4: repetition count and adaptive proportion, each byte a sample.
The claim is full entropy, 8 bits per byte, since the operating system hands out bytes that it has already conditioned.
Such tests find a source that is stuck, empty or badly out of balance; they cannot find one that is merely known to
somebody. A third test, ours, finds a source that gives the same answer twice in a row.
"""

from __future__ import annotations

from collections.abc import Callable
from hashlib import sha256
from math import comb
from typing import NoReturn

from twentyone.errors import TwentyoneError

__all__ = [
    "ENTROPY",
    "FALSE_ALARM",
    "START_UP",
    "WINDOW",
    "HealthTest",
    "Source",
    "SourceFailed",
    "proportion_cutoff",
    "repetition_cutoff",
]

ENTROPY = 8
"""Bits of entropy that each byte is claimed to hold."""

FALSE_ALARM = 40
"""A sound source fails a test with a chance of at most 2 to the minus so much: at each byte for repetition, in each
window for proportion."""

WINDOW = 512
"""Bytes of one window of the proportion test."""

START_UP = 1024
"""Bytes that are tested and thrown away before a source is first used."""

LEAST_ANSWER = 16
"""Answers of fewer bytes may be alike by chance."""


class SourceFailed(TwentyoneError):
    """The source of entropy cannot be trusted: no shoe is made from it, and the table closes."""


def repetition_cutoff(alarm: int = FALSE_ALARM, entropy: int = ENTROPY) -> int:
    """Equal bytes in a row that fail a source.

    >>> repetition_cutoff()
    6
    """
    return 1 - (-alarm // entropy)


def proportion_cutoff(alarm: int = FALSE_ALARM, entropy: int = ENTROPY, window: int = WINDOW) -> int:
    """How often the first byte of a window, itself included, must occur in it to fail a source.

    The least count whose chance is at most 2 to the minus `alarm`, in whole numbers. (Section 4.4.2 takes the count
    over all of the window, which differs by one byte at the border.)

    >>> proportion_cutoff()
    20
    """
    others, values = window - 1, 2**entropy
    every = values**others
    tail, again = every, 0
    while tail << alarm > every:
        tail -= comb(others, again) * (values - 1) ** (others - again)
        again += 1
    return 1 + again


REPETITIONS = repetition_cutoff()
PROPORTION = proportion_cutoff()


class HealthTest:
    """The continuous test of one source; once failed it stays failed.

    >>> HealthTest().feed(bytes(32))
    Traceback (most recent call last):
    twentyone.table.health.SourceFailed: the source of entropy gave the same byte 6 times in a row
    """

    def __init__(self) -> None:
        self._failed = ""
        self._last: int | None = None
        self._run = 0
        self._sample = 0
        self._count = 0
        self._position = 0
        self._answer = b""

    def feed(self, data: bytes) -> None:
        """Test an answer of the source; `SourceFailed` says what is wrong with it."""
        if self._failed:
            raise SourceFailed(self._failed)
        for byte in data:
            self._repetition(byte)
            self._proportion(byte)
        self._alike(data)

    def fail(self, why: str) -> NoReturn:
        """Mark the source as failed for good."""
        self._failed = f"the source of entropy {why}"
        raise SourceFailed(self._failed)

    def _repetition(self, byte: int) -> None:
        self._run = self._run + 1 if byte == self._last else 1
        self._last = byte
        if self._run >= REPETITIONS:
            self.fail(f"gave the same byte {REPETITIONS} times in a row")

    def _proportion(self, byte: int) -> None:
        if self._position == 0:
            self._sample, self._count = byte, 0
        self._count += byte == self._sample
        self._position = (self._position + 1) % WINDOW
        if self._count >= PROPORTION:
            self.fail(f"gave the same byte {PROPORTION} times within {WINDOW}")

    def _alike(self, data: bytes) -> None:
        if len(data) < LEAST_ANSWER:
            return
        answer = sha256(data).digest()
        if answer == self._answer:
            self.fail(f"gave the same {len(data)} bytes twice in a row")
        self._answer = answer


class Source:
    """A raw source under its health test: tried before its first use, every byte tested after.

    `read` gives as many fresh bytes as it is asked for. Keep one `Source` as long as its table is open.
    """

    def __init__(self, read: Callable[[int], bytes]) -> None:
        self._read = read
        self._health = HealthTest()
        self.take(START_UP)

    def take(self, count: int) -> bytes:
        """So many fresh bytes, tested."""
        try:
            data = self._read(count)
        except (OSError, NotImplementedError) as wrong:
            self._health.fail(f"cannot be read: {wrong}")
        if len(data) != count:
            self._health.fail(f"gave {len(data)} bytes where {count} were asked for")
        self._health.feed(data)
        return data
