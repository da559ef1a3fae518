"""What the table costs: rounds a second through it, shuffles a second, the time of `next_steps`."""

from __future__ import annotations

import time
from collections.abc import Callable
from statistics import median

from bench.round import CARDS, deal_round, decision
from twentyone.round import Draw, Offer, Over
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
    table = table.apply(Command("buy_in", "dealer", "Dan", 0, {"player": "Ann", "amount": "100000"}))
    return follow(table, "", 0)


WAGER = Command("place_wager", "player", "Ann", 0, {"box": 1, "amount": "10"})
DEAL, COLLECT = Command("deal", "dealer", "Dan"), Command("collect_cards", "dealer", "Dan")
DEALT = tuple(Command("card", "dealer", "Dan", 0, {"card": drawn.card.name}) for drawn in CARDS)
DECLINE = Command("decide", "dealer", "Dan", 0, {"action": "decline"})
DECISIONS = {says: Command("decide", "player", "Ann", 0, {"action": says}) for says in ("hit", "stand")}


def table_round(table: Table) -> Table:
    """One round through the table: wager, deal, cards, decisions, settlement, pick-up; the history is let go."""
    table = table.apply(WAGER).apply(DEAL)
    cards = iter(DEALT)
    while (round_ := table.state.round) is not None and not isinstance(need := round_.next, Over):
        if isinstance(need, Draw):
            table = table.apply(next(cards))
        else:
            assert isinstance(need, Offer)
            says = decision(round_, need)
            table = table.apply(DECLINE if says == "decline" else DECISIONS[says])
    table = table.apply(COLLECT)
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
    """How fast a job is against its yardstick: the middle of many short turns of both, taken alternately.

    What else the machine does falls on both sides of a turn, and a turn that it disturbed is not in the middle.
    """
    return median(_seconds(yardstick) / _seconds(job) for _ in range(TURNS))


def _seconds(job: Callable[[], object]) -> float:
    start = time.process_time()
    for _ in range(AT_ONCE):
        job()
    return time.process_time() - start


def _best(job: Callable[[], object]) -> float:
    """Seconds that a job takes of the process's own time: the best of many short turns."""
    return min(_seconds(job) for _ in range(TURNS)) / AT_ONCE


def figures() -> tuple[float, float, float]:
    """Rounds through the table against the pure round; shuffles a second; microseconds of `next_steps`."""
    table = ready_table()
    rules = table.rules
    ratio = _ratio(_rounds(table), lambda: deal_round(rules))
    source, cards = os_source(), full_batch(Rulebook.load(BOOK).under({"decks": 6}))
    shuffle = _best(lambda: shoe_order(new_seed(source), cards))
    return ratio, 1 / shuffle, _best(lambda: table.next_steps("dealer")) * 1e6


def run() -> bool:
    """Print the figures of the table; false where one misses its bar."""
    ratio, shuffles, steps = figures()
    print(f"{'round through the table':42}{ratio:>12.2f} of the pure round (bar 0.50)")
    print(f"{'shuffles of six decks':42}{shuffles:>12,.0f} /s (bar 10,000)")
    print(f"{'next_steps':42}{steps:>12.1f} microseconds (bar 50)")
    return ratio >= 0.5 and shuffles >= 10_000 and steps < 50
