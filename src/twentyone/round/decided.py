"""How each decision changes the state: the part of the fold that players cause."""

from __future__ import annotations

from collections.abc import Callable

from twentyone.money import ZERO
from twentyone.round.commands import Draw
from twentyone.round.events import DecisionTaken, HandRef
from twentyone.round.state import Hand, HandWager, SideWager, State

__all__ = ["decided"]


def decided(state: State, event: DecisionTaken, following: bool) -> None:
    """Let a decision change a state; `following` another player's on the same box."""
    change = _DECISIONS.get(event.action)
    if change is not None:
        change(state, HandRef(event.box, event.hand or 1), event, following)


def _hit(state: State, ref: HandRef, _: DecisionTaken, __: bool) -> None:
    state.put(ref, state.hand(ref)._replace(due="hit"))


def _stand(state: State, ref: HandRef, _: DecisionTaken, __: bool) -> None:
    state.set_status(ref, "closed")


def _double(state: State, ref: HandRef, event: DecisionTaken, following: bool) -> None:
    amount = event.amount or ZERO
    state.lay(event.player, amount)
    hand = state.hand(ref).changed(event.player, double=amount)
    state.put(ref, hand if following else hand._replace(doubled=True, due="double"))


def _split(state: State, ref: HandRef, event: DecisionTaken, following: bool) -> None:
    amount = event.amount or ZERO
    state.lay(event.player, amount)
    wager = HandWager(event.player, "split", amount)
    if following:
        beside = HandRef(ref.box, ref.number + 1)
        second = state.hand(beside)
        state.put(beside, second._replace(wagers=(*second.wagers, wager)))
        return
    hands = state.hands[ref.box]
    hand = state.hand(ref)
    first = Hand(hand.cards[:1], hand.wagers, split=True)
    second = Hand(hand.cards[1:], (wager,), split=True)
    state.hands[ref.box] = (*hands[: ref.number - 1], first, second, *hands[ref.number :])


def _designate(state: State, ref: HandRef, event: DecisionTaken, _: bool) -> None:
    if event.choice == 1:
        return
    beside = HandRef(ref.box, ref.number + 1)
    first, second = state.hand(ref), state.hand(beside)
    moved = next(wager for wager in first.wagers if wager.player == event.player)
    stays = tuple(wager for wager in first.wagers if wager is not moved)
    state.put(ref, first._replace(wagers=stays))
    state.put(beside, second._replace(wagers=(*second.wagers, moved)))


def _surrender(state: State, ref: HandRef, event: DecisionTaken, _: bool) -> None:
    """A surrender for all on the box, or (`choice`) for its player alone; a hand given up by all draws no more."""
    hand = state.hand(ref)
    wagers = tuple(
        wager._replace(surrendered=True) if event.choice is None or wager.player == event.player else wager
        for wager in hand.wagers
    )
    status = "surrendered" if all(wager.surrendered for wager in wagers) else hand.status
    state.put(ref, hand._replace(wagers=wagers, status=status))


def _insure(state: State, ref: HandRef, event: DecisionTaken, _: bool) -> None:
    amount = event.amount or ZERO
    state.lay(event.player, amount)
    state.sides = (*state.sides, SideWager(ref.box, event.player, "insurance", amount))


def _second_chance(state: State, ref: HandRef, event: DecisionTaken, _: bool) -> None:
    amount = event.amount or ZERO
    state.lay(event.player, amount)
    hand = state.hand(ref).changed(event.player, chance=amount)
    state.put(ref, hand._replace(due="second_chance"))


def _rescue(state: State, ref: HandRef, event: DecisionTaken, _: bool) -> None:
    state.put(ref, state.hand(ref).changed(event.player, rescued=True))


def _late_card(state: State, ref: HandRef, _: DecisionTaken, __: bool) -> None:
    hand = state.hand(ref)
    if len(hand.cards) < 2 and not hand.split:
        state.due = (Draw(*ref), *state.due)
    else:
        state.put(ref, hand._replace(status="waiting"))


def _go_on(state: State, ref: HandRef, _: DecisionTaken, __: bool) -> None:
    state.wrong = tuple(other for other in state.wrong if other != ref)


_DECISIONS: dict[str, Callable[[State, HandRef, DecisionTaken, bool], None]] = {
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
