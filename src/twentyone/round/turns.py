"""The players' turns: whose hand it is, what it may decide, when it draws no more."""

from __future__ import annotations

from twentyone.law import carries
from twentyone.round.actions import ACTIONS, Request, action
from twentyone.round.asking import answers_to
from twentyone.round.commands import Draw, Need, Offer, Option
from twentyone.round.double_down import offer_rescue
from twentyone.round.effects import Case, alternatives, carry_out, chooser, give_up_card
from twentyone.round.events import (
    BlackjackAnnounced,
    HandClosed,
    HandRef,
    TotalAnnounced,
)
from twentyone.round.payout import settle_early, take_away
from twentyone.round.play import Play, Speaker, due_cards
from twentyone.round.procedure import step
from twentyone.round.second_chance import offer_second_chance, settle_second_chance
from twentyone.rulebook.clauses import Clause, Settlement, Step
from twentyone.rulebook.decisions import Refusal

__all__ = ["asked", "current_hand", "decide", "offer"]

TURN = ("surrender", "split", "double", "hit", "stand", "refuse")
"""What a player may be asked on his turn."""

MUST_ANSWER = ("split", "exposed_card", "late_card", "wrong_range")
"""Questions to which silence is no answer."""


@step("decide")
def decide(play: Play, clause: Step) -> Need | None:
    """Take the players' decisions, box by box from the dealer's left, hand by hand."""
    while True:
        ref = current_hand(play)
        if ref is None:
            _pay_totals(play)
            return None
        need = _carry_on(play, clause, ref)
        if need is not None or play.state.ask is not None:
            return need


def current_hand(play: Play) -> HandRef | None:
    """The first hand that is not complete; a box that waits for a late card comes after the other boxes."""
    waiting: list[HandRef] = []
    for ref, hand in play.each_hand():
        if hand.status == "waiting":
            waiting.append(ref)
        elif hand.status == "open" and all(late.box != ref.box for late in waiting):
            return ref
    return waiting[0] if waiting else None


def _carry_on(play: Play, clause: Step, ref: HandRef) -> Need | None:
    hand = play.hand(ref)
    if hand.expects_card and hand.caller.player in play.state.refused:
        give_up_card(play, ref)
        _close(play, clause, ref)
        return None
    if hand.expects_card:
        return Draw(*ref, due_cards(play, *ref).face == "down")
    _announce_total(play, ref)
    facts = play.facts(ref)
    if facts.blackjack:
        return _blackjack_turn(play, clause, ref)
    if hand.chance is not None:
        settle_second_chance(play, ref)
        _close(play, clause, ref)
    elif offer_second_chance(play, ref) or (hand.doubled and offer_rescue(play, ref)):
        return None
    elif hand.doubled or facts.points > play.rules.limit:
        _close(play, clause, ref)
    else:
        turn = _turn(play, ref)
        if any(option.action != "stand" for option in turn.options):
            return turn
        _close(play, clause, ref)
    return None


@carries("announce")
def _announce_total(play: Play, ref: HandRef) -> None:
    """Say a hand's total, where the text has the dealer say it."""
    hand = play.hand(ref)
    two = len(hand.cards) == 2
    what = "new_total" if not two else "split_total" if hand.split else "player_total"
    for row in play.rules.announcements:
        if row.what == what:
            play.emit(TotalAnnounced(row.cite, *ref, play.facts(ref).points))


def _blackjack_turn(play: Play, clause: Step, ref: HandRef) -> Need | None:
    """A player's Blackjack is settled on his turn, unless he may still give it up."""
    turn = _turn(play, ref)
    if any(option.action == "surrender" for option in turn.options):
        return turn
    _settle_blackjack(play, clause, ref)
    return None


def _settle_blackjack(play: Play, clause: Step, ref: HandRef) -> None:
    """A player's Blackjack is paid on his turn, or announced and paid later, as the up card has it."""
    due = play.rules.blackjack_settled(play.up)
    if due is not None:
        play.emit(BlackjackAnnounced(due.cite, ref.box))
    if play.rules.blackjack_paid_on_turn(play.up):
        settle_early(play, ref)
    _close(play, clause, ref)
    take_away(play, ref, "blackjack")


def _close(play: Play, clause: Clause, ref: HandRef) -> None:
    """The hand draws no more; where the text pays its total at once, it is paid."""
    play.emit(HandClosed(clause.cite, *ref, play.facts(ref).points))
    _pay_total(play, ref, "turn")


def _pay_total(play: Play, ref: HandRef, at: str) -> None:
    """Pay a hand whose total the text pays at this moment, before the dealer plays."""
    hand = play.hand(ref)
    if play.rules.paid_at_once(play.facts(ref), hand.chance is not None, at) and not hand.settled:
        settle_early(play, ref)
        take_away(play, ref, "total")


def _pay_totals(play: Play) -> None:
    """Pay the totals that waited for all players, in the order of the settlement."""
    for ref, _ in list(play.each_hand(play.rules.one(Settlement).start)):
        _pay_total(play, ref, "players")


# -- offers


def offer(play: Play) -> Offer:
    """What is asked now, of whom, with everything that may be answered."""
    ask = play.state.ask
    if ask is None and not play.state.wrong:
        ref = current_hand(play)
        return _turn(play, ref) if ref is not None else Offer("turn", (), False)
    kind = ask.offer if ask is not None else "wrong_range"
    options = [option for speaker in asked(play) for option in _allowed(play, speaker, answers_to(play, kind))]
    return Offer(kind, tuple(options), kind not in MUST_ANSWER)


def asked(play: Play) -> list[Speaker]:
    """Who is asked beside the turn, about which hands."""
    ask = play.state.ask
    if ask is not None:
        return [Speaker(HandRef(box, ask.hand or 1), player) for box, player in ask.players]
    clause = play.rules.irregularities["wrong_range"]
    return [Speaker(ref, chooser(play, clause, ref)) for ref in play.state.wrong]


def _turn(play: Play, ref: HandRef) -> Offer:
    speaker = Speaker(ref, play.hand(ref).caller.player)
    return Offer("turn", tuple(_allowed(play, speaker, TURN)), False)


def _allowed(play: Play, speaker: Speaker, actions: tuple[str, ...]) -> list[Option]:
    options = []
    for name in actions:
        known = ACTIONS[name]
        if known.check(play, speaker) is None:
            most = known.most(play, speaker) if known.most is not None else None
            unit = play.rules.submission["chip_unit"] if most is not None else None
            options += _options(Option(name, *speaker.hand, speaker.player, most, unit))
    return options


def _options(option: Option) -> list[Option]:
    """A follower who designates may name either hand."""
    if option.action != "designate":
        return [option]
    return [option._replace(hand=1), option._replace(hand=2)]


# -- the plain decisions


def _may_hit(play: Play, speaker: Speaker) -> Refusal | None:
    return play.refused_cards(speaker) or play.rules.refusal("hit", play.facts(speaker.hand))


@action("hit", _may_hit)
def hit(play: Play, request: Request) -> None:
    """Draw a card."""
    play.emit(request.taken(play.rules.decisions["hit"].cite))


def _may_stand(play: Play, speaker: Speaker) -> Refusal | None:
    return play.rules.refusal("stand", play.facts(speaker.hand))


@action("stand", _may_stand, like="hit")
def stand(play: Play, request: Request) -> None:
    """Draw no more; a total that is paid at once is paid."""
    ref = request.speaker.hand
    play.emit(request.taken(play.rules.decisions["stand"].cite))
    if play.facts(ref).blackjack:
        _settle_blackjack(play, play.step, ref)
    else:
        _close(play, play.step, ref)


def _may_refuse(play: Play, speaker: Speaker) -> Refusal | None:
    clause = play.rules.irregularities.get("drawn_in_error_refused")
    if clause is None or play.state.held is None:
        exposed = play.rules.irregularities.get("drawn_in_error_exposed")
        cite = exposed.cite if exposed is not None else ""
        return Refusal("no card drawn in error lies exposed", cite)
    if speaker.player != chooser(play, clause, speaker.hand):
        return Refusal(f"the {clause.choice} decides whether the card is taken", clause.cite)
    return play.refused_cards(speaker)


@action("refuse", _may_refuse)
@carries("irregularity.drawn_in_error_refused")
def refuse(play: Play, request: Request) -> None:
    """Refuse the card that was drawn in error; the hand draws no more."""
    clause, ref = play.rules.irregularities["drawn_in_error_refused"], request.speaker.hand
    carry_out(play, Case(clause, hand=ref, request=request), alternatives(clause)[request.action])
    _close(play, clause, ref)
