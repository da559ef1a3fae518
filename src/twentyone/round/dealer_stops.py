"""When the dealer draws no more: whether his further cards can change how any wager is settled."""

from __future__ import annotations

from collections.abc import Iterator

from twentyone.cards import Card
from twentyone.round.events import HandRef
from twentyone.round.payout import rows_of
from twentyone.round.play import Play
from twentyone.round.state import HandWager
from twentyone.rulebook import HandFacts

__all__ = ["matters"]


def matters(play: Play) -> bool:
    """Whether the dealer's further cards can change how any wager is settled."""
    if len(play.state.dealer) < 2 and _second_card_matters(play):
        return True
    return any(
        _hand_matters(play, ref, hand_wager)
        for ref, hand in play.each_hand()
        for hand_wager in hand.wagers
        if not (hand_wager.settled or hand_wager.surrendered or hand_wager.rescued)
    )


def _second_card_matters(play: Play) -> bool:
    if not play.rules.can_be_blackjack(play.up):
        return False
    insured = any(side.wager == "insurance" and not side.settled for side in play.state.sides)
    given_up = any(
        (hand_wager.surrendered or hand_wager.rescued) and not hand_wager.settled
        for _, hand in play.each_hand()
        for hand_wager in hand.wagers
    )
    return insured or given_up


def _hand_matters(play: Play, ref: HandRef, hand_wager: HandWager) -> bool:
    if play.rules.dealer_draws_for(play.facts(ref)):
        return True
    finals = iter(_finals(play))
    first = _settled_like(play, ref, hand_wager, next(finals))
    return any(_settled_like(play, ref, hand_wager, final) != first for final in finals)


def _settled_like(play: Play, ref: HandRef, hand_wager: HandWager, dealer: HandFacts) -> tuple[object, ...]:
    return tuple((row.wager, row.outcome, row.net) for row in rows_of(play, ref, hand_wager, dealer))


def _finals(play: Play) -> Iterator[HandFacts]:
    """The hands the dealer may still end with: every standing total, every total over, and a Blackjack if it can be."""
    cards = play.state.dealer
    several: tuple[Card, ...] = (cards[0], cards[0], cards[0])
    least = min(play.rules.dealer.stands)
    for points in range(least, least + max(play.rules.values.values())):
        yield HandFacts(several, points)
    if len(cards) == 1 and play.rules.can_be_blackjack(play.up):
        yield HandFacts(several[:2], play.rules.limit, blackjack=True)
