"""A `Round` played by a `Strategy`: the situation is read off the round's own state."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from random import Random

from twentyone.cards import RANKS, SUITS, Card
from twentyone.round import Decision, Draw, Drawn, Offer, Option, Over, Round
from twentyone.round.events import HandRef
from twentyone.round.play import Play
from twentyone.rulebook import Rules
from twentyone.strategy import Situation, Strategy, situation, value_class

__all__ = ["asked", "fresh_shoe", "play_round", "play_strategy"]

PHASES = {"surrender": "early", "rescue": "doubled", "second_chance": "busted", "insurance": "insurance"}


def asked(round_: Round) -> tuple[Situation, Option]:
    """What the strategy is asked now, and about which hand."""
    offer, rules, state = round_.next, round_.rules, round_.state
    assert isinstance(offer, Offer)
    seat = offer.options[0]
    facts = Play(rules, state).facts(HandRef(seat.box, seat.hand or 1))
    mine = [option for option in offer.options if (option.box, option.hand) == (seat.box, seat.hand)]
    may = {option.action for option in mine} | ({"decline"} if offer.optional else set())
    phase = PHASES.get(offer.kind, "")
    up = value_class(rules, state.dealer[0])
    return situation(rules, facts, up, may, phase=phase, hole=_hole(round_)), seat


def _hole(round_: Round) -> str:
    """What the players know of the hole card."""
    state = round_.state
    if state.shown and len(state.dealer) > 1:
        return "=" + value_class(round_.rules, state.dealer[1])
    return state.range or ""


def play_round(round_: Round, cards: Iterable[Card], decide: Callable[[Situation], str]) -> Round:
    """Play a started round to its end: cards from an iterator, decisions from a function."""
    shoe = iter(cards)
    while not isinstance(round_.next, Over):
        if isinstance(round_.next, Draw):
            round_ = round_.apply(Drawn(next(shoe)))
        else:
            what, seat = asked(round_)
            choice = decide(what)
            assert choice in what.may, (choice, what)
            round_ = round_.apply(Decision(choice, seat.box, seat.player))
    return round_


def play_strategy(rules: Rules, strategy: Strategy, cards: Iterable[Card], wager: str = "10") -> Round:
    """One box, one player, the strategy's decisions."""
    start = Round.start(rules, [{"box": 1, "player": "Ann", "main": wager}])
    return play_round(start, cards, strategy.decide)


def fresh_shoe(rules: Rules, rng: Random) -> Iterator[Card]:
    """The cards of a freshly shuffled shoe."""
    ranks = [rank for rank in RANKS if rank not in rules.cards.without]
    cards = [Card(rank + suit) for rank in ranks for suit in SUITS] * int(rules.submission["decks"])
    rng.shuffle(cards)
    return iter(cards)
