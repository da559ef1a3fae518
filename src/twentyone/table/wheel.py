"""A prize wheel: a symbol and a hot spot drawn by the same words as a shoe, each exactly as likely as its weight.

One seed is committed to for all spins of a round, before its wagers are laid. Spin 1, 2, ... of the round each read
words of their own, so that no spin tells another; the seed is revealed when the round is over.
"""

from __future__ import annotations

import hmac
from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from typing import Any, NamedTuple

from twentyone.round import Round, Spin, State
from twentyone.round.events import WheelSpun
from twentyone.rulebook import Rules
from twentyone.rulebook.wheels import Paytable, paytable_of, weights_of
from twentyone.table.shoe import WORD_BITS, below, words

__all__ = [
    "Turn",
    "draw",
    "draw_hot_spot",
    "draw_symbol",
    "paytable_at",
    "spin_words",
    "stopped_at",
    "turn_due",
    "turn_wheel",
]


class Turn(NamedTuple):
    """A turn of a wheel in a round."""

    number: int
    """The how manieth spin of its round it is, over all wheels; the first is 1."""
    wheel: str
    """The wheel, as `rulebook.wheels.weights_of` names it."""
    boxes: tuple[int, ...] = ()
    """Where a hot spot is drawn: the box of each wager that waits for this wheel, in ascending order."""


def turn_due(round_: Round, need: Spin) -> Turn:
    """The turn that a round needs."""
    number = 1 + sum(isinstance(event, WheelSpun) for event in round_.events)
    waiting = sorted(side.box for side in round_.state.sides if side.wager == need.wheel and not side.settled)
    boxes = tuple(waiting) if need.box is None else ()
    return Turn(number, paytable_at(round_.rules, round_.state, need).name, boxes)


def spin_words(seed: bytes, number: int) -> Iterator[int]:
    """The words of one spin: those of the key HMAC-SHA256(seed, "spin <number>").

    >>> [f"{word:04x}" for word, _ in zip(spin_words(bytes(32), 1), range(4))]
    ['7b10', 'cfa3', 'c21d', 'f838']
    """
    return words(hmac.new(seed, f"spin {number}".encode(), sha256).digest())


def draw(rules: Rules, turn: Turn, words: Iterator[int]) -> dict[str, Any]:
    """The arguments of a `spin`: first the symbol, its wheel in the order of names, then the hot spot."""
    symbol = draw_symbol(dict(sorted(weights_of(rules)[turn.wheel].items())), words)
    return {"symbol": symbol, "hot_spot": draw_hot_spot(turn.boxes, words)} if turn.boxes else {"symbol": symbol}


def turn_wheel(round_: Round, need: Spin, seed: bytes) -> dict[str, Any]:
    """The arguments of the `spin` that a round needs, by the seed that its wheels were committed to with."""
    turn = turn_due(round_, need)
    return draw(round_.rules, turn, spin_words(seed, turn.number))


def stopped_at(drawn: Mapping[str, Any]) -> str:
    """Where a wheel stopped, in words.

    >>> stopped_at({"symbol": "50", "hot_spot": 3})
    '50, hot spot 3'
    """
    spot = f", hot spot {drawn['hot_spot']}" if "hot_spot" in drawn else ""
    return f"{drawn.get('symbol')}{spot}"


def paytable_at(rules: Rules, state: State, need: Spin) -> Paytable:
    """The paytable of the wheel that turns: that of the wager it turns for, or of any where one is drawn for all."""
    sides = [side for side in state.sides if side.wager == need.wheel]
    amount = next(side.amount for side in sides if need.box in (None, side.box) and need.player in (None, side.player))
    return paytable_of(rules, need.wheel, amount)


def draw_symbol(weights: Mapping[str, int], words: Iterator[int], bits: int = WORD_BITS) -> str:
    """The symbol that the wheel stops at; `weights` as `rulebook.wheels.weights_of` answers them.

    >>> draw_symbol({"jackpot": 1, "50": 3}, iter([0])), draw_symbol({"jackpot": 1, "50": 3}, iter([7]))
    ('jackpot', '50')
    """
    offset = _below(sum(weights.values()), words, bits)
    for symbol, weight in weights.items():
        offset -= weight
        if offset < 0:
            return symbol
    raise AssertionError("an offset below the sum of the weights falls on one of the symbols")


def draw_hot_spot(boxes: Sequence[int], words: Iterator[int], bits: int = WORD_BITS) -> int:
    """The box of the hot spot, each as likely as the others.

    >>> draw_hot_spot([2, 5, 6], iter([4]))
    5
    """
    return boxes[below(len(boxes), words, bits)]


def _below(n: int, words: Iterator[int], bits: int) -> int:
    """A whole number from 0 to n - 1, from as many words at a time as n needs."""
    count = max(1, -(-n.bit_length() // bits))
    return below(n, words if count == 1 else _joined(words, count, bits), count * bits)


def _joined(words: Iterator[int], count: int, bits: int) -> Iterator[int]:
    for parts in zip(*[words] * count, strict=False):
        joined = 0
        for part in parts:
            joined = joined << bits | part
        yield joined
