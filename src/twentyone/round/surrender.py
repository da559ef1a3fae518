"""Surrender (headings "Surrender" of the texts)."""

from __future__ import annotations

from twentyone.law import carries
from twentyone.money import Amount
from twentyone.round.actions import action
from twentyone.round.commands import Need
from twentyone.round.events import Asked, DecisionTaken, HandRef, WagerSettled, settled
from twentyone.round.play import Play, Seat
from twentyone.round.procedure import step
from twentyone.round.state import Stake
from twentyone.rulebook.clauses import Step, SurrenderSettled
from twentyone.rulebook.decisions import Refusal

__all__ = ["offer_surrender", "settle_surrenders", "surrendered_row", "timing"]


def _may_surrender(play: Play, seat: Seat) -> Refusal | None:
    refusal = play.rules.refusal("surrender", play.facts(seat.box, seat.number))
    if refusal is None and play.state.early_surrender and play.step.name != "offer_surrender":
        return Refusal("surrender was offered before the hole card was read", play.cite_of("offer_surrender"))
    return refusal


@action("surrender", _may_surrender)
@carries("shared.surrender")
def surrender(play: Play, seat: Seat, _: Amount | None, __: int | None) -> None:
    """Give up the hand and half its wager; it binds the others on the box unless each speaks for himself."""
    hand = play.hand(seat.box, seat.number)
    following = any(stake.surrendered for stake in hand.stakes)
    others = [stake.player for stake in hand.stakes if stake.player != seat.player and not stake.settled]
    binds = not others or play.rules.shared["surrender"].binds
    cite = play.rules.decisions["surrender"].cite
    alone = None if binds else 1
    play.emit(DecisionTaken(cite, seat.box, seat.number, seat.player, "surrender", None, alone))
    if not following and not binds:
        clause = play.rules.shared["surrender"]
        play.emit(Asked(clause.cite, "surrender", seat.box, seat.number, tuple(others)))
    _settle_at_once(play, seat.box, seat.number)


def timing(play: Play) -> SurrenderSettled:
    """When a surrender is settled against this up card."""
    return next(row for row in play.rules.all(SurrenderSettled) if play.up.rank in row.if_up)


def _any_surrendered(play: Play) -> bool:
    return any(stake.surrendered and not stake.settled for _, _, hand in play.each_hand() for stake in hand.stakes)


@carries("surrender_settled")
def _settle_at_once(play: Play, box: int, number: int) -> None:
    clause = timing(play)
    if clause.at != "once":
        return
    for stake in play.hand(box, number).stakes:
        if stake.surrendered and not stake.settled:
            play.emit(surrendered_row(play, box, number, stake, clause.cite))


def settle_surrenders(play: Play) -> None:
    """Settle the surrenders that waited for the dealer's second card."""
    if not _any_surrendered(play):
        return
    clause = timing(play)
    for box, number, hand in list(play.each_hand()):
        for stake in hand.stakes:
            if stake.surrendered and not stake.settled:
                play.emit(surrendered_row(play, box, number, stake, clause.cite))


def surrendered_row(play: Play, box: int, number: int, stake: Stake, cite: str) -> WagerSettled:
    """Half the wager is collected, half returned; against a dealer's Blackjack all of it is collected."""
    if play.dealer_blackjack():
        outcome, net = "lose", -stake.amount
    else:
        share = play.rules.decisions["surrender"].share
        assert share is not None
        outcome, net = "surrender", -stake.amount.part(share)
    on, amount = HandRef(box, number), stake.amount
    return settled(cite, on=on, player=stake.player, wager=stake.wager, amount=amount, outcome=outcome, net=net)


@step("offer_surrender")
def offer_surrender(play: Play, clause: Step) -> Need | None:
    """Offer surrender to each box before the hole card is read."""
    for box in play.state.boxes:
        if box > play.state.asked_box and play.rules.refusal("surrender", play.facts(box, 1)) is None:
            hand = play.hand(box, 1)
            play.emit(Asked(clause.cite, "surrender", box, 1, (hand.caller.player,)))
            return None
    return None
