"""Insurance and even money (headings "Insurance" of the texts)."""

from __future__ import annotations

from collections.abc import Iterator

from twentyone.cards import UNKNOWN, Card
from twentyone.law import carries
from twentyone.money import Amount
from twentyone.round.actions import Request, action
from twentyone.round.asking import put
from twentyone.round.commands import Need
from twentyone.round.events import InsuranceOffered, WagerSettled
from twentyone.round.play import UNSEEN, Play, Speaker
from twentyone.round.procedure import closing_step, step
from twentyone.round.state import SideWager, side_settled, won
from twentyone.rulebook.clauses import InsuranceCloses, InsuranceLimit, Settlement, Step
from twentyone.rulebook.decisions import Refusal

__all__ = ["collect_insurance", "offer_insurance", "won_insurance"]

CLOSES = InsuranceCloses.type_key


@step("offer_insurance")
@carries("shared.insure")
def offer_insurance(play: Play, clause: Step) -> Need | None:
    """Every player at the table may insure, each box and player once; who may answer nothing is not asked."""
    if play.state.fresh and play.state.step < closing_step(play):
        players = tuple(
            (ref.box, hand_wager.player)
            for ref, hand in play.each_hand()
            for hand_wager in hand.wagers
            if hand.status != "dead"
        )
        put(play, InsuranceOffered(clause.cite, players))
    return None


@carries("decision.insure")
def may_insure(play: Play, speaker: Speaker) -> Refusal | None:
    """Whether this player may still insure this box."""
    decision = play.rules.decisions.get("insure")
    if decision is None or not _spoken(play, speaker):
        return _spoken_refusal(play, speaker) or play.rules.refusal("insure", play.facts(speaker.hand))
    if play.wager_of(speaker).settled and not decision.paid_hands:
        return Refusal(f"the hand of box {speaker.box} is settled already", decision.cite)
    return None


def most_insurance(play: Play, speaker: Speaker) -> Amount:
    """Half the main wager, or the next amount that can be laid in chips."""
    return play.rules.most_insurance(play.original(speaker.box, speaker.player))


def _spoken(play: Play, speaker: Speaker) -> bool:
    return _spoken_refusal(play, speaker) is None


def _spoken_refusal(play: Play, speaker: Speaker) -> Refusal | None:
    cite = play.rules.one(InsuranceLimit).cite
    for side in play.state.sides:
        if side[:2] == (speaker.box, speaker.player) and side.wager == "insurance":
            return Refusal(f"{speaker.player} has insured box {speaker.box} already", cite)
    for row in play.state.rows:
        if row.wager == "even_money" and (row.box, row.player) == (speaker.box, speaker.player):
            cite = play.cite_of("offer_insurance")
            return Refusal(f"{speaker.player} has taken even money on box {speaker.box} already", cite)
    return None


@action("insure", may_insure, most_insurance, late=CLOSES, elsewhere=CLOSES, limit="insurance_limit")
def insure(play: Play, request: Request) -> None:
    """Lay an Insurance Wager."""
    play.emit(request.taken(play.rules.decisions["insure"].cite))


@carries("decision.even_money")
def may_take_even_money(play: Play, speaker: Speaker) -> Refusal | None:
    """Whether this player may take even money on this box."""
    decision = play.rules.decisions.get("even_money")
    spoken = _spoken_refusal(play, speaker)
    if decision is not None and spoken is not None:
        return spoken._replace(cite=decision.cite)
    return play.rules.refusal("even_money", play.facts(speaker.hand))


@action("even_money", may_take_even_money, late=CLOSES, elsewhere=CLOSES)
def even_money(play: Play, request: Request) -> None:
    """Have a Blackjack paid now, before the hole card is read."""
    ref, player = request.speaker
    amount = play.wager_of(request.speaker).amount
    row = play.rules.pay("even_money", play.facts(ref), UNSEEN)
    play.emit(request.taken(play.rules.decisions["even_money"].cite))
    play.emit(won(row, on=ref, player=player, wager="even_money", amount=amount))


@step("collect_insurance")
def collect_insurance(play: Play, clause: Step) -> Need | None:
    """Settle insurance on the dealer's second card: losing wagers are collected, winning ones paid or left to the end.

    A card that lies unseen after the reader's answer makes no Blackjack.
    """
    if len(play.state.dealer) < 2:
        return None
    second = play.state.dealer[1]
    if second is UNKNOWN or not play.rules.insurance_wins(second):
        _collect(play, clause, second)
    elif not play.rules.one(Settlement).insurance:
        for row in list(won_insurance(play)):
            play.emit(row)
    return None


def _collect(play: Play, clause: Step, second: Card) -> None:
    decision = play.rules.decisions["insure"]
    cite = decision.cite if second.rank in decision.loses_on else clause.cite
    for side in sorted(_open(play), key=lambda side: -side.box if clause.start == "right" else 0):
        play.emit(side_settled(side, cite, "lose", -side.amount))


def won_insurance(play: Play) -> Iterator[WagerSettled]:
    """How the insurance that still lies there is paid: the dealer's second card has made it win."""
    pay = play.rules.pay("insurance", UNSEEN, UNSEEN)
    return (side_settled(side, pay.cite, "win", pay.odds.pays(side.amount), pay.odds) for side in _open(play))


def _open(play: Play) -> list[SideWager]:
    """Insurance that is not settled, as it was laid."""
    return [side for side in play.state.sides if side.wager == "insurance" and not side.settled]
