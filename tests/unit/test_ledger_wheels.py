"""The runner's wheel: symbols as often as their weights say, a hot spot among the boxes that wait, nothing foretold."""

from __future__ import annotations

import hmac
from collections import Counter
from hashlib import sha256
from math import sqrt
from typing import Any

import pytest
from cryptography.hazmat.primitives.ciphers import Cipher
from cryptography.hazmat.primitives.ciphers.algorithms import ChaCha20

from twentyone.round import Round, Spin
from twentyone.rulebook import Rulebook
from twentyone.rulebook.clauses import Symbol
from twentyone.table.wheel import Turn, draw, spin_words, turn_due, turn_wheel

TURNS = 3000
SEED = bytes(range(32))
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


def test_symbol_by_a_second_hand() -> None:
    """The symbol worked out from the documentation, step by step, with no code of the table's."""
    weights = {"50": 40_000, "jackpot": 1, "10": 70_000}
    round_ = round_at_the_wheel(wheel_weights=weights)
    for number in range(1, 40):
        key = hmac.new(SEED, b"spin " + str(number).encode(), "sha256").digest()
        stream = Cipher(ChaCha20(key, bytes(16)), mode=None).encryptor().update(bytes(4000))
        read = [int.from_bytes(stream[place : place + 2], "little") for place in range(0, 4000, 2)]
        pairs = [read[place] * 65_536 + read[place + 1] for place in range(0, 2000, 2)]
        sum_, size = 110_001, 65_536**2
        offset = next(pair for pair in pairs if pair < size // sum_ * sum_) % sum_
        symbol = "10" if offset < 70_000 else "50" if offset < 110_000 else "jackpot"
        assert draw(round_.rules, Turn(number, "bonus_spin"), spin_words(SEED, number)) == {"symbol": symbol}


def test_hot_spot_by_a_second_hand() -> None:
    rules = round_at_the_wheel().rules
    names = sorted(symbol.name for symbol in rules.all(Symbol) if symbol.wheel == "bonus_spin")
    for number in range(1, 40):
        key = hmac.new(SEED, b"spin " + str(number).encode(), "sha256").digest()
        stream = Cipher(ChaCha20(key, bytes(16)), mode=None).encryptor().update(bytes(400))
        read = iter([int.from_bytes(stream[place : place + 2], "little") for place in range(0, 400, 2)])
        symbol = names[next(word for word in read if word < 65_536 // len(names) * len(names)) % len(names)]
        spot = (2, 3, 5)[next(word for word in read if word < 65_536 // 3 * 3) % 3]
        drawn = draw(rules, Turn(number, "bonus_spin", (2, 3, 5)), spin_words(SEED, number))
        assert drawn == {"symbol": symbol, "hot_spot": spot}


def test_the_symbols_of_a_seed_never_change() -> None:
    """Wheels that were turned years ago must turn again: these symbols are for good."""
    rules = round_at_the_wheel().rules
    made = [draw(rules, Turn(number, "bonus_spin"), spin_words(SEED, number))["symbol"] for number in range(1, 9)]
    assert made == ["100+20", "50", "120", "20", "30+3", "50", "30+3", "10"]


def test_the_spins_of_a_seed_do_not_tell_each_other() -> None:
    """The second spin after each symbol of the first is as often as it is anyway."""
    rules = round_at_the_wheel(wheel_weights={"10": 3, "50": 1}).rules
    pairs: Counter[tuple[str, str]] = Counter()
    for count in range(TURNS):
        seed = sha256(count.to_bytes(4, "big")).digest()
        one, two = (draw(rules, Turn(number, "bonus_spin"), spin_words(seed, number))["symbol"] for number in (1, 2))
        pairs[one, two] += 1
    for (one, two), count in pairs.items():
        share = (0.75 if one == "10" else 0.25) * (0.75 if two == "10" else 0.25)
        assert abs(count - TURNS * share) < 5 * sqrt(TURNS * share)
    assert len(pairs) == 4


def test_the_order_in_which_a_submission_names_its_symbols_decides_nothing() -> None:
    weights = {"50": 3, "10": 2, "jackpot": 1}
    made = [
        draw(round_at_the_wheel(wheel_weights=dict(given)).rules, Turn(1, "bonus_spin"), spin_words(SEED, 1))
        for given in (weights.items(), sorted(weights.items()))
    ]
    assert made[0] == made[1]


def test_the_first_spin_of_a_round_is_number_one() -> None:
    round_ = round_at_the_wheel()
    assert isinstance(round_.next, Spin)
    assert turn_due(round_, round_.next) == Turn(1, "bonus_spin")
