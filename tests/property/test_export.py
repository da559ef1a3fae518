"""A round written down as a round script and dealt again is the same round."""

from __future__ import annotations

import json
from collections import Counter
from random import Random
from typing import Any

import pytest
from hypothesis import assume, given
from tests.property.chance import random_rules
from tests.property.simulate import Played, play_random
from tests.property.steady import chance, every_book, steady
from tests.property.test_entered import _unseen
from tests.schemas import VALIDATOR

from twentyone.cards import SUITS, UNKNOWN
from twentyone.errors import Refused
from twentyone.round import Corrected, Drawn, Happened, Round
from twentyone.round.retelling import retold
from twentyone.round.steps import Step
from twentyone.rulebook import Rulebook
from twentyone.script import FORMAT, FORMAT_2, replay, result
from twentyone.script.deal import bring
from twentyone.script.export import export, story
from twentyone.script.steps import write_steps


def _there_and_back(played: Played) -> str:
    """Write a round down and deal it again; the format that it was written in."""
    body = export(played.round, played.commands)
    text = json.dumps(body)
    _check_again(body, played.round)
    verdict = replay(text)
    assert verdict.round is not None
    assert json.dumps(verdict.result) == json.dumps(result(played.round))
    assert json.dumps(export(verdict.round, played.commands)) == text
    return str(body["format"])


def _play(book: str, rng: Random, irregularities: float = 0.05) -> Played:
    """A random round with the cards of its decks; where a shoe runs out, the driver brings its cards once more."""
    played = play_random(random_rules(Rulebook.load(book), rng), rng, irregularities)
    cards = Counter(getattr(command, "card", None) for command in played.commands)
    decks = played.rules.submission["decks"]
    assume(all(count <= decks for card, count in cards.items() if card is not None))
    return played


def _shares(round_: Round) -> bool:
    return any(len(hand.wagers) > 1 for hands in round_.state.hands.values() for hand in hands)


@every_book
@steady(80)
@given(rng=chance)
def test_a_regular_round_is_the_same_there_and_back(book: str, rng: Random) -> None:
    """In the first format; of a shared box it does not say whether a player followed or spoke at his own turn."""
    played = _play(book, rng, 0)
    assert _there_and_back(played) == FORMAT or _shares(played.round)


@every_book
@steady(40)
@given(rng=chance)
def test_an_irregular_round_is_the_same_there_and_back(book: str, rng: Random) -> None:
    played = _play(book, rng)
    if any(isinstance(command, Happened) for command in played.commands):
        assert _there_and_back(played) == FORMAT_2
        with pytest.raises(ValueError, match="round-script/1 cannot say it"):
            export(played.round)
    else:
        assert _there_and_back(played) == FORMAT or _shares(played.round)


@every_book
@steady(40)
@given(rng=chance)
def test_every_round_can_be_written_step_by_step(book: str, rng: Random) -> None:
    """The second format says what the first says, and gives the very events."""
    played = _play(book, rng)
    body = export(played.round, played.commands)
    head = {key: body[key] for key in ("rulebook", "submission", "wagers", "meters") if key in body}
    dealt = replay(json.dumps({"format": FORMAT_2, **head, "steps": write_steps(played.commands)})).round
    assert dealt is not None
    assert dealt.events == played.round.events


@every_book
@steady(40)
@given(rng=chance)
def test_a_round_of_real_cards_is_the_same_there_and_back(book: str, rng: Random) -> None:
    """Its hole card was unknown until it was turned up; then a card is corrected, which only the second format says."""
    played = _play(book, rng)
    round_ = _unseen(played)
    commands: list[Step] = [entry.command for entry in retold(round_)]
    _check_again(export(round_, commands), round_)
    entered = next((one.card for one in commands if isinstance(one, Drawn) and one.card is not UNKNOWN), UNKNOWN)
    correction = Corrected(entered.name, entered.rank + rng.choice(SUITS), "bad light", None, 1)
    try:
        corrected = bring(round_, correction)
    except Refused:
        return
    body = export(corrected, [*commands, correction])
    assert body["format"] == FORMAT_2
    assume("stands" not in replay(body).error)
    _check_again(body, corrected)


def _check_again(body: dict[str, Any], round_: Round) -> None:
    verdict = replay(json.dumps(body))
    assert verdict.exit == 0, f"{verdict.error}: {body}"
    assert verdict.round is not None
    assert story(verdict.round) == story(round_)
    assert VALIDATOR.is_valid(body), next(VALIDATOR.iter_errors(body)).message


@every_book
def test_a_round_that_is_not_over_is_not_written_down(book: str) -> None:
    round_ = Round.start(Rulebook.load(book).under(), [{"box": 1, "player": "Ann", "main": "10"}])
    with pytest.raises(ValueError, match="not over"):
        export(round_)
