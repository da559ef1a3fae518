"""Small moves on a state that several events make: a hand put back, chips laid, a status set."""

from __future__ import annotations

from typing import Any

from twentyone.money import NOTHING, Amount
from twentyone.round.state import Hand, State

__all__ = ["lay", "put", "set_status", "wager_changed"]


def put(state: State, box: int, number: int, hand: Hand) -> None:
    """Put a changed hand back in its place."""
    hands = state.hands[box]
    state.hands[box] = (*hands[: number - 1], hand, *hands[number:])


def wager_changed(hand: Hand, player: str, **changes: Any) -> Hand:
    """The hand with one player's open wager changed."""
    wagers = tuple(
        hand_wager._replace(**changes) if hand_wager.player == player and not hand_wager.settled else hand_wager
        for hand_wager in hand.wagers
    )
    return hand._replace(wagers=wagers)


def lay(state: State, player: str, amount: Amount) -> None:
    """Chips go from a player to the layout."""
    state.players[player] = state.players.get(player, NOTHING) - amount
    state.layout = state.layout + amount


def set_status(state: State, box: int, number: int, status: str) -> None:
    """Set a hand's status; no card is due to it any more."""
    put(state, box, number, state.hands[box][number - 1]._replace(status=status, due=""))
