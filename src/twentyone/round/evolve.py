"""How each event changes the state: the fold. Nothing else changes a state."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction
from typing import Any

from twentyone.cards import UNKNOWN
from twentyone.money import ZERO, Amount
from twentyone.round import events as e
from twentyone.round.commands import Draw
from twentyone.round.decided import decided
from twentyone.round.entry_events import EntryCorrected
from twentyone.round.events import HandRef
from twentyone.round.state import Ask, Hand, HandWager, SideWager, State

__all__ = ["STRANGERS", "evolve", "fold"]


def fold(events: Iterable[e.Event], start: State | None = None) -> State:
    """The state that a row of events leads to."""
    state = State() if start is None else start.copy()
    for event in events:
        evolve(state, event)
    return state


def evolve(state: State, event: e.Event) -> None:
    """Let an event change a state."""
    state.fresh = False
    change = _CHANGES.get(type(event))
    if change is not None:
        change(state, event)


# -- wagers and steps


def _wager_placed(state: State, event: e.WagerPlaced) -> None:
    state.lay(event.player, event.amount)
    if event.wager != "main":
        side = SideWager(event.box, event.player, event.wager, event.amount)
        state.sides = (*state.sides, side)
        return
    hand_wager = HandWager(event.player, "main", event.amount)
    if event.box in state.hands:
        hand = state.hands[event.box][0]
        state.hands[event.box] = (hand._replace(wagers=(*hand.wagers, hand_wager)),)
    else:
        state.hands[event.box] = (Hand((), (hand_wager,)),)
        state.boxes = tuple(sorted((*state.boxes, event.box)))


def _step_begun(state: State, event: e.StepBegun) -> None:
    state.step = event.number
    state.fresh = True
    state.asked_box = state.asked_box if state.early_surrender else 0
    if event.step == "offer_surrender":
        state.early_surrender = True


def _deal_begun(state: State, event: e.DealBegun) -> None:
    state.due = tuple(Draw(*draw) for draw in event.draws)


def _meter_shown(state: State, event: e.MeterShown) -> None:
    _show(state, event.meter, event.amount, event.waits)


def _show(state: State, meter: str, shown: Amount, waits: Fraction) -> None:
    state.meters = {**state.meters, meter: shown}
    state.meters_wait = {**state.meters_wait, meter: waits}


# -- cards


def _card_dealt(state: State, event: e.CardDealt) -> None:
    if state.held is None:
        state.used += 1
    state.held, state.unexposed = None, False
    if state.due:
        state.due = state.due[1:]
    if event.box is None or event.hand is None:
        state.dealer = (*state.dealer, event.card)
        state.shown = state.shown and not event.face_down
        return
    ref = HandRef(event.box, event.hand)
    hand = state.hand(ref)
    if hand.due == "second_chance":
        hand = hand._replace(chance=event.card)
    else:
        hand = hand._replace(cards=(*hand.cards, event.card))
    if event.sideways:
        hand = hand._replace(sideways=(*hand.sideways, event.card))
    state.put(ref, hand._replace(due="", status="open" if hand.status == "waiting" else hand.status))


STRANGERS = ("ten", "face_up_ten", "turned_ten", "ten_past_17", "ten_at_burn")
"""Why a card is set aside that is not of this game."""


def _card_set_aside(state: State, event: e.CardSetAside) -> None:
    if event.reason == "refused":
        state.held = None
    elif event.reason == "turned_ten":
        state.dealer, state.told, state.shown = state.dealer[:-1], None, True
    else:
        state.used += 1
        state.unexposed = state.unexposed and event.reason == "ten_at_burn"
    state.set_aside = (*state.set_aside, event.card)
    state.face_ups += event.reason in ("face_up", "face_up_ten")
    state.tens += event.reason in STRANGERS


def _card_taken_out(state: State, event: e.CardDestroyed) -> None:
    state.taken_out = (*state.taken_out, event.card)


def _hole_card_read(state: State, event: e.HoleCardRead) -> None:
    state.told = event.blackjack


def _hole_card_shown(state: State, event: e.HoleCardExposed | e.HoleCardRevealed) -> None:
    """The hole card lies face up; one that nobody had seen is known from now on."""
    state.shown = True
    if state.dealer[-1] is UNKNOWN:
        state.dealer = (*state.dealer[:-1], event.card)


def _reader_failed(state: State, _: e.ReaderFailed) -> None:
    state.reader_failed = True


def _range_announced(state: State, event: e.RangeAnnounced) -> None:
    state.range = event.range


# -- offers and decisions


def _insurance_offered(state: State, event: e.InsuranceOffered) -> None:
    state.ask = Ask("insurance", event.cite, event.players)


def _asked(state: State, event: e.Asked) -> None:
    players = tuple((event.box, player) for player in event.players)
    state.ask = Ask(event.offer, event.cite, players, event.hand)
    state.asked_box = event.box
    if event.offer == "late_card":
        state.missed = tuple(box for box in state.missed if box != event.box)


def _declined(state: State, event: e.Declined) -> None:
    ask = state.ask
    if event.box is None:
        state.ask = None
    else:
        _answered(state, event.box, event.player)
    if ask is not None and state.ask is None and ask.offer in ("rescue", "second_chance"):
        state.set_status(HandRef(ask.players[0][0], ask.hand or 1), "closed")


def _answered(state: State, box: int, player: str) -> None:
    if state.ask is None:
        return
    left = tuple(asked for asked in state.ask.players if asked != (box, player))
    state.ask = state.ask._replace(players=left) if left else None


def _decision_taken(state: State, event: e.DecisionTaken) -> None:
    following = state.ask is not None
    _answered(state, event.box, event.player)
    decided(state, event, following)


def _total_announced(state: State, event: e.TotalAnnounced) -> None:
    if event.box is None:
        state.announced = len(state.dealer)


def _hand_closed(state: State, event: e.HandClosed) -> None:
    state.set_status(HandRef(event.box, event.hand), "closed")


# -- settlement


def _wager_settled(state: State, event: e.WagerSettled) -> None:
    state.rows = (*state.rows, event)
    state.layout = state.layout - event.staked
    state.players[event.player] = state.players.get(event.player, ZERO) + event.staked + event.net
    state.house = state.house - event.net
    _mark_settled(state, event, True)


def _settlement_undone(state: State, event: e.SettlementUndone) -> None:
    row = event.row
    index = state.rows.index(row)
    state.rows = (*state.rows[:index], *state.rows[index + 1 :])
    state.layout = state.layout + row.staked
    state.players[row.player] = state.players[row.player] - row.staked - row.net
    state.house = state.house + row.net
    _mark_settled(state, row, False)


def _hand_taken_away(state: State, event: e.HandTakenAway) -> None:
    ref = HandRef(event.box, event.hand)
    state.put(ref, state.hand(ref)._replace(away=True))


_HAND_WAGERS = ("main", "split", "even_money")
_BOUGHT = {"double": "double", "second_chance": "chance"}
"""Wagers that buy a card for a hand, and what a hand calls them."""


def _bought_back(hand: Hand, row: e.WagerSettled, amount: Amount) -> Hand:
    """A hand without a wager that went back, or with it again."""
    change: dict[str, Any] = {_BOUGHT[row.wager]: amount}
    wagers = tuple(
        hand_wager._replace(**change) if hand_wager.player == row.player else hand_wager for hand_wager in hand.wagers
    )
    return hand._replace(wagers=wagers, doubled=any(hand_wager.double for hand_wager in wagers))


def _mark_settled(state: State, row: e.WagerSettled, settled: bool) -> None:
    if row.box is None:
        return
    if row.hand is not None:
        ref = HandRef(row.box, row.hand)
        hand = state.hand(ref)
        if row.outcome == "void" and row.wager in _BOUGHT:
            state.put(ref, _bought_back(hand, row, ZERO if settled else row.amount))
        elif row.wager in _HAND_WAGERS:
            wagers = tuple(
                hand_wager._replace(settled=settled) if hand_wager.player == row.player else hand_wager
                for hand_wager in hand.wagers
            )
            state.put(ref, hand._replace(wagers=wagers))
        return
    state.sides = tuple(
        side._replace(settled=settled)
        if (side.box, side.player, side.wager) == (row.box, row.player, row.wager)
        else side
        for side in state.sides
    )


# -- irregularities


def _card_drawn_in_error(state: State, event: e.CardDrawnInError) -> None:
    state.held = event.card
    state.unexposed = event.card is None
    state.used += event.card is not None


def _card_refused(state: State, event: e.CardRefused) -> None:
    """The player draws no more this round, or the hand does not: no card is due there."""
    state.ask = None
    if event.hand is None:
        state.refused = state.refused | {event.player}
    else:
        ref = HandRef(event.box, event.hand)
        state.put(ref, state.hand(ref)._replace(refused=True))


def _dealer_card_missed(state: State, event: e.DealerCardMissed) -> None:
    """The missed card comes after the players' cards, before any later card of the dealer's."""
    state.dealer_missed = event.card_number
    missed, *rest = state.due
    index = next((i for i, draw in enumerate(rest) if draw.box is None), len(rest))
    state.due = (*rest[:index], missed, *rest[index:])


def _box_missed(state: State, event: e.BoxMissed) -> None:
    state.due = state.due[1:]
    state.missed = (*state.missed, event.box)


def _hand_called_dead(state: State, event: e.HandCalledDead) -> None:
    ref = HandRef(event.box, event.hand)
    state.set_status(ref, "dead")
    state.due = tuple(draw for draw in state.due if draw.box != event.box)
    state.missed = tuple(box for box in state.missed if box != event.box)
    state.wrong = tuple(other for other in state.wrong if other != ref)
    state.ask = None


def _wrong_range_found(state: State, event: e.WrongRangeFound) -> None:
    state.wrong = tuple(HandRef(*pair) for pair in event.hands)
    state.range_wrong = True


def _floorperson_notified(state: State, event: e.FloorpersonNotified) -> None:
    state.notified = event.irregularity


def _notification_confirmed(state: State, _: e.NotificationConfirmed) -> None:
    state.notified = ""


def _round_voided(state: State, _: e.RoundVoided) -> None:
    state.void = True
    state.due, state.ask, state.held, state.unexposed = (), None, None, False


def _meter_reset(state: State, event: e.MeterReset) -> None:
    if event.paid:
        state.jackpots = (*state.jackpots, (event.meter, event.paid, state.meters_wait[event.meter]))
    _show(state, event.meter, event.reset, event.waits)


def _meter_restored(state: State, _: e.MeterRestored) -> None:
    _show(state, *state.jackpots[-1])
    state.jackpots = state.jackpots[:-1]


def _cards_collected(state: State, _: e.CardsCollected) -> None:
    state.over = True


def _entry_corrected(state: State, event: EntryCorrected) -> None:
    """The round is that of the right entry."""
    state.__dict__.update(fold(event.again).__dict__)


_CHANGES: dict[type[e.Event], Callable[[State, Any], None]] = {
    e.WagerPlaced: _wager_placed,
    e.StepBegun: _step_begun,
    e.DealBegun: _deal_begun,
    e.MeterShown: _meter_shown,
    e.CardDealt: _card_dealt,
    e.CardSetAside: _card_set_aside,
    e.WrongCardBurned: _card_set_aside,
    e.CardDestroyed: _card_taken_out,
    e.HoleCardRead: _hole_card_read,
    e.HoleCardExposed: _hole_card_shown,
    e.HoleCardRevealed: _hole_card_shown,
    e.ReaderFailed: _reader_failed,
    e.RangeAnnounced: _range_announced,
    e.InsuranceOffered: _insurance_offered,
    e.Asked: _asked,
    e.Declined: _declined,
    e.DecisionTaken: _decision_taken,
    e.HandClosed: _hand_closed,
    e.TotalAnnounced: _total_announced,
    e.WagerSettled: _wager_settled,
    e.SettlementUndone: _settlement_undone,
    e.HandTakenAway: _hand_taken_away,
    e.CardDrawnInError: _card_drawn_in_error,
    e.CardRefused: _card_refused,
    e.DealerCardMissed: _dealer_card_missed,
    e.BoxMissed: _box_missed,
    e.HandCalledDead: _hand_called_dead,
    e.WrongRangeFound: _wrong_range_found,
    e.FloorpersonNotified: _floorperson_notified,
    e.NotificationConfirmed: _notification_confirmed,
    e.RoundVoided: _round_voided,
    e.MeterReset: _meter_reset,
    e.MeterRestored: _meter_restored,
    e.CardsCollected: _cards_collected,
    EntryCorrected: _entry_corrected,
}
