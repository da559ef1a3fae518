"""The tests that `make test` leaves out for their length, those in a browser excepted (`make prove PART=day`).

    python -m bench.prove_tests

Exit status: 0 proved, 1 a fault.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from collections.abc import Sequence

from bench.prove import FAULT, PROVED

__all__ = ["main"]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run them."""
    argparse.ArgumentParser(prog="python -m bench.prove_tests", description=__doc__).parse_args(arguments)
    command = [sys.executable, "-m", "pytest", "-n", "2", "-m", "prove and not browser"]
    return FAULT if subprocess.call(command) else PROVED


if __name__ == "__main__":
    sys.exit(main())
