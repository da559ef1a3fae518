"""The paragraph under which a decision is refused that nobody is asked for now."""

from __future__ import annotations

from twentyone.law import carries
from twentyone.round.actions import ACTIONS
from twentyone.round.commands import Decision
from twentyone.round.events import HandRef
from twentyone.round.play import Play, Speaker
from twentyone.round.procedure import closing_step
from twentyone.rulebook.clauses import BlackjackEnds, Clause, InsuranceCloses

__all__ = ["barred_by", "box_of", "cited", "own_bar"]


def cited(play: Play, action: str, key: str) -> str:
    """The clause of this key, where it is in force and applies; else the decision's own, or that of all decisions."""
    own = play.rules.decisions.get(action)
    clause = next((clause for clause in play.rules.clauses if clause.key == key), None)
    if clause is None or not _applies(play, clause, own):
        clause = own
    return clause.cite if clause is not None else play.rules.rulebook.options_cite


def _applies(play: Play, clause: Clause, own: Clause | None) -> bool:
    """Insurance is closed only where the game has it, offered it against this up card, and came to the closing step."""
    if not isinstance(clause, InsuranceCloses):
        return True
    return own is not None and play.rules.insurable(play.up) and play.state.step >= closing_step(play)


@carries("blackjack_ends")
def barred_by(play: Play, decision: Decision) -> str:
    """The paragraph that bars a decision whose moment is over; insurance closes whatever became of the hand."""
    rules, name = play.rules, decision.action
    action = ACTIONS.get(name)
    if action is not None and action.late == InsuranceCloses.type_key:
        return own_bar(play, decision) or cited(play, name, action.late)
    ends = rules.maybe(BlackjackEnds)
    if ends is not None and play.dealer_blackjack():
        return ends.cite
    box = box_of(play, decision) or play.state.boxes[-1]
    if box in play.state.hands:
        cite = _closed_by(play, box, name)
        if cite is not None:
            return cite
    return rules.rulebook.decide_cite if name in rules.decisions else rules.rulebook.options_cite


def box_of(play: Play, decision: Decision) -> int | None:
    """The box that a decision names, or the first one on which its player has a wager."""
    if decision.box is not None:
        return decision.box
    owned = (ref.box for ref, hand in play.each_hand() if any(w.player == decision.player for w in hand.wagers))
    return next(owned, None)


def own_bar(play: Play, decision: Decision) -> str | None:
    """The paragraph by which a player's own hand or earlier answer bars a decision beside the turn."""
    box, action = box_of(play, decision), ACTIONS.get(decision.action)
    if box not in play.state.hands or action is None or not play.state.dealer:
        return None
    ref = HandRef(box, 1)
    wagers = play.hand(ref).wagers
    if decision.player not in (None, *(wager.player for wager in wagers)):
        return None
    refusal = action.check(play, Speaker(ref, decision.player or wagers[0].player))
    return refusal.cite if refusal is not None else None


def _closed_by(play: Play, box: int, name: str) -> str | None:
    """What closed the last hand of a box, if it is closed."""
    rules, hands, action = play.rules, play.state.hands[box], ACTIONS.get(name)
    hand = hands[-1]
    if any(other.status in ("open", "waiting") for other in hands):
        return None
    if hand.refused or hand.caller.player in play.state.refused:
        return rules.irregularities["drawn_in_error_refused"].cite
    if hand.status == "surrendered":
        return rules.decisions["surrender"].cite
    if hand.chance is not None:
        return rules.decisions["second_chance"].cite
    for number in range(1, len(hands) + 1):
        refusal = rules.refusal(action.like, play.facts(HandRef(box, number))) if action is not None else None
        if refusal is not None:
            return refusal.cite
    for clause in rules.may_nots:
        if clause.name == name and clause.after == "stand":
            return clause.cite
    late = action.late if action is not None else ""
    return cited(play, name, late) if late and name in rules.decisions else None
