"""What the checks of a house under fire cost a command: processor time of the server with all of them, and without.

    python -m bench.checks

Two servers on ledgers of their own, each command on the disk, asked in turns by the same clients. One is as it is
served, limits and all; of the other only the session and its token are left: no limits, no mark on a session, no name
of the host, no second factor, no deadline of a request, nothing that examines ledger, people and package meanwhile.
Exit status: 0 within the bar, 1 not.
"""

from __future__ import annotations

import asyncio
import itertools
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, chdir, contextmanager
from pathlib import Path
from typing import Any, NamedTuple
from unittest.mock import patch

from tests.web.serving import Api, Server, start

from bench.owners import ROOT, spent
from bench.web import CLIENTS, _press, furnished
from twentyone.cli import main
from twentyone.service.authenticity import Authenticity
from twentyone.service.marks import Marks
from twentyone.service.people import People
from twentyone.service.policy import AccessPolicy
from twentyone.service.self_watch import SelfWatch
from twentyone.web import security
from twentyone.web.security import Guard
from twentyone.web.whole_requests import WholeRequests

__all__ = ["Cost", "measure", "run"]

SECONDS, TURNS = 2.0, 4
MOST = 1.10
"""Processor time of a command with all checks at most, as a multiple of what it takes without: the bar."""
WITH, WITHOUT = "with", "without"
A_PERSON = 300
"""Commands after which the limits take whoever asks for another person: nobody may give as many as a bench does, nor
open as many sessions from one address."""


class Cost(NamedTuple):
    """What a command cost."""

    rate: float
    """Commands a second, at best."""
    seconds: float
    """Processor time of the server for one."""


# -- the servers


def all_limits() -> None:
    """Let the limits count every request, as in a house, though the clients of the bench are above each."""
    begun, numbers = Guard.__init__, itertools.count()

    def limited(guard: Guard, *given: Any, **options: Any) -> None:
        begun(guard, *given, **{**options, "limited": True})

    def counted(_: object, session: object) -> str:
        return f"stranger {next(numbers)}" if session is None else f"person {next(numbers) // A_PERSON}"

    _instead(Guard, __init__=limited)
    _instead(security, _counted=counted)


def no_checks() -> None:
    """Leave out everything but the session and its token."""

    _instead(Marks, token=lambda *row: (row[4].partition(" ")[0], True))
    _instead(Guard, _lacks_factor=lambda *_: False)
    _instead(AccessPolicy, is_host=lambda *_: True)
    _instead(WholeRequests, _begin=lambda *_: None)
    for kind in (SelfWatch, Authenticity, People):
        _instead(kind, look=lambda *_: "")


def _instead(where: Any, **functions: Callable[..., Any]) -> None:
    """Put functions in the place of others for as long as this process lives."""
    for name, function in functions.items():
        patch.object(where, name, function).start()


@contextmanager
def _service(folder: Path, checks: str) -> Iterator[tuple[Server, dict[str, list[Api]], Api]]:
    """A server with or without checks, with as many tables as there are clients at most."""
    folder.mkdir()
    server = start(str(folder / "checks.db"), folder, program=("-m", "bench.checks", checks))
    try:
        yield server, *furnished(server, max(CLIENTS), 1)
    finally:
        server.process.terminate()
        server.process.wait()


# -- the measurement


def measure(seconds: float = SECONDS, turns: int = TURNS) -> dict[int, dict[str, Cost]]:
    """Cost with and without checks by number of clients; the best of some turns, so that both meet the same machine."""
    with tempfile.TemporaryDirectory(dir=Path.cwd(), prefix=".bench-") as name, ExitStack() as all_up, chdir(ROOT):
        up = {checks: all_up.enter_context(_service(Path(name) / checks, checks)) for checks in (WITH, WITHOUT)}
        costs: dict[int, dict[str, Cost]] = {count: {} for count in CLIENTS}
        for _, count, checks in itertools.product(range(turns), CLIENTS, up):
            found, best = _turn(*up[checks], count, seconds), costs[count].get(checks)
            costs[count][checks] = found if best is None else Cost(max(best[0], found[0]), min(best[1], found[1]))
        return costs


def _turn(server: Server, players: dict[str, list[Api]], dealer: Api, count: int, seconds: float) -> Cost:
    before = spent(server)
    rate, _ = asyncio.run(_press(server, list(players)[:count], players, dealer, seconds))
    return Cost(rate, (spent(server) - before) / (rate * seconds))


def run(seconds: float = SECONDS, turns: int = TURNS) -> bool:
    """Print the figures; false where the bar is missed."""
    costs = measure(seconds, turns)
    shares = {count: cost[WITH].seconds / cost[WITHOUT].seconds for count, cost in costs.items()}
    for count, cost in costs.items():
        print(
            f"{f'checks, {count} clients':42}{cost[WITH].seconds * 1000:>10.3f} ms of processor time a command, "
            f"{cost[WITHOUT].seconds * 1000:.3f} without ({shares[count]:.2f}x); "
            f"{cost[WITH].rate:,.0f} commands/s, {cost[WITHOUT].rate:,.0f} without"
        )
    good = max(shares.values()) <= MOST
    print(f"bench checks: {max(shares.values()):.2f}x (bar {MOST}): {'good' if good else 'MISSED'}")
    return good


if __name__ == "__main__":
    if sys.argv[1:]:
        {WITH: all_limits, WITHOUT: no_checks}[sys.argv[1]]()
        sys.exit(main(sys.argv[2:]))
    sys.exit(0 if run() else 1)
