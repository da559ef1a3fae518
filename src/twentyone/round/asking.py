"""Asking somebody something beside the ordinary decision: the one place where a question is put.

Only who may answer is asked, and a question that nobody may answer is not put.
"""

from __future__ import annotations

from dataclasses import replace

from twentyone.round.actions import ACTIONS
from twentyone.round.effects import alternatives
from twentyone.round.events import Asked, HandRef, InsuranceOffered
from twentyone.round.play import Play, Speaker
from twentyone.rulebook.clauses import Irregularity

__all__ = ["answers", "answers_to", "put"]

ANSWERS = {
    "insurance": ("insure", "even_money"),
    "surrender": ("surrender",),
    "double": ("double",),
    "split": ("split", "designate"),
    "rescue": ("rescue",),
    "second_chance": ("second_chance",),
}
"""What may be answered to each question beside the turn; about an irregularity its paragraph says it."""


def put(play: Play, question: Asked | InsuranceOffered) -> bool:
    """Put a question to those whom it names and who may answer it; whether anybody is asked."""
    trial = Play(play.rules, play.state.copy())
    trial.emit(question)
    ask = trial.state.ask
    assert ask is not None
    able = [(box, name) for box, name in ask.players if _may_answer(trial, box, ask.hand or 1, name, ask.offer)]
    if not able:
        return False
    if isinstance(question, InsuranceOffered):
        play.emit(replace(question, players=tuple(able)))
    else:
        play.emit(replace(question, players=tuple(name for _, name in able)))
    return True


def _may_answer(play: Play, box: int, hand: int, player: str, offer: str) -> bool:
    speaker = Speaker(HandRef(box, hand), player)
    return any(ACTIONS[name].check(play, speaker) is None for name in answers_to(play, offer))


def answers_to(play: Play, offer: str) -> tuple[str, ...]:
    """What may be answered to a question beside the turn."""
    return ANSWERS[offer] if offer in ANSWERS else tuple(answers(play, offer))


def answers(play: Play, offer: str) -> dict[str, tuple[Irregularity, tuple[str, ...]]]:
    """What may be answered to a question about an irregularity: each with its paragraph and its effects."""
    known = play.rules.irregularities
    missed = "one_card" if play.step.name == "deal" else "requested_card_missed"
    names = {"late_card": (missed,), "exposed_card": ("drawn_in_error_exposed", "drawn_in_error_refused")}
    clauses = [known[name] for name in names.get(offer, (offer,)) if name in known]
    return {answer: (clause, words) for clause in clauses for answer, words in alternatives(clause).items()}
