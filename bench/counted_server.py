"""`twentyone serve` with a count beside it: what becomes of the batches that this process asks its ledger to store.

    python -m bench.counted_server COUNTS serve --ledger ... --port ...

COUNTS is a file with one number a kind of answer, in a fixed order: counting is two machine words in shared memory.
"""

from __future__ import annotations

import mmap
import struct
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from twentyone.cli import main
from twentyone.ledger.rows import Appended, Batch
from twentyone.ledger.sql import SqlStore

KINDS = ("commits", "stored", "StaleVersion", "other")
"""What is counted: groups of batches, and what became of each batch."""
FORM = struct.Struct(f"<{len(KINDS)}Q")


def counted(path: Path) -> Counter[str]:
    """What a server has counted into a file so far."""
    return Counter(dict(zip(KINDS, FORM.unpack(path.read_bytes()), strict=True)))


def count_into(path: Path) -> None:
    """From now on every answer of a store is counted by its kind."""
    path.write_bytes(bytes(FORM.size))
    with path.open("r+b") as file:
        shared = mmap.mmap(file.fileno(), FORM.size)
    counts = dict.fromkeys(KINDS, 0)
    whole = SqlStore.append_many

    def counting(store: SqlStore, batches: Sequence[Batch]) -> list[Appended | Exception]:
        answers = whole(store, batches)
        counts["commits"] += 1
        for answer in answers:
            kind = "stored" if isinstance(answer, Appended) else type(answer).__name__
            counts[kind if kind in counts else "other"] += 1
        FORM.pack_into(shared, 0, *counts.values())
        return answers

    SqlStore.append_many = counting  # type: ignore[method-assign,assignment]


if __name__ == "__main__":
    count_into(Path(sys.argv[1]))
    sys.exit(main(sys.argv[2:]))
