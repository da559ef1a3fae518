"""The Second Chance Wager: a card taken off the total of a busted hand."""

from __future__ import annotations

from twentyone.round.actions import Request, action
from twentyone.round.asking import put
from twentyone.round.events import Asked, HandRef
from twentyone.round.payout import chance_rows, take_away
from twentyone.round.play import Play, Speaker
from twentyone.rulebook.decisions import Refusal

__all__ = ["offer_second_chance", "settle_second_chance"]


def _may_take_chance(play: Play, speaker: Speaker) -> Refusal | None:
    return play.refused_cards(speaker) or play.rules.refusal("second_chance", play.facts(speaker.hand))


def offer_second_chance(play: Play, ref: HandRef) -> bool:
    """Ask the player of a hand to which the text gives a second chance."""
    player = play.hand(ref).caller.player
    if _may_take_chance(play, Speaker(ref, player)) is not None:
        return False
    return put(play, Asked(play.rules.decisions["second_chance"].cite, "second_chance", *ref, (player,)))


@action("second_chance", _may_take_chance, late="decision.second_chance")
def second_chance(play: Play, request: Request) -> None:
    """Lay the current wager again and draw one card that is subtracted."""
    decision = play.rules.decisions["second_chance"]
    hand_wager = play.wager_of(request.speaker)
    amount = play.rules.chance_wager(hand_wager.amount, hand_wager.double)
    play.emit(request.taken(decision.cite, amount))


def settle_second_chance(play: Play, ref: HandRef) -> None:
    """A reduced total that the text settles at once is settled; any other plays on."""
    outcome = play.rules.chance_settled(play.facts(ref))
    if outcome is not None:
        for row in chance_rows(play, ref, play.hand(ref).caller, outcome):
            play.emit(row)
        take_away(play, ref, "chance_won" if outcome.chance == "win" else "chance_lost")
