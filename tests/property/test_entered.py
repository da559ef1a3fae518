"""Rounds whose cards a person enters: a hole card that nobody has seen, and an entry that is corrected."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given
from tests.property.chance import random_rules
from tests.property.simulate import Played, play_number, play_random
from tests.property.steady import chance, every_book, steady

from twentyone.cards import RANKS, SUITS, UNKNOWN, Card
from twentyone.errors import Refused
from twentyone.money import Amount
from twentyone.round import (
    Command,
    Corrected,
    Decision,
    Draw,
    Drawn,
    ReaderReport,
    ReaderTold,
    Round,
    Spin,
    Spun,
    TurnedUp,
    TurnUp,
    fold,
)
from twentyone.round import events as e
from twentyone.round.correcting import corrected
from twentyone.round.entry_events import EntryCorrected
from twentyone.round.retelling import named, retold, standing
from twentyone.rulebook import Rulebook
from twentyone.rulebook.wheels import weights_of
from twentyone.table.wheel import paytable_at

CITE = "58 Pa. Code § 635a.7(q)"


def _played(book: str, rng: Random, rate: float | None = None) -> Played:
    rules = random_rules(Rulebook.load(book), rng)
    return play_random(rules, rng) if rate is None else play_random(rules, rng, rate)


# -- a card that nobody has seen


def _answer(round_: Round, hole: Card) -> Command:
    """What the dealer reports of a hole card that he does not see, or turns up."""
    if isinstance(round_.next, TurnUp):
        return TurnedUp(hole)
    if round_.rules.ranges:
        return ReaderTold(range=round_.rules.ranges[hole.rank].name)
    return ReaderTold(blackjack=round_.rules.is_blackjack((round_.state.dealer[0], hole)))


def _unseen(played: Played) -> Round:
    """The same round with its hole card entered as unknown, and named when it is turned."""
    round_, hole = Round.start(played.rules, played.wagers, played.meters), UNKNOWN
    for number, command in enumerate(played.commands):
        dealt = played.rounds[number + 1].events[len(played.rounds[number].events)]
        need = round_.next
        if isinstance(need, Draw) and need.face_down and isinstance(dealt, e.CardDealt) and isinstance(command, Drawn):
            command, hole = replace(command, card=UNKNOWN), dealt.card
        round_ = round_.apply(command)
        while isinstance(round_.next, ReaderReport | TurnUp):
            round_ = round_.apply(_answer(round_, hole))
    return round_


@every_book
@steady(40)
@given(rng=chance)
def test_an_unseen_hole_card_changes_nothing_but_its_name(book: str, rng: Random) -> None:
    played = _played(book, rng)
    unseen = _unseen(played)
    assert _faces(unseen) == _faces(played.round)
    assert unseen.accounts == played.round.accounts
    assert fold(unseen.events) == unseen.state


def _faces(round_: Round) -> list[e.Event]:
    """What happened, with the cards that were seen in the end; a hole card that never was stays out."""
    seen = round_.state.shown
    return [
        replace(event, card=UNKNOWN) if isinstance(event, e.CardDealt) and event.face_down and not seen else event
        for event in named(round_.events)
    ]


@every_book
@steady(20)
@given(rng=chance)
def test_nobody_is_told_an_unseen_card(book: str, rng: Random) -> None:
    played = _played(book, rng, 0)
    unseen = _unseen(played)
    for event in unseen.events:
        if isinstance(event, e.CardDealt) and event.face_down:
            assert event.card is UNKNOWN


# -- the record told again


@every_book
@steady(40)
@given(rng=chance)
def test_a_round_is_told_again_from_its_events(book: str, rng: Random) -> None:
    for round_ in _played(book, rng).rounds[::3]:
        again = retold(round_)
        assert len(again) <= len(round_.events)
    assert retold(_unseen(_played(book, rng, 0)))


# -- a correction


def _wrong_card(played: Played, rng: Random) -> tuple[int, Corrected] | None:
    """A card of the round that should have been another."""
    drawn = [n for n, command in enumerate(played.commands) if isinstance(command, Drawn) and not command.face_up]
    if not drawn:
        return None
    index = rng.choice(drawn)
    command = played.commands[index]
    assert isinstance(command, Drawn)
    earlier = [other for other in played.commands[:index] if getattr(other, "card", None) is command.card]
    right = rng.choice(RANKS) + rng.choice(SUITS)
    return index, Corrected(command.card.name, right, "misread", number=len(earlier) + 1)


@every_book
@steady(40)
@given(rng=chance)
def test_a_corrected_round_is_the_round_with_the_right_card(book: str, rng: Random) -> None:
    played = _played(book, rng, 0)
    found = _wrong_card(played, rng)
    if found is None or found[1].wrong == found[1].right:
        return
    index, correction = found
    try:
        after = corrected(played.round, correction, CITE)
    except Refused:
        return
    right = Drawn(Card(correction.right))
    straight = Round.start(played.rules, played.wagers, played.meters)
    for command in (*played.commands[:index], right, *played.commands[index + 1 :]):
        try:
            straight = straight.apply(command)
        except Refused:
            if not isinstance(command, Spun):
                assert isinstance(command, Decision), "nobody is asked on a hand that, as it was, could not draw"
                assert command.action == "stand"
    assert (after.state, after.next) == (straight.state, straight.next)
    assert standing(after.events) == straight.events
    assert after.events[: len(played.round.events)] == played.round.events, "the wrong entry stays in the record"
    assert isinstance(after.events[-1], EntryCorrected)
    assert fold(after.events) == after.state
    assert sum(after.accounts.values()) == 0


def test_a_corrected_spin_is_the_round_with_the_right_one() -> None:
    """Symbols and hot spots, jackpots among them: prizes, Community Pay and meters are those of the right entry."""
    rulebook, rng = Rulebook.load("md-spanish-21"), Random("spins")
    done: Counter[str] = Counter()
    for number in range(700):
        played = play_number(rulebook, number, 0)
        for index, command in enumerate(played.commands):
            if isinstance(command, Spun):
                done.update(_corrected_spin(played, index, command, rng))
    assert (done["symbol"] >= 10, done["jackpot"] >= 5, done["hot spot"] >= 1) == (True, True, True), done


def _corrected_spin(played: Played, index: int, command: Spun, rng: Random) -> list[str]:
    """Correct one spin of a round both ways; which kinds of correction were compared."""
    kinds = []
    for right in (replace(command, symbol=_other_symbol(played, index, rng)), _other_spot(played, index, command, rng)):
        kind = "symbol" if right.symbol != command.symbol else "hot spot"
        spots = "hot spot {}".format
        words = (command.symbol, right.symbol) if kind == "symbol" else (spots(command.hot_spot), spots(right.hot_spot))
        earlier = [other for other in played.commands[:index] if isinstance(other, Spun)]
        alike = sum(words[0] in (other.symbol, spots(other.hot_spot)) for other in earlier)
        if words[0] == words[1]:
            continue
        commands = [*played.commands[:index], right, *played.commands[index + 1 :]]
        after = corrected(played.round, Corrected(*words, "misread", number=alike + 1), CITE)
        straight = Round.start(played.rules, played.wagers, played.meters)
        for other in commands:
            straight = straight.apply(other)
        assert (after.state, after.next) == (straight.state, straight.next)
        assert fold(after.events) == after.state
        assert sum(after.accounts.values()) == 0
        assert _meters_followed(played, after) == dict(straight.state.meters)
        jackpots = any("jackpot" in word for word in words)
        kinds += [kind, "jackpot"] if jackpots else [kind]
    return kinds


def _other_symbol(played: Played, index: int, rng: Random) -> str:
    need = played.rounds[index].next
    assert isinstance(need, Spin)
    paytable = paytable_at(played.rules, played.rounds[index].state, need)
    names = list(weights_of(played.rules)[paytable.name])
    jackpots = [name for name in names if "jackpot" in name]
    if not played.meters:
        return rng.choice([name for name in names if name not in jackpots])
    return rng.choice(jackpots if rng.random() < 0.3 else names)


def _other_spot(played: Played, index: int, command: Spun, rng: Random) -> Spun:
    if command.hot_spot is None:
        return command
    waits = [side.box for side in played.rounds[index].state.sides if side.wager == "xtreme_16" and not side.settled]
    return replace(command, hot_spot=rng.choice(waits))


def _meters_followed(played: Played, after: Round) -> dict[str, Amount]:
    """What the meters show to whoever follows each jackpot and each that goes back, as a table does."""
    shown, stack = dict(played.rounds[0].state.meters), list[Amount]()
    for event in after.events:
        if isinstance(event, e.MeterReset):
            stack.append(shown[event.meter])
            shown[event.meter] = event.reset
        elif isinstance(event, e.MeterRestored):
            shown[event.meter] = stack.pop()
    return shown


def test_an_entry_that_was_never_made_is_not_corrected() -> None:
    round_ = Round.start(Rulebook.load("pa-spanish-21").under(), [{"box": 1, "player": "Ann", "main": "10"}])
    round_ = round_.apply("8S").apply("7H").apply("8S")
    for wrong, number, why in (("9S", None, "not entered"), ("8S", None, "2 times"), ("8S", 3, "not entered")):
        with pytest.raises(Refused, match=why):
            corrected(round_, Corrected(wrong, "4C", "misread", number=number), CITE)
    assert corrected(round_, Corrected("8S", "4C", "misread", number=2), CITE).state.hands[1][0].cards[1] is Card("4C")
