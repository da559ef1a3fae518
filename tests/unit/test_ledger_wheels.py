"""The runner's wheel: symbols as often as their weights say, a hot spot among the boxes that wait, nothing foretold."""

from __future__ import annotations

from collections import Counter
from hashlib import sha256
from math import sqrt
from typing import Any

import pytest

from twentyone.round import Round, Spin
from twentyone.rulebook import Rulebook
from twentyone.rulebook.clauses import Symbol
from twentyone.table.wheel import turn_wheel

TURNS = 3000
METERS = {"bonus_spin": {"rate": "0.1", "reset": "5000"}}


def round_at_the_wheel(**more: Any) -> Round:
    """A Blackjack with the wager of the wheel beside it."""
    rules = Rulebook.load("md-spanish-21").under({"bonus_spin": "A", "progressive": METERS, **more})
    wager = {"box": 1, "player": "Ann", "main": "10", "bonus_spin": "1"}
    round_ = Round.start(rules, [wager], None)
    for card in ("AS", "7H", "KS", "9D"):
        if not isinstance(round_.next, Spin):
            round_ = round_.apply(card)
    return round_


def turned(round_: Round) -> Counter[str]:
    """How often each symbol comes in many turns, each of a seed of its own."""
    assert isinstance(round_.next, Spin)
    seeds = (sha256(number.to_bytes(4, "big")).digest() for number in range(TURNS))
    return Counter(turn_wheel(round_, round_.next, seed)["symbol"] for seed in seeds)


def test_every_symbol_comes_as_often_as_the_others() -> None:
    round_ = round_at_the_wheel()
    names = {symbol.name for symbol in round_.rules.all(Symbol) if symbol.wheel == "bonus_spin"}
    found = turned(round_)
    assert set(found) == names
    share = 1 / len(names)
    assert all(abs(count - TURNS * share) < 5 * sqrt(TURNS * share) for count in found.values())


@pytest.mark.parametrize("scale", [1, 100_000])
def test_weights_say_how_often(scale: int) -> None:
    """Also where they add up to more than one word of the keystream can tell apart."""
    symbols = Rulebook.load("md-spanish-21").under({"bonus_spin": "A"}).all(Symbol)
    names = sorted(symbol.name for symbol in symbols if symbol.wheel == "bonus_spin" and symbol.meter is None)[:2]
    found = turned(round_at_the_wheel(wheel_weights={names[0]: 3 * scale, names[1]: scale}))
    assert set(found) == set(names)
    assert abs(found[names[0]] - TURNS * 0.75) < 5 * sqrt(TURNS * 0.75 * 0.25)


def test_the_round_takes_what_the_wheel_shows() -> None:
    round_ = round_at_the_wheel()
    assert isinstance(round_.next, Spin)
    assert set(turn_wheel(round_, round_.next, bytes(32))) == {"symbol"}
