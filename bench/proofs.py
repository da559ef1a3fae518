"""`make prove [PART=...] [SIZE=quick|normal|full]`: the lines T1 to T30 with one report, or one line, or a long proof.

Without a part all lines are run. A part is a line (`T11`), a drill (`failover`), a family of long proofs (`table`) or
one of it (`table-pa-spanish-21`).
"""

from __future__ import annotations

import argparse
import sys
from importlib import import_module

from bench.lines import SIZES, lines
from bench.results import Running, told

PROVED, FAULT = 0, 1
"""Statuses of a proof that came to its end; one that was stopped leaves no result."""
FAMILIES = {
    "rounds": ("prove", True),
    "table": ("prove_table", False),
    "ledger": ("prove_ledger", True),
    "shift": ("prove_shift", False),
    "sim": ("prove_sim", False),
    "counts": ("prove_counts", False),
    "web": ("prove_web", False),
    "day": ("prove_day", False),
    "tests": ("prove_tests", False),
    "mutants": ("prove_mutants", False),
    "analyse": ("prove_analyse", True),
    "hands": ("prove_hands", False),
    "redline": ("prove_redline", False),
    "papers": ("prove_papers", False),
    "authentic": ("prove_authentic", True),
    "fuzz": ("prove_fuzz", True),
    "package": ("prove_package", False),
    "owners": ("prove_owners", True),
    "waiting": ("prove_waiting", False),
    "suite": ("prove_suite", False),
    "site": ("prove_site", False),
}
"""Family to its module here, and whether it has a size."""
HIGHEST = {"rounds": "script", "table": "table", "sim": "script", "analyse": "review", "redline": "redline"}
"""The highest package that a family proves, where that is not the whole: a change above it leaves its result alone."""


def arguments_of(part: str, size: str) -> tuple[str, list[str]]:
    """The module that proves a part, and its own arguments.

    >>> arguments_of("table-pa-spanish-21", "full")
    ('prove_table', ['--part', 'pa-spanish-21'])
    >>> arguments_of("rounds", "full")
    ('prove', ['--size', 'full'])
    >>> arguments_of("T11", "quick")
    ('prove_lines', ['--part', 'T11', '--size', 'quick'])
    """
    if not part or part in lines():
        return "prove_lines", [*(["--part", part] if part else []), "--size", size]
    family, _, one = part.partition("-")
    module, sized = FAMILIES[family]
    size = "normal" if size == "quick" else size
    return module, [*(["--part", one] if one else []), *(["--size", size] if sized else [])]


def main() -> int:
    """Prove what was asked for."""
    parser = argparse.ArgumentParser(prog="make prove", description=(__doc__ or "").partition("\n")[0])
    parts = f"{', '.join(lines())}, {', '.join(FAMILIES)}, or one of theirs: table-pa-spanish-21"
    parser.add_argument("--part", default="", help=f"{parts} (absent: all lines)")
    parser.add_argument("--size", choices=SIZES, default="normal")
    options = parser.parse_args()
    if options.part and options.part not in lines() and options.part.partition("-")[0] not in FAMILIES:
        parser.error(f"there is no part {options.part!r}; there are {parts}")
    module, arguments = arguments_of(options.part, options.size)
    if module == "prove_lines":
        return int(import_module("bench.prove_lines").main(arguments))
    size = options.size if "--size" in arguments else ""
    command = f"make prove PART={options.part}{f' SIZE={size}' if size else ''}"
    highest = HIGHEST.get(options.part.partition("-")[0])
    of = (f"twentyone.{highest}" if highest else "twentyone", f"bench/{module}.py")
    running = Running(f"prove-{options.part}{f'-{size}' if size else ''}", command, of)
    status, rows = told(lambda: int(import_module(f"bench.{module}").main(arguments)))
    if status in (PROVED, FAULT):
        running.ends("held" if status == PROVED else "broken", rows)
    return status


if __name__ == "__main__":
    sys.exit(main())
