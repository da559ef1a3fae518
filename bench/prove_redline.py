"""`make prove PART=redline`: the price of each two books of one game is the difference of their `odds`, to 1e-12.

    python -m bench.prove_redline [--part RULEBOOK]

Every changed clause is priced alone on the way. What was worked out is kept as `twentyone odds` keeps it: a run that
was stopped goes on where it was. Exit status: 0 proved, 1 a fault.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from itertools import combinations

from rich.progress import track

from bench.prove import FAULT, PROVED
from twentyone.odds.report import odds_of
from twentyone.redline import compare, named_version
from twentyone.redline.price import price
from twentyone.rulebook import loaded_rulebooks

__all__ = ["main"]

CLOSE = 1e-12


def main(arguments: Sequence[str] | None = None) -> int:
    """Price every pair, or those of one book."""
    parser = argparse.ArgumentParser(prog="python -m bench.prove_redline", description=__doc__)
    parser.add_argument("--part", default="", metavar="RULEBOOK", help="the pairs of one book")
    part: str = parser.parse_args(arguments).part
    books = loaded_rulebooks()[0]
    pairs = [pair for pair in combinations(books, 2) if pair[0].title == pair[1].title]
    status = PROVED
    for one, other in track([pair for pair in pairs if part in ("", pair[0].id, pair[1].id)], "redlines"):
        worth = price(compare(named_version(one.id), named_version(other.id)))
        odds = [odds_of(book.under())[0]["house_edge"] for book in (one, other)]
        apart = abs(worth.difference - (odds[1] - odds[0]))
        moved = sum(bool(row.effect) for row in worth.clauses)
        told = f"{len(worth.clauses)} changed clauses, {moved} move the edge alone"
        print(f"prove redline {one.id} {other.id}: {worth.difference:+.15f}, {told}, {apart:.1e} from the odds")
        status = max(status, PROVED if apart < CLOSE else FAULT)
    return status


if __name__ == "__main__":
    sys.exit(main())
