"""How each event changes the table: the fold. Nothing else changes a table's state."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from twentyone.cards import Card
from twentyone.money import NOTHING, Amount
from twentyone.table.meter_changes import meter_contributed, meter_paid, meter_set
from twentyone.table.model import (
    Batch,
    Bundle,
    DeviceState,
    Placed,
    Player,
    Shoe,
    TableEvent,
    TableState,
    Todo,
)

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


def _done(state: TableState, _: TableEvent) -> None:
    """The task at the head of the agenda is done."""
    state.agenda = state.agenda[1:]


def _agenda_set(state: TableState, event: TableEvent) -> None:
    state.agenda = tuple(Todo(*todo) for todo in event.data["todo"])


# -- opening, closing, people


def _opened(state: TableState, event: TableEvent) -> None:
    state.phase, state.day, state.dealer = "open", event.data["day"], event.data["dealer"]


def _closed(state: TableState, _: TableEvent) -> None:
    state.phase, state.dealer, state.agenda = "closed", None, ()
    state.batches, state.shoe, state.rack, state.removed, state.shuffled = {}, None, (), (), ()
    state.players, state.placed, state.consents = {}, (), frozenset()
    state.resuming = False


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
    _done(state, event)
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


# -- cards


def _cards_received(state: TableState, event: TableEvent) -> None:
    _done(state, event)
    batch = event.data["batch"]
    state.rack, state.removed = (), ()
    state.own("batches")[batch] = Batch(event.data["decks"], event.at, event.data["cards"])
    state.shuffled = tuple(name for name in state.shuffled if name != batch)
    state.own("commitments").pop(batch, None)
    state.own("cuts").pop(batch, None)
    _fresh_cards(state)


def _fresh_cards(state: TableState) -> None:
    """New or newly shuffled cards: no discards, no cut yet, and nobody is barred any more."""
    state.rack = ()
    state.cut_by, state.cut_offered, state.cut_order, state.cut_asked = "", "", (), False
    for name, player in list(state.players.items()):
        state.own("players")[name] = player._replace(barred=False, wagered=True)


def _tens_removed(state: TableState, event: TableEvent) -> None:
    _done(state, event)
    batch = event.data["batch"]
    state.own("batches")[batch] = state.batches[batch]._replace(cards=event.data["left"])


def _shuffled(state: TableState, event: TableEvent) -> None:
    _done(state, event)
    batch = event.data["batch"]
    state.shuffled = (*(name for name in state.shuffled if name != batch), batch)
    state.own("commitments")[batch] = event.data["commitment"]
    _fresh_cards(state)


def _cut_offered(state: TableState, event: TableEvent) -> None:
    state.cut_offered, state.cut_asked = event.data["player"], True
    state.cut_order = tuple(event.data["then"])


def _cut_declined(state: TableState, _: TableEvent) -> None:
    state.cut_offered = ""


def _cut_made(state: TableState, event: TableEvent) -> None:
    _done(state, event)
    state.cut_by, state.cut_offered, state.cut_order = event.data["by"], "", ()
    state.cut_rotation += event.data["turned"]
    state.own("cuts")[event.data["batch"]] = event.data["place"]


def _recut_ordered(state: TableState, event: TableEvent) -> None:
    state.cut_by, state.cut_offered, state.cut_asked = "", "", False
    state.cut_order = tuple(event.data["order"])
    if event.data["loaded"]:
        state.shoe, state.rack, state.gone, state.burned = None, (), {}, None
        state.shuffled = (*state.shuffled, event.data["batch"])


def _cover_card_inserted(state: TableState, event: TableEvent) -> None:
    _done(state, event)
    state.cover_from_bottom = event.data["from_bottom"]


def _shoe_loaded(state: TableState, event: TableEvent) -> None:
    _done(state, event)
    data = event.data
    state.shoes += 1
    state.rounds_in_shoe = 0
    state.cover_box, state.reshuffle = None, ""
    cover = data["size"] - data["cover"] if data["cover"] is not None else None
    state.shoe = Shoe(state.shoes, data["batch"], data["size"], data["size"], cover, data["commitment"])
    state.shuffled = tuple(name for name in state.shuffled if name != data["batch"])
    state.cover_from_bottom = None
    state.resuming = False
    state.gone = {}


def _left(state: TableState, card: str) -> None:
    """A card has left the shoe."""
    state.own("gone")[card] = state.gone.get(card, 0) + 1
    if state.shoe is not None:
        state.shoe = state.shoe.drawn()


def _card_burned(state: TableState, event: TableEvent) -> None:
    _done(state, event)
    card = Card(event.data["card"])
    state.burned = card
    _left(state, card.name)
    state.rack = (*state.rack, Bundle(0, ((card,),)))


def _cover_card_seen(state: TableState, event: TableEvent) -> None:
    state.reshuffle = "box" if event.data["box"] is not None else "dealer"
    state.cover_box, state.cover_player = event.data["box"], event.data["player"]
    if state.shoe is not None:
        state.shoe = state.shoe._replace(seen=True)


def _reshuffle_ordered(state: TableState, event: TableEvent) -> None:
    state.reshuffle = event.data["why"]


def _rack_reloaded(state: TableState, event: TableEvent) -> None:
    """The shoe ran out in a round: the rack, shuffled, is the shoe; one card of it goes back at once."""
    card = Card(event.data["burn"])
    state.rack = (Bundle(0, ((card,),)),)
    state.gone = {card.name: 1}
    for name in event.data["lying"]:
        state.own("gone")[name] = state.gone.get(name, 0) + 1
    if state.shoe is not None:
        size = event.data["size"]
        state.shoe = state.shoe._replace(size=size, left=size - 1, cover=None, commitment=event.data["commitment"])


def _idle(state: TableState, event: TableEvent) -> None:
    state.phase, state.idle_face = "idle", event.data["face"]
    state.idle_batch = state.shoe.batch if state.shoe is not None else ""
    state.shoe, state.rack, state.reshuffle = None, (), ""


def _resumed(state: TableState, event: TableEvent) -> None:
    state.phase, state.idle_face = "open", ""
    state.resuming = event.data["arrival"]


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
    state.round = event.data["round"]
    for card in event.data["cards"]:
        _left(state, card)
    for account, amount in event.data["chips"]:
        chips = state.own("chips")
        chips[account] = chips.get(account, NOTHING) + _amount(amount)


def _round_ended(state: TableState, _: TableEvent) -> None:
    state.phase = "settled"
    for name, player in list(state.players.items()):
        if state.bar and not player.wagered:
            state.own("players")[name] = player._replace(barred=True)


def _cards_collected(state: TableState, event: TableEvent) -> None:
    state.phase = "open"
    hands = tuple(tuple(Card(name) for name in hand) for hand in event.data["hands"])
    state.rack = (*state.rack, Bundle(state.rounds, hands))
    state.removed = (*state.removed, *(Card(name) for name in event.data["removed"]))
    if event.data["returned"] and state.shoe is not None:
        state.rack, state.gone = (), {}
        state.shoe = state.shoe._replace(left=state.shoe.size - len(event.data["removed"]))
    state.round, state.in_round = None, ()


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
    "cards_received": _cards_received,
    "cards_inspected": _done,
    "inspection_verified": _done,
    "tens_removed": _tens_removed,
    "cards_spread": _done,
    "cards_turned_up": _done,
    "cards_shown": _done,
    "cards_washed": _done,
    "cards_stacked": _done,
    "cards_remixed": _nothing,
    "cards_counted": _done,
    "cards_shuffled": _shuffled,
    "shuffle_failed": _nothing,
    "cut_offered": _cut_offered,
    "cut_declined": _cut_declined,
    "cut_made": _cut_made,
    "recut_ordered": _recut_ordered,
    "cover_card_inserted": _cover_card_inserted,
    "shoe_loaded": _shoe_loaded,
    "card_burned": _card_burned,
    "burn_card_shown": _nothing,
    "cover_card_seen": _cover_card_seen,
    "reshuffle_ordered": _reshuffle_ordered,
    "rack_reloaded": _rack_reloaded,
    "table_idle": _idle,
    "play_resumed": _resumed,
    "consent_given": _consent_given,
    "wager_laid": _wager_laid,
    "wager_taken_back": _wager_taken_back,
    "wager_confirmed": _wager_confirmed,
    "round_begun": _round_begun,
    "round_event": _round_event,
    "round_ended": _round_ended,
    "cards_collected": _cards_collected,
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
