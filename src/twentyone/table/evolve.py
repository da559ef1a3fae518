"""How each event changes the table: the fold. Nothing else changes a table's state."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from twentyone.money import ZERO, Amount
from twentyone.table import card_changes, meter_changes
from twentyone.table import card_events as cards
from twentyone.table import events as e
from twentyone.table.card_changes import done, left_shoe, take_away_cards
from twentyone.table.model import DeviceState, Placed, Player, TableEvent, TableState

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


def _closed(state: TableState, _: TableEvent) -> None:
    state.phase, state.dealer, state.agenda = "closed", None, ()
    state.players, state.placed, state.consents = {}, (), frozenset()
    state.cut_by, state.cut_offered, state.cut_order, state.cut_asked = "", "", (), False
    state.resuming = False
    take_away_cards(state)


def _dealer_changed(state: TableState, event: e.DealerChanged) -> None:
    state.dealer = event.dealer


def _player_seated(state: TableState, event: e.PlayerSeated) -> None:
    name = event.player
    known = state.players.get(name)
    arrived = known.arrived if known is not None else state.arrivals + 1
    state.arrivals = max(state.arrivals, arrived)
    late = state.bar and state.rounds_in_shoe > 0
    state.writable("players")[name] = Player(arrived, event.boxes, barred=known.barred if known is not None else late)


def _player_left(state: TableState, event: e.PlayerLeft) -> None:
    name = event.player
    del state.writable("players")[name]
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
    _move(state, event.player, "(layout)", event.amount)


def _consent_given(state: TableState, event: e.ConsentGiven) -> None:
    state.consents |= {(event.box, event.by, event.player)}


def _wager_taken_back(state: TableState, event: e.WagerTakenBack) -> None:
    box, player = event.box, event.player
    for placed in state.placed:
        if (placed.box, placed.player) == (box, player):
            _move(state, "(layout)", player, placed.amount)
    state.placed = tuple(placed for placed in state.placed if (placed.box, placed.player) != (box, player))


def _wager_confirmed(state: TableState, event: e.WagerConfirmed) -> None:
    box, player, role = event.box, event.player, event.role
    state.placed = tuple(
        placed._replace(confirmed=(*placed.confirmed, role)) if (placed.box, placed.player) == (box, player) else placed
        for placed in state.placed
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
    state.in_round, state.placed = state.placed, ()


def _round_event(state: TableState, event: e.RoundEvent) -> None:
    assert event.round is not None
    state.round = event.round
    for card in event.cards:
        left_shoe(state, card)
    if event.chips:
        chips = state.writable("chips")
        for account, amount in event.chips:
            chips[account] = chips.get(account, ZERO) + amount


def _round_ended(state: TableState, _: TableEvent) -> None:
    state.phase = "settled"
    if state.bar:
        for name in [name for name, player in state.players.items() if not player.wagered]:
            state.writable("players")[name] = state.players[name]._replace(barred=True)


def _round_resumed(state: TableState, _: TableEvent) -> None:
    state.phase = "round"


def _bar_set(state: TableState, event: e.BarSet) -> None:
    state.bar = event.on
    if not state.bar:
        for name, player in list(state.players.items()):
            state.writable("players")[name] = player._replace(barred=False)


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
    e.PlayerSeated: _player_seated,
    e.PlayerLeft: _player_left,
    e.DeviceInspected: _device_inspected,
    e.DeviceInspectedAgain: _device_inspected_again,
    e.DeviceReported: _device_state,
    cards.CardsReceived: card_changes.cards_received,
    cards.CardsInspected: done,
    cards.InspectionVerified: done,
    cards.TensRemoved: card_changes.tens_removed,
    cards.CardsSpread: done,
    cards.CardsTurnedUp: done,
    cards.CardsShown: done,
    cards.CardsWashed: done,
    cards.CardsStacked: done,
    cards.CardsRemixed: _nothing,
    cards.CardsCounted: done,
    cards.CardsShuffled: card_changes.cards_shuffled,
    cards.ShuffleFailed: _nothing,
    cards.CutOffered: card_changes.cut_offered,
    cards.CutDeclined: card_changes.cut_declined,
    cards.CutMade: card_changes.cut_made,
    cards.RecutOrdered: card_changes.recut_ordered,
    cards.CoverCardInserted: card_changes.cover_card_inserted,
    cards.ShoeLoaded: card_changes.shoe_loaded,
    cards.ShoeReplaced: _nothing,
    cards.CardBurned: card_changes.card_burned,
    cards.BurnCardShown: _nothing,
    cards.CoverCardSeen: card_changes.cover_card_seen,
    cards.ReshuffleOrdered: card_changes.reshuffle_ordered,
    cards.RackReloaded: card_changes.rack_reloaded,
    cards.TableIdle: card_changes.table_idle,
    cards.PlayResumed: card_changes.play_resumed,
    e.ConsentGiven: _consent_given,
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
    e.ChipsMoved: _chips_moved,
    e.CouponSettled: _chips_moved,
    e.MeterSet: meter_changes.meter_set,
    e.MeterContributed: meter_changes.meter_contributed,
    e.JackpotPaid: meter_changes.meter_paid,
}
"""How an event of each class changes a state."""
