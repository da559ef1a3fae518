"""Insurance and even money (headings "Insurance" of the texts)."""

from __future__ import annotations

from twentyone.law import carries
from twentyone.money import Amount
from twentyone.round.actions import action
from twentyone.round.commands import Need
from twentyone.round.events import DecisionTaken, HandRef, InsuranceOffered, settled
from twentyone.round.play import UNSEEN, Play, Seat
from twentyone.round.procedure import step
from twentyone.round.state import side_settled
from twentyone.rulebook.clauses import InsuranceLimit, Step
from twentyone.rulebook.decisions import Refusal

__all__ = ["collect_insurance", "offer_insurance"]


@step("offer_insurance")
@carries("shared.insure")
def offer_insurance(play: Play, clause: Step) -> Need | None:
    """Every player at the table may insure, each box and player once."""
    if play.state.fresh:
        players = tuple(
            (box, stake.player) for box, _, hand in play.each_hand() for stake in hand.stakes if hand.status != "dead"
        )
        if players:
            play.emit(InsuranceOffered(clause.cite, players))
    return None


@carries("decision.insure")
def may_insure(play: Play, seat: Seat) -> Refusal | None:
    """Whether this player may still insure this box."""
    decision = play.rules.decisions.get("insure")
    if decision is None or not _spoken(play, seat):
        return _spoken_refusal(play, seat) or play.rules.refusal("insure", play.facts(*seat[:2]))
    if play.stake(seat).settled and not decision.paid_hands:
        return Refusal(f"the hand of box {seat.box} is settled already", decision.cite)
    return None


@carries("insurance_limit")
def most_insurance(play: Play, seat: Seat) -> Amount:
    """Half the main wager, or the next amount that can be laid in chips."""
    share = play.rules.one(InsuranceLimit).share
    return play.original(seat.box, seat.player).part(share).up_to_unit(play.rules.submission["chip_unit"])


def _spoken(play: Play, seat: Seat) -> bool:
    return _spoken_refusal(play, seat) is None


def _spoken_refusal(play: Play, seat: Seat) -> Refusal | None:
    cite = play.rules.one(InsuranceLimit).cite
    for side in play.state.sides:
        if side[:2] == (seat.box, seat.player) and side.wager == "insurance":
            return Refusal(f"{seat.player} has insured box {seat.box} already", cite)
    for row in play.state.rows:
        if row.wager == "even_money" and (row.box, row.player) == (seat.box, seat.player):
            cite = play.cite_of("offer_insurance")
            return Refusal(f"{seat.player} has taken even money on box {seat.box} already", cite)
    return None


@action("insure", may_insure, most_insurance)
def insure(play: Play, seat: Seat, amount: Amount | None, _: int | None) -> None:
    """Lay an Insurance Wager."""
    cite = play.rules.decisions["insure"].cite
    play.emit(DecisionTaken(cite, seat.box, seat.number, seat.player, "insure", amount))


@carries("decision.even_money")
def may_take_even_money(play: Play, seat: Seat) -> Refusal | None:
    """Whether this player may take even money on this box."""
    decision = play.rules.decisions.get("even_money")
    spoken = _spoken_refusal(play, seat)
    if decision is not None and spoken is not None:
        return spoken._replace(cite=decision.cite)
    return play.rules.refusal("even_money", play.facts(seat.box, seat.number))


@action("even_money", may_take_even_money)
def even_money(play: Play, seat: Seat, _: Amount | None, __: int | None) -> None:
    """Have a Blackjack paid now, before the hole card is read."""
    stake = play.stake(seat)
    row = play.rules.pay("even_money", play.facts(seat.box, seat.number), UNSEEN)
    cite = play.rules.decisions["even_money"].cite
    play.emit(DecisionTaken(cite, seat.box, seat.number, seat.player, "even_money"))
    play.emit(
        settled(
            row.cite,
            on=HandRef(seat.box, seat.number),
            player=seat.player,
            wager="even_money",
            amount=stake.amount,
            outcome="win",
            odds=row.odds,
            net=row.odds.pays(stake.amount),
        )
    )


@step("collect_insurance")
def collect_insurance(play: Play, clause: Step) -> Need | None:
    """Settle insurance on the dealer's second card: losing wagers are collected, winning ones paid."""
    decision = play.rules.decisions["insure"]
    if len(play.state.dealer) < 2:
        return None
    won = play.state.dealer[1].rank in decision.wins_on
    for side in play.state.sides:
        if side.wager != "insurance" or side.settled:
            continue
        if won:
            pay = play.rules.pay("insurance", UNSEEN, UNSEEN)
            play.emit(side_settled(side, pay.cite, "win", pay.odds.pays(side.amount), pay.odds))
        else:
            cite = decision.cite if decision.loses_on else clause.cite
            play.emit(side_settled(side, cite, "lose", -side.amount))
    return None
