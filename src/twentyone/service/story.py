"""The last lines of a table's story, in memory: those of the last rounds as they are, older ones packed.

A house of thousands of tables would need more memory for what was said there than for the tables themselves.
"""

from __future__ import annotations

import zlib
from collections import deque
from collections.abc import Iterable
from itertools import chain
from typing import NamedTuple

import orjson

from twentyone.service.lines import StoryLine

__all__ = ["Story"]

LOOSE = 50
"""Lines that are not packed, at least: whoever listens knows all but the last of them."""
TOGETHER, PACKS = 50, 7
"""Lines in one pack; packs that are kept."""
QUICKLY = 1
"""How hard it is packed: one line needs a tenth of its room, which more work hardly lessens."""


class _Pack(NamedTuple):
    last: int
    """The number of its last line."""
    packed: bytes


class Story:
    """The lines that a table remembers, by their numbers."""

    def __init__(self) -> None:
        self._lines: deque[StoryLine] = deque()
        self._packs: deque[_Pack] = deque(maxlen=PACKS)

    def extend(self, lines: Iterable[StoryLine]) -> None:
        """Add lines; the oldest are forgotten."""
        self._lines.extend(lines)
        while len(self._lines) >= LOOSE + TOGETHER:
            self._packs.append(_pack([self._lines.popleft() for _ in range(TOGETHER)]))

    def after(self, number: int) -> list[StoryLine]:
        """The lines after a number."""
        older = chain.from_iterable(_unpack(pack) for pack in self._packs if pack.last > number)
        return [line for line in chain(older, self._lines) if line.n > number]


def _pack(lines: list[StoryLine]) -> _Pack:
    return _Pack(lines[-1].n, zlib.compress(orjson.dumps([[*line] for line in lines]), QUICKLY))


def _unpack(pack: _Pack) -> list[StoryLine]:
    return [StoryLine(*line) for line in orjson.loads(zlib.decompress(pack.packed))]
