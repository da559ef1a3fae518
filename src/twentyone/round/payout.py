"""Settling wagers: how a hand fares against the dealer's, what it pays, in which order chips move."""

from __future__ import annotations

from collections.abc import Iterator

from twentyone.law import carries
from twentyone.money import ZERO, Amount
from twentyone.round.commands import Need
from twentyone.round.double_down import rescued_rows
from twentyone.round.effects import put_away_held
from twentyone.round.events import HandRef, HandTakenAway, WagerSettled
from twentyone.round.insurance import won_insurance
from twentyone.round.play import UNSEEN, Play
from twentyone.round.procedure import step
from twentyone.round.state import HandWager, settled, won
from twentyone.round.super_bonus import pay_super_bonuses
from twentyone.round.surrender import surrendered_row
from twentyone.rulebook import HandFacts
from twentyone.rulebook.clauses import Outcome, Settlement, Step, TakenAway
from twentyone.rulebook.payouts import ChanceOutcome

__all__ = ["chance_rows", "rows_of", "settle", "settle_early", "take_away"]


# -- one hand


def settle_early(play: Play, ref: HandRef) -> None:
    """Pay a hand that wins whatever the dealer holds, before his hand is known."""
    hand = play.hand(ref)
    for hand_wager in hand.wagers:
        if not hand_wager.settled:
            for row in _won(play, ref, hand_wager, UNSEEN):
                play.emit(row)


@carries("taken_away")
def take_away(play: Play, ref: HandRef, settled: str) -> None:
    """Put the cards of a hand that was settled before the others into the discard rack, where the text says so."""
    clause, hand = play.rules.named(TakenAway).get(settled), play.hand(ref)
    if clause is not None and hand.settled and hand.lying:
        play.emit(HandTakenAway(clause.cite, *ref, hand.lying))


def rows_of(play: Play, ref: HandRef, hand_wager: HandWager, dealer: HandFacts) -> Iterator[WagerSettled]:
    """How one player's wagers on one hand are settled against this dealer's hand."""
    if hand_wager.surrendered:
        yield surrendered_row(play, ref, hand_wager)
        return
    if hand_wager.rescued:
        yield from rescued_rows(play, ref, hand_wager)
        return
    facts = play.facts(ref)
    if hand_wager.chance:
        yield from chance_rows(play, ref, hand_wager, play.rules.chance_outcome(facts, dealer))
        return
    outcome = play.rules.outcome(facts, dealer)
    if outcome.result == "win":
        yield from _won(play, ref, hand_wager, dealer)
    elif outcome.result == "lose":
        yield from _lost(play, ref, hand_wager, outcome, facts, dealer)
    else:
        yield from _returned(ref, hand_wager, outcome.cite)


def _won(play: Play, ref: HandRef, hand_wager: HandWager, dealer: HandFacts) -> Iterator[WagerSettled]:
    hand, facts = play.hand(ref), play.facts(ref)
    barred = play.rules.barred(hand.split, bool(hand_wager.double), hand.doubled)
    for wager, amount in hand_wager.played:
        pay = play.rules.pay(wager, facts, dealer, barred)
        yield won(pay, on=ref, player=hand_wager.player, wager=wager, amount=amount)


def _lost(
    play: Play, ref: HandRef, hand_wager: HandWager, outcome: Outcome, facts: HandFacts, dealer: HandFacts
) -> Iterator[WagerSettled]:
    """Collect; a dealer's Blackjack takes only what the text lets it take."""
    bust = facts.points > play.rules.limit
    for wager, amount in hand_wager.played:
        spared = play.rules.spares(wager, bust) if dealer.blackjack else None
        if spared is not None:
            yield _row(spared.cite, ref, hand_wager, wager, amount, "push", ZERO)
        else:
            yield _row(outcome.cite, ref, hand_wager, wager, amount, "lose", -amount)


def _returned(ref: HandRef, hand_wager: HandWager, cite: str) -> Iterator[WagerSettled]:
    for wager, amount in hand_wager.played:
        yield _row(cite, ref, hand_wager, wager, amount, "push", ZERO)
    if hand_wager.chance:
        yield _row(cite, ref, hand_wager, "second_chance", hand_wager.chance, "push", ZERO)


def _row(
    cite: str, ref: HandRef, hand_wager: HandWager, wager: str, amount: Amount, outcome: str, net: Amount
) -> WagerSettled:
    return settled(cite, on=ref, player=hand_wager.player, wager=wager, amount=amount, outcome=outcome, net=net)


# -- a hand with a second chance


def chance_rows(play: Play, ref: HandRef, hand_wager: HandWager, outcome: ChanceOutcome) -> Iterator[WagerSettled]:
    """Settle a hand with a second chance: its other wagers, then the Second Chance Wager."""
    main, chance, cite = outcome
    for wager, amount in hand_wager.played:
        yield _row(cite, ref, hand_wager, wager, amount, main, -amount if main == "lose" else ZERO)
    if chance == "win":
        pay = play.rules.pay("second_chance", UNSEEN, UNSEEN)
        yield won(pay, on=ref, player=hand_wager.player, wager="second_chance", amount=hand_wager.chance)
    else:
        net = -hand_wager.chance if chance == "lose" else ZERO
        yield _row(cite, ref, hand_wager, "second_chance", hand_wager.chance, chance, net)


# -- all hands


@step("pay_blackjacks")
def pay_blackjacks(play: Play, clause: Step) -> Need | None:
    """Pay every player's Blackjack before the hole card is read."""
    for ref, _ in list(play.each_hand(clause.start)):
        if play.facts(ref).blackjack:
            settle_early(play, ref)
            take_away(play, ref, "blackjack")
    return None


@step("settle")
def settle(play: Play, _: Step) -> Need | None:
    """Settle everything that is left, in the order the operator designated."""
    put_away_held(play)
    order = play.rules.one(Settlement)
    dealer = play.dealer()
    rows = [
        row
        for ref, hand in play.each_hand(order.start)
        for hand_wager in hand.wagers
        if not hand_wager.settled
        for row in rows_of(play, ref, hand_wager, dealer)
    ]
    if order.insurance:
        rows += won_insurance(play)
    for row in _in_order(order, rows):
        play.emit(row)
    pay_super_bonuses(play)
    return None


@carries("settlement")
def _in_order(order: Settlement, rows: list[WagerSettled]) -> list[WagerSettled]:
    """Box by box, what lies beside the hands last; or so, but all that lose before the others."""
    boxes = sorted(rows, key=lambda row: row.box or 0, reverse=order.start == "right")
    return boxes if order.name == "by-player" else sorted(boxes, key=lambda row: row.outcome != "lose")
