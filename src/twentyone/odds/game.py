"""What a game's rules say of the dealer's hand: final hands, conditions, and what cannot be represented."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cached_property

from twentyone.cards import SUITS, Card
from twentyone.errors import Refused
from twentyone.odds.classes import Classes, alike
from twentyone.odds.dealer import Finals, finals_of
from twentyone.odds.model import Condition
from twentyone.odds.payoffs import Payoffs
from twentyone.rulebook import HandPattern, Rules
from twentyone.rulebook import clauses as c
from twentyone.strategy import hole_told

__all__ = ["Game"]


class Game:
    """A game's cards, the dealer's final hands, and what players know of them."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.classes = Classes.of(rules)
        self.finals: Finals = finals_of(rules, self.classes, self.told())
        self.payoffs = Payoffs(rules, self.finals.kinds)
        self._check()

    # -- what is known of the dealer's hand

    def told(self) -> Callable[[int, int], Condition]:
        """What the players know when cards of two classes are the dealer's first and second."""
        rules, classes = self.rules, self.classes
        announced = next((step for step in rules.steps if step.name == "announce_range"), None)
        if announced is None:
            return lambda up, _: Condition(classes.names[up])
        for ranks in classes.ranks:
            alike((rules.ranges[rank].name for rank in ranks), "a value range", announced.cite)
        cards = [Card(ranks[0] + SUITS[0]) for ranks in classes.ranks]
        return lambda up, hole: Condition(classes.names[up], hole_told(rules, cards[up], cards[hole]))

    @property
    def conditions(self) -> tuple[Condition, ...]:
        """What a player can know of the dealer's hand."""
        return self.finals.conditions

    def ranks_up(self, condition: Condition) -> tuple[str, ...]:
        """The ranks of a condition's up card."""
        return self.classes.ranks[self.classes.names.index(condition.up)]

    def up_card(self, condition: Condition) -> Card:
        """A card that may be a condition's up card."""
        return Card(self.ranks_up(condition)[0] + SUITS[0])

    @cached_property
    def read(self) -> tuple[bool, ...]:
        """For each condition, whether a dealer's Blackjack would have ended the round before the players decide."""
        return tuple(self._is_read(condition) for condition in self.conditions)

    @cached_property
    def idle(self) -> tuple[bool, ...]:
        """For each condition, whether it is only met with a Blackjack that was read: nothing is ever decided on it."""
        size = range(len(self.classes.low))
        pairs = [(up, hole) for up in size for hole in size]
        played = {
            int(self.finals.told[pair])
            for pair in pairs
            if not self.rules.is_blackjack(self.classes.cards([pair.count(i) for i in size]))
        }
        return tuple(read and k not in played for k, read in enumerate(self.read))

    @cached_property
    def early(self) -> tuple[bool, ...]:
        """For each condition, whether surrender is offered before the hole card is read, and so not on the turn."""
        before = self.rules.surrender_before_reader
        return tuple(any(before(Card(rank + SUITS[0])) for rank in self.ranks_up(told)) for told in self.conditions)

    @cached_property
    def always_read(self) -> bool:
        """Whether no dealer's Blackjack is left to be found after the players have decided."""
        ace, ten = self.classes.index("A"), self.classes.low.index(self.rules.one(c.Blackjack).value)
        return all(self.read[self.finals.told[pair]] for pair in ((ace, ten), (ten, ace)))

    def _is_read(self, condition: Condition) -> bool:
        ups = [Card(rank + SUITS[0]) for rank in self.ranks_up(condition)]
        steps = "read_hole", "announce_range"
        read = [any(self.rules.step_against(name, up) is not None for name in steps) for up in ups]
        alike(read, "the reader", self.rules.rulebook.decide_cite)
        return read[0] and self.rules.maybe(c.BlackjackEnds) is not None

    # -- what cannot be represented

    def _check(self) -> None:
        rules = self.rules
        decisions: list[c.MayNot | c.Decision] = [*rules.may_nots, *rules.decisions.values()]
        for clause in decisions:
            if clause.name != "split" and (clause.hands is not None or clause.hands_key is not None):
                raise Refused(f"{clause.name} by the number of hands is not represented", clause.cite)
        rows: list[c.Outcome | c.Pay] = [*rules.all(c.Outcome), *rules.all(c.Pay)]
        for row in rows:
            pattern = row.dealer
            if (
                pattern.ranks
                or pattern.suits
                or pattern.ranges
                or (pattern.cards or 2) > 2
                or (pattern.cards_over or 2) > 2
            ):
                raise Refused("a row by the dealer's very cards is not represented", row.cite)

    def patterns(self) -> Iterable[tuple[HandPattern, str]]:
        """How rows describe a player's hand, and where they stand."""
        for outcome in self.rules.all(c.Outcome):
            yield outcome.player, outcome.cite
        for pay in self.rules.all(c.Pay):
            yield pay.hand, pay.cite
