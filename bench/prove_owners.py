"""`make prove PART=owners`: owners of tables are lost in mid-round, and the tables go on elsewhere.

    python -m bench.prove_owners [--part kills|stops] [--size quick|normal|full]

`kills`: two servers on one PostgreSQL; whoever leads the table is killed (every fifth time: stopped, and continued
later) while cards are on it and somebody gives commands without a pause. Bars: taken over within 5 s, nothing
acknowledged is lost, nothing stored twice. `stops`: a process that leads 100 tables is stopped for 30 s; others take
over; it goes on and writes. Bar: all of it is refused; without the fence all of it is stored.
Exit status: 0 proved, 1 not.
"""

from __future__ import annotations

import argparse
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import chdir, closing
from pathlib import Path

from rich.progress import track
from tests.faults.owners import Taken, faults, house
from tests.patience import until
from tests.postgres import Postgres

from twentyone.ledger.leases import Leases
from twentyone.ledger.postgres import open_postgres

__all__ = ["main"]

KILLS = {"quick": 5, "normal": 30, "full": 300}
STILL = {"quick": 5.0, "normal": 30.0, "full": 30.0}
"""Seconds for which an owner is stopped."""
SOON = 5.0
"""Seconds within which a table is taken over: the bar."""
TABLES = 100
EVERY = 5


def prove_kills(postgres: Postgres, count: int) -> bool:
    """Lose owners; false where a bar is missed."""
    with tempfile.TemporaryDirectory() as name, chdir(name):
        ledger = postgres.new_database()
        with house(ledger, Path(name), time.monotonic) as tables:
            taken: list[Taken] = []
            for number in track(range(count), "owners", transient=True):
                taken.append(tables.lose_owner("stop" if number % EVERY == EVERY - 1 else "kill", number))
            wrong = faults(ledger, tables.acknowledged)
            whole = tables.admin_anywhere().post("/verify")["ok"]
    worst = max(one.seconds for one in taken)
    print(
        f"prove owners kills: {count} owners lost in mid-round, taken over within {worst:.1f} s (at most {SOON:.0f}), "
        f"{len(tables.acknowledged)} commands acknowledged, {len(wrong)} lost or doubled, "
        f"verify: {'all well' if whole else 'FAULTS'}"
    )
    for fault in wrong:
        print(fault)
    return worst <= SOON and not wrong and whole


def prove_stops(postgres: Postgres, still: float) -> bool:
    """Stop an owner; false where what it writes afterwards is stored, or where the control does not notice."""
    refused = late_writes(postgres, still, fenced=True)
    control = late_writes(postgres, 0.0, fenced=False)
    print(
        f"prove owners stops: stopped for {still:.0f} s and continued: {refused} of {TABLES} writes refused; "
        f"without the fence {control} of {TABLES} (must be 0)"
    )
    return refused == TABLES and control == 0


def late_writes(postgres: Postgres, still: float, fenced: bool) -> int:
    """How many writes of an owner that was stopped are refused."""
    url = postgres.new_database()
    with closing(open_postgres(url, create=True)) as store:
        command = [sys.executable, "-m", "bench.stopped_owner", url, "stopped", str(TABLES)]
        owner = subprocess.Popen(
            [*command, *([] if fenced else ["--no-fence"])], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        try:
            assert owner.stdout is not None
            assert owner.stdout.readline() == "leads\n"
            owner.send_signal(signal.SIGSTOP)
            stopped, names = time.monotonic(), [f"stopped-{number}" for number in range(TABLES)]
            leases = Leases(url, store, "other", "")
            leases.renew()
            until(lambda: len(_take_over(leases, names)) == TABLES, "taken over", look=0.2)
            time.sleep(max(0.0, still - (time.monotonic() - stopped)))
            owner.send_signal(signal.SIGCONT)
            said, _ = owner.communicate("\n")
            return int(said.split()[0])
        finally:
            owner.kill()
            owner.wait()


def _take_over(leases: Leases, names: list[str]) -> list[str]:
    leases.renew()
    leases.unblock("stopped")
    return leases.claim(names)


def main(arguments: Sequence[str] | None = None) -> int:
    """Prove the parts that were asked for."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.prove_owners", description=(__doc__ or "").partition("\n")[0]
    )
    parser.add_argument("--part", choices=("kills", "stops"))
    parser.add_argument("--size", choices=tuple(KILLS), default="normal")
    parser.add_argument("--count", type=int, help="owners to kill, if not as many as the size says")
    chosen = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as name, closing(Postgres(Path(name) / "data")) as postgres:
        good = chosen.part == "kills" or prove_stops(postgres, STILL[chosen.size])
        good &= chosen.part == "stops" or prove_kills(postgres, chosen.count or KILLS[chosen.size])
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
