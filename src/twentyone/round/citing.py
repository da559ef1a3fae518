"""Why a decision is refused that nobody is asked for now, and the paragraph that says so."""

from __future__ import annotations

from twentyone.law import carries
from twentyone.round.actions import ACTIONS
from twentyone.round.commands import Decision
from twentyone.round.events import HandRef
from twentyone.round.play import Play, Speaker
from twentyone.round.procedure import closing_step
from twentyone.rulebook.clauses import BlackjackEnds, Clause, InsuranceCloses
from twentyone.rulebook.decisions import Refusal

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
def barred_by(play: Play, decision: Decision) -> Refusal:
    """What bars a decision whose moment is over; insurance closes whatever became of the hand.

    Where the text has no more than the order of the turns, the refusal has no words of its own.
    """
    rules, name = play.rules, decision.action
    action = ACTIONS.get(name)
    if action is not None and action.late == InsuranceCloses.type_key:
        return own_bar(play, decision) or Refusal("insurance is closed", cited(play, name, action.late))
    ends = rules.maybe(BlackjackEnds)
    if ends is not None and play.dealer_blackjack():
        return Refusal("the dealer has Blackjack", ends.cite)
    box = box_of(play, decision) or play.state.boxes[-1]
    if box in play.state.hands:
        closed = _closed_by(play, box, name)
        if closed is not None:
            return closed
    if name in rules.decisions:
        return Refusal("", rules.rulebook.decide_cite)
    return Refusal(f"this game has no {name.replace('_', ' ')}", rules.rulebook.options_cite)


def box_of(play: Play, decision: Decision) -> int | None:
    """The box that a decision names, or the first one on which its player has a wager."""
    if decision.box is not None:
        return decision.box
    owned = (ref.box for ref, hand in play.each_hand() if any(w.player == decision.player for w in hand.wagers))
    return next(owned, None)


def own_bar(play: Play, decision: Decision) -> Refusal | None:
    """How a player's own hand or earlier answer bars a decision beside the turn."""
    box, action = box_of(play, decision), ACTIONS.get(decision.action)
    if box not in play.state.hands or action is None or not play.state.dealer:
        return None
    ref = HandRef(box, 1)
    wagers = play.hand(ref).wagers
    if decision.player not in (None, *(wager.player for wager in wagers)):
        return None
    return action.check(play, Speaker(ref, decision.player or wagers[0].player))


def _closed_by(play: Play, box: int, name: str) -> Refusal | None:
    """What closed the last hand of a box, if it is closed."""
    rules, hands, action = play.rules, play.state.hands[box], ACTIONS.get(name)
    hand = hands[-1]
    if any(other.status in ("open", "waiting") for other in hands):
        return None
    if hand.refused or hand.caller.player in play.state.refused:
        return Refusal("a card was refused in this round", rules.irregularities["drawn_in_error_refused"].cite)
    if hand.status == "surrendered":
        return Refusal("the hand is surrendered", rules.decisions["surrender"].cite)
    if hand.chance is not None:
        return Refusal("the second chance is taken", rules.decisions["second_chance"].cite)
    for number in range(1, len(hands) + 1):
        refusal = rules.refusal(action.like, play.facts(HandRef(box, number))) if action is not None else None
        if refusal is not None:
            return refusal
    for clause in rules.may_nots:
        if clause.name == name and clause.after == "stand":
            return Refusal("the hand stands", clause.cite)
    late = action.late if action is not None else ""
    own = late and name in rules.decisions
    return Refusal(f"the moment to {name.replace('_', ' ')} is over", cited(play, name, late)) if own else None
