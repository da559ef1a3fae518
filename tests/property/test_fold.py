"""The state of a round is the fold of its events, from the start and from anywhere."""

from __future__ import annotations

import pickle
from random import Random

from hypothesis import given
from tests.property.chance import random_rules
from tests.property.simulate import Played, again, play_random
from tests.property.steady import chance, every_book, steady

from twentyone.round import fold
from twentyone.rulebook import Rulebook


def _played(book: str, rng: Random) -> Played:
    return play_random(random_rules(Rulebook.load(book), rng), rng)


@every_book
@steady(40)
@given(rng=chance)
def test_every_state_is_the_fold_of_the_events_up_to_it(book: str, rng: Random) -> None:
    played = _played(book, rng)
    events = played.round.events
    for round_ in played.rounds:
        assert round_.events == events[: len(round_.events)]
        assert fold(round_.events) == round_.state


@every_book
@steady(40)
@given(rng=chance)
def test_the_fold_may_go_on_from_any_prefix(book: str, rng: Random) -> None:
    played = _played(book, rng)
    events = played.round.events
    for length in range(len(events) + 1):
        start = fold(events[:length])
        kept = fold(events[:length])
        assert fold(events[length:], start) == played.round.state
        assert start == kept, "folding on changed the state it started from"


@every_book
@steady(40)
@given(rng=chance)
def test_events_that_were_stored_one_by_one_fold_to_the_same_state(book: str, rng: Random) -> None:
    played = _played(book, rng)
    stored = [pickle.dumps(event) for event in played.round.events]
    assert fold(pickle.loads(event) for event in stored) == played.round.state


@every_book
@steady(40)
@given(rng=chance)
def test_the_same_commands_lead_to_the_same_events(book: str, rng: Random) -> None:
    played = _played(book, rng)
    rounds = again(played, played.commands)
    assert rounds[-1].events == played.round.events
    assert rounds[-1].state == played.round.state
