"""A game valued by dealing every round there is from a small shoe: `round` plays, the analysis only decides."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import numpy as np

from twentyone.cards import SUITS, Card
from twentyone.odds.core import Core
from twentyone.odds.kernels import DECISIONS
from twentyone.odds.model import Condition
from twentyone.odds.phase_values import PhaseValues
from twentyone.round import Round
from twentyone.round.commands import Draw, Offer, Over
from twentyone.round.events import HoleCardExposed, RangeAnnounced

__all__ = ["results_by_rounds", "value_by_analysis", "value_by_rounds"]

WAGER = 100
THOUSANDTHS = WAGER * 1000

Answer = Callable[[Round, Offer], str]
"""Who answers an offer."""


class _Follower:
    """Answers as the analysis decided."""

    def __init__(self, core: Core) -> None:
        self.core = core
        self.tables = core.tables

    def answer(self, play: Round, need: Offer) -> str:
        if need.kind == "insurance":
            return "decline"
        option = need.options[0]
        hands = play.state.hands[option.box]
        number = option.hand or 1
        hand = hands[number - 1]
        phase = self._phase(hand, number)
        k = self._condition(play)
        at = self._hand(phase, hand.cards)
        if need.kind == "surrender":
            return "surrender" if self._turn(phase, hand.cards, at, k) == "surrender" else "decline"
        if need.kind in ("rescue", "second_chance"):
            return need.kind if phase.solution.plan.offer[int(hand.doubled), at, k] else "decline"
        may = {option.action for option in need.options}
        if hand.split and "split" in may:
            start = self.tables.classes.index(hand.cards[0].rank)
            if self.core.splits[start].again[k]:
                return "split"
        wanted = self._turn(phase, hand.cards, at, k)
        assert wanted in may, (wanted, may, hand.cards)
        return wanted

    def _phase(self, hand: object, number: int) -> PhaseValues:
        cards = hand.cards  # type: ignore[attr-defined]
        if hand.split:  # type: ignore[attr-defined]
            return self.core.splits[self.tables.classes.index(cards[0].rank)].phases[number == 1]
        ranges = self.tables.rules.ranges_of(cards[:2]) if self.tables.ranged else ()
        return self.core.first.get(ranges, self.core.first[()])

    def _hand(self, phase: PhaseValues, cards: tuple[Card, ...]) -> int:
        where = [self.tables.classes.index(card.rank) for card in cards]
        return phase.group.find(np.array([where.count(i) for i in range(len(self.tables.shoe))]))

    def _turn(self, phase: PhaseValues, cards: tuple[Card, ...], at: int, k: int) -> str:
        if len(cards) > 2:
            return DECISIONS[phase.solution.plan.turn[at, k]]
        suits = {card.suit for card in cards}
        found = [s for s, state in enumerate(phase.group.states) if state.hand == at]
        suited = [s for s in found if len(suits) == 1 and suits <= set(phase.group.states[s].suits)]
        mixed = [s for s in found if not phase.group.states[s].suits]
        return DECISIONS[phase.turns[(suited or mixed)[0], k]]

    def _condition(self, play: Round) -> int:
        names = self.tables.classes.names
        hole = ""
        for event in play.events:
            if isinstance(event, RangeAnnounced):
                hole = event.range
            if isinstance(event, HoleCardExposed):
                hole = "=" + names[self.tables.classes.index(event.card.rank)]
        up = names[self.tables.classes.index(play.state.dealer[0].rank)]
        return self.tables.conditions.index(Condition(up, hole))


def value_by_rounds(core: Core, dealt: tuple[Card, ...] = (), answer: Answer | None = None) -> Fraction:
    """The expected net result of a round in wagers over every order of the cards; `dealt` come first, in this order."""
    results = results_by_rounds(core, dealt, answer)
    return sum((net * chance for net, chance in results.items()), Fraction(0))


def results_by_rounds(
    core: Core, dealt: tuple[Card, ...] = (), answer: Answer | None = None
) -> dict[Fraction, Fraction]:
    """Every net result of a round in wagers, and its probability."""
    deck = _deck(core)
    play = Round.start(core.tables.rules, [{"box": 1, "player": "Ann", "main": str(WAGER)}])
    for card in dealt:
        deck[card] -= 1
        play = play.apply(card)
    results: dict[Fraction, Fraction] = {}
    _deal(play, deck, answer or _Follower(core).answer, Fraction(1), results)
    return results


def _deck(core: Core) -> dict[Card, int]:
    """The shoe: one card stands for all of its value class, but suits are kept where they may count."""
    classes = core.tables.classes
    special = {i for counts in core.tables.special for i, many in enumerate(counts) if many}
    deck: dict[Card, int] = {}
    for i, count in enumerate(core.tables.shoe):
        suits = SUITS if i in special else SUITS[:1]
        for suit in suits if count else ():
            deck[Card(classes.ranks[i][-1] + suit)] = int(count) // len(suits)
    return deck


def value_by_analysis(core: Core, dealt: tuple[Card, ...]) -> float:
    """What the analysis says a round is worth after the player's first card, the up card and his second card."""
    follower, tables = _Follower(core), core.tables
    cards = dealt[0], dealt[2]
    phase = core.first.get(tables.rules.ranges_of(cards) if tables.ranged else (), core.first[()])
    at = follower._hand(phase, cards)
    suits = {card.suit for card in cards}
    found = [s for s, state in enumerate(phase.group.states) if state.hand == at]
    suited = [s for s in found if len(suits) == 1 and suits <= set(phase.group.states[s].suits)]
    s = (suited or [s for s in found if not phase.group.states[s].suits])[0]
    up = tables.classes.names[tables.classes.index(dealt[1].rank)]
    mine = [k for k, condition in enumerate(tables.conditions) if condition.up == up]
    row = core.game.rows[phase.group.pays.played[0, at]]
    lost = phase.seen[at, mine].sum() * row[core.game.blackjack]
    return float((phase.best[s, mine].sum() + lost) / (phase.held.dealer[at, mine].sum() + phase.seen[at, mine].sum()))


def _deal(
    play: Round, deck: dict[Card, int], answer: Answer, chance: Fraction, results: dict[Fraction, Fraction]
) -> None:
    need = play.next
    if isinstance(need, Over):
        net = Fraction(int(sum(row.net for row in play.state.rows if row.wager != "super_bonus")), THOUSANDTHS)
        results[net] = results.get(net, Fraction(0)) + chance
    elif isinstance(need, Offer):
        _deal(play.apply(answer(play, need)), deck, answer, chance, results)
    else:
        assert isinstance(need, Draw), need
        whole = sum(deck.values())
        assert whole, "the shoe is too small for this game: it ran out"
        for card, many in deck.items():
            if many:
                _deal(play.apply(card), {**deck, card: many - 1}, answer, chance * many / whole, results)
