"""`make evidence`: the documents of evidence and performance, written from the last results of the commands.

    python -m bench.evidence

Takes over what the commands left since (bench/results.py), and writes what stands between the marks of the documents:
everything else in them is prose. A result that is stale says so, here and in the site (`make site`); the test of the
documents (tests/health/test_evidence.py) leaves that out, so that a change of the sources breaks nothing.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from fnmatch import fnmatchcase
from pathlib import Path

from bench.results import KEPT, LEFT, ROOT, Result, digest_of, paths_of, results_in

__all__ = ["DOCUMENTS", "main", "patterns_of", "rendered", "stale_since", "take_over", "without_stale"]

DOCUMENTS = ("docs/evidence.md", "docs/performance.md")
BLOCK = re.compile(r"(?P<mark><!-- results: (?P<names>[^>]+) -->\n).*?(?P<end><!-- end of results -->)", re.DOTALL)
"""What is written by machine: results whose names match one of the patterns, in the order of the patterns."""
STALE = re.compile(r" \*\*stale[^*]*\*\*")
COMMIT = re.compile(r"\(([^)]+?)(?:-dirty)?\)")
"""In a version: the commit that the sources were taken from."""

Judge = Callable[[Result], str]
"""What is said of a result where it is stale; empty where it is not."""


def take_over(left: Path = LEFT, kept: Path = KEPT) -> list[str]:
    """Take over the results that are newer than those that are kept; their names."""
    known = {result.name: result.date for result in results_in(kept)}
    newer = [result for result in results_in(left) if result.date > known.get(result.name, "")]
    for result in newer:
        result.write(kept)
    return [result.name for result in newer]


def stale_since(result: Result, root: Path = ROOT) -> str:
    """What is to be said where the sources of a result have changed since."""
    if digest_of(result.of, root) == result.digest:
        return ""
    commit = COMMIT.search(result.version)
    paths = [str(path) for name in result.of for path in paths_of(name, root)]
    asked = ["git", "log", "--reverse", "--format=%cs (%h)", f"{commit[1] if commit else ''}..HEAD", "--", *paths]
    ran = subprocess.run(asked, cwd=root, capture_output=True, text=True, check=False) if commit else None
    since = ran.stdout.splitlines() if ran else []
    return f"stale since {since[0]}" if since else "stale: its sources have changed"


def fresh(_: Result) -> str:
    """Nothing is stale: what the test of the documents compares with."""
    return ""


def rendered(text: str, results: Sequence[Result], judge: Judge = stale_since) -> str:
    """A document with the results between its marks."""

    def block(found: re.Match[str]) -> str:
        chosen = [result for pattern in patterns_of(found) for result in results if fnmatchcase(result.name, pattern)]
        rows = [line for result in chosen for line in _lines(result, judge(result))]
        head = ["", "| what | measured | bar; of a command: when, version, machine |", "|---|---|---|", *rows, ""]
        return "\n".join(
            [found["mark"].rstrip("\n"), *(head if rows else ["", "No result is kept.", ""]), found["end"]]
        )

    return BLOCK.sub(block, text)


def patterns_of(block: re.Match[str]) -> list[str]:
    """The patterns of names in a mark."""
    return block["names"].split()


def _lines(result: Result, stale: str) -> Iterator[str]:
    on = result.machine
    where = f"{on['cores']} cores, {on['memory_gib']} GiB, {on['system']}, Python {on['python']}, load {result.load:g}"
    mark = f" **{stale}**" if stale else ""
    status = {"held": "held", "broken": "**not held**"}.get(result.status, result.status)
    when = result.date.partition("+")[0].replace("T", " ")
    yield _row(
        f"**`{result.command}`**{mark}", f"{status}, {result.seconds:,.0f} s", f"{when} UTC, {result.version}; {where}"
    )
    for row in result.rows:
        yield _row(row.what, f"{row.figure}{' **stale**' if stale else ''}", row.bar)


def _row(*cells: str) -> str:
    return f"| {' | '.join(cell.replace('|', '&#124;').replace('<', '&lt;') for cell in cells)} |"


def without_stale(text: str) -> str:
    """A document as if nothing in it were stale."""
    return STALE.sub("", text)


def main() -> int:
    """Take the results over and write the documents."""
    print(f"taken over: {', '.join(take_over()) or 'nothing new'}")
    results = results_in(KEPT)
    for name in DOCUMENTS:
        (ROOT / name).write_text(rendered((ROOT / name).read_text(encoding="utf-8"), results), encoding="utf-8")
    stale = [result.name for result in results if stale_since(result)]
    print(f"{len(results)} results in {' and '.join(DOCUMENTS)}; stale: {', '.join(stale) or 'none'}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
