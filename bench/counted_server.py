"""`twentyone serve` with a count beside it: what becomes of the batches that this process asks its ledger to store.

    python -m bench.counted_server COUNTS serve --ledger ... --port ...

COUNTS is a file with one line of JSON, written anew after every group of batches.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from twentyone.cli import main
from twentyone.ledger.rows import Appended, Batch
from twentyone.ledger.sql import SqlStore


def count_into(path: Path) -> None:
    """From now on every answer of a store is counted by its kind."""
    counts: Counter[str] = Counter()
    whole = SqlStore.append_many

    def counted(store: SqlStore, batches: Sequence[Batch]) -> list[Appended | Exception]:
        answers = whole(store, batches)
        counts.update("stored" if isinstance(answer, Appended) else type(answer).__name__ for answer in answers)
        path.write_text(json.dumps(counts))
        return answers

    SqlStore.append_many = counted  # type: ignore[method-assign,assignment]


if __name__ == "__main__":
    count_into(Path(sys.argv[1]))
    sys.exit(main(sys.argv[2:]))
