"""The same round in the hands of the law: dealt again by `round` from the cards and decisions of an environment.

What is drawn on a screen, why a decision is refused, and the proof that the compiled kernel plays by the book.
"""

from __future__ import annotations

from collections.abc import Iterable

from twentyone.learn.rounds import PausedRounds
from twentyone.money import Amount
from twentyone.round import Decision, Draw, Drawn, Offer, Over, Round, Spin, Spun, Wagers
from twentyone.rulebook.wheels import weights_of
from twentyone.sim.layout import DECISIONS
from twentyone.sim.wheels import WHEELS
from twentyone.sim.work import MOST_BOXES, SYMBOLS, Work
from twentyone.table.wheel import paytable_at

__all__ = ["law_round", "player_name"]

Taken = tuple[int, int]
"""A decision: the box, counted from 0, and its number."""


def player_name(box: int) -> str:
    """Who plays on a box, counted from 0."""
    return f"player_{box + 1}"


def law_round(rounds: PausedRounds, taken: Iterable[Taken], row: int = 0) -> Round:
    """A round of an environment as `round` deals it: the same cards, the same decisions, as far as it has come."""
    setup = rounds.game.compiled.setup
    wagers = [Wagers(n + 1, player_name(n), box.main, dict(box.sides)) for n, box in enumerate(setup.boxes)]
    round_ = Round.start(setup.rules, wagers, _meters(rounds))
    cards, decisions, spins = iter(rounds.cards(row)), iter(taken), _spins(rounds, row)
    while not isinstance(need := round_.next, Over):
        if isinstance(need, Draw):
            round_ = round_.apply(Drawn(next(cards)))
        elif isinstance(need, Spin):
            round_ = round_.apply(_spun(round_, need, spins))
        else:
            assert isinstance(need, Offer)
            box, decision = next(decisions, (0, -1))
            if decision < 0:
                break
            round_ = round_.apply(Decision(DECISIONS[decision], box + 1, player_name(box)))
    return round_


def _meters(rounds: PausedRounds) -> dict[str, Amount]:
    return dict(rounds.game.compiled.setup.meters)


def _spins(rounds: PausedRounds, row: int) -> list[tuple[str, int, int]]:
    """Wheel, symbol and box of every turn of a wheel."""
    work = rounds.work[row]
    logs = [int(work[Work.SPUN + number]) for number in range(work[Work.SPINS])]
    return [(WHEELS[log // MOST_BOXES // SYMBOLS], log // MOST_BOXES % SYMBOLS, log % MOST_BOXES) for log in logs]


def _spun(round_: Round, need: Spin, spins: list[tuple[str, int, int]]) -> Spun:
    place = next(n for n, (wheel, _, box) in enumerate(spins) if wheel == need.wheel and need.box in (None, box + 1))
    _, symbol, box = spins.pop(place)
    weights = weights_of(round_.rules)[paytable_at(round_.rules, round_.state, need).name]
    names = [name for name, weight in weights.items() if weight]
    return Spun(names[symbol], box + 1 if need.box is None else None)
