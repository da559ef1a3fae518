"""How events change where the cards are: batches, stacks, shoe, discard rack, idle table."""

from __future__ import annotations

from twentyone.cards import UNKNOWN, Card
from twentyone.round import Round
from twentyone.round.events import CardDestroyed, CardSetAside, HandTakenAway, RackShuffled
from twentyone.round.retelling import standing
from twentyone.table import card_events as e
from twentyone.table.model import RUN_OUT, Bundle, CardBatch, Shoe, TableEvent, TableState, Todo

__all__ = [
    "burn_card_shown",
    "card_burned",
    "cards_collected",
    "cards_miscounted",
    "cards_received",
    "cards_returned",
    "cards_shuffled",
    "cover_card_inserted",
    "cover_card_seen",
    "cut_declined",
    "cut_made",
    "cut_offered",
    "done",
    "face_up_asked",
    "found_tens_destroyed",
    "kept_out",
    "left_shoe",
    "looked_at",
    "name_card",
    "play_resumed",
    "put_into_rack",
    "rack_reloaded",
    "racks_of",
    "recount_ordered",
    "recut_ordered",
    "reshuffle_ordered",
    "shoe_loaded",
    "shuffle_failed",
    "table_idle",
    "take_away_cards",
    "ten_found",
    "tens_removed",
    "uncut",
]

FACE_UP = "face_up"
"""Why a card was set aside that lay face up in the shoe."""


def done(state: TableState, _: TableEvent) -> None:
    """The task at the head of the agenda is done."""
    state.agenda = state.agenda[1:]


def take_away_cards(state: TableState) -> None:
    """Every card leaves the table, and what was known of them with it: the next game is a new one."""
    state.batches, state.shuffled, state.commitments, state.cuts = {}, (), {}, {}
    state.removed, state.idle_batch, state.idle_face = (), "", ""
    state.cut_box, state.deserted, state.face_up_by, state.face_down = None, False, "", False
    state.found, state.miscounted, state.jammed = (), "", ""
    state.reshuffle, state.cover_box, state.cover_player, state.cover_from_bottom = "", None, "", None
    _empty_shoe(state)


def _empty_shoe(state: TableState) -> None:
    """Shoe and discard rack are taken up."""
    state.shoe, state.rack, state.gone, state.burned, state.burn_asked = None, (), {}, None, ""
    state.part, state.burned_in = 0, 0


def cards_received(state: TableState, event: e.CardsReceived) -> None:
    """New cards come to the table; with the first of them all old ones have left it."""
    done(state, event)
    if event.first:
        take_away_cards(state)
    state.writable("batches")[event.batch] = CardBatch(event.decks, event.at, event.cards)
    if event.preshuffled:
        state.shuffled = (*state.shuffled, event.batch)
    _fresh_cards(state)


def _fresh_cards(state: TableState) -> None:
    """New or newly shuffled cards: no cut yet, and nobody is barred any more."""
    uncut(state)
    state.shoe_wagers, state.admitted = (), {}
    for name, player in list(state.players.items()):
        state.writable("players")[name] = player._replace(barred=False, wagered=True)


def uncut(state: TableState) -> None:
    """A stack that nobody has been asked to cut."""
    state.cut_by, state.cut_offered, state.cut_order, state.cut_asked = "", "", (), False
    state.recutting = False


def tens_removed(state: TableState, event: e.TensRemoved) -> None:
    """So many cards of a batch are left."""
    done(state, event)
    batch = event.batch
    state.writable("batches")[batch] = state.batches[batch]._replace(cards=event.left)


def cards_shuffled(state: TableState, event: e.CardsShuffled) -> None:
    """A batch is a shuffled stack, no longer in shoe and rack; within a round those cards that were in the shoe are."""
    done(state, event)
    batch = event.batch
    if state.shoe is not None and state.shoe.batch == batch:
        if state.phase == "round":
            state.part, state.shoe = state.shoe.left, None
        else:
            _empty_shoe(state)
    state.shuffled = (*(name for name in state.shuffled if name != batch), batch)
    state.jammed = "" if state.jammed == batch else state.jammed
    state.writable("commitments")[batch] = event.commitment
    _fresh_cards(state)


def shuffle_failed(state: TableState, event: e.ShuffleFailed) -> None:
    """The shuffle is still due, because of the device now; a batch that waited in it is due one again."""
    state.jammed = event.batch
    if Todo("shuffle", event.batch) not in state.agenda:
        state.shuffled = tuple(name for name in state.shuffled if name != event.batch)


def cut_offered(state: TableState, event: e.CutOffered) -> None:
    """The cut is offered to a player; others may be asked after him."""
    state.cut_offered, state.cut_asked = event.player, True
    state.cut_order = event.then
    if event.box is not None:
        state.cut_box = event.box


def cut_declined(state: TableState, _: TableEvent) -> None:
    """A player does not cut."""
    state.cut_offered = ""


def cut_made(state: TableState, event: e.CutMade) -> None:
    """A stack is cut; who was still to be asked is next, should it be cut again."""
    done(state, event)
    state.cut_by, state.cut_offered, state.recutting = event.cutter, "", False
    state.cut_rotation += event.turned
    state.writable("cuts")[event.batch] = event.place


def recut_ordered(state: TableState, event: e.RecutOrdered) -> None:
    """The stack is cut again, out of the shoe where it was loaded, by those whom the order names, else the dealer."""
    state.cut_by, state.cut_offered, state.cut_asked, state.recutting = "", "", True, True
    state.cut_order = event.order
    if event.loaded:
        _empty_shoe(state)
        state.shuffled = (*state.shuffled, event.batch)


def cover_card_inserted(state: TableState, event: e.CoverCardInserted) -> None:
    """The cover card is in the stack."""
    done(state, event)
    state.cover_from_bottom = event.from_bottom


def shoe_loaded(state: TableState, event: e.ShoeLoaded) -> None:
    """A stack is in the shoe."""
    done(state, event)
    state.shoes += 1
    state.cover_box, state.reshuffle = None, ""
    cover = event.size - event.cover if event.cover is not None else None
    size, made = event.size, event.commitment
    state.shoe = Shoe(state.shoes, event.batch, size, size, cover, made, continuous=event.continuous)
    state.shuffled = tuple(name for name in state.shuffled if name != event.batch)
    state.cover_from_bottom = None
    state.resuming = False
    state.deserted = state.deserted and not state.players
    if not state.part:
        state.rounds_in_shoe, state.gone = 0, {}
    state.part = 0


def left_shoe(state: TableState, card: Card) -> None:
    """A card has left the shoe."""
    gone = state.writable("gone")
    gone[card.name] = gone.get(card.name, 0) + 1
    if state.shoe is not None:
        state.shoe = state.shoe.drawn()


def name_card(state: TableState, was: Card, card: Card, stranger: bool = False) -> None:
    """A card that left the shoe is known by another name; one that is not of this game was a card too many there."""
    gone = state.writable("gone")
    if not stranger:
        gone[card.name] = gone.get(card.name, 0) + 1
    elif state.shoe is not None:
        state.shoe = state.shoe._replace(left=state.shoe.left + 1)
    gone[was.name] -= 1
    if not gone[was.name]:
        del gone[was.name]


def racks_of(round_: Round) -> list[list[tuple[Card, ...]]]:
    """What of a round goes into the discard rack before the pick-up, a list for each shoe: the last lies there now."""
    racks: list[list[tuple[Card, ...]]] = [[]]
    kept: list[tuple[Card, ...]] = []
    events = standing(round_.events)
    destroyed = [event.card for event in events if isinstance(event, CardDestroyed)]
    for event in events:
        if isinstance(event, RackShuffled):
            for hand in kept:
                racks[-1].remove(hand)
            racks.append(list(kept))
        elif isinstance(event, HandTakenAway):
            racks[-1].append(event.cards)
        elif isinstance(event, CardSetAside) and event.card in destroyed:
            destroyed.remove(event.card)
        elif isinstance(event, CardSetAside):
            racks[-1].append((event.card,))
            kept += [(event.card,)] if _is_kept(round_, event) else []
    return racks


def kept_out(round_: Round) -> tuple[Card, ...]:
    """The cards of a round that stay in the discard rack if it is shuffled within the round."""
    aside = (event for event in standing(round_.events) if isinstance(event, CardSetAside))
    return tuple(event.card for event in aside if _is_kept(round_, event))


def _is_kept(round_: Round, event: CardSetAside) -> bool:
    """Whether a card that was set aside stays in the rack until the round is over: one found face up, by some texts."""
    run_out = round_.rules.irregularities.get(RUN_OUT)
    return run_out is not None and run_out.keeps_face_up and event.reason == FACE_UP


def put_into_rack(state: TableState, hands: tuple[tuple[Card, ...], ...]) -> None:
    """Hands that were taken away and cards that may not be used lie in the discard rack while the round goes on."""
    others = (bundle for bundle in state.rack if bundle.round != state.rounds)
    state.rack = (*others, *(Bundle(state.rounds, (hand,)) for hand in hands))


def burn_card_shown(state: TableState, event: e.BurnCardShown) -> None:
    """The last burn card was shown: one that nobody had seen is known from now on."""
    if state.burned is not UNKNOWN:
        return
    state.burned = event.card
    name_card(state, UNKNOWN, event.card, event.strange)
    index = max(n for n, bundle in enumerate(state.rack) if not bundle.round)
    stays = () if event.strange else (Bundle(0, ((event.card,),)),)
    state.rack = (*state.rack[:index], *stays, *state.rack[index + 1 :])


def card_burned(state: TableState, event: e.CardBurned) -> None:
    """A card went from the shoe to the discard rack."""
    done(state, event)
    state.burned, state.burned_in = event.card, state.rounds if state.phase == "round" else 0
    left_shoe(state, event.card)
    state.rack = (*state.rack, Bundle(0, ((event.card,),)))


def ten_found(state: TableState, event: e.TenFound) -> None:
    """A card that is not of this game lies aside: the shoe holds as many of its own as before."""
    state.found = (*state.found, event.card)


def found_tens_destroyed(state: TableState, event: e.FoundTensDestroyed) -> None:
    """What lay aside is out of the game."""
    state.found, state.removed = (), (*state.removed, *event.cards)


def cards_miscounted(state: TableState, event: e.CardsMiscounted) -> None:
    """The floorperson says what is done about the count."""
    state.miscounted = event.batch


def recount_ordered(state: TableState, _: TableEvent) -> None:
    """The count is due again."""
    state.miscounted = ""


def cover_card_seen(state: TableState, event: e.CoverCardSeen) -> None:
    """The cover card came out: on a box, or on the dealer's hand."""
    state.reshuffle = "box" if event.box is not None else "dealer"
    state.cover_box, state.cover_player = event.box, event.player
    if state.shoe is not None:
        state.shoe = state.shoe._replace(seen=True)


def reshuffle_ordered(state: TableState, event: e.ReshuffleOrdered) -> None:
    """A reshuffle is due."""
    state.reshuffle = event.why


def rack_reloaded(state: TableState, event: e.RackReloaded) -> None:
    """The shoe ran out in a round: the rack, shuffled, fills it; nobody has been asked to cut it yet."""
    uncut(state)
    burned = () if event.burn is None else (event.burn,)
    stays = (Bundle(state.rounds, ((card,),)) for card in event.kept)
    state.rack = (*(Bundle(0, ((card,),)) for card in burned), *stays)
    state.gone = {card.name: 1 for card in burned}
    for card in event.lying:
        state.writable("gone")[card.name] = state.gone.get(card.name, 0) + 1
    if state.shoe is not None:
        left = event.size - len(burned)
        state.shoe = state.shoe._replace(size=event.size, left=left, cover=None, commitment=event.commitment)


def table_idle(state: TableState, event: e.TableIdle) -> None:
    """The cards of shoe and rack lie spread on the table."""
    state.phase, state.idle_face = "idle", event.face
    state.deserted, state.face_up_by, state.face_down = False, "", event.face == "down"
    state.idle_batch = state.shoe.batch if state.shoe is not None else ""
    state.reshuffle, state.jammed = "", ""
    _empty_shoe(state)


def face_up_asked(state: TableState, event: e.FaceUpAsked) -> None:
    """A player asked for the cards face up."""
    state.face_up_by = event.player


def looked_at(state: TableState, event: TableEvent) -> None:
    """The spread cards are turned up, or were looked at as they lay: nothing is left of the request."""
    done(state, event)
    state.face_down, state.face_up_by = False, ""


def play_resumed(state: TableState, event: e.PlayResumed) -> None:
    """The table is idle no longer."""
    state.phase, state.idle_face = "open", ""
    state.resuming = event.arrival


def cards_collected(state: TableState, event: e.CardsPickedUp) -> None:
    """The cards of a round go to the rack; in an earlier form also back into a shuffler, or out of their batch."""
    state.phase = "open"
    state.rack = (*state.rack, Bundle(state.rounds, event.hands))
    shoe = state.shoe
    if event.removed and shoe is not None:
        batch = state.batches[shoe.batch]
        state.removed += event.removed
        state.writable("batches")[shoe.batch] = batch._replace(cards=batch.cards - len(event.removed))
    if event.returned and shoe is not None:
        held = state.batches[shoe.batch].cards
        _empty_shoe(state)
        state.shoe = shoe._replace(size=held, left=held, continuous=True)
    state.round, state.in_round = None, ()


def cards_returned(state: TableState, event: e.CardsReturned) -> None:
    """The rack is empty, the device full; its shuffle is one as any other."""
    shoe = state.shoe
    _empty_shoe(state)
    state.shoe = shoe._replace(size=event.cards, left=event.cards) if shoe is not None else None
    _fresh_cards(state)
