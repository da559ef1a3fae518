"""A prize wheel turned by chance that nobody can foretell: its symbol, and the hot spot where one is drawn."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from twentyone.round import Round, Spin
from twentyone.rulebook.wheels import weights_of
from twentyone.table.wheel import draw_hot_spot, draw_symbol

__all__ = ["turn_wheel"]


def turn_wheel(round_: Round, need: Spin, words: Iterator[int]) -> dict[str, Any]:
    """The arguments of a `spin`: each symbol as likely as its weight in the submission, else all alike."""
    symbol = draw_symbol(weights_of(round_.rules)[need.wheel], words)
    if need.box is not None:
        return {"symbol": symbol}
    boxes = [side.box for side in round_.state.sides if side.wager == need.wheel and not side.settled]
    return {"symbol": symbol, "hot_spot": draw_hot_spot(boxes, words)}
