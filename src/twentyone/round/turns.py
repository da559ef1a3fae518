"""The players' turns: whose hand it is, what it may decide, when it draws no more."""

from __future__ import annotations

from twentyone.law import carries
from twentyone.money import Amount
from twentyone.round.actions import ACTIONS, action
from twentyone.round.commands import Draw, Need, Offer, Option
from twentyone.round.double_down import offer_rescue
from twentyone.round.events import (
    BlackjackAnnounced,
    CardRefused,
    DecisionTaken,
    HandClosed,
    TotalAnnounced,
)
from twentyone.round.payout import settle_early
from twentyone.round.play import Play, Speaker
from twentyone.round.procedure import step
from twentyone.round.second_chance import offer_second_chance, settle_second_chance
from twentyone.rulebook.clauses import Clause, PaidAtOnce, PayBlackjack, Step
from twentyone.rulebook.decisions import Refusal

__all__ = ["current_hand", "decide", "offer"]

TURN = ("surrender", "split", "double", "hit", "stand", "refuse")
"""What a player may be asked on his turn."""

ANSWERS = {
    "insurance": ("insure", "even_money"),
    "surrender": ("surrender",),
    "double": ("double",),
    "split": ("split", "designate"),
    "rescue": ("rescue",),
    "second_chance": ("second_chance",),
    "exposed_card": ("accept", "refuse"),
    "late_card": ("late_card", "call_dead"),
    "wrong_range": ("go_on", "call_dead"),
}
"""What may be answered to each question beside the turn."""

MUST_ANSWER = ("split", "exposed_card", "late_card", "wrong_range")
"""Questions to which silence is no answer."""


@step("decide")
def decide(play: Play, clause: Step) -> Need | None:
    """Take the players' decisions, box by box from the dealer's left, hand by hand."""
    while True:
        place = current_hand(play)
        if place is None:
            return None
        need = _carry_on(play, clause, *place)
        if need is not None or play.state.ask is not None:
            return need


def current_hand(play: Play) -> tuple[int, int] | None:
    """The first hand that is not complete; a box that waits for a late card comes after the other boxes."""
    waiting: list[tuple[int, int]] = []
    for box, number, hand in play.each_hand():
        if hand.status == "waiting":
            waiting.append((box, number))
        elif hand.status == "open" and all(late != box for late, _ in waiting):
            return box, number
    return waiting[0] if waiting else None


def _carry_on(play: Play, clause: Step, box: int, number: int) -> Need | None:
    hand = play.hand(box, number)
    if hand.caller.player in play.state.refused and len(hand.cards) < 2:
        _close(play, clause, box, number)
        return None
    if hand.due or hand.status == "waiting" or (hand.split and len(hand.cards) < 2):
        return Draw(box, number)
    _announce_total(play, box, number)
    facts = play.facts(box, number)
    if facts.blackjack:
        _blackjack_turn(play, clause, box, number)
    elif hand.chance is not None:
        settle_second_chance(play, box, number)
        _close(play, clause, box, number)
    elif facts.points > play.rules.limit:
        if not offer_second_chance(play, box, number):
            _close(play, clause, box, number)
    elif hand.doubled:
        if not offer_rescue(play, box, number):
            _close(play, clause, box, number)
    else:
        found = _turn(play, box, number)
        if any(option.action != "stand" for option in found.options):
            return found
        _close(play, clause, box, number)
    return None


@carries("announce")
def _announce_total(play: Play, box: int, number: int) -> None:
    """Say a hand's total, where the text has the dealer say it."""
    hand = play.hand(box, number)
    two = len(hand.cards) == 2
    what = "new_total" if not two else "split_total" if hand.split else "player_total"
    for row in play.rules.announcements:
        if row.what == what:
            play.emit(TotalAnnounced(row.cite, box, number, play.facts(box, number).points))


@carries("pay_blackjack")
def _blackjack_turn(play: Play, clause: Step, box: int, number: int) -> None:
    """A player's Blackjack is paid on his turn, or announced and paid later, as the up card has it."""
    for row in play.rules.all(PayBlackjack):
        if row.if_up and play.up.rank not in row.if_up:
            continue
        play.emit(BlackjackAnnounced(row.cite, box))
        if row.at == "turn":
            settle_early(play, box, number)
    _close(play, clause, box, number)


@carries("paid_at_once")
def _close(play: Play, clause: Clause, box: int, number: int) -> None:
    """The hand draws no more; where the text pays its total at once, it is paid."""
    hand, facts = play.hand(box, number), play.facts(box, number)
    play.emit(HandClosed(clause.cite, box, number, facts.points))
    at_once = play.rules.maybe(PaidAtOnce)
    if at_once is not None and hand.chance is None and facts.points == at_once.total and not hand.settled:
        settle_early(play, box, number)


# -- offers


def offer(play: Play) -> Offer:
    """What is asked now, of whom, with everything that may be answered."""
    ask = play.state.ask
    if ask is None:
        place = current_hand(play)
        if play.state.wrong:
            wrong = [Speaker(box, number, "dealer") for box, number in play.state.wrong]
            found = tuple(option for speaker in wrong for option in _allowed(play, speaker, ANSWERS["wrong_range"]))
            return Offer("wrong_range", found, False)
        return _turn(play, *place) if place is not None else Offer("turn", (), False)
    speakers = [Speaker(box, ask.hand or 1, player) for box, player in ask.players]
    options = [found for speaker in speakers for found in _allowed(play, speaker, ANSWERS[ask.offer])]
    return Offer(ask.offer, tuple(options), ask.offer not in MUST_ANSWER)


def _turn(play: Play, box: int, number: int) -> Offer:
    speaker = Speaker(box, number, play.hand(box, number).caller.player)
    return Offer("turn", tuple(_allowed(play, speaker, TURN)), False)


def _allowed(play: Play, speaker: Speaker, actions: tuple[str, ...]) -> list[Option]:
    options = []
    for name in actions:
        found = ACTIONS[name]
        if found.check(play, speaker) is None:
            most = found.most(play, speaker) if found.most is not None else None
            unit = play.rules.submission["chip_unit"] if most is not None else None
            options += _options(Option(name, speaker.box, speaker.number, speaker.player, most, unit))
    return options


def _options(option: Option) -> list[Option]:
    """A follower who designates may name either hand."""
    if option.action != "designate":
        return [option]
    return [option._replace(hand=1), option._replace(hand=2)]


# -- the plain decisions


def _may_hit(play: Play, speaker: Speaker) -> Refusal | None:
    return play.refused_cards(speaker) or play.rules.refusal("hit", play.facts(speaker.box, speaker.number))


@action("hit", _may_hit)
def hit(play: Play, speaker: Speaker, _: Amount | None, __: int | None) -> None:
    """Draw a card."""
    _take(play, speaker, "hit")


def _may_stand(play: Play, speaker: Speaker) -> Refusal | None:
    return play.rules.refusal("stand", play.facts(speaker.box, speaker.number))


@action("stand", _may_stand)
def stand(play: Play, speaker: Speaker, _: Amount | None, __: int | None) -> None:
    """Draw no more; a total that is paid at once is paid."""
    _take(play, speaker, "stand")
    _close(play, play.step, speaker.box, speaker.number)


def _take(play: Play, speaker: Speaker, name: str) -> None:
    cite = play.rules.decisions[name].cite
    play.emit(DecisionTaken(cite, speaker.box, speaker.number, speaker.player, name))


def _may_refuse(play: Play, speaker: Speaker) -> Refusal | None:
    if play.state.held is not None:
        return play.refused_cards(speaker)
    clause = play.rules.irregularities.get("drawn_in_error_exposed")
    cite = clause.cite if clause is not None else play.step.cite
    return Refusal("no card drawn in error lies exposed", cite)


@action("refuse", _may_refuse)
@carries("irregularity.drawn_in_error_refused")
def refuse(play: Play, speaker: Speaker, _: Amount | None, __: int | None) -> None:
    """Refuse the card that was drawn in error, and draw no more this round."""
    clause = play.rules.irregularities["drawn_in_error_refused"]
    play.emit(CardRefused(clause.cite, speaker.box, speaker.player))
    _close(play, clause, speaker.box, speaker.number)
