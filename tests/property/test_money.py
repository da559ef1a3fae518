"""Chips are conserved: between players, layout and inventory, after every event of every round."""

from __future__ import annotations

from random import Random

from hypothesis import given
from tests.property.chance import random_rules
from tests.property.invariants import check_cards, check_chips, check_over, check_row
from tests.property.simulate import play_random
from tests.property.steady import chance, every_book, steady

from twentyone.cards import Card
from twentyone.round import Drawn, Happened, State
from twentyone.round import events as e
from twentyone.round.evolve import evolve
from twentyone.rulebook import Rulebook


@every_book
@steady(40)
@given(rng=chance)
def test_accounts_add_up_to_nothing_after_every_event(book: str, rng: Random) -> None:
    played = play_random(random_rules(Rulebook.load(book), rng), rng)
    state = State()
    for event in played.round.events:
        evolve(state, event)
        check_chips(state)
    for round_ in played.rounds:
        assert sum(round_.accounts.values()) == 0


@every_book
@steady(40)
@given(rng=chance)
def test_the_layout_is_empty_and_every_account_is_the_sum_of_its_rows(book: str, rng: Random) -> None:
    played = play_random(random_rules(Rulebook.load(book), rng), rng)
    check_over(played.round)
    assert played.round.net == {player: played.round.accounts[player] for player in played.round.net}
    assert played.round.accounts["(layout)"] == 0
    assert played.round.accounts["(inventory)"] == -sum(played.round.net.values())


@every_book
@steady(40)
@given(rng=chance)
def test_every_row_pays_what_its_paragraph_pays(book: str, rng: Random) -> None:
    played = play_random(random_rules(Rulebook.load(book), rng), rng)
    for event in played.round.events:
        if isinstance(event, e.WagerSettled):
            check_row(played.rules, event)


@every_book
@steady(40)
@given(rng=chance)
def test_every_card_that_left_the_shoe_lies_somewhere(book: str, rng: Random) -> None:
    played = play_random(random_rules(Rulebook.load(book), rng), rng)
    came: list[Card] = []
    for command in played.commands:
        if isinstance(command, Drawn | Happened) and command.card is not None:
            came.append(command.card)
    check_cards(played.round, came)
