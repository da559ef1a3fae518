"""Doubling down and rescue (headings "Double Down" of the texts)."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from twentyone.law import carries
from twentyone.money import NOTHING, Amount
from twentyone.round.actions import action
from twentyone.round.events import Asked, DecisionTaken, HandClosed, HandRef, WagerSettled, settled
from twentyone.round.play import Play, Seat
from twentyone.round.state import Stake
from twentyone.rulebook.decisions import Refusal

__all__ = ["offer_rescue", "rescued_rows"]


def _may_double(play: Play, seat: Seat) -> Refusal | None:
    facts = play.facts(seat.box, seat.number)
    if play.state.ask is not None:
        facts = facts._replace(doubled=False)
    return play.refused_cards(seat) or play.rules.refusal("double", facts)


def _most_double(play: Play, seat: Seat) -> Amount:
    return play.stake(seat).amount


@action("double", _may_double, _most_double)
@carries("shared.double")
def double(play: Play, seat: Seat, amount: Amount | None, _: int | None) -> None:
    """Add a Double Down Wager and draw one card; the others on the box may double too."""
    following = play.state.ask is not None
    cite = play.rules.decisions["double"].cite
    play.emit(DecisionTaken(cite, seat.box, seat.number, seat.player, "double", amount))
    if following:
        return
    others = play.others(seat)
    if others:
        play.emit(Asked(play.rules.shared["double"].cite, "double", seat.box, seat.number, others))


def offer_rescue(play: Play, box: int, number: int) -> bool:
    """Offer the rescue of a doubled hand, where the text has one and the hand is not over."""
    if play.rules.refusal("rescue", play.facts(box, number)) is not None:
        return False
    players = tuple(stake.player for stake in play.hand(box, number).stakes if stake.double and not stake.settled)
    if not players:
        return False
    if _binds(play):
        players = players[:1]
    play.emit(Asked(play.rules.decisions["rescue"].cite, "rescue", box, number, players))
    return True


@carries("shared.rescue")
def _binds(play: Play) -> bool:
    shared = play.rules.shared.get("rescue")
    return shared is not None and shared.binds


def _may_rescue(play: Play, seat: Seat) -> Refusal | None:
    return play.rules.refusal("rescue", play.facts(seat.box, seat.number))


@action("rescue", _may_rescue)
def rescue(play: Play, seat: Seat, _: Amount | None, __: int | None) -> None:
    """Take back the Double Down Wager and forfeit the original."""
    cite = play.rules.decisions["rescue"].cite
    players = [seat.player]
    if _binds(play):
        stakes = play.hand(seat.box, seat.number).stakes
        players += [stake.player for stake in stakes if stake.double and stake.player != seat.player]
    for player in players:
        play.emit(DecisionTaken(cite, seat.box, seat.number, player, "rescue"))
        stake = play.stake(seat._replace(player=player))
        if not _waits(play, stake):
            for row in rescued_rows(play, seat.box, seat.number, stake):
                play.emit(row)
    if play.state.ask is None:
        points = play.facts(seat.box, seat.number).points
        play.emit(HandClosed(cite, seat.box, seat.number, points))


def _waits(play: Play, stake: Stake) -> bool:
    """Whether the forfeit waits for the dealer's second card, because a Blackjack would spare this wager."""
    return any(clause.rescued and clause.wager == stake.wager for clause in play.rules.spared)


def rescued_rows(play: Play, box: int, number: int, stake: Stake) -> Iterator[WagerSettled]:
    """The double goes back, the original is forfeited (unless a dealer's Blackjack spares it)."""
    cite = play.rules.decisions["rescue"].cite
    row = partial(settled, on=HandRef(box, number), player=stake.player)
    yield row(cite, wager="double", amount=stake.double, outcome="rescued", net=NOTHING)
    if _waits(play, stake) and play.dealer_blackjack():
        spared = next(clause.cite for clause in play.rules.spared if clause.wager == stake.wager)
        yield row(spared, wager=stake.wager, amount=stake.amount, outcome="push", net=NOTHING)
    else:
        yield row(cite, wager=stake.wager, amount=stake.amount, outcome="lose", net=-stake.amount)
