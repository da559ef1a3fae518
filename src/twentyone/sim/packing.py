"""The arrays of a game in the form that the round function reads: one of rules and charts, one of money."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from twentyone.sim.layout import HEADER, MONEY_HEADER, GameArrays, MoneyHead, Parameter, Part, Stride

__all__ = ["packed"]


def packed(game: GameArrays) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    """The game as two flat arrays, the form that the round function reads: rules and charts, and money."""
    header = np.zeros(HEADER, np.int32)
    header[: len(Parameter)] = game.number
    header[Stride.PAYOFF], header[Stride.CHANCE] = game.payoff.shape[1], game.chance[0].size
    header[Stride.GAIN], header[Stride.PASSES] = game.gain.shape[1], len(game.passes)
    header[Stride.CHART_COLUMN], header[Stride.CHART_COUNT] = game.chart[0, 0, 0].size, game.chart[0, 0].size
    parts, length = [header], HEADER
    for section in Part:
        part = np.asarray(getattr(game, section.array)).astype(np.int32).ravel()
        header[section] = length
        parts.append(part)
        length += len(part)
    return np.concatenate(parts), _packed_money(game)


def _packed_money(game: GameArrays) -> NDArray[np.int64]:
    head = np.zeros(MONEY_HEADER, np.int64)
    head[MoneyHead.ERROR_RATE] = game.errors
    head[MoneyHead.BOX_ROW], head[MoneyHead.WHEEL_ROW] = game.money[0].size, game.wheel[0].size
    head[MoneyHead.MATCH] = MONEY_HEADER + game.money.size
    head[MoneyHead.FIRSTS] = head[MoneyHead.MATCH] + game.match.size
    head[MoneyHead.WHEEL] = head[MoneyHead.FIRSTS] + game.firsts.size
    return np.concatenate([head, game.money.ravel(), game.match.ravel(), game.firsts.ravel(), game.wheel.ravel()])
