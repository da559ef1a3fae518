"""Doubling down and rescue (headings "Double Down" of the texts)."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from twentyone.law import carries
from twentyone.money import ZERO, Amount
from twentyone.round.actions import Request, action
from twentyone.round.asking import put
from twentyone.round.events import Asked, HandClosed, HandRef, WagerSettled
from twentyone.round.play import Play, Speaker
from twentyone.round.state import HandWager, settled
from twentyone.rulebook.decisions import Refusal

__all__ = ["offer_rescue", "rescued_rows"]


def _may_double(play: Play, speaker: Speaker) -> Refusal | None:
    facts = play.facts(speaker.hand)
    if play.state.ask is not None:
        facts = facts._replace(doubled=False)
    return play.refused_cards(speaker) or play.rules.refusal("double", facts)


def _most_double(play: Play, speaker: Speaker) -> Amount:
    return play.wager_of(speaker).amount


@action("double", _may_double, _most_double)
@carries("shared.double")
def double(play: Play, request: Request) -> None:
    """Add a Double Down Wager and draw one card; the others on the box may double too."""
    following = play.state.ask is not None
    play.emit(request.taken(play.rules.decisions["double"].cite))
    if following:
        return
    others = play.others(request.speaker)
    if others:
        put(play, Asked(play.rules.shared["double"].cite, "double", *request.speaker.hand, others))


def offer_rescue(play: Play, ref: HandRef) -> bool:
    """Offer the rescue of a doubled hand, where the text has one and the hand is not over."""
    if play.rules.refusal("rescue", play.facts(ref)) is not None:
        return False
    players = tuple(
        hand_wager.player for hand_wager in play.hand(ref).wagers if hand_wager.double and not hand_wager.settled
    )
    if not players:
        return False
    if _binds(play):
        players = players[:1]
    return put(play, Asked(play.rules.decisions["rescue"].cite, "rescue", *ref, players))


@carries("shared.rescue")
def _binds(play: Play) -> bool:
    shared = play.rules.shared.get("rescue")
    return shared is not None and shared.binds


def _may_rescue(play: Play, speaker: Speaker) -> Refusal | None:
    return play.rules.refusal("rescue", play.facts(speaker.hand))


@action("rescue", _may_rescue, late="decision.rescue")
def rescue(play: Play, request: Request) -> None:
    """Take back the Double Down Wager and forfeit the original."""
    cite = play.rules.decisions["rescue"].cite
    ref, caller = request.speaker
    players = [caller]
    if _binds(play):
        players += [wager.player for wager in play.hand(ref).wagers if wager.double and wager.player != caller]
    for player in players:
        speaker = Speaker(ref, player)
        play.emit(request._replace(speaker=speaker).taken(cite))
        hand_wager = play.wager_of(speaker)
        if not _waits(play, hand_wager):
            for row in rescued_rows(play, ref, hand_wager):
                play.emit(row)
    if play.state.ask is None:
        play.emit(HandClosed(cite, *ref, play.facts(ref).points))


def _waits(play: Play, hand_wager: HandWager) -> bool:
    """Whether the forfeit waits for the dealer's second card, because a Blackjack would spare this wager."""
    return play.rules.spares(hand_wager.wager, rescued=True) is not None


def rescued_rows(play: Play, ref: HandRef, hand_wager: HandWager) -> Iterator[WagerSettled]:
    """The double goes back, the original is forfeited (unless a dealer's Blackjack spares it)."""
    cite = play.rules.decisions["rescue"].cite
    row = partial(settled, on=ref, player=hand_wager.player)
    yield row(cite, wager="double", amount=hand_wager.double, outcome="rescued", net=ZERO)
    spared = play.rules.spares(hand_wager.wager, rescued=True)
    if spared is not None and play.dealer_blackjack():
        yield row(spared.cite, wager=hand_wager.wager, amount=hand_wager.amount, outcome="push", net=ZERO)
    else:
        yield row(cite, wager=hand_wager.wager, amount=hand_wager.amount, outcome="lose", net=-hand_wager.amount)
