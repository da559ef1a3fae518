"""`make evidence`: what the documents tell of tests, proofs and speed, written from the last results of the commands.

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

from bench.line_report import version
from bench.lines import SIZES, Line, lines
from bench.results import KEPT, LEFT, ROOT, Result, digest_of, paths_of, results_in

__all__ = ["DOCUMENTS", "main", "patterns_of", "rendered", "stale_since", "take_over", "without_stale"]

DOCUMENTS = ("docs/evidence.md", "docs/performance.md", "docs/processes.md", "docs/proof.md")
BLOCK = re.compile(r"(?P<mark><!-- results: (?P<names>[^>]+) -->\n).*?(?P<end><!-- end of results -->)", re.DOTALL)
"""What is written by machine: results whose names match one of the patterns, in the order of the patterns."""
LINES = re.compile(r"(?P<mark><!-- lines -->\n).*?(?P<end><!-- end of lines -->)", re.DOTALL)
"""Also written by machine: every line of `make prove`, with the largest size in which it was run."""
STALE = re.compile(r" \*\*stale[^*]*\*\*")
COMMIT = re.compile(r"\(([^)]+?)(?:-dirty)?\)")
"""In a version: the commit that the sources were taken from."""

Judge = Callable[[Result], str]
"""What is said of a result where it is stale; empty where it is not."""


def take_over(left: Path = LEFT, kept: Path = KEPT, root: Path = ROOT) -> list[str]:
    """Take over the results that are newer than those that are kept; their names.

    One from a machine without the repository names no commit; where its sources are those of today, neither is lost.
    """
    known = {result.name: result.date for result in results_in(kept)}
    newer = [result for result in results_in(left) if result.date > known.get(result.name, "")]
    for result in newer:
        here = not COMMIT.search(result.version) and digest_of(result.of, root) == result.digest
        (result._replace(version=version()) if here else result).write(kept)
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

    table = "\n".join(_table_of_lines(results, judge))
    return LINES.sub(lambda found: f"{found['mark']}\n{table}\n\n{found['end']}", BLOCK.sub(block, text))


def patterns_of(block: re.Match[str]) -> list[str]:
    """The patterns of names in a mark."""
    return block["names"].split()


STATUSES = {"held": "held", "broken": "**not held**"}


def _lines(result: Result, stale: str) -> Iterator[str]:
    on = result.machine
    where = f"{on['cores']} cores, {on['memory_gib']} GiB, {on['system']}, Python {on['python']}, load {result.load:g}"
    status = STATUSES.get(result.status, result.status)
    took = f"{status}, {result.seconds:,.0f} s"
    yield _row(f"**`{result.command}`**{_mark(stale)}", took, f"{_when(result)}; {where}")
    for row in result.rows:
        yield _row(row.what, f"{row.figure}{' **stale**' if stale else ''}", row.bar)


def _mark(stale: str) -> str:
    return f" **{stale}**" if stale else ""


def _when(result: Result) -> str:
    return f"{result.date.partition('+')[0].replace('T', ' ')} UTC, {result.version}"


def _row(*cells: str) -> str:
    return f"| {' | '.join(cell.replace('|', '&#124;').replace('<', '&lt;') for cell in cells)} |"


# -- the lines of `make prove`


def _table_of_lines(results: Sequence[Result], judge: Judge) -> Iterator[str]:
    """How many lines held in which size, then each with the largest size in which it was run."""
    runs = {line.name: _runs(line, results) for line in lines().values()}
    largest = {name: ran[0] for name, ran in runs.items() if ran}
    yield from ("| largest size that was run | held | not held | versions |", "|---|---|---|---|")
    for size in reversed(SIZES):
        of_size = {name: result for name, result in largest.items() if result.name.endswith(f"-{size}")}
        held, broken = ([name for name, one in of_size.items() if one.status == status] for status in STATUSES)
        versions = dict.fromkeys(one.version for one in of_size.values())
        yield _row(size, _count(held), _count(broken), ", ".join(versions))
    yield _row("not run", _count([name for name in runs if name not in largest]), "", "")
    yield from ("", "| line | largest size | when, version | also |", "|---|---|---|---|")
    for line in lines().values():
        left = f"in no size: {line.open}" if line.open else ""
        largest_run, when, since = _cells(runs[line.name], judge)
        yield _row(f"{line.name} {line.title}", largest_run, when, "; ".join(filter(None, (since, left))))


def _runs(line: Line, results: Sequence[Result]) -> list[Result]:
    """The runs of a line that came to an end, the largest size first."""
    names = [f"prove-{line.name}-{size}" for size in reversed(SIZES)]
    found = {result.name: result for result in results if result.status in STATUSES}
    return [found[name] for name in names if name in found]


def _cells(runs: Sequence[Result], judge: Judge) -> tuple[str, str, str]:
    """The largest run, when that was, and the last one since."""
    if not runs:
        return "not run", "", ""
    since = max(runs, key=lambda one: one.date)
    later = f"since then {_told(since)}, {_when(since)}{_mark(judge(since))}" if since is not runs[0] else ""
    return _told(runs[0]), f"{_when(runs[0])}{_mark(judge(runs[0]))}", later


def _told(result: Result) -> str:
    return f"{result.name.rpartition('-')[2]}: {STATUSES[result.status]}"


def _count(names: Sequence[str]) -> str:
    return f"{len(names)}: {', '.join(names)}" if names else "0"


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
    print(f"{len(results)} results in {', '.join(DOCUMENTS)}; stale: {', '.join(stale) or 'none'}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
