"""Taking a decision: is it this player's to take, is it allowed, is its wager right. Then it is carried out."""

from __future__ import annotations

from twentyone.errors import Refused
from twentyone.law import carries
from twentyone.money import Amount
from twentyone.round.actions import ACTIONS, Action, Request
from twentyone.round.commands import Decision, Need, Offer
from twentyone.round.events import Declined, HandRef
from twentyone.round.play import Play, Speaker
from twentyone.round.turns import ANSWERS, TURN, current_hand
from twentyone.round.wagers import check_unit
from twentyone.rulebook.clauses import BlackjackEnds, InsuranceCloses, InsuranceLimit

__all__ = ["barred_by", "decide_offer"]


def decide_offer(play: Play, need: Need, decision: Decision) -> None:
    """Verify a decision against what is asked now, and carry it out."""
    if not isinstance(need, Offer):
        raise Refused(f"{decision.action!r} was said, but nobody is asked now", play.step.cite)
    if decision.action == "decline":
        _decline(play, need)
        return
    if decision.action not in ACTIONS:
        raise Refused(f"there is no decision {decision.action!r}", play.rules.rulebook.decide_cite)
    speaker = _speaker(play, need, decision)
    found = ACTIONS[decision.action]
    refusal = found.check(play, speaker)
    if refusal is not None:
        why = f"box {speaker.box} may not {_verb(decision.action)}: {refusal.why}"
        raise Refused(why, refusal.cite)
    amount = _amount(play, found, speaker, decision)
    found.take(play, Request(decision.action, speaker, amount, _hand(play, need, decision)))


def _verb(action: str) -> str:
    """A decision as a verb: `even_money` is taken, `late_card` is had."""
    return action if "_" not in action else f"take {action.replace('_', ' ')}"


def _decline(play: Play, need: Offer) -> None:
    if not need.optional or play.state.ask is None:
        raise Refused("an answer is needed here", _asked_cite(play))
    play.emit(Declined(play.state.ask.cite, need.kind))


def _asked_cite(play: Play) -> str:
    if play.state.wrong:
        return play.rules.irregularities["wrong_range"].cite
    return play.state.ask.cite if play.state.ask is not None else play.step.cite


# -- whose decision


def _speaker(play: Play, need: Offer, decision: Decision) -> Speaker:
    if need.kind == "turn":
        return _turn_speaker(play, decision)
    allowed = ANSWERS[need.kind]
    speakers = _asked(play)
    if decision.action not in allowed:
        raise Refused(
            f"{decision.action.replace('_', ' ')} was said, but {need.kind.replace('_', ' ')} is asked now",
            _other_cite(play, decision) if need.optional else _asked_cite(play),
        )
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
    shared = play.rules.shared.get(need.kind)
    cite = play.rules.shared["call"].cite if shared is not None and shared.binds else _asked_cite(play)
    raise Refused(f"{who} is not asked about {need.kind.replace('_', ' ')} now", cite)


def _caller_first(play: Play, speaker: Speaker, speakers: list[Speaker]) -> Speaker:
    """A decision that names no player is the caller's, where the caller is asked at all."""
    own = speaker._replace(player=play.hand(speaker.hand).wagers[0].player)
    if own in speakers:
        return own
    raise Refused(f"several players share box {speaker.box}: say which of them speaks", _asked_cite(play))


def _asked(play: Play) -> list[Speaker]:
    ask = play.state.ask
    if ask is None:
        return [Speaker(ref, "dealer") for ref in play.state.wrong]
    return [Speaker(HandRef(box, ask.hand or 1), player) for box, player in ask.players]


@carries("shared.call")
def _turn_speaker(play: Play, decision: Decision) -> Speaker:
    ref = current_hand(play)
    assert ref is not None
    box = ref.box
    caller = play.hand(ref).caller.player
    if decision.box not in (None, box):
        raise Refused(f"it is the turn of box {box}, not of box {decision.box}", barred_by(play, decision))
    if decision.player not in (None, caller):
        cite = play.rules.shared["call"].cite if "call" in play.rules.shared else play.step.cite
        raise Refused(f"{caller} calls the decisions of box {box}, not {decision.player}", cite)
    if decision.action not in TURN:
        raise Refused(
            f"box {box} may not {_verb(decision.action)} now: it is asked for its decision",
            _other_cite(play, decision),
        )
    return Speaker(ref, caller)


def barred_by(play: Play, decision: Decision) -> str:
    """The paragraph that bars a decision nobody is asked for now."""
    rules, action = play.rules, decision.action
    if action in ANSWERS["insurance"]:
        return _insurance_cite(play, action)
    ends = rules.maybe(BlackjackEnds)
    if ends is not None and play.dealer_blackjack():
        return ends.cite
    box = decision.box if decision.box is not None else play.state.boxes[-1]
    if box in play.state.hands:
        cite = _closed_cite(play, box, action)
        if cite is not None:
            return cite
    return rules.rulebook.decide_cite if action in rules.decisions else rules.rulebook.options_cite


@carries("insurance_closes", "blackjack_ends")
def _insurance_cite(play: Play, action: str) -> str:
    """Not part of the game, not against this up card, or too late."""
    clause = play.rules.decisions.get(action)
    if clause is None:
        return play.rules.rulebook.options_cite
    closes = play.rules.maybe(InsuranceCloses)
    offered = any(play.up.rank in step.if_up for step in play.rules.steps if step.name == "offer_insurance")
    return closes.cite if offered and closes is not None else clause.cite


def _closed_cite(play: Play, box: int, action: str) -> str | None:
    """What closed the last hand of a box, if it is closed."""
    rules, hands = play.rules, play.state.hands[box]
    hand = hands[-1]
    if any(other.status in ("open", "waiting") for other in hands):
        return None
    if hand.caller.player in play.state.refused:
        return rules.irregularities["drawn_in_error_refused"].cite
    if hand.status == "surrendered":
        return rules.decisions["surrender"].cite
    if hand.chance is not None:
        return rules.decisions["second_chance"].cite
    wanted = "hit" if action == "stand" else action
    for number in range(1, len(hands) + 1):
        refusal = rules.refusal(wanted, play.facts(HandRef(box, number))) if wanted in ACTIONS else None
        if refusal is not None:
            return refusal.cite
    for clause in rules.may_nots:
        if clause.name == action and clause.after == "stand":
            return clause.cite
    own_time = action in ("rescue", "second_chance", "surrender") and action in rules.decisions
    return rules.decisions[action].cite if own_time else None


def _other_cite(play: Play, decision: Decision) -> str:
    """The paragraph of a decision that was said at the wrong moment."""
    if decision.action in ANSWERS["insurance"] and play.step.name != "offer_insurance":
        return _insurance_cite(play, decision.action)
    if decision.action == "designate" and "split" in play.rules.shared:
        return play.rules.shared["split"].cite
    clause = play.rules.decisions.get(decision.action)
    return clause.cite if clause is not None else play.rules.rulebook.options_cite


# -- how much, which hand


def _amount(play: Play, found: Action, speaker: Speaker, decision: Decision) -> Amount | None:
    if found.most is None:
        if decision.amount is not None:
            raise Refused(f"{decision.action} takes no amount", _other_cite(play, decision))
        return None
    most = found.most(play, speaker)
    amount = decision.amount if decision.amount is not None else most
    if not 0 < amount <= most:
        why = f"a wager of {amount} to {decision.action} is not between nothing and {most}"
        limit = play.rules.maybe(InsuranceLimit) if decision.action == "insure" else None
        raise Refused(why, limit.cite if limit is not None else _other_cite(play, decision))
    check_unit(play.rules, amount)
    return amount


def _hand(play: Play, need: Offer, decision: Decision) -> int | None:
    if decision.action == "designate":
        if decision.hand not in (1, 2):
            raise Refused("designate names hand 1 or hand 2", _asked_cite(play))
        return decision.hand
    if decision.hand is not None and need.kind not in ("wrong_range", "late_card"):
        raise Refused(f"{decision.action} takes no hand", _other_cite(play, decision))
    return decision.hand
