"""The tests that `make test` leaves out for their length, and all examples of the properties.

Those in a browser are `make prove PART=day`.

    python -m bench.prove_tests

Exit status: 0 proved, 1 a fault.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from collections.abc import Sequence

from bench.prove import FAULT, PROVED

__all__ = ["main"]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run them."""
    argparse.ArgumentParser(prog="python -m bench.prove_tests", description=__doc__).parse_args(arguments)
    pytest, long = [sys.executable, "-m", "pytest", "-n", "2"], {**os.environ, "LONG": "1"}
    runs = (["-m", "prove and not browser"], ["tests/property"])
    faults = [subprocess.call([*pytest, *run], env=long) for run in runs]
    return FAULT if any(faults) else PROVED


if __name__ == "__main__":
    sys.exit(main())
