"""Insurance and even money on the first two cards: what they gain over declining, and what the chooser answers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from twentyone.cards import SUITS, Card
from twentyone.errors import Refused
from twentyone.odds.classes import alike
from twentyone.odds.core import Core
from twentyone.odds.model import IntArray
from twentyone.odds.payoffs import UNSEEN
from twentyone.odds.phase_values import PhaseValues
from twentyone.rulebook import clauses as c

__all__ = ["Answered", "Insured", "answered", "chance_of", "gains", "insured", "offered", "wager"]


@dataclass(frozen=True)
class Insured:
    """What insurance and even money add to a round under the strategy analysed."""

    value: Any
    """To the expected net result."""
    taken: Any
    """How often one of them is taken."""


class Answered(NamedTuple):
    """A deal on which insurance or even money is taken."""

    phase: PhaseValues
    """Where the hand is played."""
    state: int
    """Its number there."""
    up: int
    """The class of the up card."""
    dealt: Any
    """The chance of the hand."""
    chance: Any
    """The chance of the up card beside it."""
    answer: str
    """`insure` or `even_money`."""
    gain: Any
    """What that gains, joint with the up card."""

    @property
    def even(self) -> Fraction:
        """What even money pays on a Blackjack."""
        tables, group = self.phase.game.tables, self.phase.group
        facts = tables.rules.hand(tables.classes.cards(group.hands.counts[group.states[self.state].hand]))
        pay = tables.rules.pay("even_money", facts, UNSEEN).odds
        return Fraction(pay.win, pay.lay)


def insured(core: Core) -> Insured:
    """What insurance comes to on every first hand against every up card for which it is offered."""
    value = often = core.one * 0
    for taken in answered(core):
        value, often = value + taken.dealt * taken.gain, often + taken.dealt * taken.chance
    return Insured(value, often)


def answered(core: Core) -> Iterator[Answered]:
    """Every deal on which the chooser takes insurance or even money."""
    for ranges, phase in core.first.items():
        dealt = core.dealt(ranges)
        for s, state in enumerate(phase.group.states):
            for up in offered(core) if dealt[s] != 0 else ():
                worth = gains(core, phase, s, up)
                name = core.tables.classes.names[up]
                answer = core.game.chooser.insures(phase.group, state, name, worth)
                if answer != "decline":
                    yield Answered(phase, s, up, dealt[s], chance_of(core, phase, s, up), answer, worth[answer])


def offered(core: Core) -> list[int]:
    """The classes of up cards against which insurance is offered."""
    rules, ups = core.tables.rules, []
    for up, ranks in enumerate(core.tables.classes.ranks):
        asked = [rules.insurable(Card(rank + SUITS[0])) for rank in ranks]
        alike(asked, "insurance", rules.rulebook.decide_cite)
        if asked[0]:
            ups.append(up)
    return ups


def gains(core: Core, phase: PhaseValues, s: int, up: int) -> dict[str, Any]:
    """What each answer gains over declining, joint with the up card."""
    state = phase.group.states[s]
    wins, loses = _chances(core, phase.group.hands.counts[state.hand], up)
    won, lost = (core.tables.number(x) for x in wager(core))
    worth = {"insure": wins * won - loses * lost}
    facts = core.tables.rules.hand(core.tables.classes.cards(phase.group.hands.counts[state.hand]))
    if core.tables.rules.refusal("even_money", facts) is None:
        played, against = _without(core, phase, s, up)
        even = core.tables.rules.pay("even_money", facts, UNSEEN).odds
        worth["even_money"] = (wins + loses) * core.tables.number(Fraction(even.win, even.lay)) - played - against
    return worth


def chance_of(core: Core, phase: PhaseValues, s: int, up: int) -> Any:
    """The chance of the up card beside the cards of a hand."""
    return sum(_chances(core, phase.group.hands.counts[phase.group.states[s].hand], up))


def wager(core: Core) -> tuple[Fraction, Fraction]:
    """What insurance wins and loses, in original wagers; nothing where there is none."""
    rules = core.tables.rules
    if not rules.decisions.get("insure"):
        return Fraction(0), Fraction(0)
    odds, share = rules.pay("insurance", UNSEEN, UNSEEN).odds, Fraction(rules.one(c.InsuranceLimit).share)
    return share * Fraction(odds.win, odds.lay), share


def _chances(core: Core, counts: IntArray, up: int) -> tuple[Any, Any]:
    """The chances, joint with the up card, that insurance wins and loses."""
    tables = core.tables
    wins_on = [[tables.rules.insurance_wins(Card(rank + SUITS[0])) for rank in ranks] for ranks in tables.classes.ranks]
    for wanted in wins_on:
        alike(wanted, "insurance", tables.rules.decisions["insure"].cite)
    good = np.array([wanted[0] for wanted in wins_on])
    left = (tables.shoe - counts) * core.one
    first = left[up] / left.sum()
    rest = left.copy()
    rest[up] -= 1
    wins = first * rest[good].sum() / rest.sum()
    return wins, first - wins


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
