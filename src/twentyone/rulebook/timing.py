"""When something happens: what the dealer's cards call for, what is settled at once, and what waits."""

from __future__ import annotations

from functools import cached_property
from typing import TypeVar

from twentyone.cards import Card
from twentyone.errors import RulebookError
from twentyone.law import carries
from twentyone.rulebook import clauses as c
from twentyone.rulebook.charlie import charlie_of
from twentyone.rulebook.patterns import HandFacts
from twentyone.rulebook.totals import HandTotals

__all__ = ["Timing", "speaks_of"]

A = TypeVar("A", c.Step, c.SurrenderSettled, c.PayBlackjack)


def speaks_of(clause: c.Step | c.SurrenderSettled | c.PayBlackjack, up: Card) -> bool:
    """Whether a clause speaks of this up card; one that names none speaks of any."""
    return not clause.if_up or up.rank in clause.if_up


class Timing(HandTotals):
    """What is done when, by the dealer's cards."""

    # -- steps

    def has_step(self, name: str) -> bool:
        """Whether a round of this game has the step."""
        return any(step.name == name for step in self.steps)

    def step_against(self, name: str, up: Card) -> c.Step | None:
        """The step of this name, where this up card calls for it."""
        return self._against(tuple(step for step in self.steps if step.name == name), up)

    def insurable(self, up: Card) -> bool:
        """Whether insurance is offered against this up card."""
        return self.step_against("offer_insurance", up) is not None

    def surrender_before_reader(self, up: Card) -> bool:
        """Whether surrender is offered before the hole card is read, and so not on the turn."""
        return self.step_against("offer_surrender", up) is not None

    def hole_card_read(self, up: Card) -> bool:
        """Whether this up card gives cause to read the hole card."""
        return self.step_against("read_hole", up) is not None

    @carries("expose")
    def hole_card_exposed(self, up: Card, hole: Card) -> c.Expose | None:
        """The clause by which the hole card is shown to the players before they act, where it is."""
        expose = self._expose
        if expose is None or not expose.range == self.ranges[hole.rank].name == self.ranges[up.rank].name:
            return None
        return expose

    @cached_property
    def _expose(self) -> c.Expose | None:
        return self.maybe(c.Expose)

    def blackjack_ends(self, up: Card, hole: Card) -> bool:
        """Whether these two cards of the dealer's are a Blackjack that the players learn of before they act."""
        known = self.hole_card_read(up) or self.hole_card_exposed(up, hole) is not None
        return known and self.is_blackjack((up, hole)) and self.maybe(c.BlackjackEnds) is not None

    # -- surrender and Blackjack

    @carries("surrender_settled")
    def surrender_settled(self, up: Card) -> c.SurrenderSettled:
        """When a surrender against this up card is settled."""
        clause = self._against(self.all(c.SurrenderSettled), up)
        if clause is None:
            raise RulebookError(self.rulebook.id, f"nothing says when a surrender against {up} is settled")
        return clause

    def surrender_waits(self, up: Card) -> bool:
        """Whether a surrender waits for the dealer's second card, and is lost whole to his Blackjack."""
        return "surrender" in self.decisions and self.surrender_settled(up).at == "reveal"

    @carries("pay_blackjack")
    def blackjack_settled(self, up: Card) -> c.PayBlackjack | None:
        """When a player's Blackjack is paid against this up card, where the text says it."""
        return self._against(self.all(c.PayBlackjack), up)

    def blackjack_paid_on_turn(self, up: Card) -> bool:
        """Whether a player's Blackjack is paid when his turn comes, and waits for no card of the dealer's."""
        clause = self.blackjack_settled(up)
        return clause is not None and clause.at == "turn"

    def _against(self, clauses: tuple[A, ...], up: Card) -> A | None:
        fitting = [clause for clause in clauses if speaks_of(clause, up)]
        if len(fitting) > 1:
            paragraphs = ", ".join(clause.paragraph for clause in fitting)
            raise RulebookError(paragraphs, f"{len(fitting)} clauses {fitting[0].key} speak of {up} as the up card")
        return fitting[0] if fitting else None

    # -- hands that are settled before the dealer's

    @carries("paid_at_once")
    def paid_at_once(self, hand: HandFacts, chance: bool = False, at: str = "") -> bool:
        """Whether a hand that draws no more is paid before the dealer plays; `chance`: it took a second chance.

        `at` asks for one moment: in its `turn`, or once all `players` have their cards.
        """
        if chance:
            return False
        if charlie_of(self, hand) is not None:
            return at in ("", "turn")
        clause = self._paid_at_once
        return clause is not None and at in ("", clause.at) and hand.points == clause.total

    @cached_property
    def _paid_at_once(self) -> c.PaidAtOnce | None:
        return self.maybe(c.PaidAtOnce)
