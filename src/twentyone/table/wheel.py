"""A prize wheel: a symbol and a hot spot drawn by the same words as a shoe, each exactly as likely as its weight."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from twentyone.round import Round, Spin, State
from twentyone.rulebook import Rules
from twentyone.rulebook.wheels import Paytable, paytable_of, weights_of
from twentyone.table.shoe import WORD_BITS, below

__all__ = ["draw_hot_spot", "draw_symbol", "paytable_at", "turn_wheel"]


def turn_wheel(round_: Round, need: Spin, words: Iterator[int]) -> dict[str, Any]:
    """The arguments of a `spin`: each symbol as likely as its weight in the submission, else all alike."""
    symbol = draw_symbol(weights_of(round_.rules)[paytable_at(round_.rules, round_.state, need).name], words)
    if need.box is not None:
        return {"symbol": symbol}
    boxes = [side.box for side in round_.state.sides if side.wager == need.wheel and not side.settled]
    return {"symbol": symbol, "hot_spot": draw_hot_spot(boxes, words)}


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
