"""What a player's box is worth as the round stands: its hands together, and what is asked beside the turn."""

from __future__ import annotations

from dataclasses import dataclass

from twentyone.cards import Card
from twentyone.odds.left_values import Waiting
from twentyone.review.hand_values import HandValues, dollars_of
from twentyone.round import events as e
from twentyone.round.effects import Case, alternatives, carry_out
from twentyone.round.events import HandRef
from twentyone.round.irregularities import remedy
from twentyone.round.play import Play
from twentyone.round.state import Hand, HandWager
from twentyone.round.turns import current_hand

__all__ = ["Position", "dollars_of"]

Owned = tuple[HandRef, Hand, HandWager]
"""A hand of a box with the player's open chips on it."""


@dataclass(frozen=True)
class Position(HandValues):
    """A round as it stands, and what the boxes of a player are worth."""

    def owned(self, box: int, player: str) -> list[Owned]:
        """The hands of a box on which a player has chips that are not settled; those of a dead hand go back."""
        return [
            (HandRef(box, number), hand, wager)
            for number, hand in enumerate(self.state.hands[box], 1)
            for wager in hand.wagers
            if wager.player == player and not wager.settled and hand.status != "dead"
        ]

    def box_value(self, box: int, player: str) -> float:
        """What the hands of a box are worth, every decision the best, in dollars; insurance left out."""
        mine = self.owned(box, player)
        if not mine or self.state.void or self.state.over:
            return 0.0
        if self.final is not None:
            return float(sum(self.final @ self.nets(ref, wager) for ref, _, wager in mine))
        best = sum(max(self.box_values(box, player, k).values()) for k in self.conditions)
        ref, _, wager = mine[0]
        return (best + self.beaten(ref, wager)) / self.chance

    def box_values(self, box: int, player: str, condition: int) -> dict[str, float]:
        """Each decision that the hand in play may take, joint with a condition: what the whole box is then worth."""
        if asked := self._asked(box, player):
            return {name: self._then(events, box, player, condition) for name, events in asked.items()}
        if self.state.held is not None and (asked := self._exposed(box, player)):
            free = self._unasked
            return {name: free._then(events, box, player, condition) for name, events in asked.items()}
        return self._played(box, player, condition)

    # -- the hand in play

    def _played(self, box: int, player: str, condition: int) -> dict[str, float]:
        mine = self.owned(box, player)
        playing = next(((ref, hand) for ref, hand, wager in mine if self._in_play(hand, wager)), None)
        rest = sum(
            self.stood(ref, wager, condition)
            for ref, hand, wager in mine
            if not self._waits(hand) and not self._in_play(hand, wager)
        )
        waits = self._split(self.waiting(box, player), mine, condition)
        if playing is None:
            return {"stand": rest + waits}
        ref, hand = playing
        values = {name: rest + waits + value for name, value in self.hand_values(ref, player, condition).items()}
        if self._may_split(ref, hand):
            original = self.wager(ref, player).wager == "main"
            values["split"] = rest + self._split(self.waiting(box, player, hand.cards, original), mine, condition)
        return values

    def _in_play(self, hand: Hand, wager: HandWager) -> bool:
        return len(hand.cards) > 1 and self.is_played(hand, wager)

    def _waits(self, hand: Hand) -> bool:
        """Whether a hand out of a split waits for its second card."""
        return len(hand.cards) == 1 and hand.status in ("open", "waiting") and not self.draws_no_more(hand)

    def waiting(self, box: int, player: str, more: tuple[Card, ...] = (), original: bool = False) -> Waiting:
        """A player's hands that wait for their second card; `more`: the cards of a hand that is split now."""
        hands = self.state.hands[box]
        mine = [(hand, wager) for _, hand, wager in self.owned(box, player) if self._waits(hand)]
        first = mine[0][1].wager == "main" if mine else False
        cards = (*more, *(hand.cards[0] for hand, _ in mine))
        if not cards:
            return Waiting((), 0, False)
        start = self.shoes.tables.classes.index(cards[0].rank)
        others = len(hands) - len(mine) - bool(more)
        return Waiting(cards, self.shoes.tables.most_hands(start) - others, original or (not more and first))

    def _split(self, waiting: Waiting, mine: list[Owned], condition: int) -> float:
        amount = mine[0][2].amount if mine else None
        return self.unseen.split(waiting, amount, condition) * dollars_of(amount) if amount is not None else 0.0

    def _may_split(self, ref: HandRef, hand: Hand) -> bool:
        facts = self.play.facts(ref)
        if len(hand.cards) != 2 or hand.doubled or hand.due or facts.blackjack or self.draws_no_more(hand):
            return False
        return self.rules.refusal("split", facts) is None

    # -- what is asked beside the turn, and a card that lies exposed

    def _then(self, events: tuple[e.Event, ...], box: int, player: str, condition: int) -> float:
        """What the box is worth once a choice is made, what it undid of the settlements counted in."""
        then = self.after(*events)
        undone = self._settled(player) - then._settled(player)
        return max(then.box_values(box, player, condition).values()) - undone * self.unseen.against(condition).chance

    def _settled(self, player: str) -> float:
        return sum(dollars_of(row.net) for row in self.state.rows if row.player == player)

    def _asked(self, box: int, player: str) -> dict[str, tuple[e.Event, ...]]:
        """What a player may answer about a box: to follow a double or a split, to take a card that was missed."""
        ask = self.state.ask
        if ask is None or (box, player) not in ask.players:
            return {}
        ref = HandRef(box, ask.hand or 1)
        taken = e.DecisionTaken("", *ref, player, ask.offer)
        if ask.offer == "double":
            taken = e.DecisionTaken("", *ref, player, "double", self.wager(ref, player).amount)
            return {"double": (taken,), "decline": (e.Declined("", "double", box, player),)}
        if ask.offer == "split":
            stays = {f"designate {n}": (e.DecisionTaken("", *ref, player, "designate", None, n),) for n in (1, 2)}
            return {"split": (e.DecisionTaken("", *ref, player, "split", self.wager(ref, player).amount),), **stays}
        if ask.offer == "late_card":
            return {"late_card": (taken,), "call_dead": self._answered(ref, "call_dead")}
        if ask.offer == "exposed_card":
            accepted = e.DecisionTaken("", *ref, player, "accept")
            return {"accept": (accepted, *self._dealt(ref)), "refuse": self._refused(ref)}
        return {}

    @property
    def _unasked(self) -> Position:
        """The round with nobody asked beside the turn: another's answer has no part in what a decision does."""
        state = self.state.copy()
        state.ask = None
        return Position(self.shoes, self.before, state, self.kept)

    def _exposed(self, box: int, player: str) -> dict[str, tuple[e.Event, ...]]:
        """What each choice leads to while the next card lies exposed; nothing where it comes to another box."""
        ref = current_hand(self.play)
        if ref is None or ref.box != box or all(ref != other for other, _, _ in self.owned(box, player)):
            return {}
        hand = self.state.hand(ref)
        if hand.due or len(hand.cards) < 2:
            return {"stand": self._dealt(ref)}
        closed = e.HandClosed("", *ref, 0)
        known = {"stand": (closed,), "refuse": self._refused(ref)}
        for name in self._names(ref, player):
            known[name] = self._said(ref, player, name)
        return known

    def _names(self, ref: HandRef, player: str) -> list[str]:
        """What else a hand may decide."""
        names = {name for k in self.conditions for name in self.hand_values(ref, player, k)}
        return sorted({*names, *(["split"] if self._may_split(ref, self.state.hand(ref)) else [])} - {"stand"})

    def _said(self, ref: HandRef, player: str, name: str) -> tuple[e.Event, ...]:
        wager = self.wager(ref, player)
        amount = self.rules.chance_wager(wager.amount, wager.double) if name == "second_chance" else wager.amount
        taken = e.DecisionTaken("", *ref, player, name, amount)
        return (taken,) if name in ("surrender", "rescue") else (taken, *self._dealt(ref))

    def _dealt(self, ref: HandRef) -> tuple[e.Event, ...]:
        """The exposed card comes to a hand."""
        assert self.state.held is not None
        return (e.CardDealt("", self.state.held, *ref, False),)

    def _refused(self, ref: HandRef) -> tuple[e.Event, ...]:
        """Its player refuses it, and draws no more."""
        play = Play(self.rules, self.state.copy())
        clause = self.rules.irregularities["drawn_in_error_refused"]
        carry_out(play, Case(clause, hand=ref), alternatives(clause)["refuse"])
        return *play.events, e.HandClosed("", *ref, 0)

    def _answered(self, ref: HandRef, answer: str) -> tuple[e.Event, ...]:
        """What an answer to an irregularity has follow for a hand."""
        play = Play(self.rules, self.state.copy())
        clause, words = remedy(play, answer)
        carry_out(play, Case(clause, hand=ref), words)
        return tuple(play.events)
