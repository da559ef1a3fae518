"""Two stores, two tables, three purses, random commands at once: what exists is what was issued, to the cent."""

from __future__ import annotations

import json
import threading
from collections import Counter
from random import Random
from typing import Any

from tests.contracts.house_tables import at, issue, open_table, purse
from tests.contracts.runner_driver import KEYRING
from tests.contracts.store_places import Place

from twentyone.errors import Refused
from twentyone.ledger.rows import HOUSE, StaleVersion
from twentyone.ledger.runner import Runner
from twentyone.ledger.store import Store
from twentyone.ledger.verify import verify
from twentyone.money import Amount
from twentyone.table import Command

PLAYERS = ("Ann", "Bob", "Cay")
COMMANDS = 120
"""Of each of the two processes."""


class Rival:
    """One process that works both tables by chance."""

    def __init__(self, store: Store, seed: int) -> None:
        self._store, self._rng, self._seed = store, Random(seed), seed
        self._runners = [at(store, stream) for stream in ("one", "two")]
        self.answers: Counter[str] = Counter()

    def work(self) -> None:
        for number in range(COMMANDS):
            key, name = f"{self._seed} {number}", self._rng.choice(PLAYERS)
            if self._rng.random() < 0.1:
                issue(self._store, name, str(self._rng.randint(1, 90)), key)
                continue
            try:
                self._give(self._rng.choice(self._runners), name, key)
            except (Refused, StaleVersion) as answer:
                self.answers[type(answer).__name__] += 1
            else:
                self.answers["stored"] += 1

    def _give(self, runner: Runner, name: str, key: str) -> None:
        amount: dict[str, Any] = {"amount": str(self._rng.randint(1, 60))}
        box: dict[str, Any] = {"boxes": [PLAYERS.index(name) + 1]}
        do, args = self._rng.choice([("bring_chips", amount), ("bring_chips", amount), ("leave", {}), ("tip", amount)])
        if name not in runner.table.state.players:
            do, args = "sit", box
        runner.handle(Command(do, "player", name, args=args), key)


def second_account(store: Store) -> tuple[int, int, Counter[str]]:
    """What was issued, what is at tables and in tip boxes, and the purses: from the events, without the engine."""
    issued, at_tables, purses = 0, 0, Counter[str]()
    for event in store.read_all():
        body = json.loads(event.body)
        if event.type == "play_money_issued":
            issued += body["amount"]
            purses[body["name"]] += body["amount"]
        elif event.type == "chips_moved" and body["data"]["source"] == "(cage)":
            at_tables += body["data"]["amount"]
            purses[body["data"]["target"]] -= body["data"]["amount"]
        elif event.type == "chips_moved" and body["data"]["target"] == "(cage)":
            at_tables -= body["data"]["amount"]
            purses[body["data"]["source"]] += body["data"]["amount"]
    return issued, at_tables, purses


def test_random_commands_of_two_processes_neither_make_nor_lose_money(place: Place) -> None:
    store = place.open()
    tables = [open_table(store, stream, *PLAYERS) for stream in ("one", "two")]
    for name in PLAYERS:
        issue(store, name, "100", f"first of {name}")
    rivals = [Rival(place.open(), seed) for seed in (5, 6)]
    threads = [threading.Thread(target=rival.work) for rival in rivals]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    answers = sum((rival.answers for rival in rivals), Counter[str]())
    assert answers["stored"] > 20 < answers["Refused"]
    assert (
        sum(answers.values()) + sum(event.type == "play_money_issued" for event in store.read(HOUSE))
        == 2 * COMMANDS + 3
    )
    issued, at_tables, purses = second_account(store)
    assert {name: purse(store, name) for name in PLAYERS} == {
        name: str(Amount.from_thousandths(purses[name])) for name in PLAYERS
    }
    for runner in tables:
        runner.catch_up()
    held = sum(int(runner.table.state.chips.get(name, 0)) for runner in tables for name in (*PLAYERS, "(tips)"))
    assert (held, at_tables + sum(purses.values())) == (at_tables, issued)
    assert verify(store, KEYRING, None).faults == ()
