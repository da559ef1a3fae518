"""Shuffle and cut: stack, cut, cover card, shoe, burn, reshuffle, idle table (headings "Shuffle and cut")."""

from __future__ import annotations

from math import ceil

from twentyone.cards import UNKNOWN, Card, card_named
from twentyone.law import carries
from twentyone.round import Happened
from twentyone.rulebook import Rules
from twentyone.rulebook.clauses import (
    Burn,
    CoverCard,
    Cut,
    CutGoesRound,
    CutOffer,
    CutPassed,
    Device,
    Idle,
    IdleWhenEmpty,
    LoadsShoe,
)
from twentyone.table import agenda
from twentyone.table import card_events as cards
from twentyone.table import events as e
from twentyone.table import wager_events as w
from twentyone.table.card_devices import check_not_halted, is_continuous, shuffled_again
from twentyone.table.cover_card import see_cover_card_beside
from twentyone.table.idle import all_barred, deserted, spread_due, wake
from twentyone.table.model import RACK, DeviceState, TableState, Todo
from twentyone.table.play import TablePlay, check_possible, command, expect, task_cite, task_of, todo_cite
from twentyone.table.rounds import advance_round

__all__ = ["RECUTTERS", "awaits_first_player", "cover_positions", "cut_order", "cut_positions"]

RECUTTERS = ("last", "next")
"""Who may be told to cut again: the last cutter, or the next one entitled."""


@command("shuffle", takes={"commitment": str})
def shuffle(play: TablePlay) -> None:
    """Shuffle a batch into one stack; its order is committed to before anybody cuts it."""
    todo = expect(play)
    shuffler = play.state.devices.get("shuffler")
    if shuffler is not None and shuffler.state == "out_of_order":
        clause = next(clause for clause in play.rules.all(Device) if clause.name == "shuffler")
        raise play.refuse(f"the shuffler is out of order and must be {clause.out_of_order} first", clause.cite)
    play.emit(cards.CardsShuffled, play.cite, batch=todo.about, commitment=play.need("commitment", str))


@command("shuffler_jammed")
def shuffler_jammed(play: TablePlay) -> None:
    """The shuffle did not complete: the cards are shuffled again."""
    head, shoe = play.state.agenda[0] if play.state.agenda else None, play.state.shoe
    if head is not None and head.do == "shuffle" and play.rules.submission["shuffler"] != "manual":
        play.emit(cards.ShuffleFailed, play.cite, batch=head.about)
    elif shoe is not None and shoe.continuous:
        play.emit(cards.ShuffleFailed, play.cite, batch=shoe.batch)
        play.emit(cards.ReshuffleOrdered, play.cite, why="irregularity")
        play.emit(e.AgendaSet, play.cite, todo=shuffled_again(play.rules, play.state))
    elif batch := _in_shuffler(play):
        play.emit(cards.ShuffleFailed, play.cite, batch=batch)
    else:
        raise play.refuse("no device is shuffling", play.cite)


def _in_shuffler(play: TablePlay) -> str:
    """The batch that the device shuffles and keeps while another is dealt; empty where there is none."""
    state, names = play.state, agenda.batch_names(play.rules)
    held = [name for name in names if state.shoe is not None and name != state.shoe.batch and name in state.shuffled]
    return held[0] if held else ""


# -- the cut


@command("offer_cut")
def offer_cut(play: TablePlay) -> None:
    """Offer the cut to the next player in the text's order."""
    _expect_cut(play)
    if play.state.cut_offered:
        raise play.refuse(f"the cut is offered to {play.state.cut_offered} already")
    _check_somebody_came(play)
    order = play.state.cut_order or (() if play.state.cut_asked else cut_order(play.rules, play.state))
    if not order:
        clause = _offer_clause(play.rules, play.state)
        nobody = clause.to == "nobody" and not play.state.recutting
        done = "this cut is offered to nobody" if nobody else "everybody who was to be asked has declined or is gone"
        cite = clause.cite if nobody else task_cite(play.rules, play.state, "decline_cut")
        raise play.refuse(f"{done}: the dealer cuts", cite)
    first, *then = order
    clause = _offer_clause(play.rules, play.state)
    boxes = play.state.players[first].boxes if clause.turns and not play.state.recutting else ()
    passed = _passed_clause(play.rules, clause) if play.state.cut_asked and not play.state.recutting else None
    cite = passed.cite if passed is not None else clause.cite
    play.emit(cards.CutOffered, cite, player=first, then=tuple(then), box=max(boxes, default=None))


def _expect_cut(play: TablePlay) -> Todo:
    head = play.state.agenda[0] if play.state.agenda else None
    if head is None or head.do != "cut":
        raise play.refuse("no stack waits to be cut", _offer_cite(play))
    return head


@carries("cut_offer")
def _offer_clause(rules: Rules, state: TableState) -> CutOffer:
    offers: dict[str, CutOffer] = {offer.on: offer for offer in rules.all(CutOffer)}
    return offers.get(state.reshuffle or "new_game") or offers.get("any") or offers["floorperson"]


@carries("cut_passed")
def _passed_clause(rules: Rules, offer: CutOffer) -> CutPassed | None:
    """The paragraph that passes an offer on, where it is another than that of the offer."""
    return next((clause for clause in rules.all(CutPassed) if clause.on == offer.on), None)


def awaits_first_player(rules: Rules, state: TableState) -> bool:
    """Whether the cut of a new game waits for the player who comes first, because nobody is there."""
    waits = state.phase == "open" and not state.players and not state.cut_asked
    return waits and _offer_clause(rules, state).to == "first_player"


def _check_somebody_came(play: TablePlay) -> None:
    if awaits_first_player(play.rules, play.state):
        why = "nobody is at the table: the first cut is offered to the first player who comes"
        raise play.refuse(why, _offer_clause(play.rules, play.state).cite)


@carries("cut_goes_round")
def cut_order(rules: Rules, state: TableState) -> tuple[str, ...]:
    """The players in the order in which the cut is offered to them."""
    clause, players = _offer_clause(rules, state), state.players
    if clause.to == "nobody":
        return ()
    gone = clause.to == "box" and state.cover_player not in players
    if clause.to == "box" and not (gone and rules.maybe(CutGoesRound) is not None):
        return () if gone else (state.cover_player,)
    seated = [name for name in players if players[name].boxes]
    order = sorted(seated, key=lambda name: (-max(players[name].boxes), players[name].arrived))
    if clause.to == "first_player" and players:
        first = min(players, key=lambda name: players[name].arrived)
        order = [first, *(name for name in order if name != first)]
    last = state.cut_box
    if clause.turns and last is not None:
        order.sort(key=lambda name: max(players[name].boxes) >= last)
    rotates = gone or clause.rotates or _passed_clause(rules, clause) is not None
    return tuple(order if rotates else order[:1])


@command("decline_cut", takes={"player": str})
def decline_cut(play: TablePlay) -> None:
    """A player declines the cut."""
    _expect_cut(play)
    who = play.need("player", str) if play.command.role == "dealer" else play.command.by
    if play.state.cut_offered != who:
        raise play.refuse("the cut is not offered to this player", _offer_cite(play))
    play.emit(cards.CutDeclined, play.cite, player=play.state.cut_offered)


@command("cut", takes={"place": int})
@carries("cut")
def cut(play: TablePlay) -> None:
    """Cut the stack: the player to whom it is offered, or the dealer when nobody else is left."""
    todo = _expect_cut(play)
    by = play.command.by
    if play.command.role == "dealer":
        _check_somebody_came(play)
        if play.state.cut_offered or (not play.state.cut_asked and cut_order(play.rules, play.state)):
            raise play.refuse("the cut is offered to the players first", _offer_cite(play))
        if play.state.cut_order:
            raise play.refuse("other players are still to be asked", _offer_cite(play))
    elif play.state.cut_offered != by:
        raise play.refuse(f"the cut is not offered to {by}", _offer_cite(play))
    depth, clause = play.need("place", int), play.rules.one(Cut)
    size = play.state.stack_size(todo.about)
    if depth not in cut_positions(play.rules, size):
        why = f"a cut {depth} cards from the top is not {clause.least} cards from either end of {size}"
        raise play.refuse(why, clause.cite)
    turned = _offer_clause(play.rules, play.state).turns
    play.emit(cards.CutMade, clause.cite, cutter=by, place=depth, batch=todo.about, turned=turned)


def cut_positions(rules: Rules, cards: int) -> range:
    """Where a stack of so many cards may be cut, in cards from the top."""
    least = rules.one(Cut).least
    return range(least, cards - least + 1)


def _offer_cite(play: TablePlay) -> str:
    task = task_of(play.rules, "offer_cut")
    return task.cite if task is not None else play.cite


@command("recut", takes={"cutter": str})
def recut(play: TablePlay) -> None:
    """The floorperson has the cards cut again, before the shoe is filled or, where the text says so, dealt from.

    He says by whom: the last cutter, or the next one entitled. From there the offer goes on, and never back.
    """
    head, loaded = play.state.agenda[0] if play.state.agenda else None, _undealt_shoe(play)
    waiting = head is not None and (head.do in ("insert_cover_card", "load_shoe") or head == Todo("burn", RACK))
    if not (waiting or loaded) or not play.state.cut_by:
        raise play.refuse("cards are cut again only between the cut and the shoe, or its first card", play.cite)
    cutter = play.arg("cutter", str, RECUTTERS[0])
    if cutter not in RECUTTERS:
        why = f"cards are cut again by the {' or the '.join(RECUTTERS)} cutter, not by {cutter!r}"
        raise play.refuse(why, play.cite)
    batch = loaded or (head.about if head is not None else "")
    last = [name for name in (play.state.cut_by,) if cutter == "last" and name in play.state.players]
    order = (*last, *play.state.cut_order)
    play.emit(cards.RecutOrdered, play.cite, order=order, batch=batch, loaded=bool(loaded), cutter=cutter)
    if batch == RACK:
        play.emit(e.AgendaSet, play.cite, todo=(Todo("cut", RACK), *play.state.agenda))
        return
    done_again = ("insert_cover_card", "load_shoe")
    rest = [todo for todo in play.state.agenda if todo.do not in done_again and todo != Todo("burn", "shoe")]
    play.emit(e.AgendaSet, play.cite, todo=(*agenda.loading(play.rules, batch, full=not play.state.part), *rest))


def _undealt_shoe(play: TablePlay) -> str:
    """The batch in a shoe that nothing was dealt from yet, where the text lets it be cut again."""
    task, shoe = task_of(play.rules, "recut"), play.state.shoe
    if task is None or task.until != "deal" or shoe is None or play.state.rounds_in_shoe or play.state.phase != "open":
        return ""
    return "" if any(todo.do != "burn" for todo in play.state.agenda) else shoe.batch


@command("insert_cover_card", takes={"from_bottom": int})
@carries("cover_card")
def insert_cover_card(play: TablePlay) -> None:
    """Put the cover card into the stack, far enough from the bottom."""
    todo = expect(play)
    clause, size = play.rules.one(CoverCard), play.state.stack_size(todo.about)
    depth = play.need("from_bottom", int)
    if depth not in cover_positions(play.rules, size):
        why = f"{depth} cards from the bottom is less than {clause.share} of {size}, or outside the stack"
        raise play.refuse(why, clause.cite)
    play.emit(cards.CoverCardInserted, clause.cite, from_bottom=depth, batch=todo.about)
    loads = play.rules.maybe(LoadsShoe)
    if loads is not None and play.state.devices.get(loads.device, DeviceState()).state == "working":
        _load(play, todo.about, loads.cite, loads.device)


def cover_positions(rules: Rules, cards: int) -> range:
    """Where the cover card may go into a stack of so many cards, in cards from the bottom."""
    clause = rules.one(CoverCard)
    return range(ceil(clause.share * cards) - clause.fewer, cards + 1)


@command("load_shoe")
def load_shoe(play: TablePlay) -> None:
    """The stack goes into the shoe."""
    todo = expect(play)
    check_not_halted(play)
    _load(play, todo.about, play.cite)


@carries("loads_shoe")
def _load(play: TablePlay, batch: str, cite: str, device: str = "") -> None:
    cover = play.state.cover_from_bottom
    play.emit(
        cards.ShoeLoaded,
        cite,
        batch=batch,
        size=play.state.stack_size(batch),
        cover=cover,
        commitment=play.state.commitments.get(batch, ""),
        continuous=is_continuous(play.rules) and cover is None,
        device=device,
    )


# -- burn


@command("burn", takes={"card": Card})
@carries("burn")
def burn(play: TablePlay) -> None:
    """The first card of a new shoe, and one for each new dealer, goes to the discard rack; a ten lies aside."""
    todo = expect(play)
    cite = todo_cite(play.rules, play.state, todo) or play.cite
    if play.state.shoe is None or play.state.shoe.left < 1:
        raise play.refuse("no card is in the shoe")
    check_not_halted(play)
    drawn = play.card("card", card_named)
    if play.state.phase == "round":
        see_cover_card_beside(play)
    check_possible(play, drawn)
    stranger = play.rules.stranger(drawn)
    if stranger is None and drawn.rank in play.rules.cards.without:
        raise play.refuse(f"the decks hold no {drawn}", play.rules.cards.cite)
    if stranger is not None and "destroy" in stranger.effects:
        _find_ten(play, drawn, stranger.cite, play.state.rounds)
        return
    play.emit(cards.CardBurned, cite, card=drawn)


def _find_ten(play: TablePlay, card: Card, cite: str, burned_in: int) -> None:
    """A ten that was to be burned lies aside; one that was in a round, by its number, counts with those of its deal."""
    round_ = play.state.round
    if round_ is None or round_.state.void or burned_in != play.state.rounds:
        play.emit(cards.TenFound, cite, card=card)
    else:
        advance_round(play, Happened("ten_at_burn", card=card), ())


@command("ask_burn_card")
def ask_burn_card(play: TablePlay) -> None:
    """A player asks to see the burn card, where the text lets him."""
    clause, name = play.rules.one(Burn), play.command.by
    if not clause.shown or play.state.burned is None:
        raise play.refuse("no burn card is shown here", clause.cite)
    if name not in play.state.players:
        raise play.refuse(f"{name} is not at this table", clause.cite)
    play.emit(w.BurnCardAsked, clause.cite, player=name)


@command("show_burn_card", takes={"card": Card})
def show_burn_card(play: TablePlay) -> None:
    """The dealer shows the burn card to the player who asked; one that nobody has seen is named by it, maybe a ten."""
    clause, burned, stranger = play.rules.one(Burn), play.state.burned, None
    if not play.state.burn_asked or burned is None:
        raise play.refuse("no player has asked to see the burn card", clause.cite)
    if burned is UNKNOWN:
        burned = play.card("card")
        check_possible(play, burned)
        stranger = play.rules.stranger(burned)
    asked, strange = play.state.burn_asked, stranger is not None
    play.emit(cards.BurnCardShown, clause.cite, card=burned, player=asked, strange=strange)
    if stranger is not None:
        _find_ten(play, burned, stranger.cite, play.state.burned_in)


# -- reshuffle and idle table


@command("reshuffle")
def reshuffle(play: TablePlay) -> None:
    """The floorperson has the cards reshuffled after a round, also while a new dealer has still to burn a card."""
    due = play.state.agenda
    if play.state.phase != "open" or play.state.shoe is None or any(todo.do != "burn" for todo in due):
        raise play.refuse("cards are reshuffled between rounds, once a shoe is in play", play.cite)
    play.emit(cards.ReshuffleOrdered, play.cite, why="floorperson")
    todo = agenda.keeping(play.rules, agenda.reshuffling(play.rules, play.state), due)
    play.emit(e.AgendaSet, play.cite, todo=todo)


@command("spread_idle", takes={"face": str, "asked_by": str})
@carries("idle", "idle_when_empty")
def spread_idle(play: TablePlay) -> None:
    """No gaming activity: the cards are spread on the table."""
    clause, state = play.rules.one(Idle), play.state
    asked, left = state.face_up_by, deserted(play.rules, state) is not None
    waits = left or all_barred(play.rules, state)
    due = "up" if asked and "up" in clause.face else clause.face[0]
    face = play.arg("face", str, due)
    if state.phase != "open" or state.placed or (state.agenda and not spread_due(play.rules, state)):
        raise play.refuse("the table is not idle", clause.cite)
    if state.players and not left and play.rules.maybe(IdleWhenEmpty) is not None:
        raise play.refuse("the table is not idle while a player is at it", clause.cite)
    if face not in clause.face:
        raise play.refuse(f"cards are not spread {face!r}", clause.cite)
    if play.arg("asked_by", str, asked) != asked:
        raise play.refuse(f"{play.arg('asked_by', str)} has not asked for the cards face up", clause.cite)
    if face != due and not clause.turned_up:
        why = f"{asked} asked for the cards face up" if asked else f"no player asked for the cards face {face}"
        raise play.refuse(why, clause.cite)
    play.emit(cards.TableIdle, clause.cite, face=face, asked_by=asked)
    if state.agenda:
        play.emit(e.AgendaSet, clause.cite, todo=agenda.keeping(play.rules, (), state.agenda))
    if waits and state.players:
        wake(play)
