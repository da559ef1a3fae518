"""`twentyone suite`: holds an engine to the conformance suite, or is the engine."""

from __future__ import annotations

import argparse
import hashlib
import sys
from collections.abc import Iterator, Mapping
from typing import Any

from twentyone.cli import DONE, REFUSED, UsageError
from twentyone.cli.common import print_json, say, whole
from twentyone.cli.progress import progress

__all__ = ["add_parser", "run"]

SHOWN = 200
"""How many letters of a fault a person is shown."""
SHOWN_CASES = 50
"""How many cases with faults a person is shown."""
LONGEST = 86400
"""The longest time for an answer."""

EXAMPLE = """examples:
  twentyone suite run --engine "twentyone suite engine"            our own engine, every case
  twentyone suite run --engine "./mine --pipe" --level rounds --rulebook classic-blackjack
  twentyone suite run --engine ./mine --case "pa-spanish-21/635a.12/*" --json
  twentyone suite where                                            the folder of the suite

The protocol is told in README.md of that folder; run.py beside it does the same without this package."""


def add_parser(commands: Any) -> None:
    """Describe the command."""
    parser = commands.add_parser(
        "suite",
        help="hold any engine to the conformance suite",
        description="Hold an engine to the conformance suite over a pipe. Exit status: 0 every case that was asked "
        "passed, 1 some did not, 2 nothing could be asked, 64 usage.",
        epilog=EXAMPLE,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    whats = parser.add_subparsers(dest="what", metavar="WHAT", required=True)
    _add_what(whats, "engine", "be an engine: requests on standard input, answers on standard output")
    _add_what(whats, "where", "name the folder of the suite")
    _add_options(_add_what(whats, "run", "ask an engine every case"))
    parser.set_defaults(run=run)


def _add_what(whats: Any, name: str, summary: str) -> argparse.ArgumentParser:
    parser: argparse.ArgumentParser = whats.add_parser(
        name, help=summary, description=f"{summary[0].upper()}{summary[1:]}."
    )
    return parser


def _add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--engine", required=True, metavar="COMMAND", help="the engine, started without a shell")
    parser.add_argument("--level", action="append", metavar="LEVEL", help="rounds, irregularities, table or figures")
    parser.add_argument("--rulebook", action="append", metavar="ID", help="only cases of this rulebook")
    parser.add_argument("--case", default="*", metavar="PATTERN", help="only cases whose id matches, as in '*/7/*'")
    parser.add_argument("--every", type=whole(1_000_000), default=1, metavar="N", help="only every N-th case of those")
    parser.add_argument("--timeout", type=whole(LONGEST), default=60, metavar="S", help="seconds for an answer (60)")
    parser.add_argument("--json", action="store_true", help="print the report as JSON")


def run(options: argparse.Namespace) -> int:
    """Ask an engine every case, or answer as one."""
    from twentyone.suite.files import suite_folder

    if options.what == "engine":
        return _answer()
    if options.what == "where":
        print(suite_folder())
        return DONE
    if not options.engine.strip():
        raise UsageError("--engine names a command")
    try:
        report = _examine(options)
    except (OSError, ValueError, TypeError, LookupError) as wrong:
        say(f"twentyone suite: {wrong}")
        return REFUSED
    if options.json:
        print_json(report)
    else:
        print("\n".join(_told(report)))
    return int(report["exit"])


def _answer() -> int:
    from twentyone.suite.engine import answers

    for line in answers(sys.stdin):
        print(line, flush=True)
    return DONE


def _examine(options: argparse.Namespace) -> dict[str, Any]:
    from twentyone.suite.files import runner, suite_folder

    suite, folder = runner(), suite_folder()
    levels, rulebooks = options.level or [], options.rulebook or []
    if unknown := [level for level in levels if level not in suite.LEVELS]:
        raise UsageError(f"there is no level {unknown[0]!r}, there are {', '.join(suite.LEVELS)}")
    cases = suite.read(folder, levels, rulebooks, options.case)[:: options.every]
    if not cases:
        raise ValueError("no case of the suite is of these levels, rulebooks and ids")
    with progress(f"{len(cases)} cases") as tell_share:
        report: dict[str, Any] = suite.examine(cases, options.engine, options.timeout, tell_share)
    return {"suite": hashlib.sha256((folder / "manifest.json").read_bytes()).hexdigest(), **report}


# -- for a person


def _told(report: Mapping[str, Any]) -> Iterator[str]:
    """The faults, then the counts, then what they amount to."""
    if (many := len(report["faults"])) > SHOWN_CASES:
        yield f"the first {SHOWN_CASES} of {many} faults; --json has all"
    for case in report["faults"][:SHOWN_CASES]:
        yield f"{case['outcome']}: {case['id']} ({', '.join(case['cites']) or 'a figure'})"
        yield from (f"    {fault if len(fault) <= SHOWN else fault[:SHOWN] + ' ...'}" for fault in case["faults"])
    rows = [(level, mark, row) for level, marks in report["counts"].items() for mark, row in marks.items()]
    heads = [name for name in OUTCOMES if any(name in row for _, _, row in rows)]
    yield "".join((f"{'level':16}{'mark':12}", *(f"{head:>13}" for head in heads)))
    for level, mark, row in rows:
        yield "".join((f"{level:16}{mark:12}", *(f"{row.get(head, 0):13}" for head in heads)))
    yield _verdict(report["engine"], {name: sum(row.get(name, 0) for _, _, row in rows) for name in OUTCOMES})


OUTCOMES = ("passed", "failed", "unsupported", "not asked", "not claimed")


def _verdict(engine: Mapping[str, Any], counts: Mapping[str, int]) -> str:
    asked = sum(counts.values()) - counts["not claimed"]
    cites = "" if engine.get("cites", True) else "; citations were not compared"
    rest = f"; {counts['not claimed']} are not claimed" if counts["not claimed"] else ""
    return f"{engine.get('engine', 'the engine')}: {counts['passed']} of {asked} cases passed{rest}{cites}"
