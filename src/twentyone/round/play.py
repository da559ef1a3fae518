"""One application of a command: the rules, a copy of the state, and the events it leads to."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from twentyone.cards import Card
from twentyone.money import Amount
from twentyone.round import events as e
from twentyone.round.events import HandRef
from twentyone.round.evolve import evolve
from twentyone.round.state import Hand, HandWager, State
from twentyone.rulebook import HandFacts, Rules
from twentyone.rulebook.clauses import DecisionCards, Step
from twentyone.rulebook.decisions import Refusal

__all__ = ["UNSEEN", "Play", "Speaker", "due_cards", "lies_sideways"]

UNSEEN = HandFacts((), 0)
"""The dealer's hand as far as a payment before its reveal may know it."""


class Speaker(NamedTuple):
    """Who is asked about which hand."""

    hand: HandRef
    player: str

    @property
    def box(self) -> int:
        """The box of the hand."""
        return self.hand.box


class Play:
    """The working copy of a round while one command is applied."""

    __slots__ = ("events", "rules", "state")

    def __init__(self, rules: Rules, state: State) -> None:
        self.rules = rules
        self.state = state
        self.events: list[e.Event] = []

    def emit(self, event: e.Event) -> None:
        """Record an event and let it change the state."""
        evolve(self.state, event)
        self.events.append(event)

    # -- the procedure

    @property
    def step(self) -> Step:
        """The step in progress."""
        return self.rules.steps[self.state.step]

    def cite_of(self, step: str) -> str:
        """The paragraph of a step of this game; empty where the game has no such step."""
        for clause in self.rules.steps:
            if clause.name == step:
                return clause.cite
        return ""

    # -- hands

    @property
    def up(self) -> Card:
        """The dealer's up card."""
        return self.state.dealer[0]

    def dealer(self) -> HandFacts:
        """What the rules see in the dealer's cards."""
        return self.rules.dealer_hand(self.state.dealer)

    def dealer_blackjack(self) -> bool:
        """Whether the dealer's cards, all face up, are a Blackjack."""
        return self.state.shown and self.rules.is_blackjack(self.state.dealer)

    def hand(self, ref: HandRef) -> Hand:
        """A hand of a box."""
        box, number = ref
        return self.state.hands[box][number - 1]

    def facts(self, ref: HandRef) -> HandFacts:
        """What the rules see in a hand; a second chance card is taken off its total."""
        box, number = ref
        hands = self.state.hands[box]
        hand = hands[number - 1]
        facts = self.rules.hand(hand.cards, hand.split, hand.doubled, len(hands))
        if hand.chance is None:
            return facts
        return self.rules.reduced(facts, self.rules.low_value_of(hand.chance))

    def each_hand(self, start: str = "left") -> Iterator[tuple[HandRef, Hand]]:
        """Every hand, box by box from the dealer's left or right."""
        boxes = self.state.boxes if start == "left" else self.state.boxes[::-1]
        for box in boxes:
            for index, hand in enumerate(self.state.hands[box]):
                yield HandRef(box, index + 1), hand

    def decision_cards(self, decision: str) -> DecisionCards:
        """How a card that a decision calls for is dealt."""
        rows = self.rules.all(DecisionCards)
        return next((row for row in rows if row.decision == decision), next(row for row in rows if not row.decision))

    def refused_cards(self, speaker: Speaker) -> Refusal | None:
        """Whether a player has refused a card and so draws no more this round."""
        if speaker.player not in self.state.refused:
            return None
        cite = self.rules.irregularities["drawn_in_error_refused"].cite
        return Refusal(f"{speaker.player} refused a card and draws no more this round", cite)

    def wager_of(self, speaker: Speaker) -> HandWager:
        """A player's chips on a hand."""
        for hand_wager in self.hand(speaker.hand).wagers:
            if hand_wager.player == speaker.player:
                return hand_wager
        raise KeyError(speaker)

    def others(self, speaker: Speaker) -> tuple[str, ...]:
        """The other players whose chips are still on a hand."""
        return tuple(
            hand_wager.player
            for hand_wager in self.hand(speaker.hand).wagers
            if hand_wager.player != speaker.player and not (hand_wager.settled or hand_wager.surrendered)
        )

    def original(self, box: int, player: str) -> Amount:
        """A player's original wager on a box."""
        for hand in self.state.hands[box]:
            for hand_wager in hand.wagers:
                if hand_wager.player == player and hand_wager.wager == "main":
                    return hand_wager.amount
        raise KeyError((box, player))


def lies_sideways(play: Play, box: int | None, number: int | None) -> bool:
    """Whether the card that is due to a hand is laid sideways: that of a double, where the text says so."""
    return box is not None and play.step.name == "decide" and due_cards(play, box, number).lies == "sideways"


def due_cards(play: Play, box: int, number: int | None) -> DecisionCards:
    """How the card is dealt that a decision made due to a hand: after a split the second of each."""
    hand = play.hand(HandRef(box, number or 1))
    parted = "split" if hand.split and len(hand.cards) < 2 else ""
    return play.decision_cards(hand.due or ("double" if hand.doubled else parted))
