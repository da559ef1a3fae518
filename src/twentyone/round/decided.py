"""How each decision changes the state: the part of the fold that players cause."""

from __future__ import annotations

from collections.abc import Callable

from twentyone.money import NOTHING
from twentyone.round import events as e
from twentyone.round.commands import Draw
from twentyone.round.moves import lay, put, set_status, wager_changed
from twentyone.round.state import Hand, HandWager, SideWager, State

__all__ = ["DECISIONS"]


def _hit(state: State, event: e.DecisionTaken, _: bool) -> None:
    _due(state, event, "hit")


def _due(state: State, event: e.DecisionTaken, what: str) -> None:
    number = event.hand or 1
    put(state, event.box, number, state.hands[event.box][number - 1]._replace(due=what))


def _stand(state: State, event: e.DecisionTaken, _: bool) -> None:
    set_status(state, event.box, event.hand or 1, "closed")


def _double(state: State, event: e.DecisionTaken, following: bool) -> None:
    number, amount = event.hand or 1, event.amount or NOTHING
    lay(state, event.player, amount)
    hand = wager_changed(state.hands[event.box][number - 1], event.player, double=amount)
    put(state, event.box, number, hand if following else hand._replace(doubled=True, due="double"))


def _split(state: State, event: e.DecisionTaken, following: bool) -> None:
    number, amount = event.hand or 1, event.amount or NOTHING
    lay(state, event.player, amount)
    split_wager = HandWager(event.player, "split", amount)
    if following:
        second = state.hands[event.box][number]
        put(state, event.box, number + 1, second._replace(wagers=(*second.wagers, split_wager)))
        return
    hands = state.hands[event.box]
    hand = hands[number - 1]
    first = Hand(hand.cards[:1], hand.wagers, split=True)
    second = Hand(hand.cards[1:], (split_wager,), split=True)
    state.hands[event.box] = (*hands[: number - 1], first, second, *hands[number:])


def _designate(state: State, event: e.DecisionTaken, _: bool) -> None:
    if event.choice == 1:
        return
    number = event.hand or 1
    first, second = state.hands[event.box][number - 1], state.hands[event.box][number]
    moved = next(hand_wager for hand_wager in first.wagers if hand_wager.player == event.player)
    stays = tuple(hand_wager for hand_wager in first.wagers if hand_wager is not moved)
    put(state, event.box, number, first._replace(wagers=stays))
    put(state, event.box, number + 1, second._replace(wagers=(*second.wagers, moved)))


def _surrender(state: State, event: e.DecisionTaken, _: bool) -> None:
    """A surrender for all on the box, or (`choice`) for its player alone; a hand given up by all draws no more."""
    number = event.hand or 1
    hand = state.hands[event.box][number - 1]
    wagers = tuple(
        hand_wager._replace(surrendered=True)
        if event.choice is None or hand_wager.player == event.player
        else hand_wager
        for hand_wager in hand.wagers
    )
    status = "surrendered" if all(hand_wager.surrendered for hand_wager in wagers) else hand.status
    put(state, event.box, number, hand._replace(wagers=wagers, status=status))


def _insure(state: State, event: e.DecisionTaken, _: bool) -> None:
    amount = event.amount or NOTHING
    lay(state, event.player, amount)
    state.sides = (*state.sides, SideWager(event.box, event.player, "insurance", amount))


def _second_chance(state: State, event: e.DecisionTaken, _: bool) -> None:
    number, amount = event.hand or 1, event.amount or NOTHING
    lay(state, event.player, amount)
    hand = wager_changed(state.hands[event.box][number - 1], event.player, chance=amount)
    put(state, event.box, number, hand._replace(due="second_chance"))


def _rescue(state: State, event: e.DecisionTaken, _: bool) -> None:
    number = event.hand or 1
    hand = wager_changed(state.hands[event.box][number - 1], event.player, rescued=True)
    put(state, event.box, number, hand)


def _late_card(state: State, event: e.DecisionTaken, _: bool) -> None:
    number = event.hand or 1
    hand = state.hands[event.box][number - 1]
    if len(hand.cards) < 2 and not hand.split:
        state.due = (Draw(event.box, number), *state.due)
    else:
        put(state, event.box, number, hand._replace(status="waiting"))


def _go_on(state: State, event: e.DecisionTaken, _: bool) -> None:
    state.wrong = tuple(pair for pair in state.wrong if pair != (event.box, event.hand))


DECISIONS: dict[str, Callable[[State, e.DecisionTaken, bool], None]] = {
    "hit": _hit,
    "stand": _stand,
    "double": _double,
    "split": _split,
    "designate": _designate,
    "surrender": _surrender,
    "insure": _insure,
    "second_chance": _second_chance,
    "rescue": _rescue,
    "late_card": _late_card,
    "go_on": _go_on,
}
