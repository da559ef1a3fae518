"""`make prove PART=owners`: owners of tables are lost in mid-round, and the tables go on elsewhere.

    python -m bench.prove_owners [--part kills|stops] [--size quick|normal|full] [--count N]

`kills`: houses side by side, each of two servers on a PostgreSQL database; whoever leads the table is killed (after
every fourth: another is stopped, and continued later) while cards are on it and somebody gives commands without a
pause. Bars: taken over within 5 s, nothing acknowledged is lost, nothing stored twice. What is done is kept in
`.prove/`, house by house: a run that was stopped, or whose 15 minutes are over, goes on if the code is the same.
`stops`: a process that leads 100 tables is stopped for 30 s; others take over; it goes on and writes. Bar: all of it is
refused; without the fence all of it is stored.
Exit status: 0 proved, 1 not, 75 the time was over before the owners were (start again to go on).
"""

from __future__ import annotations

import argparse
import json
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from contextlib import chdir, closing
from dataclasses import asdict, dataclass, field
from pathlib import Path

from tests.faults.owners import Taken, faults, house
from tests.patience import until
from tests.postgres import Postgres

from bench.prove import FAULT, FOLDER, PROVED, TIME_OVER, fingerprint
from twentyone.ledger.leases import Leases
from twentyone.ledger.postgres import open_postgres

__all__ = ["Losses", "main", "prove_kills"]

KILLS = {"quick": 5, "normal": 30, "full": 300}
STILL = {"quick": 5.0, "normal": 30.0, "full": 30.0}
"""Seconds for which an owner is stopped."""
SOON = 5.0
"""Seconds within which a table is taken over: the bar."""
TABLES = 100
EVERY = 4
"""Owners that are killed before one is stopped."""
A_HOUSE, SIDE = 20, 3
"""Owners killed in one house at most: its shoe lasts as long; and houses side by side."""
MINUTES = 15
"""The longest that one run takes: then the houses end after the owner that they are at."""


@dataclass
class Losses:
    """The owners that were lost until now."""

    code: str
    """Fingerprint of the code that was proved."""
    killed: int = 0
    stopped: int = 0
    worst: float = 0.0
    """Seconds that the slowest table waited for its next owner."""
    acknowledged: int = 0
    """Commands that were answered meanwhile."""
    wrong: list[str] = field(default_factory=list)
    """What was lost or doubled, and ledgers that did not verify."""

    @classmethod
    def load(cls, file: Path) -> Losses:
        """As they were left; none where the code is another."""
        code = fingerprint()
        try:
            found = cls(**json.loads(file.read_text(encoding="utf-8")))
        except (OSError, ValueError, TypeError):
            return cls(code)
        return found if found.code == code else cls(code)

    def save(self, file: Path) -> None:
        """Keep them: whole or not at all."""
        file.parent.mkdir(exist_ok=True)
        new = file.with_suffix(".new")
        new.write_text(json.dumps(asdict(self)), encoding="utf-8")
        new.replace(file)

    def add(self, other: Losses) -> None:
        """Count those of another house, too."""
        self.killed, self.stopped = self.killed + other.killed, self.stopped + other.stopped
        self.worst, self.acknowledged = max(self.worst, other.worst), self.acknowledged + other.acknowledged
        self.wrong += other.wrong

    def note(self, taken: Taken) -> None:
        """One more."""
        self.killed, self.stopped = self.killed + (taken.how == "kill"), self.stopped + (taken.how == "stop")
        self.worst = max(self.worst, taken.seconds)


def prove_kills(postgres: Postgres, count: int, side: int = SIDE, minutes: float = MINUTES, again: bool = False) -> int:
    """Lose the owners that are still missing; the exit status."""
    file = FOLDER / f"owners-{count}.json"
    losses, end, begun = Losses.load(file), time.monotonic() + minutes * 60, time.monotonic()
    if again or losses.wrong:
        losses = Losses(losses.code)
    with tempfile.TemporaryDirectory() as name, chdir(name), ThreadPoolExecutor(side) as pool:
        left = count - losses.killed
        some = max(1, min(A_HOUSE, -(-left // side)))
        sizes = [min(some, left - done) for done in range(0, left, some)]
        houses: list[Future[Losses]] = [
            pool.submit(_lose_some, postgres.new_database(), Path(name), size, end) for size in sizes
        ]
        for done in as_completed(houses):
            losses.add(done.result())
            losses.save(file)
            spent = time.monotonic() - begun
            print(f"prove owners kills: {losses.killed} of {count} after {spent:.0f} s, worst {losses.worst:.1f} s")
    good = losses.worst <= SOON and not losses.wrong
    print(
        f"prove owners kills: {losses.killed} owners killed and {losses.stopped} stopped in mid-round, taken over "
        f"within {losses.worst:.1f} s (at most {SOON:.0f}), {losses.acknowledged} commands acknowledged, "
        f"{len(losses.wrong)} lost, doubled or not verified",
        *losses.wrong,
        sep="\n",
        flush=True,
    )
    if good and losses.killed < count:
        print(f"prove owners kills: {count - losses.killed} are left, time is over; start again to go on")
        return TIME_OVER
    return PROVED if good else FAULT


def _lose_some(ledger: str, folder: Path, count: int, end: float) -> Losses:
    """One house; what was lost there until its count is full or the time is over, verified."""
    losses = Losses("")
    if time.monotonic() > end:
        return losses
    with house(ledger, folder, time.monotonic) as tables:
        try:
            while losses.killed < count and time.monotonic() < end:
                losses.note(tables.lose_owner("kill", losses.killed))
                if losses.killed % EVERY == 0:
                    losses.note(tables.lose_owner("stop", losses.killed))
        except Exception as fault:
            for server in tables.servers:
                fault.add_note(f"{server.base} said:\n{server.log.read_text()[-2000:]}")
            raise
        losses.acknowledged, losses.wrong = len(tables.acknowledged), faults(ledger, tables.acknowledged)
        if not tables.admin_anywhere().post("/verify")["ok"]:
            losses.wrong.append("the ledger of a house does not verify")
    return losses


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
    parser.add_argument("--side", type=int, default=SIDE, help="houses side by side (%(default)s)")
    parser.add_argument("--again", action="store_true", help="from the start, whatever was proved before")
    chosen = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as name, closing(Postgres(Path(name) / "data")) as postgres:
        if chosen.part != "kills" and not prove_stops(postgres, STILL[chosen.size]):
            return FAULT
        if chosen.part == "stops":
            return PROVED
        return prove_kills(postgres, chosen.count or KILLS[chosen.size], chosen.side, again=chosen.again)


if __name__ == "__main__":
    sys.exit(main())
