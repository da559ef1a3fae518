"""Nobody, by any view, learns of a card that is not exposed."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from tests.daily import daily_books
from tests.property.chance import random_rules
from tests.property.simulate import play_number, play_random
from tests.property.steady import chance, every_book, steady
from tests.property.worlds import check_two_worlds

from twentyone.round.view import HIDDEN, ROLES
from twentyone.rulebook import Rulebook


@every_book
@steady(40)
@given(rng=chance)
def test_two_shoes_that_differ_in_unseen_cards_look_the_same(book: str, rng: Random) -> None:
    played = play_random(random_rules(Rulebook.load(book), rng), rng)
    check_two_worlds(played, rng)


@pytest.mark.parametrize("book", daily_books("md-spanish-21", "pa-down-under-blackjack"))
def test_two_worlds_are_compared_at_many_steps(book: str) -> None:
    """The property above is not empty: many rounds have a hole card, and stay alike for several steps."""
    rulebook = Rulebook.load(book)
    compared = [check_two_worlds(play_number(rulebook, number), Random(number)) for number in range(100)]
    assert sum(steps > 1 for steps in compared) > 20
    assert sum(compared) > 75


@every_book
@steady(40)
@given(rng=chance)
def test_a_hidden_hole_card_is_hidden_in_every_view(book: str, rng: Random) -> None:
    played = play_random(random_rules(Rulebook.load(book), rng), rng)
    for round_ in played.rounds:
        if round_.state.shown:
            continue
        hole = round_.state.dealer[-1]
        first_line = repr(round_).splitlines()[0]
        assert first_line.count(hole.symbol) == sum(card is hole for card in round_.state.dealer[:-1])
        for role in ROLES:
            assert round_.seen_by(role)["dealer"]["cards"][-1] == HIDDEN
