"""`make prove [PART=...] [SIZE=full]`: the long proofs, each resumable; a part is a family or one of it."""

from __future__ import annotations

import argparse
import sys
from importlib import import_module

FAMILIES = {
    "rounds": ("prove", True),
    "table": ("prove_table", False),
    "ledger": ("prove_ledger", True),
    "shift": ("prove_shift", False),
    "sim": ("prove_sim", False),
    "counts": ("prove_counts", False),
    "web": ("prove_web", False),
    "day": ("prove_day", False),
    "mutants": ("prove_mutants", False),
    "analyse": ("prove_analyse", True),
    "redline": ("prove_redline", False),
    "papers": ("prove_papers", False),
    "package": ("prove_package", False),
    "site": ("prove_site", False),
}
"""Family to its module here, and whether it has a size."""


def arguments_of(part: str, size: str) -> tuple[str, list[str]]:
    """The module that proves a part, and its own arguments.

    >>> arguments_of("table-pa-spanish-21", "full")
    ('prove_table', ['--part', 'pa-spanish-21'])
    >>> arguments_of("rounds", "full")
    ('prove', ['--size', 'full'])
    """
    family, _, one = part.partition("-")
    module, sized = FAMILIES[family]
    return module, [*(["--part", one] if one else []), *(["--size", size] if sized else [])]


def main() -> int:
    """Prove what was asked for; the worst status counts."""
    parser = argparse.ArgumentParser(prog="make prove", description=__doc__)
    parser.add_argument("--part", default="", help=f"{', '.join(FAMILIES)}, or one of theirs: table-pa-spanish-21")
    parser.add_argument("--size", choices=("normal", "full"), default="normal")
    options = parser.parse_args()
    if options.part and options.part.partition("-")[0] not in FAMILIES:
        parser.error(f"there is no part {options.part!r}; there are {', '.join(FAMILIES)}")
    statuses = []
    for part in [options.part] if options.part else FAMILIES:
        module, arguments = arguments_of(part, options.size)
        statuses.append(int(import_module(f"bench.{module}").main(arguments)))
    return max(statuses)


if __name__ == "__main__":
    sys.exit(main())
