"""`make prove PART=hands`: random hands of every rulebook, valued by the command, the review, hints and an oracle.

    python -m bench.prove_hands [--part RULEBOOK] [--hands N] [--plant]

Cards that are out, an up card with its suit, what is told of the hole card; then hands of every kind beside them, split
and doubled ones and those that went over among them. All answers must be the same within 1e-12. The splits of one pair
a deal are valued by the oracle, which takes it seconds. Work is kept in `.prove/` deal by deal. `--plant` leaves the up
card among the cards that can come, which must be found. Exit status: 0 proved, 1 a fault, 75 the time is over (start
again to go on), 130 stopped.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from unittest.mock import patch

from tests.hand_situations import Compared, compared, dealt, situations
from tests.hand_situations import forgotten_up_card as planted

from bench.prove import fingerprint
from twentyone.rulebook import rulebook_ids

__all__ = ["main"]

FOLDER = Path(__file__).parents[1] / ".prove"
HANDS, OF_A_DEAL, MINUTES = 10_000, 500, 15
PROVED, FAULT, TIME_OVER, STOPPED = 0, 1, 75, 130


@dataclass
class Done:
    """How far the proof of one rulebook has come."""

    code: str
    deals: int = 0
    hands: int = 0
    oracle: int = 0
    review: int = 0
    hints: int = 0
    kept: int = 0
    worst: float = 0.0
    seconds: float = 0.0

    def add(self, found: Compared, seconds: float) -> None:
        """Count a deal."""
        self.deals += 1
        for name in ("hands", "oracle", "review", "hints", "kept"):
            setattr(self, name, getattr(self, name) + getattr(found, name))
        self.worst, self.seconds = max(self.worst, found.worst), self.seconds + seconds


def _load(file: Path) -> Done:
    code = fingerprint()
    try:
        done = Done(**json.loads(file.read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError):
        return Done(code)
    return done if done.code == code else Done(code)


def _part(book: str, hands: int, minutes: float, keep: bool) -> int:
    """Prove one rulebook from where it was left."""
    file, began = FOLDER / f"hands-{book}.json", time.monotonic()
    done = _load(file) if keep else Done(fingerprint())
    while done.hands < hands:
        if time.monotonic() - began > minutes * 60:
            print(f"prove hands {book}: {done.hands:,} of {hands:,} hands, the time is over", flush=True)
            return TIME_OVER
        start, seed = time.monotonic(), f"{book}/{done.deals}"
        deal = dealt(book, seed)
        found = compared(deal, list(situations(deal, f"{seed}/hands", min(OF_A_DEAL, hands - done.hands))))
        if found.faults:
            told = "\n".join(found.faults[:3])
            print(f"prove hands {book}: {len(found.faults)} faults in deal {done.deals}\n{told}", flush=True)
            return FAULT
        done.add(found, time.monotonic() - start)
        if keep:
            FOLDER.mkdir(exist_ok=True)
            file.write_text(json.dumps(asdict(done)), encoding="utf-8")
    print(
        f"prove hands {book}: {done.hands:,} hands beside {done.deals} deals, against the oracle {done.oracle:,}, "
        f"the review {done.review:,}, hints {done.hints:,}, kept tables {done.kept:,}; at most {done.worst:.1e} apart, "
        f"0 faults, {done.seconds:.0f} s",
        flush=True,
    )
    return PROVED


def main(arguments: Sequence[str] | None = None) -> int:
    """Prove the parts that were asked for."""
    parser = argparse.ArgumentParser(prog="python -m bench.prove_hands")
    parser.add_argument("--part", choices=rulebook_ids(), help="one rulebook (absent: all)")
    parser.add_argument("--hands", type=int, default=HANDS, help="hands of each")
    parser.add_argument("--minutes", type=float, default=MINUTES)
    parser.add_argument("--plant", action="store_true", help="with a fault that must be found; nothing is kept")
    options = parser.parse_args(arguments)
    books, worst = (options.part,) if options.part else rulebook_ids(), PROVED
    try:
        for book in books:
            if options.plant:
                with TemporaryDirectory() as kept, patch.dict(os.environ, XDG_CACHE_HOME=kept), patch(*planted()):
                    status = _part(book, options.hands, options.minutes, keep=False)
            else:
                status = _part(book, options.hands, options.minutes, keep=True)
            worst = FAULT if FAULT in (worst, status) else max(worst, status)
    except KeyboardInterrupt:
        return STOPPED
    return worst


if __name__ == "__main__":
    sys.exit(main())
