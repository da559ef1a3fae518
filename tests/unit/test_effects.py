"""What a paragraph on irregularities orders is what is done: with another word in it, something else is."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from twentyone.cards import Card
from twentyone.errors import Refused, RulebookError
from twentyone.round import Decision, Happened, Offer, Round
from twentyone.round import events as e
from twentyone.round.effects import EFFECTS, alternatives
from twentyone.rulebook import Rulebook, Rules, rulebook_ids
from twentyone.rulebook.clauses import DecisionCards, InsuranceCloses, Irregularity
from twentyone.table import Command, Table
from twentyone.table.script import follow

ANN = [{"box": 1, "player": "Ann", "main": "10"}]
RULES = Rulebook.load("pa-spanish-21").under({})


def with_words(rules: Rules, key: str, **changes: Any) -> Rules:
    """The rules with one clause that says something else."""
    assert any(clause.key == key for clause in rules.clauses)
    return rules.with_clauses(replace(clause, **changes) if clause.key == key else clause for clause in rules.clauses)


def play(rules: Rules, *commands: Any) -> Round:
    round_ = Round.start(rules, ANN)
    for command in commands:
        round_ = round_.apply(command)
    return round_


def kinds(round_: Round) -> list[str]:
    return [type(event).__name__ for event in round_.events]


def test_every_effect_is_a_word_of_some_text_and_every_word_has_its_function() -> None:
    clauses = [clause for book in rulebook_ids() for clause in Rulebook.load(book).clauses]
    words = {word for clause in clauses if isinstance(clause, Irregularity) for word in clause.effects}
    assert words == set(EFFECTS)


def test_a_ten_that_is_not_to_be_destroyed_is_only_set_aside() -> None:
    kept = with_words(RULES, "irregularity.ten", effects=("set_aside",))
    assert play(RULES, "10S").state.taken_out == play(RULES, "10S").state.set_aside
    assert play(kept, "10S").state.taken_out == ()


@pytest.mark.parametrize("effects", [("set_aside", "destroy"), ("destroy", "set_aside"), ("destroy",)])
def test_effects_are_carried_out_in_their_order(effects: tuple[str, ...]) -> None:
    shown = {"set_aside": "CardSetAside", "destroy": "CardDestroyed"}
    happened = kinds(play(with_words(RULES, "irregularity.ten", effects=effects), "10S"))
    assert [kind for kind in happened if kind in shown.values()] == [shown[word] for word in effects]


@pytest.mark.parametrize(("choice", "asked"), [("player", "Ann"), ("dealer", "dealer")])
def test_the_text_says_who_chooses(choice: str, asked: str) -> None:
    rules = with_words(RULES, "irregularity.requested_card_missed", choice=choice)
    round_ = play(rules, "9S", "7H", "7C", "KD", "hit", Happened("requested_card_missed"))
    assert isinstance(round_.next, Offer)
    assert {option.player for option in round_.next.options} == {asked}


def test_only_what_the_text_names_can_be_chosen() -> None:
    rules = with_words(RULES, "irregularity.requested_card_missed", effects=("deal_late",))
    round_ = play(rules, "9S", "7H", "7C", "KD", "hit", Happened("requested_card_missed"))
    assert [option.action for option in round_.legal()] == ["late_card"]
    with pytest.raises(Refused):
        round_.apply(Decision("call_dead"))


def test_a_choice_among_nothing_is_a_fault_of_the_rulebook() -> None:
    clause = replace(RULES.irregularities["requested_card_missed"], effects=("return_wager", "deal_late"))
    with pytest.raises(RulebookError, match="return_wager is nothing that a player chooses"):
        alternatives(clause)


def test_insurance_is_asked_for_before_the_step_that_closes_it() -> None:
    late = with_words(RULES, InsuranceCloses.type_key, before="decide")
    assert kinds(play(RULES, "9S", "AH", "9C", "8D"))[-1] == "InsuranceOffered"
    assert kinds(play(late, "9S", "AH", "9C", "8D"))[-1] == "HoleCardRead"
    never = with_words(RULES, InsuranceCloses.type_key, before="deal")
    assert "InsuranceOffered" not in kinds(play(never, "9S", "AH", "9C", "8D"))


def test_the_text_says_how_the_card_of_a_decision_is_dealt() -> None:
    def card(rules: Rules) -> e.Event:
        return play(rules, "9S", "7H", "2C", "KD", "hit", "3C").events[-1]

    down = [replace(c, face="down") if isinstance(c, DecisionCards) else c for c in RULES.clauses]
    assert [getattr(card(rules), "face_down", None) for rules in (RULES, RULES.with_clauses(down))] == [False, True]


# -- at the table


def give(table: Table, do: str, role: str = "dealer", by: str = "Dan", **args: Any) -> Table:
    return table.apply(Command(do, role, by, 0, args))


@pytest.mark.parametrize(("effects", "found"), [(("set_aside", "destroy"), ("10S",)), (("set_aside",), ())])
def test_the_table_keeps_for_the_floorperson_what_the_text_has_destroyed(
    effects: tuple[str, ...], found: tuple[str, ...]
) -> None:
    table = follow(Table.new(with_words(RULES, "irregularity.ten", effects=effects)), "show_cards", 0)
    table = give(table, "sit", "player", "Ann", boxes=[1])
    table = follow(give(table, "buy_in", player="Ann", amount="1000"), "", 0)
    table = give(give(table, "place_wager", "player", "Ann", box=1, amount="10"), "deal")
    for card in ("10S", "9S", "7H", "9C", "KD"):
        table = give(table, "card", card=card)
    table = give(give(table, "decide", "player", "Ann", action="stand"), "collect_cards")
    assert table.state.found == tuple(map(Card, found))
    assert (table.next_steps()[0].do == "destroy_found_ten") == bool(found)
