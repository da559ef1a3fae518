"""How soon one process tells what another has stored: two servers on one PostgreSQL ledger, a listener at each."""

from __future__ import annotations

import statistics
import sys
import tempfile
import time
from contextlib import chdir, closing
from pathlib import Path
from typing import NamedTuple

from tests.postgres import Postgres
from tests.web.serving import Api, start
from tests.web.test_api_processes import ended, follow_on, give, hear, listen, ready_table
from websockets.sync.client import ClientConnection

__all__ = ["Across", "measure"]

SOON = 0.150
"""Seconds within which the other process has told it, three times of four: the bar."""
COMMANDS = 100


class Across(NamedTuple):
    """Seconds from a command's answer to the listener, three times of four."""

    own: float
    """At the process that stored it: the yardstick."""
    other: float
    """At the other process."""

    @property
    def good(self) -> bool:
        """Whether the bar is met."""
        return self.other < SOON


def _told(api: Api, ear: ClientConnection) -> float:
    """Give a command; the seconds from its answer until the listener has heard of it."""
    version = give(api, "both", "tip", amount="1")["version"]
    begun = time.perf_counter()
    hear(ear, version)
    return time.perf_counter() - begun


def _of_four(times: list[float]) -> float:
    return statistics.quantiles(times, n=4)[2]


def measure(commands: int = COMMANDS) -> Across:
    """Commands at the first process; who listens there hears of one, who listens at the second of the next."""
    with (
        tempfile.TemporaryDirectory() as name,
        closing(Postgres(Path(name) / "data")) as postgres,
        tempfile.TemporaryDirectory() as work,
        chdir(work),
    ):
        ledger = postgres.new_database()
        servers = [start(ledger, Path(work)) for _ in range(2)]
        with ended(servers):
            one, two = servers
            _, guest = ready_table(one, Api.administrator(one), "both")
            follow_on(two, guest).get("/tables/both")
            with listen(one, "both", guest) as near, listen(two, "both", guest) as far:
                times = [(_told(guest, near), _told(guest, far)) for _ in range(commands // 2)]
    return Across(*(_of_four(list(row)) for row in zip(*times, strict=True)))


def run() -> bool:
    """Print the figures; false where the bar is missed."""
    across = measure()
    print(
        f"{'told by another process (PostgreSQL)':42}{across.other * 1000:>10.0f} ms at p75 "
        f"(bar {SOON * 1000:.0f}; by its own {across.own * 1000:.0f})"
    )
    return across.good


if __name__ == "__main__":
    sys.exit(0 if run() else 1)
