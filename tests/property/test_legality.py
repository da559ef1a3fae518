"""What is listed is allowed; everything else is refused, with its paragraph, and changes nothing."""

from __future__ import annotations

from random import Random

from hypothesis import given
from tests.property.chance import random_rules
from tests.property.legality import check_legality
from tests.property.simulate import play_random
from tests.property.steady import chance, every_book, steady

from twentyone.round import Draw, Offer
from twentyone.rulebook import Rulebook


@every_book
@steady(40)
@given(rng=chance)
def test_the_listed_is_never_refused_and_the_rest_always_is(book: str, rng: Random) -> None:
    played = play_random(random_rules(Rulebook.load(book), rng), rng)
    draws = 0
    for round_ in played.rounds:
        draws += isinstance(round_.next, Draw)
        if not isinstance(round_.next, Draw) or draws % 5 == 0:
            check_legality(round_)


@every_book
@steady(40)
@given(rng=chance)
def test_the_reason_for_a_greyed_button_is_the_reason_of_the_refusal(book: str, rng: Random) -> None:
    played = play_random(random_rules(Rulebook.load(book), rng), rng)
    for round_ in played.rounds:
        if isinstance(round_.next, Offer) and round_.next.kind == "turn":
            for option in round_.legal():
                assert round_.refusal(option.action) is None
