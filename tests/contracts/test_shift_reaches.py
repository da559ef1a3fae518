"""A shift of moderate length reaches what is rare: the cover card, a shoe that runs out, the cut after a void round."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from typing import Any

import pytest
from tests.contracts.shift_driver import Felt
from tests.daily import daily_books

from twentyone.rulebook import Rulebook, rulebook_ids
from twentyone.rulebook.clauses import SubmissionKey
from twentyone.service.shift.people import ShiftPeople
from twentyone.table import TableEvent, TableState
from twentyone.table import card_events as e
from twentyone.table.play import task_of

BOOKS = rulebook_ids()
ROUNDS = 150
RATE = Fraction(1, 20)
SELDOM = Fraction(1, 50)
"""So often something goes wrong where most shoes are still played out."""


def reached(book: str, given: dict[str, Any], rate: Fraction, seed: str, rounds: int = ROUNDS) -> Counter[str]:
    """How often each rare thing came about in a shift without a ledger."""
    rules = Rulebook.load(book).under(given)
    seen: Counter[str] = Counter()
    void = False

    def watch(state: TableState, event: TableEvent) -> None:
        nonlocal void
        seen[event.kind] += 1
        if isinstance(event, e.ReshuffleOrdered):
            seen[f"reshuffled: {event.why}"] += 1
            seen["reshuffled before a round"] += event.why == "floorperson" and not state.rounds_in_shoe
            void = event.why == "irregularity"
        if isinstance(event, e.CutOffered | e.CutMade):
            seen["cut after a void round"] += void
            void = False

    Felt(rules, ShiftPeople(rules, seed, rate, rounds), 7, watch).work()
    return seen


@pytest.mark.parametrize("book", daily_books("pa-spanish-21", "s13-spanish-21"))
def test_most_shoes_are_played_to_the_cover_card(book: str) -> None:
    calm, disturbed = reached(book, {}, Fraction(0), "1/felt", 150), reached(book, {}, SELDOM, "1/felt", 200)
    assert calm["cover_card_seen"] > calm["shoe_loaded"] / 2, calm
    assert disturbed["cover_card_seen"] >= 2, disturbed
    assert calm["table_idle"] <= 5


@pytest.mark.parametrize("book", daily_books("pa-spanish-21", "s13-spanish-21"))
def test_a_floorperson_reshuffles_now_and_then_and_only_after_a_round(book: str) -> None:
    seen = reached(book, {}, 2 * RATE, "2/felt")
    if task_of(Rulebook.load(book).under({}), "reshuffle") is not None:
        assert seen["reshuffled: floorperson"]
    assert not seen["reshuffled before a round"]


def voids(book: str) -> bool:
    """Whether the text has a void round followed by a reshuffle."""
    clauses = Rulebook.load(book).under({}).irregularities.values()
    return any({"void_round", "reshuffle"} <= set(clause.effects) for clause in clauses)


@pytest.mark.parametrize("book", [book for book in BOOKS if voids(book)])
def test_cards_are_cut_after_a_void_round(book: str) -> None:
    assert reached(book, {}, RATE, "1/felt")["cut after a void round"]


def one_deck(book: str) -> bool:
    """Whether the text allows a shoe of one deck."""
    keys = (clause for clause in Rulebook.load(book).clauses if isinstance(clause, SubmissionKey))
    return any(key.name == "decks" and key.least == 1 for key in keys)


@pytest.mark.parametrize("book", [book for book in BOOKS if one_deck(book)])
def test_a_shoe_of_one_deck_runs_out_in_a_round(book: str) -> None:
    """Of more decks more lies behind the cover card than seven boxes need."""
    assert reached(book, {"decks": 1}, RATE, "3/felt", 200)["rack_reloaded"]
