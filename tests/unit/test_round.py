"""Corners of the round that a law script cannot show: meters, hand numbers, views, refusals that change nothing."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from twentyone.cards import Card
from twentyone.errors import Refused
from twentyone.money import Amount
from twentyone.round import Decision, Drawn, Happened, Over, Round, fold
from twentyone.round.view import HIDDEN
from twentyone.rulebook import Rulebook
from twentyone.rulebook.clauses import Settlement
from twentyone.script import replay, result


def play(round_: Round, *steps: Any) -> Round:
    for step in steps:
        for part in step.split() if isinstance(step, str) else [step]:
            round_ = round_.apply(part)
    return round_


def start(book: str, **submission: Any) -> Round:
    return Round.start(Rulebook.load(book).under(submission), [{"box": 1, "player": "p1", "main": "10"}])


def test_void_round_restores_the_meter() -> None:
    """Md. 13.D with `undone`: the jackpot is taken back and the meter shows what it showed before."""
    script = {
        "format": "round-script/1",
        "rulebook": "md-spanish-21",
        "submission": {"bonus_spin": "B"},
        "wagers": [
            {"box": 1, "player": "p1", "main": "10", "bonus_spin": "1"},
            {"box": 2, "player": "p2", "main": "10"},
        ],
        "cards": "AS 5H 9C KS 6H 7C 10S 10D 9D",
        "decisions": [{"box": 2, "action": "hit"}],
        "wheel": ["jackpot"],
        "meters": {"bonus_spin": "1234.50"},
    }
    verdict = replay(json.dumps(script))
    assert verdict.round is not None
    assert verdict.round.net == {"p1": 0, "p2": 0}
    assert verdict.round.state.meters == {"bonus_spin": Amount("1234.50")}


@pytest.mark.parametrize(("waits", "order"), [(True, ["main", "insurance"]), (False, ["insurance", "main"])])
def test_won_insurance_is_paid_with_all_wagers_where_the_text_says_so(waits: bool, order: list[str]) -> None:
    """673a.7(t); without the word, as in a text that was kept from before, it is paid first."""
    rules = Rulebook.load("pa-double-back-jack").under({})
    if not waits:
        before = [replace(one, insurance=False) if isinstance(one, Settlement) else one for one in rules.clauses]
        rules = rules.with_clauses(before)
    round_ = Round.start(rules, [{"box": 1, "player": "p1", "main": "10"}])
    round_ = play(round_, "9S AD 9H KC", Decision("insure", amount=Amount("5")))
    assert [row.wager for row in round_.state.rows] == order


def test_hand_numbers_hold_when_a_late_card_is_split_again() -> None:
    """635a.13(i), 635a.11(b): the box waits as a whole, so rows keep the numbers of their hands."""
    late = Happened("requested_card_missed")
    round_ = play(start("pa-spanish-21"), "8S 6H 8C 9D", "split", late, "late_card", "8D", "split")
    round_ = play(round_, "3C", "double", "9C", "rescue", "9S", "stand", "9H", "stand", "KD")
    assert isinstance(round_.next, Over)
    hands = result(round_)["hands"]
    assert [hand["cards"] for hand in hands] == [["8S", "3C", "9C"], ["8D", "9S"], ["8C", "9H"]]
    assert [hand["outcome"] for hand in hands] == ["rescued", "win", "win"]


def test_view_after_a_second_chance() -> None:
    """673a.7(l): the reduced total, the second chance card and all wagers are seen."""
    round_ = play(start("pa-double-back-jack"), "KS 9H 6D 8C", "double", "9C", "second_chance", "5C")
    hand = round_.seen_by("player")["boxes"][0]["hands"][0]
    assert hand["cards"] == ["KS", "6D", "9C", "5C"]
    assert hand["total"] == 20
    assert hand["wagers"] == [{"player": "p1", "main": "10", "double": "10", "second_chance": "20"}]


def test_hole_card_is_hidden_from_everyone() -> None:
    """635a.7(g): nobody at the table sees it, the dealer included."""
    round_ = play(start("pa-spanish-21"), "9S 9H 9D KD")
    for role in ("player", "dealer", "floorperson", "operator", "auditor"):
        seen = round_.seen_by(role)
        assert seen["dealer"]["cards"] == ["9H", HIDDEN]
        assert "KD" not in json.dumps(seen)
    assert "K♦" not in repr(round_)
    with pytest.raises(ValueError, match="no role"):
        round_.seen_by("magician")


def test_refusal_about_a_hidden_total_tells_nothing() -> None:
    round_ = play(start("pa-spanish-21"), "9S 9H 9D 8C")
    with pytest.raises(Refused) as refused:
        round_.apply(Happened("dealer_drew_past_17", card=Card("5C")))
    assert "17" not in refused.value.why


def test_round_is_frozen() -> None:
    round_ = start("pa-spanish-21")
    with pytest.raises(AttributeError, match="frozen"):
        round_.next = Over()
    later = round_.apply("9S")
    assert round_.state.dealer == ()
    assert round_.state.used == 0
    assert later.state.used == 1


def test_refused_command_changes_nothing() -> None:
    round_ = play(start("pa-spanish-21"), "9S 9H 9D KD")
    before = round_.state.copy()
    for wrong in (Decision("split", 2), Decision("rescue"), Drawn(Card("5S")), Happened("wrong_range", shown="small")):
        with pytest.raises(Refused):
            round_.apply(wrong)
    assert round_.state == before


def test_state_is_the_fold_of_its_events() -> None:
    round_ = play(start("s13-spanish-21", hole_card="none"), "8S 7H 8C", "split", "KD", "stand", "9D", "stand", "9C KH")
    assert fold(round_.events) == round_.state


def test_why_a_button_is_grey() -> None:
    round_ = play(start("pa-down-under-blackjack"), "9S 9H 8D KD")
    assert round_.refusal("hit") is None
    refused = round_.refusal("surrender")
    assert refused is not None
    assert refused.cite == "58 Pa. Code § 685a.7(i)(2)"


def test_unknown_words_are_refused() -> None:
    round_ = play(start("pa-spanish-21"), "9S 9H 9D KD")
    with pytest.raises(Refused, match="'fold' is neither a card, a rank and a suit as in 8S, nor a decision"):
        round_.apply("fold")
    with pytest.raises(Refused, match="did you mean 'hit'"):
        round_.apply("hitt")
    with pytest.raises(Refused, match="no decision 'fold'"):
        round_.apply(Decision("fold"))
    with pytest.raises(Refused, match="no irregularity 'earthquake'"):
        round_.apply(Happened("earthquake"))
