"""The order of a round: steps in the rulebook's order, each carried out by the function registered for it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from twentyone.law import carries
from twentyone.round.commands import Draw, Need, Over
from twentyone.round.events import CardDealt, StepBegun
from twentyone.round.play import Play
from twentyone.rulebook.clauses import Step
from twentyone.rulebook.timing import speaks_of

__all__ = ["STEPS", "advance", "step"]

StepFunction = Callable[[Play, Step], Need | None]
"""Carries a step on; answers what it needs, or nothing when it is done."""

F = TypeVar("F", bound=StepFunction)

STEPS: dict[str, StepFunction] = {}

AFTER_BLACKJACK = (
    "settle_match", "spin_bonus", "pay_blackjacks", "reveal", "collect_insurance", "spin_xtreme", "settle", "collect",
)  # fmt: skip
"""The steps that are carried out although the dealer has shown a Blackjack: no additional card is dealt in them."""


READER_STEPS = ("offer_surrender", "read_hole")
"""The steps that there are only where a card reader is in use."""


def step(*names: str) -> Callable[[F], F]:
    """Register a function for steps of these names."""

    def register(function: F) -> F:
        for name in names:
            STEPS[name] = function
        return carries(*(f"step.{name}" for name in names))(function)

    return register


def advance(play: Play, offer: Callable[[Play], Need]) -> Need:
    """Carry the round on until somebody must bring a card, an answer or a symbol."""
    state = play.state
    if state.wrong:
        return offer(play)
    while not state.over:
        if state.ask is not None:
            return offer(play)
        if state.step < 0:
            _begin_next(play)
            continue
        need = STEPS[play.step.name](play, play.step)
        if need is None:
            if not (state.ask or state.over):
                _begin_next(play)
        elif isinstance(need, Draw) and state.held is not None:
            cite = play.rules.irregularities["drawn_in_error_exposed"].cite
            play.emit(CardDealt(cite, state.held, need.box, need.hand, False))
        else:
            return need
    return Over()


def _begin_next(play: Play) -> None:
    steps = play.rules.steps
    for number in range(play.state.step + 1, len(steps)):
        clause = steps[number]
        if _applies(play, clause):
            play.emit(StepBegun(clause.cite, clause.name, number))
            return


def _applies(play: Play, clause: Step) -> bool:
    if play.state.reader_failed and clause.name in READER_STEPS:
        return False
    if play.state.dealer and not speaks_of(clause, play.up):
        return False
    return clause.name in AFTER_BLACKJACK or not play.state.dealer or not play.dealer_blackjack()
