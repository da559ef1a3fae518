"""How each event changes the table: the fold. Nothing else changes a table's state."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from twentyone.money import NOTHING, Amount
from twentyone.table.card_changes import (
    card_burned,
    cards_collected,
    cards_received,
    cards_shuffled,
    cover_card_inserted,
    cover_card_seen,
    cut_declined,
    cut_made,
    cut_offered,
    done,
    left_shoe,
    play_resumed,
    rack_reloaded,
    recut_ordered,
    reshuffle_ordered,
    shoe_loaded,
    table_idle,
    take_away_cards,
    tens_removed,
)
from twentyone.table.meter_changes import meter_contributed, meter_paid, meter_set
from twentyone.table.model import DeviceState, Placed, Player, TableEvent, TableState, Todo

__all__ = ["CHANGES", "evolve", "fold_table"]


def fold_table(events: Iterable[TableEvent], start: TableState | None = None) -> TableState:
    """The state that a row of events leads to."""
    state = TableState() if start is None else start.copy()
    for event in events:
        evolve(state, event)
    return state


def evolve(state: TableState, event: TableEvent) -> None:
    """Let an event change a state."""
    CHANGES[event.kind](state, event)


def _nothing(_: TableState, __: TableEvent) -> None:
    """A record: it changes nothing on the table."""


def _agenda_set(state: TableState, event: TableEvent) -> None:
    state.agenda = tuple(Todo(*todo) for todo in event.data["todo"])


# -- opening, closing, people


def _opened(state: TableState, event: TableEvent) -> None:
    state.phase, state.day, state.dealer = "open", event.data["day"], event.data["dealer"]


def _closed(state: TableState, _: TableEvent) -> None:
    state.phase, state.dealer, state.agenda = "closed", None, ()
    state.players, state.placed, state.consents = {}, (), frozenset()
    state.cut_by, state.cut_offered, state.cut_order, state.cut_asked = "", "", (), False
    state.resuming = False
    take_away_cards(state)


def _dealer_changed(state: TableState, event: TableEvent) -> None:
    state.dealer = event.data["dealer"]


def _player_seated(state: TableState, event: TableEvent) -> None:
    name = event.data["player"]
    boxes = tuple(event.data["boxes"])
    known = state.players.get(name)
    arrived = known.arrived if known is not None else state.arrivals + 1
    state.arrivals = max(state.arrivals, arrived)
    late = state.bar and state.rounds_in_shoe > 0
    state.own("players")[name] = Player(arrived, boxes, barred=known.barred if known is not None else late)


def _player_left(state: TableState, event: TableEvent) -> None:
    name = event.data["player"]
    del state.own("players")[name]
    state.cut_order = tuple(other for other in state.cut_order if other != name)
    state.consents = frozenset(consent for consent in state.consents if name not in consent[1:])
    if state.cut_offered == name:
        state.cut_offered = ""


# -- devices


def _device_inspected(state: TableState, event: TableEvent) -> None:
    done(state, event)
    name = event.data["device"]
    state.own("devices")[name] = state.devices.get(name, DeviceState())._replace(inspected=event.at)


def _device_inspected_again(state: TableState, event: TableEvent) -> None:
    name = event.data["device"]
    state.own("devices")[name] = state.devices.get(name, DeviceState())._replace(inspected=event.at)


def _device_state(state: TableState, event: TableEvent) -> None:
    name = event.data["device"]
    state.own("devices")[name] = state.devices.get(name, DeviceState())._replace(state=event.data["state"])
    state.all_working = all(device.state == "working" for device in state.devices.values())
    state.stopped = event.data.get("stopped", "")


# -- wagers and rounds


def _wager_laid(state: TableState, event: TableEvent) -> None:
    data = event.data
    placed = Placed(
        data["box"], data["player"], data["wager"], _amount(data["amount"]), data["cash"], (), _amount(data["coupon"])
    )
    state.placed = (*state.placed, placed)
    _move(state, data["player"], "(layout)", placed.amount)


def _consent_given(state: TableState, event: TableEvent) -> None:
    state.consents |= {(event.data["box"], event.by, event.data["player"])}


def _wager_taken_back(state: TableState, event: TableEvent) -> None:
    box, player = event.data["box"], event.data["player"]
    for placed in state.placed:
        if (placed.box, placed.player) == (box, player):
            _move(state, "(layout)", player, placed.amount)
    state.placed = tuple(placed for placed in state.placed if (placed.box, placed.player) != (box, player))


def _wager_confirmed(state: TableState, event: TableEvent) -> None:
    box, player, role = event.data["box"], event.data["player"], event.data["role"]
    state.placed = tuple(
        placed._replace(confirmed=(*placed.confirmed, role)) if (placed.box, placed.player) == (box, player) else placed
        for placed in state.placed
    )


def _round_begun(state: TableState, event: TableEvent) -> None:
    state.phase = "round"
    state.rounds += 1
    state.rounds_in_shoe += 1
    state.round = event.data["round"]
    wagering = {placed.player for placed in state.placed}
    for name, player in list(state.players.items()):
        if player.wagered != (name in wagering):
            state.own("players")[name] = player._replace(wagered=not player.wagered)
    state.in_round, state.placed = state.placed, ()


def _round_event(state: TableState, event: TableEvent) -> None:
    data = event.data
    state.round = data["round"]
    for card in data["cards"]:
        left_shoe(state, card)
    if data["chips"]:
        chips = state.own("chips")
        for account, amount in data["chips"]:
            chips[account] = chips.get(account, NOTHING) + _amount(amount)


def _round_ended(state: TableState, _: TableEvent) -> None:
    state.phase = "settled"
    if state.bar:
        for name in [name for name, player in state.players.items() if not player.wagered]:
            state.own("players")[name] = state.players[name]._replace(barred=True)


def _round_resumed(state: TableState, _: TableEvent) -> None:
    state.phase = "round"


def _bar_set(state: TableState, event: TableEvent) -> None:
    state.bar = event.data["on"]
    if not state.bar:
        for name, player in list(state.players.items()):
            state.own("players")[name] = player._replace(barred=False)


# -- chips


def _amount(value: Amount | str) -> Amount:
    """An amount of an event: as it happened, or as JSON has it."""
    return value if type(value) is Amount else Amount(value)


def _move(state: TableState, source: str, target: str, amount: Amount) -> None:
    chips = state.own("chips")
    chips[source] = chips.get(source, NOTHING) - amount
    chips[target] = chips.get(target, NOTHING) + amount


def _chips_moved(state: TableState, event: TableEvent) -> None:
    data = event.data
    _move(state, data["source"], data["target"], _amount(data["amount"]))
    cash = _amount(data.get("cash", NOTHING))
    state.own("cash")["(outside)"] = state.cash.get("(outside)", NOTHING) - cash
    state.own("cash")["(drop)"] = state.cash.get("(drop)", NOTHING) + cash


CHANGES: dict[str, Callable[[TableState, Any], None]] = {
    "table_opened": _opened,
    "table_closed": _closed,
    "agenda_set": _agenda_set,
    "dealer_changed": _dealer_changed,
    "player_seated": _player_seated,
    "player_left": _player_left,
    "device_inspected": _device_inspected,
    "device_inspected_again": _device_inspected_again,
    "device_reported": _device_state,
    "cards_received": cards_received,
    "cards_inspected": done,
    "inspection_verified": done,
    "tens_removed": tens_removed,
    "cards_spread": done,
    "cards_turned_up": done,
    "cards_shown": done,
    "cards_washed": done,
    "cards_stacked": done,
    "cards_remixed": _nothing,
    "cards_counted": done,
    "cards_shuffled": cards_shuffled,
    "shuffle_failed": _nothing,
    "cut_offered": cut_offered,
    "cut_declined": cut_declined,
    "cut_made": cut_made,
    "recut_ordered": recut_ordered,
    "cover_card_inserted": cover_card_inserted,
    "shoe_loaded": shoe_loaded,
    "card_burned": card_burned,
    "burn_card_shown": _nothing,
    "cover_card_seen": cover_card_seen,
    "reshuffle_ordered": reshuffle_ordered,
    "rack_reloaded": rack_reloaded,
    "table_idle": table_idle,
    "play_resumed": play_resumed,
    "consent_given": _consent_given,
    "wager_laid": _wager_laid,
    "wager_taken_back": _wager_taken_back,
    "wager_confirmed": _wager_confirmed,
    "round_begun": _round_begun,
    "round_event": _round_event,
    "round_ended": _round_ended,
    "round_resumed": _round_resumed,
    "cards_collected": cards_collected,
    "hands_reconstructed": _nothing,
    "handling_refused": _nothing,
    "bar_set": _bar_set,
    "chips_moved": _chips_moved,
    "coupon_settled": _chips_moved,
    "meter_set": meter_set,
    "meter_contributed": meter_contributed,
    "meter_paid": meter_paid,
}
"""How an event of each kind changes a state."""
