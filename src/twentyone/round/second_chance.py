"""The Second Chance Wager: a card taken off the total of a busted hand."""

from __future__ import annotations

from twentyone.money import Amount
from twentyone.round.actions import action
from twentyone.round.events import Asked, DecisionTaken
from twentyone.round.payout import chance_rows
from twentyone.round.play import Play, Seat
from twentyone.rulebook.decisions import Refusal

__all__ = ["offer_second_chance", "settle_second_chance"]


def _may_take_chance(play: Play, seat: Seat) -> Refusal | None:
    return play.refused_cards(seat) or play.rules.refusal("second_chance", play.facts(seat.box, seat.number))


def offer_second_chance(play: Play, box: int, number: int) -> bool:
    """Ask the player of a busted hand, where the text has a second chance."""
    player = play.hand(box, number).caller.player
    if _may_take_chance(play, Seat(box, number, player)) is not None:
        return False
    play.emit(Asked(play.rules.decisions["second_chance"].cite, "second_chance", box, number, (player,)))
    return True


@action("second_chance", _may_take_chance)
def second_chance(play: Play, seat: Seat, _: Amount | None, __: int | None) -> None:
    """Stake the current wager again and draw one card that is subtracted."""
    decision = play.rules.decisions["second_chance"]
    stake = play.stake(seat)
    amount = play.rules.chance_wager(stake.amount, stake.double)
    play.emit(DecisionTaken(decision.cite, seat.box, seat.number, seat.player, "second_chance", amount))


def settle_second_chance(play: Play, box: int, number: int) -> None:
    """A reduced total that the text settles at once is settled; any other plays on."""
    outcome = play.rules.chance_settled(play.facts(box, number))
    if outcome is not None:
        for row in chance_rows(play, box, number, play.hand(box, number).caller, outcome):
            play.emit(row)
