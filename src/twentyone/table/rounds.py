"""Rounds at the table: deal, cards from the shoe, decisions, irregularities, the pick-up."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from twentyone.cards import Card, card_named
from twentyone.errors import Refused
from twentyone.money import ZERO, Amount
from twentyone.round import Confirmed, Decision, Draw, Drawn, Happened, Offer, Over, Round, Spin, Spun, Told
from twentyone.round.effects import ANSWERS, DEALER
from twentyone.round.entry_events import EntryCorrected
from twentyone.round.events import CardSetAside, HandTakenAway, RoundVoided
from twentyone.round.retelling import standing
from twentyone.round.steps import Step
from twentyone.rulebook.clauses import LayoutItem
from twentyone.table import agenda
from twentyone.table import card_events as cards
from twentyone.table import events as e
from twentyone.table.card_changes import racks_of
from twentyone.table.card_devices import check_not_halted, return_cards
from twentyone.table.coupons import finish_coupons, pay_coupons
from twentyone.table.cover_card import reshuffle_reason, see_cover_card, see_cover_card_beside
from twentyone.table.fallback_rules import game_stopped
from twentyone.table.idle import check_not_deserted
from twentyone.table.meters import contribute, follow_meters, return_shares
from twentyone.table.model import RUN_OUT, Todo
from twentyone.table.opening import change_overdue
from twentyone.table.people import amount_arg, burnable
from twentyone.table.play import (
    TablePlay,
    burn_waits,
    check_no_ten_lies_there,
    check_possible,
    command,
    task_cite,
    task_of,
    todo_cite,
)
from twentyone.table.verbal import unconfirmed
from twentyone.table.wagering import check_phase, wagers_of

__all__ = ["DEALER", "advance_round", "in_progress", "resume", "take_over"]

BY_COMMAND = {RUN_OUT: "reload_rack", "reader_failed": "device_out_of_order", "ten_at_burn": "burn"}
"""Irregularities that are more than an event of the round, and the commands that report them."""


INTO_RACK = (HandTakenAway, CardSetAside, EntryCorrected)
"""Events of a round that change what lies in the discard rack before the pick-up."""

FROM_SHOE = ("card_drawn_in_error", "dealer_drew_past_17")
"""Irregularities of a card that came out of the shoe."""


@command("deal")
def deal(play: TablePlay) -> None:
    """Close the wagers and begin a round."""
    _check_ready(play)
    return_cards(play)
    contribute(play)
    meters = dict(sorted(play.state.meters.items()))
    round_ = Round.start(
        play.rules,
        wagers_of(play.state.placed, play.state.players),
        {name: meter.shown for name, meter in meters.items()},
        {name: meter.waits for name, meter in meters.items()},
    )
    play.emit(e.RoundBegun, play.cite, number=play.state.rounds + 1, round=round_, events=round_.events)


def _check_ready(play: TablePlay) -> None:
    state = play.state
    check_phase(play, "the table is not ready for a round")
    if state.shoe is None:
        shoe = [item.cite for item in play.rules.all(LayoutItem) if item.device == "shoe"]
        raise play.refuse("the table is not ready for a round: cards are dealt from a shoe", *shoe[:1])
    if state.agenda:
        raise _not_yet(play, state.agenda[0])
    check_not_deserted(play)
    check_no_ten_lies_there(play)
    check_not_halted(play)
    _check_not_stopped(play)
    overdue = change_overdue(play.rules, state, play.command.at)
    if overdue is not None:
        raise play.refuse(f"the cards have been in use for more than {overdue.hours} hours", overdue.cite)
    for device in agenda.uninspected(play.rules, state, play.command.at):
        raise play.refuse(f"the {device.name.replace('_', ' ')} is not inspected for this gaming day", device.cite)
    waiting = unconfirmed(play)
    if waiting is not None:
        raise waiting
    if not state.placed:
        raise play.refuse("no wager lies on the layout", play.rules.wagers["main"].cite)


def _not_yet(play: TablePlay, head: Todo) -> Refused:
    return play.refuse(f"{head.do.replace('_', ' ')} comes first", todo_cite(play.rules, play.state, head))


def _check_not_stopped(play: TablePlay) -> None:
    if game_stopped(play.rules, play.state):
        task = task_of(play.rules, "device_out_of_order")
        raise play.refuse(play.state.stopped, task.cite if task is not None else None)


# -- the round in progress


@command("card", roles=("dealer",), takes={"card": Card, "face_up": bool})
def card(play: TablePlay) -> None:
    """A card leaves the shoe for the draw that is due."""
    round_ = in_progress(play)
    check_not_halted(play)
    need, drawn = round_.next, play.card("card", card_named)
    if isinstance(need, Told):
        raise play.refuse("a floorperson confirms first", play.rules.irregularities[need.irregularity].cite)
    if not isinstance(need, Draw):
        raise play.refuse("no card is due")
    _check_nothing_first(play)
    shoe = play.state.shoe
    assert shoe is not None
    if shoe.left < 1:
        run_out = play.rules.irregularities[RUN_OUT].cite
        raise play.refuse("the shoe is empty: the discard rack is shuffled first", run_out)
    see_cover_card(play, need.box)
    check_possible(play, drawn)
    advance_round(play, Drawn(drawn, play.arg("face_up", bool, False)), (drawn,))


def _check_nothing_first(play: TablePlay) -> None:
    """No card leaves a shoe that is being filled: the rack is cut, and its first card drawn off, before."""
    if play.state.agenda and not burn_waits(play.state):
        raise _not_yet(play, play.state.agenda[0])


def in_progress(play: TablePlay) -> Round:
    """The round that may be carried on: there is one, and no broken device stops it."""
    round_ = _begun(play)
    _check_not_stopped(play)
    return round_


def _begun(play: TablePlay) -> Round:
    if play.state.round is None or play.state.phase != "round":
        raise play.refuse("no round is in progress: one begins with `deal`")
    return play.state.round


@command("decide", roles=("player", "dealer"), takes={"action": str, "box": int, "hand": int, "amount": Amount})
def decide(play: TablePlay) -> None:
    """A player's decision; the dealer closes an offer that nobody takes, or chooses where the text leaves it to him."""
    round_ = in_progress(play)
    action = play.need("action", str)
    dealer = play.command.role == "dealer"
    if dealer and action not in ("decline", *ANSWERS.values()):
        cite = next(step.cite for step in play.rules.steps if step.name == "decide")
        raise play.refuse("the dealer does not decide for a player", cite)
    if not dealer and play.command.by not in play.state.players:
        raise play.refuse(f"{play.command.by} does not sit at this table")
    amount = amount_arg(play) if "amount" in play.command.args else None
    player = DEALER if dealer else play.command.by
    box = play.arg("box", int, _asked_box(round_, action, player))
    advance_round(play, Decision(action, box, player, amount, play.arg("hand", int)), ())


def _asked_box(round_: Round, action: str, player: str) -> int | None:
    """The first box on which somebody is still asked for this decision; a no answers whatever he is asked."""
    options = round_.next.options if isinstance(round_.next, Offer) else ()
    said = (option for option in options if action in (option.action, "decline"))
    return next((option.box for option in said if option.player == player), None)


@command(
    "happened",
    roles=("dealer", "floorperson"),
    takes={"name": str, "box": int, "card": Card, "exposed": bool, "shown": str},
)
def happened(play: TablePlay) -> None:
    """An irregularity inside the round, as its command."""
    round_ = play.state.round
    if round_ is None:
        raise play.refuse("no round is in progress: one begins with `deal`")
    _check_not_stopped(play)
    name = play.need("name", str)
    if name in BY_COMMAND:
        raise play.refuse(f"{name.replace('_', ' ')} is reported by {BY_COMMAND[name]}")
    if name in FROM_SHOE:
        check_not_halted(play)
    if name in FROM_SHOE and (play.state.shoe is None or play.state.shoe.left < 1):
        raise play.refuse("the shoe is empty: no card can have come out of it", play.rules.irregularities[RUN_OUT].cite)
    if name in FROM_SHOE:
        _check_nothing_first(play)
        see_cover_card_beside(play)
    seen = play.card("card") if "card" in play.command.args else None
    report = Happened(name, play.arg("box", int), seen, play.arg("exposed", bool, False), play.arg("shown", str))
    if seen is not None:
        check_possible(play, seen)
    advance_round(play, report, (seen,) if seen is not None else ())


@command("confirm_notification")
def confirm_notification(play: TablePlay) -> None:
    """The floorperson confirms that he was told of an irregularity, which is no dealing; then the round goes on."""
    _begun(play)
    advance_round(play, Confirmed(play.command.by), ())


@command("spin", roles=("dealer",), takes={"symbol": str, "hot_spot": int})
def spin(play: TablePlay) -> None:
    """The prize wheel has stopped."""
    round_ = in_progress(play)
    if isinstance(round_.next, Spin) and "symbol" not in play.command.args:
        raise play.refuse("spin needs symbol", play.rules.steps[round_.state.step].cite)
    advance_round(play, Spun(play.need("symbol", str), play.arg("hot_spot", int)), ())


def advance_round(play: TablePlay, step: Any, drawn: tuple[Card, ...], named: tuple[Card, Card] | None = None) -> None:
    """Carry the round on by one card, decision or irregularity; `named`: what a card was called so far, and is."""
    assert play.state.round is not None
    take_over(play, step, play.state.round.apply(step), drawn, named)


def take_over(
    play: TablePlay, step: Step, after: Round, drawn: tuple[Card, ...] = (), named: tuple[Card, Card] | None = None
) -> None:
    """Let the round go on as `after`, to which a step led, with the chips and meters it moves."""
    before = play.state.round
    assert before is not None
    new = after.events[len(before.events) :]
    chips = _chips_moved(before, after) if after.state.layout is not before.state.layout else ()
    if chips and play.command.role == "player":
        _check_chips(play, chips)
    cite = new[0].cite if new else play.cite
    left = drawn if after.state.used > before.state.used and not _found(before, after) else ()
    rack = tuple(racks_of(after)[-1]) if any(isinstance(event, INTO_RACK) for event in new) else None
    play.emit(e.RoundEvent, cite, round=after, events=new, cards=left, chips=chips, named=named, step=step, rack=rack)
    pay_coupons(play, before, after)
    if play.state.meters:
        follow_meters(play, new)
    over = isinstance(after.next, Over)
    if after.state.void and not before.state.void and play.state.phase == "settled":
        resume(play, cite)
    if over and play.state.phase == "round":
        _end(play, after)
    elif not over and play.state.phase == "settled":
        resume(play, cite)


def _found(before: Round, after: Round) -> tuple[Card, ...]:
    """The cards that a step of the round found in the shoe although they are not of this game."""
    return after.state.taken_out[len(before.state.taken_out) :]


def _chips_moved(before: Round, after: Round) -> tuple[tuple[str, Amount], ...]:
    """What a step of the round moved between players, layout and inventory."""
    held, holds = before.accounts, after.accounts
    return tuple((name, holds[name] - held[name]) for name in holds if holds[name] != held[name])


def _check_chips(play: TablePlay, chips: Iterable[tuple[str, Amount]]) -> None:
    """Nobody wagers more chips than he has."""
    for account, change in chips:
        if account in play.state.players and play.state.chips.get(account, ZERO) + change < 0:
            cite = task_cite(play.rules, play.state, "place_wager")
            raise play.refuse(f"{account} does not have the chips for this wager", cite)


def _effects(round_: Round) -> tuple[str, ...]:
    """What follows a void round for the cards."""
    if not round_.state.void:
        return ()
    events = standing(round_.events)
    return tuple(effect for event in events if isinstance(event, RoundVoided) for effect in event.effects)


def _end(play: TablePlay, round_: Round) -> None:
    effects, cite = _effects(round_), round_.events[-1].cite
    play.emit(e.RoundEnded, cite, void=round_.state.void, effects=effects)
    if "reshuffle" in effects:
        play.emit(cards.ReshuffleOrdered, cite, why=reshuffle_reason(play))


def resume(play: TablePlay, cite: str) -> None:
    """Something is noticed after settlement and the dealer must decide on it: the round is not over yet."""
    play.emit(e.RoundResumed, cite)


# -- the pick-up


@command("collect_cards")
def collect_cards(play: TablePlay) -> None:
    """Pick up the cards, right to left and the dealer's last, so that every hand can be rebuilt."""
    if play.state.phase != "settled" or play.state.round is None:
        raise play.refuse("no settled round lies on the table", play.cite)
    state = play.state.round.state
    hands = [hand.lying for box in reversed(state.boxes) for hand in reversed(state.hands[box]) if not hand.away]
    picked = (*hands, tuple(state.dealer))
    effects = _effects(play.state.round)
    finish_coupons(play)
    if play.state.meters:
        return_shares(play, state.rows)
    play.emit(cards.CardsPickedUp, play.cite, hands=picked, removed=(), returned=False)
    todo = agenda.keeping(play.rules, _after(play, effects), play.state.agenda)
    if todo:
        play.emit(e.AgendaSet, play.cite, todo=burnable(play, todo))


def _after(play: TablePlay, effects: Iterable[str]) -> tuple[Todo, ...]:
    """What follows the round; a stack that was being made ready for it still is."""
    if "remove_decks" in effects:
        return agenda.opening(play.rules, play.state, play.command.at)
    if play.state.shoe is None:
        return play.state.agenda
    return agenda.after_round(play.rules, play.state)
