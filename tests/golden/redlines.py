"""What differs between the three books of Spanish 21, paragraph by paragraph, as it was read beside the texts by hand.

`make golden` writes it anew; docs/redline.md says what the reading found.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from tests.golden.transcripts import FOLDER

from twentyone.redline import Provision, Redline, RedlineRow, compare, named_version

__all__ = ["PAIRS", "redline_log"]

BOOKS = ("pa-spanish-21", "md-spanish-21", "s13-spanish-21")
PAIRS = tuple(combinations(BOOKS, 2))


def redline_log(left: str, right: str) -> str:
    """Every row that differs, with each provision and field."""
    return "\n".join(_lines(compare(named_version(left), named_version(right)))) + "\n"


def _lines(redline: Redline) -> Iterator[str]:
    yield f"{redline.left.name} | {redline.right.name}: {dict(redline.counts)}"
    for change in redline.head:
        yield f"{change.field}: {change.left} | {change.right}"
    for row in redline.rows:
        if row.status not in ("same", "words"):
            yield f"{row.status}: {_names(row)}"
            yield from (line for provision in row.provisions for line in _provision(provision))


def _names(row: RedlineRow) -> str:
    return " | ".join(" + ".join(entry.paragraph for entry in side) or "-" for side in (row.left, row.right))


def _provision(provision: Provision) -> Iterator[str]:
    if provision.status in ("same", "words") or provision.again:
        return
    places = [clause.paragraph if clause else "-" for clause in (provision.left, provision.right)]
    yield f"    {provision.status} {provision.key}: {' | '.join(places)}"
    if provision.status == "changed":
        yield from (f"        {row.field}: {row.left} | {row.right}" for row in provision.changes if not row.words)


def main() -> None:
    """Write the files."""
    for left, right in PAIRS:
        (FOLDER / f"redline-{left}-{right}.txt").write_text(redline_log(left, right), encoding="utf-8")


if __name__ == "__main__":
    main()
