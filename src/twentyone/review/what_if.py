"""What if: another choice at a decision of a round, with what it was worth, and the round played on from there.

Every later decision, of whomever, is the best one. Cards come in the order in which they came in the round; once they
are used up, others are drawn from those that nobody had seen, by a seed, so that the same question has one answer.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from typing import NamedTuple

from twentyone.cards import UNKNOWN, Card
from twentyone.errors import Refused
from twentyone.review.first_deal import Games
from twentyone.review.model import DecisionReview, PlayerReview
from twentyone.review.trace import Trace
from twentyone.round import Decision, Offer, Round
from twentyone.round.commands import Command, Draw, Drawn, ReaderReport, ReaderTold, Spin, Spun, TurnedUp, TurnUp
from twentyone.round.events import CardDealt, CardSetAside
from twentyone.round.retelling import Entered, begin_again, retold

__all__ = ["OtherEnd", "play_best", "what_ifs"]

AGAIN: Mapping[type, type] = {ReaderReport: ReaderTold, TurnUp: TurnedUp, Spin: Spun}
"""What a round may need beside cards and answers, and what brings it: only what the round itself was brought."""
UNTOLD = {ReaderReport: "what the reader would tell", TurnUp: "the hole card", Spin: "where the wheel would stop"}
DESIGNATE = "designate"


class OtherEnd(NamedTuple):
    """How a round would have ended with another choice."""

    event: int
    """The event of the decision, counted from 1."""
    box: int
    """The box."""
    hand: int
    """Which hand of it."""
    choice: str
    """What was not chosen."""
    round: Round
    """The round with it, as far as it could be played."""
    net: str | None
    """What it would have brought the player; none where the round could not be played to its end."""
    strange: int
    """Cards that were drawn because those of the round were used up."""
    why: str = ""
    """What was not known, where it could not be played to its end."""


@dataclass
class _Cards:
    """The cards that come after a decision."""

    rest: list[Card]
    """Those that came in the round, in order."""
    others: list[Card]
    """Those that nobody had seen, in the order of a seed."""
    strange: int = 0
    """How many of the others were drawn."""

    def next(self) -> Drawn | None:
        """The next card; none where the shoe is empty."""
        if self.rest:
            return Drawn(self.rest.pop(0))
        self.strange += 1
        return Drawn(self.others.pop()) if self.others else None


@dataclass
class _Fork:
    """A round that is played on from a decision."""

    games: Games
    """Who values wagers."""
    before: Mapping[Card, int]
    """The cards in the shoe before the round."""
    round: Round
    """The round so far."""
    cards: _Cards
    """What comes."""
    again: dict[type, list[Command]] = field(default_factory=dict)
    """What else the round was brought later, by kind."""

    def play(self, decision: Decision | None = None) -> str:
        """Play on to the end, first a decision; what stands against it or is not known, where that cannot be."""
        try:
            command = decision or self._command()
            while command is not None:
                self.round = self.round.apply(command)
                if self.round.over:
                    return ""
                command = self._command()
        except Refused as refused:
            return str(refused)
        return f"{UNTOLD.get(type(self.round.next), 'what comes next')} is not known"

    def _command(self) -> Command | None:
        need = self.round.next
        if isinstance(need, Draw):
            return self.cards.next()
        if isinstance(need, Offer):
            return self._best(need)
        waiting = self.again.get(AGAIN.get(type(need), type(None)), [])
        return waiting.pop(0) if waiting else None

    def _best(self, offer: Offer) -> Decision:
        """The best answer of whoever is asked; the first one where nothing has a value."""
        option = offer.options[0]
        first = option.decision()
        state = self.round.state.copy()
        dealing = self.round.rules.steps[state.step].name == "deal"
        trace = Trace(option.player, self.games, self.before, state, dealing=dealing)
        trace.decide(offer, first)
        made = [step for step in trace.steps if isinstance(step, DecisionReview)]
        if not made:
            return Decision("decline", option.box, option.player) if offer.optional else first
        return _decision(offer, made[-1].values, option.player, option.box)


def _decision(offer: Offer, values: Mapping[str, float], player: str, box: int) -> Decision:
    best = max(values, key=lambda name: values[name])
    return _named(offer, best, player, box)


def _named(offer: Offer, choice: str, player: str, box: int) -> Decision:
    """The decision that a choice of a review names."""
    action, _, number = choice.partition(" ")
    if action == DESIGNATE:
        return Decision(action, box, player, None, int(number))
    for option in offer.options:
        if (option.action, option.player, option.box) == (action, player, box):
            return option.decision()
    return Decision(action, box, player)


def what_ifs(
    games: Games, round_: Round, review: PlayerReview, before: Mapping[Card, int], tell: Callable[[float], None]
) -> Iterator[OtherEnd]:
    """Every choice that a player did not make in a round, played on."""
    places = dict(_decided(round_, retold(round_)))
    steps = zip(review.at, review.steps, strict=True)
    decisions = [(at, step) for at, step in steps if isinstance(step, DecisionReview)]
    for done, (at, step) in enumerate(decisions):
        then, entry, later = places[at]
        assert isinstance(entry.need, Offer)
        for choice in step.values:
            if choice != step.chosen:
                decision = _named(entry.need, choice, review.player, step.box)
                fork = _fork(games, then, later, before, at)
                why = fork.play(decision)
                net = None if why else str(fork.round.net[review.player])
                yield OtherEnd(at, step.box, step.hand, choice, fork.round, net, fork.cards.strange, why)
        tell((done + 1) / len(decisions))


def play_best(games: Games, round_: Round, before: Mapping[Card, int], seed: int) -> Round:
    """A round played to its end by the best decisions, with cards drawn by a seed."""
    fork = _Fork(games, before, round_, _Cards([], _unseen(round_, [], before, seed)))
    why = fork.play()
    if why:
        raise Refused(why, round_.cite)
    return fork.round


def _decided(round_: Round, entries: Sequence[Entered]) -> Iterator[tuple[int, tuple[Round, Entered, list[Command]]]]:
    """The event of every decision, with the round before it, its entry, and what the round was brought later."""
    then = begin_again(round_)
    for number, entry in enumerate(entries):
        if isinstance(entry.command, Decision):
            yield len(then.events) + 1, (then, entry, [one.command for one in entries[number + 1 :]])
        then = then.apply(entry.command)


def _fork(games: Games, then: Round, later: list[Command], before: Mapping[Card, int], at: int) -> _Fork:
    rest = [command.card for command in later if isinstance(command, Drawn) and command.card is not UNKNOWN]
    return _Fork(games, before, then, _Cards(rest, _unseen(then, rest, before, at)), _brought(later))


def _brought(later: list[Command]) -> dict[type, list[Command]]:
    return {kind: [command for command in later if isinstance(command, kind)] for kind in AGAIN.values()}


def _unseen(then: Round, rest: list[Card], before: Mapping[Card, int], seed: int) -> list[Card]:
    """The cards that lie neither on the layout nor among those that came later, in the order of a seed."""
    left = Counter(dict(before))
    left.subtract(rest)
    left.subtract(event.card for event in then.events if isinstance(event, CardDealt | CardSetAside))
    names = sorted(card.name for card in left.elements() if card is not UNKNOWN)
    said = f"{seed} {' '.join(card.name for card in rest)}"
    order = sorted(enumerate(names), key=lambda one: sha256(f"{said} {one}".encode()).digest())
    return [Card(name) for _, name in order]
