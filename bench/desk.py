"""Whether the tables notice the desk: a command at twenty live tables while simulations and odds are worked out."""

from __future__ import annotations

import sys
from itertools import product
from typing import Any

from tests.web.serving import Api, Server

from bench.web import LATE, MEMORY, Live, live

__all__ = ["Beside", "busy", "measure"]

TABLES = 20
SIMULATIONS, ODDS = 10, 20
BOOK = "classic-blackjack"


class Beside:
    """Asks for everything at once, as staff may; keeps what was asked."""

    def __init__(self) -> None:
        self.asked: list[dict[str, Any]] = []
        """The computations."""

    def __call__(self, server: Server, dealer: Api) -> None:
        """Ask."""
        staff = [Api.guest(server.base, f"Ada {number}") for number in range(6)]
        del dealer
        for number in range(SIMULATIONS):
            options = {"rounds": 10**9, "seed": number + 1}
            self._ask(staff[number % 6], {"kind": "simulate", "rulebook": BOOK, "options": options})
        for number, (decks, soft) in enumerate(product(range(1, 9), (False, True, None))):
            if number < ODDS:
                chosen = {
                    "decks": decks,
                    **({} if soft is None else {"dealer_hits_soft_17": soft, "surrender": "late"}),
                }
                self._ask(staff[number % 6], {"kind": "odds", "rulebook": BOOK, "submission": chosen})

    def _ask(self, who: Api, question: dict[str, Any]) -> None:
        self.asked.append(who.post("/jobs", question))


def busy(asked: list[dict[str, Any]]) -> int:
    """How many of the computations had to be worked out."""
    return sum(job["state"] != "done" for job in asked)


def measure(seconds: float) -> tuple[Live, Live, int]:
    """The tables alone, then beside the desk's work; and how many computations that were."""
    alone = live(seconds, TABLES, place=MEMORY)
    beside = Beside()
    return alone, live(seconds, TABLES, place=MEMORY, beside=beside), busy(beside.asked)


def run(seconds: float = 40.0) -> bool:
    """Print the figures; false where the bar is missed."""
    alone, beside, asked = measure(seconds)
    for title, found in (("20 live tables, alone", alone), (f"beside {asked} computations", beside)):
        yardstick = f"machine's own {found.machine * 1000:.0f}"
        print(
            f"{title:42}{found.pushes:>10,} pushes, {found.missed} missed, p99 {found.late * 1000:.0f} ms ({yardstick})"
        )
    good = beside.late < LATE and not beside.missed and asked >= SIMULATIONS
    print(f"bench desk: p99 {beside.late * 1000:.0f} ms (bar {LATE * 1000:.0f}): {'good' if good else 'MISSED'}")
    return good


if __name__ == "__main__":
    sys.exit(0 if run(*map(float, sys.argv[1:2])) else 1)
