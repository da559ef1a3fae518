"""Every event and every refusal cites a paragraph that the rulebook has."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from hypothesis import given
from tests.property.chance import random_rules, random_wagers
from tests.property.invariants import check_cite, check_refusal
from tests.property.simulate import play_random
from tests.property.steady import chance, every_book, steady

from twentyone.cards import Card
from twentyone.errors import Refused, SubmissionRefused
from twentyone.money import Amount
from twentyone.round import Happened, Round, Wagers
from twentyone.round.irregularities import IRREGULARITIES
from twentyone.rulebook import Rulebook
from twentyone.rulebook.clauses import SubmissionKey


@every_book
@steady(40)
@given(rng=chance)
def test_every_event_cites_a_paragraph(book: str, rng: Random) -> None:
    played = play_random(random_rules(Rulebook.load(book), rng), rng)
    for event in played.round.events:
        check_cite(played.rules.rulebook, event.cite)


def _reports(round_: Round) -> Iterator[Happened]:
    """Every irregularity that could be reported, fitting or not."""
    for name in (*IRREGULARITIES, "an earthquake"):
        for box in (None, *round_.state.boxes, 99):
            yield Happened(name, box)
        for shown in ("small", "medium", "large", "huge"):
            yield Happened(name, shown=shown)
        yield Happened(name, exposed=True)
        yield Happened(name, card=Card("5S"), exposed=True)


@every_book
@steady(40)
@given(rng=chance)
def test_every_irregularity_is_carried_out_or_refused_with_a_paragraph(book: str, rng: Random) -> None:
    played = play_random(random_rules(Rulebook.load(book), rng), rng, 0.01)
    for round_ in played.rounds:
        for happened in _reports(round_):
            try:
                after = round_.apply(happened)
            except Refused as refused:
                check_refusal(round_.rules.rulebook, refused)
            else:
                assert len(after.events) > len(round_.events)
                for event in after.events[len(round_.events) :]:
                    check_cite(round_.rules.rulebook, event.cite)


def _wrong_wagers(good: Wagers) -> Iterator[list[Wagers]]:
    yield []
    yield [good, good]
    for box in (-1, 0, 99):
        yield [Wagers(box, good.player, good.main)]
    for amount in ("0", "-5", "0.001"):
        yield [Wagers(good.box, good.player, Amount(amount))]
        for kind in ("match_the_dealer", "bonus_spin", "xtreme_16", "tip"):
            yield [Wagers(good.box, good.player, good.main, {kind: Amount(amount)})]


@every_book
@steady(40)
@given(rng=chance)
def test_a_wrong_wager_is_refused_with_a_paragraph(book: str, rng: Random) -> None:
    rules = random_rules(Rulebook.load(book), rng)
    for wagers in _wrong_wagers(random_wagers(rules, rng)[0]):
        with pytest.raises(Refused) as caught:
            Round.start(rules, wagers)
        check_refusal(rules.rulebook, caught.value)


NEVER: tuple[Any, ...] = (-1, 0.5, "many", "1.0005", [], {})
"""Values that no submission key takes."""


def _wrong_submissions(rulebook: Rulebook) -> Iterator[dict[str, Any]]:
    yield {"moon_phase": "full"}
    yield {"readings": "all"}
    yield {"readings": {"between-the-lines": "yes"}}
    for reading in rulebook.readings:
        yield {"readings": {reading.name: "otherwise"}}
    for key in rulebook.clauses:
        if isinstance(key, SubmissionKey):
            yield from ({key.name: value} for value in NEVER)


@every_book
def test_a_wrong_submission_is_refused_with_a_paragraph(book: str) -> None:
    rulebook = Rulebook.load(book)
    for submission in _wrong_submissions(rulebook):
        with pytest.raises(SubmissionRefused) as caught:
            rulebook.under(submission)
        check_refusal(rulebook, caught.value)
