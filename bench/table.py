"""What the table costs: rounds a second through it, shuffles a second, the time of `next_steps`."""

from __future__ import annotations

import time
from collections.abc import Callable

from bench.__main__ import CARDS, deal_round, per_second
from twentyone.round import Draw, Offer
from twentyone.rulebook import Rulebook
from twentyone.table import Command, Table
from twentyone.table.script import follow
from twentyone.table.shoe import full_batch, new_seed, os_source, shoe_order

__all__ = ["figures"]

BOOK = "pa-spanish-21"


def ready_table() -> Table:
    """A table with a loaded shoe and one player."""
    table = follow(Table.new(Rulebook.load(BOOK).under({"decks": 8})), "show_cards", 0)
    table = table.apply(Command("sit", "player", "Ann", 0, {"boxes": [1]}))
    table = table.apply(Command("buy_in", "dealer", "Dan", 0, {"player": "Ann", "amount": "900000"}))
    return follow(table, "", 0)


def table_round(table: Table) -> Table:
    """One round through the table: wager, deal, cards, decisions, settlement, pick-up; the history is let go."""

    def do(name: str, role: str = "dealer", **args: object) -> None:
        nonlocal table
        table = table.apply(Command(name, role, "Ann" if role == "player" else "Dan", 0, args))

    do("place_wager", "player", box=1, amount="10")
    do("deal")
    cards = iter(CARDS)
    while table.state.phase == "round":
        assert table.state.round is not None
        need = table.state.round.next
        if isinstance(need, Draw):
            do("card", card=next(cards).card.name)
        elif isinstance(need, Offer) and need.optional:
            do("decide", action="decline")
        else:
            two = len(table.state.round.state.hands[1][0].cards) == 2
            do("decide", "player", action="hit" if two else "stand")
    do("collect_cards")
    return Table.at(table.rules, table.state)


def _rounds(start: Table) -> Callable[[], None]:
    """Rounds one after another, from a fresh shoe every sixth (eight decks hold each card eight times)."""
    held = [start, 0]

    def job() -> None:
        if held[1] == 6:
            held[:] = [start, 0]
        table = held[0]
        assert isinstance(table, Table)
        held[0] = table_round(table)
        held[1] = int(str(held[1])) + 1

    return job


TURNS, AT_ONCE = 80, 24
"""How often both sides of a comparison take turns, and how many rounds each deals at a time."""


def _ratio(job: Callable[[], object], yardstick: Callable[[], object]) -> float:
    """How fast a job is against its yardstick: the best of many short turns of each, taken alternately.

    What else the machine does falls on both, and the best turns are those that it left alone.
    """
    best = [float("inf")] * 2
    for _ in range(TURNS):
        best = [min(least, _seconds(side)) for least, side in zip(best, (job, yardstick), strict=True)]
    return best[1] / best[0]


def _seconds(job: Callable[[], object]) -> float:
    start = time.process_time()
    for _ in range(AT_ONCE):
        job()
    return time.process_time() - start


def figures() -> tuple[float, float, float]:
    """Rounds through the table against the pure round; shuffles a second; microseconds of `next_steps`."""
    table = ready_table()
    rules = table.rules
    ratio = _ratio(_rounds(table), lambda: deal_round(rules))
    source, cards = os_source(), full_batch(Rulebook.load(BOOK).under({"decks": 6}))
    shuffles = per_second(lambda: shoe_order(new_seed(source), cards))
    start = time.perf_counter()
    for _ in range(10_000):
        table.next_steps("dealer")
    return ratio, shuffles, (time.perf_counter() - start) * 100
