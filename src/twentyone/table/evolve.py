"""How each event changes the table: the fold. Nothing else changes a table's state."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from itertools import filterfalse
from typing import Any, TypeGuard

from twentyone.cards import Card
from twentyone.money import ZERO, Amount
from twentyone.round import Round
from twentyone.round.entry_events import EntryCorrected
from twentyone.round.events import CardDestroyed, Event, HandTakenAway
from twentyone.table import card_changes, meter_changes
from twentyone.table import card_events as cards
from twentyone.table import events as e
from twentyone.table import meter_events as meters
from twentyone.table import wager_events as w
from twentyone.table.card_changes import done, left_shoe, name_card, put_into_rack, take_away_cards, uncut
from twentyone.table.model import Bundle, DeviceState, Placed, Player, TableEvent, TableState

__all__ = ["CHANGES", "evolve", "fold_table"]


def fold_table(events: Iterable[TableEvent], start: TableState | None = None) -> TableState:
    """The state that a sequence of events leads to."""
    state = TableState() if start is None else start.copy()
    for event in events:
        evolve(state, event)
    return state


def evolve(state: TableState, event: TableEvent) -> None:
    """Let an event change a state."""
    CHANGES[type(event)](state, event)


def _nothing(_: TableState, __: TableEvent) -> None:
    """A record: it changes nothing on the table."""


def _agenda_set(state: TableState, event: e.AgendaSet) -> None:
    state.agenda = event.todo


# -- opening, closing, people


def _opened(state: TableState, event: e.TableOpened) -> None:
    state.phase, state.day, state.dealer = "open", event.day, event.dealer
    state.floorperson = event.floorperson


def _floorperson_assigned(state: TableState, event: e.FloorpersonAssigned) -> None:
    state.floorperson = event.floorperson


def _closed(state: TableState, _: TableEvent) -> None:
    state.phase, state.dealer, state.floorperson, state.agenda = "closed", None, "", ()
    state.players, state.placed, state.verbal, state.consents = {}, (), (), frozenset()
    state.resuming = False
    take_away_cards(state)
    uncut(state)


def _dealer_changed(state: TableState, event: e.DealerChanged) -> None:
    state.dealer = event.dealer


def _player_seated(state: TableState, event: e.PlayerSeated) -> None:
    _at_table(state, event.player, event.boxes, event.device)


def _player_standing(state: TableState, event: w.PlayerStanding) -> None:
    known = state.players.get(event.player)
    _at_table(state, event.player, (), known is None or known.device)


def _at_table(state: TableState, name: str, boxes: tuple[int, ...], device: bool) -> None:
    known = state.players.get(name)
    arrived = known.arrived if known is not None else state.arrivals + 1
    state.arrivals = max(state.arrivals, arrived)
    barred = known.barred if known is not None else state.bar and state.sat_out(name)
    state.writable("players")[name] = Player(arrived, boxes, barred=barred, device=device)


def _player_left(state: TableState, event: e.PlayerLeft) -> None:
    name = event.player
    del state.writable("players")[name]
    state.deserted = state.deserted or not state.players
    state.burn_asked = "" if state.burn_asked == name else state.burn_asked
    state.cut_order = tuple(other for other in state.cut_order if other != name)
    state.consents = frozenset(consent for consent in state.consents if name not in consent[1:])
    if state.cut_offered == name:
        state.cut_offered = ""


# -- devices


def _device_inspected(state: TableState, event: e.DeviceInspected) -> None:
    done(state, event)
    _device_inspected_again(state, event)


def _device_inspected_again(state: TableState, event: e.DeviceInspected) -> None:
    state.writable("devices")[event.device] = state.devices.get(event.device, DeviceState())._replace(
        inspected=event.at
    )


def _device_state(state: TableState, event: e.DeviceReported) -> None:
    name = event.device
    state.writable("devices")[name] = state.devices.get(name, DeviceState())._replace(state=event.state)
    state.all_working = all(device.state == "working" for device in state.devices.values())
    state.stopped = event.stopped


# -- wagers and rounds


def _wager_laid(state: TableState, event: e.WagerLaid) -> None:
    placed = Placed(event.box, event.player, event.wager, event.amount, event.cash, (), event.coupon)
    state.placed = (*state.placed, placed)
    if event.cash:
        state.verbal = tuple(said for said in state.verbal if said[:3] != placed[:3])
    _move(state, event.player, "(layout)", event.amount)


def _consent_given(state: TableState, event: e.ConsentGiven) -> None:
    state.consents |= {(event.box, event.by, event.player)}


def _consent_ended(state: TableState, event: w.ConsentEnded) -> None:
    state.consents -= {(event.box, event.by, event.player)}


def _meant(event: e.WagerTakenBack | e.WagerConfirmed | w.VerbalDeclined) -> Callable[[Placed], bool]:
    """Whether an event is about a wager: the one that it names, or all of its player on its box."""
    key, named = (event.box, event.player), event.wager
    return lambda placed: (placed.box, placed.player) == key and named in ("", placed.wager)


def _wager_taken_back(state: TableState, event: e.WagerTakenBack) -> None:
    meant = _meant(event)
    for placed in filter(meant, state.placed):
        _move(state, "(layout)", placed.player, placed.amount)
    state.placed = tuple(filterfalse(meant, state.placed))


def _verbal_made(state: TableState, event: w.VerbalMade) -> None:
    said = Placed(event.box, event.player, event.wager, event.amount, True, (), event.coupon)
    state.verbal = (*state.verbal, said)


def _verbal_declined(state: TableState, event: w.VerbalDeclined) -> None:
    state.verbal = tuple(filterfalse(_meant(event), state.verbal))


def _wager_confirmed(state: TableState, event: e.WagerConfirmed) -> None:
    meant, role = _meant(event), event.role
    state.verbal = tuple(
        said._replace(confirmed=(*said.confirmed, role)) if meant(said) else said for said in state.verbal
    )


def _round_begun(state: TableState, event: e.RoundBegun) -> None:
    assert event.round is not None
    state.phase = "round"
    state.rounds += 1
    state.rounds_in_shoe += 1
    state.round = event.round
    wagering = {placed.player for placed in state.placed}
    for name, player in list(state.players.items()):
        if player.wagered != (name in wagering):
            state.writable("players")[name] = player._replace(wagered=not player.wagered)
    state.shoe_wagers = (*state.shoe_wagers, tuple(sorted(wagering)))
    state.in_round, state.placed = state.placed, ()


def _round_event(state: TableState, event: e.RoundEvent) -> None:
    assert event.round is not None
    before, state.round = state.round, event.round
    for card in event.cards:
        left_shoe(state, card)
    if event.rack is not None:
        put_into_rack(state, event.rack)
    else:
        for taken in event.events:  # a hand that was paid, in ledgers of the first two forms
            if isinstance(taken, HandTakenAway):
                state.rack = (*state.rack, Bundle(state.rounds, (taken.cards,)))
    if before is not None and any(isinstance(inner, EntryCorrected) for inner in event.events):
        _entry_corrected(state, before, event)
    else:
        found = tuple(inner.card for inner in event.events if _found(inner, event.cards))
        state.found += found
        if event.named is not None:
            name_card(state, *event.named, stranger=event.named[1] in found)
    if event.chips:
        chips = state.writable("chips")
        for account, amount in event.chips:
            chips[account] = chips.get(account, ZERO) + amount


def _entry_corrected(state: TableState, before: Round, event: e.RoundEvent) -> None:
    """A card has another name; one that is not of this game lies aside, or does so no longer."""
    assert event.round is not None
    was, is_now = Counter(before.state.taken_out), Counter(event.round.state.taken_out)
    found = list((Counter(state.found) - (was - is_now)).elements())
    state.found = (*found, *(is_now - was).elements())
    if event.named is None:
        return
    wrong, right = event.named
    if wrong in was - is_now and right not in is_now - was:
        left_shoe(state, right)
    elif wrong not in was - is_now:
        name_card(state, wrong, right, stranger=right in is_now - was)


def _found(event: Event, cards: tuple[Card, ...]) -> TypeGuard[CardDestroyed]:
    """Whether a card lies aside for the floorperson; one of an earlier form left the shoe and was gone."""
    return isinstance(event, CardDestroyed) and event.card not in cards


def _round_ended(state: TableState, _: TableEvent) -> None:
    state.phase = "settled"
    _bar_again(state)


def _bar_again(state: TableState) -> None:
    """Who is barred now: whoever sat out a round since the shuffle, where the operator bars such persons."""
    for name, player in list(state.players.items()):
        barred = state.bar and state.sat_out(name)
        if barred != player.barred:
            state.writable("players")[name] = player._replace(barred=barred)


def _round_resumed(state: TableState, _: TableEvent) -> None:
    """The round goes on; the reshuffle that a void one ordered is not due before it ends so again."""
    state.phase = "round"
    if state.round is not None and state.round.state.void and state.shoe is not None:
        cover = "box" if state.cover_box is not None else "dealer"
        state.reshuffle = cover if state.shoe.seen else ""


def _bar_set(state: TableState, event: e.BarSet) -> None:
    state.bar = event.on
    _bar_again(state)


def _player_admitted(state: TableState, event: w.PlayerAdmitted) -> None:
    state.writable("admitted")[event.player] = len(state.shoe_wagers)
    _bar_again(state)


def _burn_card_asked(state: TableState, event: w.BurnCardAsked) -> None:
    state.burn_asked = event.player


def _burn_card_shown(state: TableState, event: cards.BurnCardShown) -> None:
    state.burn_asked = ""
    card_changes.burn_card_shown(state, event)


def _coupon_laid(state: TableState, event: w.CouponLaid) -> None:
    """The coupon lies beside the first of the wagers that are one."""
    meant = (event.box, event.player, event.wager)
    index = next(index for index, wager in enumerate(state.placed) if wager[:3] == meant)
    beside = state.placed[index]._replace(coupon=event.amount, number=event.number)
    state.placed = (*state.placed[:index], beside, *state.placed[index + 1 :])


def _limit_set(state: TableState, event: w.LimitSet) -> None:
    state.writable("limits")[event.about] = event.most


# -- chips


def _move(state: TableState, source: str, target: str, amount: Amount) -> None:
    chips = state.writable("chips")
    chips[source] = chips.get(source, ZERO) - amount
    chips[target] = chips.get(target, ZERO) + amount


def _chips_moved(state: TableState, event: e.ChipsMoved) -> None:
    _move(state, event.source, event.target, event.amount)
    cash = event.cash or ZERO
    state.writable("cash")["(outside)"] = state.cash.get("(outside)", ZERO) - cash
    state.writable("cash")["(drop)"] = state.cash.get("(drop)", ZERO) + cash


CHANGES: dict[type[TableEvent], Callable[[TableState, Any], None]] = {
    e.TableOpened: _opened,
    e.TableClosed: _closed,
    e.AgendaSet: _agenda_set,
    e.DealerChanged: _dealer_changed,
    e.FloorpersonAssigned: _floorperson_assigned,
    e.PlayerSeated: _player_seated,
    w.PlayerStanding: _player_standing,
    e.PlayerLeft: _player_left,
    e.DeviceInspected: _device_inspected,
    e.DeviceInspectedAgain: _device_inspected_again,
    e.DeviceReported: _device_state,
    cards.CardsReceived: card_changes.cards_received,
    cards.CardsInspected: done,
    cards.InspectionVerified: done,
    cards.TensTakenOut: done,
    cards.TensRemoved: card_changes.tens_removed,
    cards.CardsSpread: done,
    cards.CardsTurnedUp: card_changes.looked_at,
    cards.CardsShown: card_changes.looked_at,
    cards.CardsWashed: done,
    cards.CardsStacked: done,
    cards.CardsRemixed: _nothing,
    cards.CardsCounted: done,
    cards.CardsMiscounted: card_changes.cards_miscounted,
    cards.RecountOrdered: card_changes.recount_ordered,
    cards.CardsShuffled: card_changes.cards_shuffled,
    cards.ShuffleFailed: card_changes.shuffle_failed,
    cards.CutOffered: card_changes.cut_offered,
    cards.CutDeclined: card_changes.cut_declined,
    cards.CutMade: card_changes.cut_made,
    cards.RecutOrdered: card_changes.recut_ordered,
    cards.CoverCardInserted: card_changes.cover_card_inserted,
    cards.ShoeLoaded: card_changes.shoe_loaded,
    cards.ShoeReplaced: _nothing,
    cards.CardBurned: card_changes.card_burned,
    w.BurnCardAsked: _burn_card_asked,
    cards.BurnCardShown: _burn_card_shown,
    cards.TenFound: card_changes.ten_found,
    cards.FoundTensDestroyed: card_changes.found_tens_destroyed,
    cards.CoverCardSeen: card_changes.cover_card_seen,
    cards.ReshuffleOrdered: card_changes.reshuffle_ordered,
    cards.RackReloaded: card_changes.rack_reloaded,
    cards.TableIdle: card_changes.table_idle,
    cards.FaceUpAsked: card_changes.face_up_asked,
    cards.BatchSpreadAsked: _nothing,
    cards.PlayResumed: card_changes.play_resumed,
    e.ConsentGiven: _consent_given,
    w.ConsentEnded: _consent_ended,
    w.VerbalMade: _verbal_made,
    w.VerbalDeclined: _verbal_declined,
    e.WagerLaid: _wager_laid,
    e.WagerTakenBack: _wager_taken_back,
    e.WagerConfirmed: _wager_confirmed,
    e.RoundBegun: _round_begun,
    e.RoundEvent: _round_event,
    e.RoundEnded: _round_ended,
    e.RoundResumed: _round_resumed,
    cards.CardsPickedUp: card_changes.cards_collected,
    cards.CardsReturned: card_changes.cards_returned,
    e.HandsReconstructed: _nothing,
    e.HandlingRefused: _nothing,
    e.BarSet: _bar_set,
    w.PlayerAdmitted: _player_admitted,
    w.CouponLaid: _coupon_laid,
    w.CouponReturned: _nothing,
    w.CouponUsed: _nothing,
    w.LimitSet: _limit_set,
    e.ChipsMoved: _chips_moved,
    e.CouponSettled: _chips_moved,
    meters.MeterSet: meter_changes.meter_set,
    meters.MeterContributed: meter_changes.meter_contributed,
    meters.MeterShareTakenBack: meter_changes.share_taken_back,
    meters.JackpotPaid: meter_changes.meter_paid,
    meters.JackpotTakenBack: meter_changes.meter_restored,
}
"""How an event of each class changes a state."""
