"""Commands at random: any name, any role, by anybody, with arguments that mostly make sense."""

from __future__ import annotations

from dataclasses import fields
from random import Random
from typing import Any

from twentyone.cards import Card
from twentyone.round.actions import ACTIONS
from twentyone.rulebook.clauses import Device
from twentyone.table import Command, Table, TableState
from twentyone.table.model import ROLES
from twentyone.table.play import COMMANDS, task_of

__all__ = ["DEALERS", "FLOORPERSON", "PLAYERS", "random_command", "snapshot"]

FLOORPERSON = "Fay"
DEALERS = ("Dan", "Dot")
PLAYERS = ("Ann", "Bob", "Cy")


def snapshot(state: TableState) -> dict[str, Any]:
    """What a state holds now, apart from the state: a frozen table holds the same for ever."""
    values = {spec.name: getattr(state, spec.name) for spec in fields(TableState) if spec.compare}
    held = {name: dict(value) if isinstance(value, dict) else value for name, value in values.items()}
    return {**held, "round": None if state.round is None else repr(state.round.state)}


NONSENSE: tuple[Any, ...] = (None, -1, 0, 10**9, "", "XX", "-5", "NaN", True, (), [], {}, [0], "Ann", 3.5)

STRAY = 0.005
"""How often a command names what it does not know."""


def random_command(table: Table, at: int, rng: Random, shoe: list[Card], only: str = "") -> Command:
    """A command of any name (or of this one) in any role by anybody, with arguments that mostly make sense."""
    do = only or rng.choice((*COMMANDS, "fly"))
    if not only and rng.random() < 0.3:
        do = rng.choice(table.next_steps()).do
    role = rng.choice((*ROLES, "barber"))
    task, handler = task_of(table.rules, do), COMMANDS.get(do)
    roles = task.role if task is not None else handler.roles if handler is not None else ()
    if roles and rng.random() < 0.7:
        role = rng.choice(roles)
    by = rng.choice(PLAYERS if role == "player" else (*PLAYERS, *DEALERS, FLOORPERSON, "Zoe"))
    args: dict[str, Any] = {}
    for name, value in _sensible(table, rng, shoe).items():
        if rng.random() < _likelihood(do, name) and (handler is None or name in handler.takes or rng.random() < STRAY):
            args[name] = value if rng.random() < 0.9 else rng.choice(NONSENSE)
    return Command(do, role, by, at, args)


def _likelihood(do: str, name: str) -> float:
    """Arguments that change what a command means are left out more often."""
    rare = {"cash", "coupon", "hand", "exposed", "shown", "face_up", "decks", "face", "about"}
    if name in rare:
        return 0.4 if do == "place_wager" else 0.15
    if do in ("decide", "decline_cut"):
        return 0.9 if name == "action" else 0.2
    return 0.5 if do in ("happened", "place_wager") and name not in ("name", "box", "amount") else 0.9


def _sensible(table: Table, rng: Random, shoe: list[Card]) -> dict[str, Any]:
    rules = table.rules
    box = rng.randint(1, 4)
    card = shoe[-1].name if shoe else "2S"
    return {
        "dealer": rng.choice(DEALERS),
        "player": rng.choice(PLAYERS),
        "box": box,
        "boxes": rng.choice(([box], [box, box + 1], [box, box], [True], ["1"])),
        "amount": rng.choice(("10", "2", "5", "0.30", "1000000")),
        "wager": rng.choice((*rules.wagers, "odd_one")),
        "card": card,
        "commitment": "c" * 64,
        "place": rng.randrange(300),
        "from_bottom": rng.randrange(300),
        "action": rng.choice((*ACTIONS, "decline", "dance")),
        "name": rng.choice((*rules.irregularities, "earthquake")),
        "symbol": rng.choice(("10", "Jackpot", "25")),
        "hot_spot": box,
        "device": rng.choice([*(clause.name for clause in rules.all(Device)), "toaster"]),
        "who": "Zoe",
        "on": rng.random() < 0.3,
        "cash": True,
        "coupon": "10",
        "number": f"N-{rng.randrange(10)}",
        "about": rng.choice(("fill", "tip", "rent")),
        "hand": rng.randint(1, 3),
        "exposed": rng.random() < 0.5,
        "shown": rng.choice(("low", "high", "17-21")),
        "face_up": True,
        "decks": rng.choice((6, 8)),
        "face": rng.choice(("up", "down")),
    }
