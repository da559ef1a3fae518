"""The Second Chance Wager: a card taken off the total of a busted hand."""

from __future__ import annotations

from twentyone.law import carries
from twentyone.money import NOTHING, Amount
from twentyone.round.actions import action
from twentyone.round.events import Asked, DecisionTaken
from twentyone.round.payout import chance_rows
from twentyone.round.play import Play, Speaker
from twentyone.rulebook.clauses import ChanceSettled
from twentyone.rulebook.decisions import Refusal

__all__ = ["offer_second_chance", "settle_second_chance"]


def _may_take_chance(play: Play, speaker: Speaker) -> Refusal | None:
    return play.refused_cards(speaker) or play.rules.refusal("second_chance", play.facts(speaker.box, speaker.number))


def offer_second_chance(play: Play, box: int, number: int) -> bool:
    """Ask the player of a busted hand, where the text has a second chance."""
    player = play.hand(box, number).caller.player
    if _may_take_chance(play, Speaker(box, number, player)) is not None:
        return False
    play.emit(Asked(play.rules.decisions["second_chance"].cite, "second_chance", box, number, (player,)))
    return True


@action("second_chance", _may_take_chance)
def second_chance(play: Play, speaker: Speaker, _: Amount | None, __: int | None) -> None:
    """Lay the current wager again and draw one card that is subtracted."""
    decision = play.rules.decisions["second_chance"]
    hand_wager = play.wager_of(speaker)
    amount = hand_wager.amount + (hand_wager.double if decision.with_double else NOTHING)
    play.emit(DecisionTaken(decision.cite, speaker.box, speaker.number, speaker.player, "second_chance", amount))


@carries("chance_settled")
def settle_second_chance(play: Play, box: int, number: int) -> None:
    """A reduced total that the text settles at once is settled; any other plays on."""
    facts = play.facts(box, number)
    for clause in play.rules.all(ChanceSettled):
        if clause.total.matches(facts):
            hand_wager = play.hand(box, number).caller
            main = "push" if clause.result == "win" else "lose"
            for row in chance_rows(play, box, number, hand_wager, main, clause.result, clause.cite):
                play.emit(row)
