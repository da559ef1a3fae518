"""A round written down as a round script and dealt again is the same round."""

from __future__ import annotations

import json
from random import Random

import pytest
from hypothesis import given
from tests.property.chance import random_rules
from tests.property.simulate import play_random
from tests.property.steady import chance, every_book, steady

from twentyone.round import Happened, Round
from twentyone.round import events as e
from twentyone.rulebook import Rulebook
from twentyone.script import replay, result
from twentyone.script.export import export


def _moves(round_: Round) -> list[e.Event]:
    """Every motion of a card or a chip."""
    kinds = (e.WagerPlaced, e.CardDealt, e.CardSetAside, e.WagerSettled, e.SettlementUndone, e.MeterReset)
    return [event for event in round_.events if isinstance(event, kinds)]


def _check_there_and_back(round_: Round) -> None:
    text = json.dumps(export(round_))
    verdict = replay(text)
    assert verdict.exit == 0, f"{verdict.error}: {text}"
    assert verdict.round is not None
    assert json.dumps(verdict.result) == json.dumps(result(round_))
    assert _moves(verdict.round) == _moves(round_)
    assert json.dumps(export(verdict.round)) == text


@every_book
@steady(200)
@given(rng=chance)
def test_a_regular_round_is_the_same_there_and_back(book: str, rng: Random) -> None:
    played = play_random(random_rules(Rulebook.load(book), rng), rng, 0)
    _check_there_and_back(played.round)


@every_book
@steady(80)
@given(rng=chance)
def test_exactly_the_reported_irregularities_cannot_be_written_down(book: str, rng: Random) -> None:
    played = play_random(random_rules(Rulebook.load(book), rng), rng)
    if any(isinstance(command, Happened) for command in played.commands):
        with pytest.raises(ValueError, match="a round script cannot say"):
            export(played.round)
    else:
        _check_there_and_back(played.round)


@every_book
def test_a_round_that_is_not_over_is_not_written_down(book: str) -> None:
    round_ = Round.start(Rulebook.load(book).under(), [{"box": 1, "player": "Ann", "main": "10"}])
    with pytest.raises(ValueError, match="not over"):
        export(round_)
