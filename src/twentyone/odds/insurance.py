"""Insurance and even money on the first two cards: what they gain over declining, and what the chooser answers."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from twentyone.cards import SUITS, Card
from twentyone.errors import Refused
from twentyone.odds.classes import alike
from twentyone.odds.core import Core
from twentyone.odds.model import IntArray
from twentyone.odds.payoffs import UNSEEN
from twentyone.odds.phase_values import PhaseValues
from twentyone.odds.states import HandState
from twentyone.rulebook import clauses as c

__all__ = ["Insured", "chance_of", "gains", "insured", "offered"]


@dataclass(frozen=True)
class Insured:
    """What insurance and even money add to a round under the strategy analysed."""

    value: Any
    """To the expected net result."""
    square: Any
    """To its expected square."""
    taken: Any
    """How often one of them is taken."""


def insured(core: Core) -> Insured:
    """Ask for insurance on every first hand against every up card for which it is offered."""
    total = Insured(core.one * 0, core.one * 0, core.one * 0)
    for ranges, phase in core.first.items():
        dealt = core.dealt(ranges)
        for s, state in enumerate(phase.group.states):
            for up in offered(core) if dealt[s] != 0 else ():
                total = _add(core, total, dealt[s], state, phase, s, up)
    return total


def offered(core: Core) -> list[int]:
    """The classes of up cards against which insurance is offered."""
    rules, ups = core.tables.rules, []
    for up, ranks in enumerate(core.tables.classes.ranks):
        asked = [rules.insurable(Card(rank + SUITS[0])) for rank in ranks]
        alike(asked, "insurance", rules.rulebook.decide_cite)
        if asked[0]:
            ups.append(up)
    return ups


def _add(core: Core, total: Insured, dealt: Any, state: HandState, phase: PhaseValues, s: int, up: int) -> Insured:
    group = phase.group
    wins, loses, won, lost = _wager(core, group.hands.counts[state.hand], up)
    name = core.tables.classes.names[up]
    played, against = _without(core, phase, s, up)
    worth = gains(core, phase, s, up)
    chance = wins + loses
    answer = core.game.chooser.insures(group, state, name, worth)
    if answer == "decline":
        return total
    gain = worth[answer]
    square = 2 * (against * won - played * lost) + wins * won * won + loses * lost * lost
    if answer == "even_money":
        even = _even(core, state, phase)
        square = chance * even * even - _square(core, phase, s, up)
    return Insured(total.value + dealt * gain, total.square + dealt * square, total.taken + dealt * chance)


def gains(core: Core, phase: PhaseValues, s: int, up: int) -> dict[str, Any]:
    """What each answer gains over declining, joint with the up card."""
    state = phase.group.states[s]
    wins, loses, won, lost = _wager(core, phase.group.hands.counts[state.hand], up)
    worth = {"insure": wins * won - loses * lost}
    facts = core.tables.rules.hand(core.tables.classes.cards(phase.group.hands.counts[state.hand]))
    if core.tables.rules.refusal("even_money", facts) is None:
        played, against = _without(core, phase, s, up)
        worth["even_money"] = (wins + loses) * _even(core, state, phase) - played - against
    return worth


def chance_of(core: Core, phase: PhaseValues, s: int, up: int) -> Any:
    """The chance of the up card beside the cards of a hand."""
    wins, loses, _, _ = _wager(core, phase.group.hands.counts[phase.group.states[s].hand], up)
    return wins + loses


def _even(core: Core, state: HandState, phase: PhaseValues) -> Any:
    """What even money pays on a Blackjack."""
    facts = core.tables.rules.hand(core.tables.classes.cards(phase.group.hands.counts[state.hand]))
    pay = core.tables.rules.pay("even_money", facts, UNSEEN).odds
    return core.tables.number(Fraction(pay.win, pay.lay))


def _wager(core: Core, counts: IntArray, up: int) -> tuple[Any, Any, Any, Any]:
    """The chances, joint with the up card, that insurance wins and loses; and what it wins and loses."""
    tables = core.tables
    decision = tables.rules.decisions["insure"]
    wins_on = [[tables.rules.insurance_wins(Card(rank + SUITS[0])) for rank in ranks] for ranks in tables.classes.ranks]
    for wanted in wins_on:
        alike(wanted, "insurance", decision.cite)
    good = np.array([wanted[0] for wanted in wins_on])
    left = (tables.shoe - counts) * core.one
    first = left[up] / left.sum()
    rest = left.copy()
    rest[up] -= 1
    wins = first * rest[good].sum() / rest.sum()
    odds = tables.rules.pay("insurance", UNSEEN, UNSEEN).odds
    share = tables.number(tables.rules.one(c.InsuranceLimit).share)
    return wins, first - wins, share * tables.number(Fraction(odds.win, odds.lay)), share


def _without(core: Core, phase: PhaseValues, s: int, up: int) -> tuple[Any, Any]:
    """The joint value of the hand without insurance where the dealer has no Blackjack, and where he has one."""
    state = phase.group.states[s]
    rows, column = core.game.rows, core.game.blackjack
    name = core.tables.classes.names[up]
    mine = [k for k, condition in enumerate(core.tables.conditions) if condition.up == name]
    if any(not core.tables.read[k] for k in mine) and core.tables.rules.decisions.get("even_money") is not None:
        raise Refused("even money without a reader is not represented", core.tables.rules.decisions["even_money"].cite)
    blackjack = phase.group.hands.total[state.hand] == core.tables.rules.limit
    played = against = core.one * 0
    for k in mine:
        row = rows[core.blackjack_rows[k] if blackjack else phase.group.pays.played[0, state.hand]]
        played += (phase.held.dealer[state.hand, k] * row).sum() if blackjack else phase.best[s, k]
        against += phase.seen[state.hand, k] * row[column]
        if not blackjack:
            saved = phase.seen[state.hand, k] * (rows[phase.when_read(s)[k], column] - row[column])
            played, against = played - saved, against + saved
        if not core.tables.read[k]:
            lost = phase.held.dealer[state.hand, k, column] * row[column]
            played, against = played - lost, against + lost
    return played, against


def _square(core: Core, phase: PhaseValues, s: int, up: int) -> Any:
    """The joint expected square of a Blackjack's result without even money."""
    state, rows = phase.group.states[s], core.game.rows
    total = core.one * 0
    for k, condition in enumerate(core.tables.conditions):
        if condition.up == core.tables.classes.names[up]:
            row = rows[core.blackjack_rows[k]]
            total += (phase.held.dealer[state.hand, k] * row * row).sum()
            total += phase.seen[state.hand, k] * row[core.game.blackjack] ** 2
    return total
