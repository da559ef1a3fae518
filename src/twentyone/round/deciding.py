"""Taking a decision: is it this player's to take, is it allowed, is its wager right. Then it is carried out."""

from __future__ import annotations

from dataclasses import replace

from twentyone.errors import Refused
from twentyone.law import carries
from twentyone.money import Amount
from twentyone.round.actions import ACTIONS, Action, Request
from twentyone.round.asking import answers_to
from twentyone.round.citing import barred_by, box_of, cited, own_bar
from twentyone.round.commands import Decision, Need, Offer
from twentyone.round.effects import DEALER
from twentyone.round.events import Declined, HandRef
from twentyone.round.insurance import CLOSES
from twentyone.round.play import Play, Speaker
from twentyone.round.procedure import closing_step
from twentyone.round.turns import TURN, asked, current_hand
from twentyone.round.wagers import check_unit
from twentyone.rulebook.decisions import Refusal

__all__ = ["decide_offer"]


def decide_offer(play: Play, need: Need, decision: Decision) -> None:
    """Verify a decision against what is asked now, and carry it out."""
    if not isinstance(need, Offer):
        unready = _unready(play, decision)
        raise Refused(f"{decision.action!r} was said, but nobody is asked now{_so(unready)}", unready.cite)
    if decision.action == "decline":
        _decline(play, need, decision)
        return
    if decision.action not in ACTIONS:
        raise Refused(f"there is no decision {decision.action!r}", play.rules.rulebook.options_cite)
    speaker = _speaker(play, need, decision)
    action = ACTIONS[decision.action]
    refusal = action.check(play, speaker)
    if refusal is not None:
        why = f"box {speaker.box} may not {_verb(decision.action)}: {refusal.why}"
        raise Refused(why, refusal.cite)
    amount = _amount(play, action, speaker, decision)
    action.take(play, Request(decision.action, speaker, amount, _hand(play, need, decision)))


def _unready(play: Play, decision: Decision) -> Refusal:
    """What bars a decision that is said while a card or a spin is due: its own end, or the step in progress."""
    action = ACTIONS.get(decision.action)
    late = action is not None and action.late == CLOSES and play.state.step >= closing_step(play)
    return barred_by(play, decision) if late else Refusal("", play.step.cite)


def _so(bar: Refusal) -> str:
    """The words of a refusal after those that it follows from."""
    return f": {bar.why}" if bar.why else ""


def _verb(action: str) -> str:
    """A decision as a verb: `even_money` is taken, `late_card` is had."""
    return action if "_" not in action else f"take {action.replace('_', ' ')}"


def _decline(play: Play, need: Offer, decision: Decision) -> None:
    """A player's no is his own; the dealer closes the offer for those who have not answered."""
    ask = play.state.ask
    if not need.optional or ask is None:
        raise Refused("an answer is needed here", _asked_cite(play))
    if decision.box is None and decision.player in (None, DEALER):
        play.emit(Declined(ask.cite, need.kind))
        return
    speaker = _asked_speaker(play, need, decision)
    play.emit(Declined(ask.cite, need.kind, speaker.box, speaker.player))


def _asked_cite(play: Play) -> str:
    if play.state.wrong:
        return play.rules.irregularities["wrong_range"].cite
    return play.state.ask.cite if play.state.ask is not None else play.step.cite


def _elsewhere(play: Play, decision: Decision) -> str:
    """The paragraph of a decision that was said while something else is asked."""
    return cited(play, decision.action, ACTIONS[decision.action].elsewhere)


# -- whose decision


def _speaker(play: Play, need: Offer, decision: Decision) -> Speaker:
    if need.kind == "turn":
        return _turn_speaker(play, decision)
    if decision.action not in answers_to(play, need.kind):
        raise Refused(
            f"{decision.action.replace('_', ' ')} was said, but {need.kind.replace('_', ' ')} is asked now",
            _elsewhere(play, decision)
            if need.optional and decision.action in play.rules.decisions
            else _asked_cite(play),
        )
    return _asked_speaker(play, need, decision)


def _asked_speaker(play: Play, need: Offer, decision: Decision) -> Speaker:
    """Who of those that are asked beside the turn speaks."""
    speakers = asked(play)
    for speaker in speakers:
        named = decision.hand if need.kind in ("wrong_range", "late_card") else None
        if (
            decision.box in (None, speaker.box)
            and decision.player in (None, speaker.player)
            and named in (None, speaker.hand.number)
        ):
            unnamed = decision.player is None and speaker.player != "dealer"
            return _caller_first(play, speaker, speakers) if unnamed else speaker
    who = decision.player or f"box {decision.box}"
    raise Refused(f"{who} is not asked about {need.kind.replace('_', ' ')} now", _unasked_cite(play, need, decision))


def _unasked_cite(play: Play, need: Offer, decision: Decision) -> str:
    """Why somebody is not asked: his earlier answer, the caller who binds him, or the question itself."""
    shared = play.rules.shared.get(need.kind)
    if shared is not None and shared.binds and _shares(play, asked(play)[0].hand, decision):
        return play.rules.shared["call"].cite
    own = own_bar(play, decision) if need.optional else None
    return own.cite if own is not None else _asked_cite(play)


def _shares(play: Play, ref: HandRef, decision: Decision) -> bool:
    return any(hand_wager.player == decision.player for hand_wager in play.hand(ref).wagers)


def _caller_first(play: Play, speaker: Speaker, speakers: list[Speaker]) -> Speaker:
    """A decision that names no player is the caller's, where the caller is asked at all."""
    own = speaker._replace(player=play.hand(speaker.hand).wagers[0].player)
    if own in speakers:
        return own
    raise Refused(f"several players share box {speaker.box}: say which of them speaks", _asked_cite(play))


@carries("shared.call")
def _turn_speaker(play: Play, decision: Decision) -> Speaker:
    ref = current_hand(play)
    assert ref is not None
    box = ref.box
    caller = play.hand(ref).caller.player
    if decision.box not in (None, box):
        bar = barred_by(play, decision)
        raise Refused(f"it is the turn of box {box}, not of box {decision.box}{_so(bar)}", bar.cite)
    if decision.player not in (None, caller):
        bar = _out_of_turn(play, ref, decision)
        raise Refused(f"{caller} calls the decisions of box {box}, not {decision.player}{_so(bar)}", bar.cite)
    if decision.action not in TURN:
        raise Refused(
            f"box {box} may not {_verb(decision.action)} now: it is asked for its decision",
            _elsewhere(play, decision),
        )
    return Speaker(ref, caller)


def _out_of_turn(play: Play, ref: HandRef, decision: Decision) -> Refusal:
    """What bars a player who does not call the hand: the caller of a box that he shares, else what bars the act."""
    action = ACTIONS.get(decision.action)
    shares = any(_shares(play, HandRef(ref.box, n + 1), decision) for n in range(len(play.state.hands[ref.box])))
    if shares and "call" in play.rules.shared and (action is None or action.late != CLOSES):
        return Refusal("", play.rules.shared["call"].cite)
    return barred_by(play, replace(decision, box=box_of(play, decision)))


# -- how much, which hand


def _amount(play: Play, action: Action, speaker: Speaker, decision: Decision) -> Amount | None:
    if action.most is None:
        if decision.amount is not None:
            raise Refused(f"{decision.action} takes no amount", _elsewhere(play, decision))
        return None
    most = action.most(play, speaker)
    amount = decision.amount if decision.amount is not None else most
    if not 0 < amount <= most:
        why = f"a wager of {amount} to {decision.action} is not positive and at most {most}"
        raise Refused(why, cited(play, decision.action, action.limit))
    check_unit(play.rules, amount)
    return amount


def _hand(play: Play, need: Offer, decision: Decision) -> int | None:
    if decision.action == "designate":
        if decision.hand not in (1, 2):
            raise Refused("designate names hand 1 or hand 2", _asked_cite(play))
        return decision.hand
    if decision.hand is not None and need.kind not in ("wrong_range", "late_card"):
        raise Refused(f"{decision.action} takes no hand")
    return decision.hand
