"""Tables of a ledger at which players sit and bring chips, for contracts of the house's money."""

from __future__ import annotations

from tests.contracts.runner_driver import KEYRING, seeded_source

from twentyone.ledger.purses import PURSES, issued
from twentyone.ledger.rows import HOUSE
from twentyone.ledger.runner import Runner
from twentyone.ledger.store import Store
from twentyone.money import Amount
from twentyone.rulebook import Rulebook
from twentyone.table import Command

__all__ = ["at", "bring", "issue", "leave", "open_table", "purse", "sit"]

NOW = 1_800_000_000


def at(store: Store, stream: str) -> Runner:
    """A table of a ledger, as one process works it."""
    runner = Runner(store, stream, KEYRING, seeded_source(3), lambda: NOW)
    if store.version(stream):
        runner.load()
    return runner


def open_table(store: Store, stream: str, *players: str) -> Runner:
    """A new table with players who have nothing yet."""
    runner = at(store, stream)
    runner.create(Rulebook.load("pa-spanish-21").under({}), for_play=False)
    runner.handle(Command("open_table", "floorperson", "Fay", args={"dealer": "Dan"}), f"open {stream}")
    for box, name in enumerate(players, 1):
        sit(runner, name, box)
    return runner


def sit(runner: Runner, name: str, box: int) -> None:
    """A player takes a box."""
    runner.handle(Command("sit", "player", name, args={"boxes": [box]}), f"{runner.stream} sit {runner.version}")


def issue(store: Store, name: str, dollars: str, key: str) -> None:
    """Play money goes into a purse."""
    store.append(HOUSE, 0, [issued(name, Amount(dollars), "Fay", "test", NOW)], key, f"{name} {dollars}")


def bring(runner: Runner, name: str, dollars: str, key: str) -> None:
    """A player brings chips from his purse."""
    runner.handle(Command("bring_chips", "player", name, args={"amount": dollars}), key)


def leave(runner: Runner, name: str, key: str) -> None:
    """A player leaves, with his chips."""
    runner.handle(Command("leave", "player", name), key)


def purse(store: Store, name: str) -> str:
    """What a purse holds, in dollars."""
    return str(Amount.from_thousandths((store.find_derived(PURSES, name) or (0,))[0]))
