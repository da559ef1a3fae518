"""Surrender (headings "Surrender" of the texts)."""

from __future__ import annotations

from twentyone.law import carries
from twentyone.round.actions import Request, action
from twentyone.round.asking import put
from twentyone.round.commands import Need
from twentyone.round.events import Asked, HandRef, WagerSettled
from twentyone.round.play import Play, Speaker
from twentyone.round.procedure import step
from twentyone.round.state import HandWager, settled
from twentyone.rulebook.clauses import Step, SurrenderLost
from twentyone.rulebook.decisions import Refusal

__all__ = ["offer_surrender", "settle_surrenders", "surrendered_row"]


def _may_surrender(play: Play, speaker: Speaker) -> Refusal | None:
    refusal = play.rules.refusal("surrender", play.facts(speaker.hand))
    if refusal is None and play.state.early_surrender and play.step.name != "offer_surrender":
        return Refusal("surrender was offered before the hole card was read", play.cite_of("offer_surrender"))
    return refusal


@action("surrender", _may_surrender, late="decision.surrender")
@carries("shared.surrender")
def surrender(play: Play, request: Request) -> None:
    """Give up the hand and half its wager; it binds the others on the box unless each speaks for himself."""
    ref, player = request.speaker
    wagers = play.hand(ref).wagers
    following = any(wager.surrendered for wager in wagers)
    others = tuple(wager.player for wager in wagers if wager.player != player and not wager.settled)
    binds = not others or play.rules.shared["surrender"].binds
    play.emit(request.taken(play.rules.decisions["surrender"].cite, choice=None if binds else 1))
    if not following and not binds:
        put(play, Asked(play.rules.shared["surrender"].cite, "surrender", *ref, others))
    _settle_at_once(play, ref)


def _any_surrendered(play: Play) -> bool:
    return any(
        hand_wager.surrendered and not hand_wager.settled for _, hand in play.each_hand() for hand_wager in hand.wagers
    )


def _settle_at_once(play: Play, ref: HandRef) -> None:
    if play.rules.surrender_waits(play.up):
        return
    for hand_wager in play.hand(ref).wagers:
        if hand_wager.surrendered and not hand_wager.settled:
            play.emit(surrendered_row(play, ref, hand_wager))


def settle_surrenders(play: Play) -> None:
    """Settle the surrenders that waited for the dealer's second card."""
    if not _any_surrendered(play):
        return
    for ref, hand in list(play.each_hand()):
        for hand_wager in hand.wagers:
            if hand_wager.surrendered and not hand_wager.settled:
                play.emit(surrendered_row(play, ref, hand_wager))


@carries("surrender_lost")
def surrendered_row(play: Play, ref: HandRef, hand_wager: HandWager) -> WagerSettled:
    """Half the wager is collected, half returned; against a dealer's Blackjack all of it is collected."""
    cite = play.rules.surrender_settled(play.up).cite
    if play.dealer_blackjack():
        lost = play.rules.maybe(SurrenderLost)
        cite = lost.cite if lost is not None else cite
        outcome, net = "lose", -hand_wager.amount
    else:
        share = play.rules.decisions["surrender"].share
        assert share is not None
        outcome, net = "surrender", -hand_wager.amount.part(share)
    on, amount = ref, hand_wager.amount
    return settled(
        cite, on=on, player=hand_wager.player, wager=hand_wager.wager, amount=amount, outcome=outcome, net=net
    )


@step("offer_surrender")
def offer_surrender(play: Play, clause: Step) -> Need | None:
    """Offer surrender to each box before the hole card is read."""
    for box in play.state.boxes:
        ref = HandRef(box, 1)
        caller = play.hand(ref).caller.player
        if box > play.state.asked_box and put(play, Asked(clause.cite, "surrender", *ref, (caller,))):
            return None
    return None
