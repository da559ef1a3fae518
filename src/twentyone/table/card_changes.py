"""How events change where the cards are: batches, stacks, shoe, discard rack, idle table."""

from __future__ import annotations

from twentyone.cards import Card
from twentyone.table.model import Batch, Bundle, Shoe, TableEvent, TableState

__all__ = [
    "card_burned",
    "cards_collected",
    "cards_received",
    "cards_shuffled",
    "cover_card_inserted",
    "cover_card_seen",
    "cut_declined",
    "cut_made",
    "cut_offered",
    "done",
    "left_shoe",
    "play_resumed",
    "rack_reloaded",
    "recut_ordered",
    "reshuffle_ordered",
    "shoe_loaded",
    "table_idle",
    "take_away_cards",
    "tens_removed",
]


def done(state: TableState, _: TableEvent) -> None:
    """The task at the head of the agenda is done."""
    state.agenda = state.agenda[1:]


def take_away_cards(state: TableState) -> None:
    """Every card leaves the table, and what was known of them with it: the next game is a new one."""
    state.batches, state.shuffled, state.commitments, state.cuts = {}, (), {}, {}
    state.removed, state.idle_batch, state.idle_face = (), "", ""
    state.reshuffle, state.cover_box, state.cover_player, state.cover_from_bottom = "", None, "", None
    _empty_shoe(state)


def _empty_shoe(state: TableState) -> None:
    """Shoe and discard rack are taken up."""
    state.shoe, state.rack, state.gone, state.burned = None, (), {}, None


def cards_received(state: TableState, event: TableEvent) -> None:
    """New cards come to the table; with the first of them all old ones have left it."""
    done(state, event)
    if event.data["first"]:
        take_away_cards(state)
    state.own("batches")[event.data["batch"]] = Batch(event.data["decks"], event.at, event.data["cards"])
    _fresh_cards(state)


def _fresh_cards(state: TableState) -> None:
    """New or newly shuffled cards: no cut yet, and nobody is barred any more."""
    state.cut_by, state.cut_offered, state.cut_order, state.cut_asked = "", "", (), False
    for name, player in list(state.players.items()):
        state.own("players")[name] = player._replace(barred=False, wagered=True)


def tens_removed(state: TableState, event: TableEvent) -> None:
    """So many cards of a batch are left."""
    done(state, event)
    batch = event.data["batch"]
    state.own("batches")[batch] = state.batches[batch]._replace(cards=event.data["left"])


def cards_shuffled(state: TableState, event: TableEvent) -> None:
    """A batch is a shuffled stack, no longer in shoe and rack."""
    done(state, event)
    batch = event.data["batch"]
    if state.shoe is not None and state.shoe.batch == batch:
        _empty_shoe(state)
    state.shuffled = (*(name for name in state.shuffled if name != batch), batch)
    state.own("commitments")[batch] = event.data["commitment"]
    _fresh_cards(state)


def cut_offered(state: TableState, event: TableEvent) -> None:
    """The cut is offered to a player; others may be asked after him."""
    state.cut_offered, state.cut_asked = event.data["player"], True
    state.cut_order = tuple(event.data["then"])


def cut_declined(state: TableState, _: TableEvent) -> None:
    """A player does not cut."""
    state.cut_offered = ""


def cut_made(state: TableState, event: TableEvent) -> None:
    """A stack is cut."""
    done(state, event)
    state.cut_by, state.cut_offered, state.cut_order = event.data["by"], "", ()
    state.cut_rotation += event.data["turned"]
    state.own("cuts")[event.data["batch"]] = event.data["place"]


def recut_ordered(state: TableState, event: TableEvent) -> None:
    """The stack is cut again, out of the shoe where it was loaded."""
    state.cut_by, state.cut_offered, state.cut_asked = "", "", False
    state.cut_order = tuple(event.data["order"])
    if event.data["loaded"]:
        _empty_shoe(state)
        state.shuffled = (*state.shuffled, event.data["batch"])


def cover_card_inserted(state: TableState, event: TableEvent) -> None:
    """The cover card is in the stack."""
    done(state, event)
    state.cover_from_bottom = event.data["from_bottom"]


def shoe_loaded(state: TableState, event: TableEvent) -> None:
    """A stack is in the shoe."""
    done(state, event)
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


def left_shoe(state: TableState, card: str) -> None:
    """A card has left the shoe."""
    gone = state.own("gone")
    gone[card] = gone.get(card, 0) + 1
    if state.shoe is not None:
        state.shoe = state.shoe.drawn()


def card_burned(state: TableState, event: TableEvent) -> None:
    """A card went from the shoe to the discard rack."""
    done(state, event)
    card = Card(event.data["card"])
    state.burned = card
    left_shoe(state, card.name)
    state.rack = (*state.rack, Bundle(0, ((card,),)))


def cover_card_seen(state: TableState, event: TableEvent) -> None:
    """The cover card came out: on a box, or on the dealer's hand."""
    state.reshuffle = "box" if event.data["box"] is not None else "dealer"
    state.cover_box, state.cover_player = event.data["box"], event.data["player"]
    if state.shoe is not None:
        state.shoe = state.shoe._replace(seen=True)


def reshuffle_ordered(state: TableState, event: TableEvent) -> None:
    """A reshuffle is due."""
    state.reshuffle = event.data["why"]


def rack_reloaded(state: TableState, event: TableEvent) -> None:
    """The shoe ran out in a round: the rack, shuffled, is the shoe; a card that is burned goes back at once."""
    burned = [event.data["burn"]] if event.data["burn"] else []
    state.rack = tuple(Bundle(0, ((Card(name),),)) for name in burned)
    state.gone = dict.fromkeys(burned, 1)
    for name in event.data["lying"]:
        state.own("gone")[name] = state.gone.get(name, 0) + 1
    if state.shoe is not None:
        size = event.data["size"]
        state.shoe = state.shoe._replace(
            size=size, left=size - len(burned), cover=None, commitment=event.data["commitment"]
        )


def table_idle(state: TableState, event: TableEvent) -> None:
    """The cards of shoe and rack lie spread on the table."""
    state.phase, state.idle_face = "idle", event.data["face"]
    state.idle_batch = state.shoe.batch if state.shoe is not None else ""
    state.reshuffle = ""
    _empty_shoe(state)


def play_resumed(state: TableState, event: TableEvent) -> None:
    """The table is idle no longer."""
    state.phase, state.idle_face = "open", ""
    state.resuming = event.data["arrival"]


def cards_collected(state: TableState, event: TableEvent) -> None:
    """The cards of a round go to the rack, or back into a continuous shuffler; removed ones leave their batch."""
    state.phase = "open"
    hands = tuple(tuple(map(Card, hand)) for hand in event.data["hands"])
    state.rack = (*state.rack, Bundle(state.rounds, hands))
    removed, shoe = tuple(map(Card, event.data["removed"])), state.shoe
    if removed and shoe is not None:
        state.removed += removed
        batch = state.batches[shoe.batch]
        state.own("batches")[shoe.batch] = batch._replace(cards=batch.cards - len(removed))
    if event.data["returned"] and shoe is not None:
        held = state.batches[shoe.batch].cards
        _empty_shoe(state)
        state.shoe = shoe._replace(size=held, left=held)
    state.round, state.in_round = None, ()
