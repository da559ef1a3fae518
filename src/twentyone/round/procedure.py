"""The order of a round: steps in the rulebook's order, each carried out by the function registered for it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from twentyone.law import carries
from twentyone.round.commands import Draw, Need, Over, Told
from twentyone.round.events import CardDealt, StepBegun
from twentyone.round.play import Play, lies_sideways
from twentyone.rulebook.clauses import InsuranceCloses, Step
from twentyone.rulebook.timing import speaks_of

__all__ = ["STEPS", "advance", "closing_step", "step"]

StepFunction = Callable[[Play, Step], Need | None]
"""Carries a step on; returns what it needs, or None when it is done."""

F = TypeVar("F", bound=StepFunction)

STEPS: dict[str, StepFunction] = {}

AFTER_BLACKJACK = (
    "settle_match", "settle_pairs", "settle_threes", "spin_bonus", "pay_blackjacks", "reveal", "collect_insurance",
    "spin_xtreme", "settle", "collect",
)  # fmt: skip
"""The steps that are carried out although the dealer has shown a Blackjack: no additional card is dealt in them."""


QUIET_STEPS = (
    "settle_match", "settle_pairs", "settle_threes", "pay_blackjacks", "read_hole", "announce_range", "reveal",
)  # fmt: skip
"""The steps in which nobody is asked, no card is drawn and no insurance settled."""

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
    if state.notified:
        return Told(state.notified)
    if state.wrong:
        return offer(play)
    while not state.over:
        if state.ask is not None and not _stays_open(play):
            return offer(play)
        if state.step < 0 or state.ask is not None:
            _begin_next(play)
        need = STEPS[play.step.name](play, play.step)
        if need is None:
            if not (state.ask or state.over):
                _begin_next(play)
        elif isinstance(need, Draw) and state.held is not None:
            cite = play.rules.irregularities["drawn_in_error_exposed"].cite
            sideways = lies_sideways(play, need.box, need.hand)
            play.emit(CardDealt(cite, state.held, need.box, need.hand, False, sideways))
        else:
            return need
    return Over()


def _begin_next(play: Play) -> None:
    number = _next_step(play)
    if number is not None:
        clause = play.rules.steps[number]
        play.emit(StepBegun(clause.cite, clause.name, number))


def _next_step(play: Play) -> int | None:
    steps = play.rules.steps
    return next((n for n in range(play.state.step + 1, len(steps)) if _applies(play, steps[n])), None)


def _stays_open(play: Play) -> bool:
    """Whether the question of insurance may wait: the next step is not yet the one that closes it, nor asks itself."""
    if play.state.ask is None or play.state.ask.offer != "insurance":
        return False
    number = _next_step(play)
    return number is not None and play.rules.steps[number].name in QUIET_STEPS and number < closing_step(play)


@carries("insurance_closes")
def closing_step(play: Play) -> int:
    """The step before which insurance closes, by its index in the order; the end where the round has no such step."""
    closes, steps = play.rules.maybe(InsuranceCloses), play.rules.steps
    before = closes.before if closes is not None else "decide"
    return next((number for number, step in enumerate(steps) if step.name == before), len(steps))


def _applies(play: Play, clause: Step) -> bool:
    if play.state.reader_failed and clause.name in READER_STEPS:
        return False
    if play.state.dealer and not speaks_of(clause, play.up):
        return False
    return clause.name in AFTER_BLACKJACK or not play.state.dealer or not play.dealer_blackjack()
