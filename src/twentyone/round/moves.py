"""Small moves on a state that several events make: a hand put back, chips laid, a status set."""

from __future__ import annotations

from typing import Any

from twentyone.money import NOTHING, Amount
from twentyone.round.state import Hand, State

__all__ = ["lay", "put", "set_status", "stake_changed"]


def put(state: State, box: int, number: int, hand: Hand) -> None:
    """Put a changed hand back in its place."""
    hands = state.hands[box]
    state.hands[box] = (*hands[: number - 1], hand, *hands[number:])


def stake_changed(hand: Hand, player: str, **changes: Any) -> Hand:
    """The hand with one player's open stake changed."""
    stakes = tuple(
        stake._replace(**changes) if stake.player == player and not stake.settled else stake for stake in hand.stakes
    )
    return hand._replace(stakes=stakes)


def lay(state: State, player: str, amount: Amount) -> None:
    """Chips go from a player to the layout."""
    state.players[player] = state.players.get(player, NOTHING) - amount
    state.layout = state.layout + amount


def set_status(state: State, box: int, number: int, status: str) -> None:
    """Set a hand's status; no card is due to it any more."""
    put(state, box, number, state.hands[box][number - 1]._replace(status=status, due=""))
