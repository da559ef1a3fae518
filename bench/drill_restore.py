"""The restore drill, by the commands of the runbook: backup, loss, restore, verify, play on.

    python -m bench.drill_restore [--rounds N]

Two things must be refused: a backup with a byte changed, and one that is older than what the checkpoints have signed.
Exit status: 0 held, 1 a fault.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from bench.prove import FAULT, PROVED

__all__ = ["main"]

BOOK = "pa-spanish-21"


class Wrong(Exception):
    """A command did not do what the runbook says."""


def run(folder: Path, *arguments: str, expected: int = 0) -> None:
    """One command of the runbook; it must end with the status that the runbook names."""
    command = [sys.executable, "-m", "twentyone", *arguments]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    if done.returncode != expected:
        raise Wrong(f"twentyone {' '.join(arguments)}: status {done.returncode}, not {expected}: {done.stderr[-500:]}")


def drill(folder: Path, rounds: int) -> None:
    """The steps, in order."""
    shift = ("shift", BOOK, "--tables", "2", "--seed", "7", "--irregularities", "0.02", "--ledger", "house.db")
    run(folder, *shift, "--rounds", str(rounds // 2))
    run(folder, "backup", "house.db", "old-copy.db")
    run(folder, *shift, "--rounds", str(rounds))
    run(folder, "backup", "house.db", "copy.db")
    for path in folder.glob("house.db*"):
        if path.suffix not in (".key", ".checkpoints"):
            path.unlink()
    _must_be_refused(folder)
    run(folder, "restore", "copy.db", "house.db")
    run(folder, "verify", "house.db")
    run(folder, *shift, "--rounds", str(rounds + 10))
    run(folder, "verify", "house.db")


def _must_be_refused(folder: Path) -> None:
    """The negative controls: nothing is left behind by a restore that is refused."""
    damaged = bytearray((folder / "copy.db").read_bytes())
    place = damaged.rindex(b'"do"')
    damaged[place + 1] ^= 1
    (folder / "damaged.db").write_bytes(damaged)
    shutil.copymode(folder / "copy.db", folder / "damaged.db")
    for copy in ("damaged.db", "old-copy.db"):
        run(folder, "restore", copy, "house.db", expected=2)
        if (folder / "house.db").exists():
            raise Wrong(f"a refused restore of {copy} left a ledger behind")


def main(arguments: Sequence[str] | None = None) -> int:
    """Hold the drill."""
    parser = argparse.ArgumentParser(prog="python -m bench.drill_restore", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--rounds", type=int, default=40)
    rounds, began = parser.parse_args(arguments).rounds, time.monotonic()
    with tempfile.TemporaryDirectory() as name:
        try:
            drill(Path(name), rounds)
        except Wrong as wrong:
            print(f"drill restore: {wrong}")
            return FAULT
    told = f"{rounds} rounds restored, verified, played on; a damaged and an older backup refused"
    print(f"drill restore: {told}, {time.monotonic() - began:.0f} s")
    return PROVED


if __name__ == "__main__":
    sys.exit(main())
