"""T8 and T9: commands through HTTP with every command on the disk, and pushes to many seats; each with its control.

    python -m bench.prove_speed commands|seats --seconds N

In a short run the figures are judged beside the machine's own of the same seconds: a busy machine is no fault of the
house. From 60 seconds on the absolute bars count too. Exit status: 0 held, 1 missed.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from bench import web
from bench.prove import FAULT, PROVED

__all__ = ["commands", "main", "seats"]

RATE, LATE = 1_000, 0.100
"""Commands a second at fifty clients, and seconds that 99 of 100 take at most."""
LONG = 60
"""Seconds from which on the absolute bars count."""
SLOW = 0.1
"""Seconds that every answer takes longer, for control."""
FULL = (100, 7, 0.2)
"""Tables, seats at each and seconds between two commands of a table, in a run of a release; else a few."""
FEW = (10, 3, 0.2)


def commands(seconds: float) -> bool:
    """T8."""
    found = web.figures(seconds, turns=1, clients=(1, 50))
    rate, late = found.rates[50], found.late[50]
    absolute = seconds < LONG or (rate >= RATE and late <= LATE)
    missed = _slowed(found.direct)
    beside = f"{found.ratio:.2f} of the bare runner (bar {web.BAR})"
    told = f"{rate:,.0f} commands/s at 50 clients, {beside}, p99 {late * 1000:.0f} ms"
    print(f"prove speed: {told}; every answer {SLOW:g} s later: {'missed, as it must be' if missed else 'NOT MISSED'}")
    return found.good and absolute and missed


def _slowed(direct: float) -> bool:
    """Whether a server that answers late misses the bar."""
    give = web.Line.give

    async def late(self: web.Line, do: str, **args: Any) -> dict[str, Any]:
        answer = await give(self, do, **args)
        await asyncio.sleep(SLOW)
        return answer

    web.Line.give = late  # type: ignore[method-assign]
    try:
        with tempfile.TemporaryDirectory() as name, web._service(Path(name), 5, 1) as (server, players, dealer):
            rate, _ = asyncio.run(web._press(server, list(players), players, dealer, 1.0))
    finally:
        web.Line.give = give  # type: ignore[method-assign]
    return bool(rate < web.BAR * direct)


def seats(seconds: float) -> bool:
    """T9."""
    tables, chairs, pace = FULL if seconds >= LONG else FEW
    found = web.live(seconds, tables, chairs, pace, web.MEMORY)
    least = found.machine * 20 if seconds < LONG else 0.0
    good = not found.missed and found.late < max(web.LATE, least) and (seconds < LONG or found.growth < web.GROWTH)
    deaf = _deaf()
    told = f"{tables} tables x {chairs} seats: {found.pushes:,} pushes, {found.missed} missed"
    more = f"p99 {found.late * 1000:.0f} ms (the machine's own {found.machine * 1000:.0f}), memory {found.growth:+.1%}"
    print(f"prove speed: {told}, {more}; a seat that stops listening: {deaf} missed", flush=True)
    return good and deaf > 0


def _deaf() -> int:
    """How many pushes a seat misses that stops listening; none would say that nobody counts."""
    sent = {"one": [(version, float(version)) for version in range(1, 11)]}
    seat = web.Seat()
    seat.heard = [(version, version + 0.1) for version in range(1, 6)]
    return web._compare(sent, {"one": [seat]})[0]


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure one of the two."""
    parser = argparse.ArgumentParser(prog="python -m bench.prove_speed", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("what", choices=("commands", "seats"))
    parser.add_argument("--seconds", type=float, default=60.0)
    options = parser.parse_args(arguments)
    return PROVED if {"commands": commands, "seats": seats}[options.what](options.seconds) else FAULT


if __name__ == "__main__":
    sys.exit(main())
