"""The exact means of every rulebook's own chart for every number of decks, as `bench/gpu.py --exact` reads them.

PYTHONPATH=src python -m bench.exact_means > exact.json
"""

from __future__ import annotations

import json
import sys
import time

from twentyone.odds.analysis import analyse
from twentyone.rulebook import Rulebook, rulebook_ids
from twentyone.rulebook.clauses import SubmissionKey
from twentyone.strategy import default_strategy


def decks_of(book: Rulebook) -> tuple[int, ...]:
    """The numbers of decks that a rulebook leaves to the operator."""
    key = next(clause for clause in book.clauses if isinstance(clause, SubmissionKey) and clause.name == "decks")
    return tuple(key.choices) or tuple(range(key.least, key.most + 1))


def main() -> int:
    """Print rulebook to decks to the exact means."""
    found: dict[str, dict[str, dict[str, float]]] = {}
    for name in rulebook_ids():
        book = Rulebook.load(name)
        for decks in decks_of(book):
            began = time.perf_counter()
            rules = book.under({"decks": decks})
            figures = analyse(rules, strategy=default_strategy(rules)).figures
            means = {"mean_without_prizes": -float(figures.house_edge)}
            found.setdefault(name, {})[str(decks)] = means
            print(f"{name} {decks}: {means} {time.perf_counter() - began:.1f} s", file=sys.stderr, flush=True)
    print(json.dumps(found, indent=1))
    return 0


if __name__ == "__main__":
    sys.exit(main())
