"""T12: whether the time an answer takes tells a hidden card, in worlds that differ in hole card and shoe alone."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Awaitable, Callable
from random import Random
from typing import NamedTuple

from scipy.stats import mannwhitneyu  # type: ignore[import-untyped]

from tests.web.inside import Answer, Inside, give, open_table
from tests.web.worlds import ORDERS
from twentyone.cards import Card
from twentyone.service.live import LiveTable

__all__ = ["ASKS", "Leak", "Timed", "measure", "slow_where_high"]

BOOK = "pa-spanish-21"
SEEN = "8S 5D 7C 9H 6S"
"""Box 1, box 3, the dealer, box 1, box 3: nothing for which the rule asks the hole card."""
HOLES = ("KS 4D", "AS 6C", "QH 2D", "JC 3S", "AD 9C", "KH 8D")
"""The hole card of one world, high, and of the other, low."""
REST = "2H 3H 4H 6D 7D 8D 9D JS QS KC AC 2C 3C"
ROUNDS = 50
"""Answers a world to each question at one pair of tables, before another pair is taken."""

Leak = Callable[[LiveTable], None]
"""Is called before every answer, while its time runs."""
Ask = Callable[[Inside, str], Awaitable[Answer]]
Clock = Callable[[], float]
"""What an answer takes: seconds that pass, or, where neighbours would be measured too, this process's own."""

ASKS: dict[str, tuple[int, Ask]] = {
    "view": (200, lambda inn, table: inn.clients["guest"].get(f"/tables/{table}")),
    "refused": (409, lambda inn, table: inn.clients["other guest"].command(table, "decide", action="hit", box=3)),
    "stored": (200, lambda inn, table: inn.clients["guest"].command(table, "tip", amount="1")),
}
"""What is asked while the hole card lies face down: a look, a decision out of turn, a command that is stored."""


class Timed(NamedTuple):
    """How long both worlds took to answer one question."""

    ask: str
    """Which question."""
    first: list[float]
    """Seconds, in the world whose hole card is the first of each pair."""
    second: list[float]
    """Seconds in the other."""

    @property
    def worlds(self) -> tuple[list[float], list[float]]:
        """Both."""
        return self.first, self.second

    @property
    def p(self) -> float:
        """How likely the worlds would differ so much, or more, by chance."""
        return float(mannwhitneyu(self.first, self.second).pvalue)


async def measure(inn: Inside, answers: int, leak: Leak | None = None, clock: Clock = time.perf_counter) -> list[Timed]:
    """So many answers a world to each question, by turns at random; a planted leak delays them."""
    times = {ask: Timed(ask, [], []) for ask in ASKS}
    rng, left, number = Random(answers), answers, 0
    while left:
        turns = min(ROUNDS, left)
        async for world, name in _worlds(inn, number, turns, rng):
            for ask, (status, question) in ASKS.items():
                begun = clock()
                if leak is not None:
                    leak(inn.service.table(name))
                answer = await question(inn, name)
                times[ask].worlds[world].append(clock() - begun)
                assert answer.status_code == status, answer.text
        left, number = left - turns, number + 1
    return list(times.values())


async def _worlds(inn: Inside, number: int, turns: int, rng: Random) -> AsyncIterator[tuple[int, str]]:
    """A pair of tables, as often as said, in an order that chance gives; either world may be opened first."""
    names = [f"w{number}-a", f"w{number}-b"]
    rng.shuffle(names)
    holes = HOLES[number % len(HOLES)].split()
    for world in rng.sample((0, 1), 2):
        await _dealt(inn, names[world], holes[world], rng)
    for _ in range(turns):
        for world in rng.sample((0, 1), 2):
            yield world, names[world]
    for name in names:
        inn.forget(name)


async def _dealt(inn: Inside, name: str, hole: str, rng: Random) -> None:
    """A table at which the first player is asked, and the hole card lies face down."""
    rest = REST.split()
    rng.shuffle(rest)
    ORDERS[name] = [Card(card) for card in ("2C", *SEEN.split(), hole, *rest)]
    live = await open_table(inn.service, name, BOOK, {"Ann": [1], "Bob": [3]})
    for player, box in (("Ann", 1), ("Bob", 3)):
        await give(live, "place_wager", "player", player, box=box, amount="10")
    await give(live, "deal", "dealer", "Dan")
    while live.runner.table.next_steps()[0].do == "card":
        await give(live, "card", "dealer", "Dan")
    round_ = live.runner.table.state.round
    assert round_ is not None
    assert round_.state.dealer[1] == Card(hole)
    assert not round_.state.shown


def slow_where_high(seconds: float) -> Leak:
    """A leak for control: an answer takes so much longer where the hole card is high."""

    def leak(live: LiveTable) -> None:
        round_ = live.runner.table.state.round
        assert round_ is not None
        end = time.process_time() + seconds * (round_.state.dealer[1].rank in "KQJA")
        while time.process_time() < end:
            pass

    return leak
