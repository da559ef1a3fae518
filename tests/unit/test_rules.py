"""The questions that round, odds and simulator ask of `Rules`: each answered once, by the text."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from twentyone.cards import RANKS, Card, parse_cards
from twentyone.errors import RulebookError, SubmissionRefused
from twentyone.money import Amount
from twentyone.rulebook import Rulebook, Rules
from twentyone.rulebook import clauses as c
from twentyone.sim.compile import compile_setup
from twentyone.sim.setup import Setup
from twentyone.sim.states import CannotCompile

PA, MD, S13 = "pa-spanish-21", "md-spanish-21", "s13-spanish-21"
DBJ, DUB, CLASSIC = "pa-double-back-jack", "pa-down-under-blackjack", "classic-blackjack"
PLACE: dict[str, Any] = {"paragraph": "1", "cite": "T § 1"}
WHEELS: dict[str, Any] = {"bonus_spin": "A", "xtreme_16": True}


def rules_of(book: str, readings: dict[str, str] | None = None, **submission: Any) -> Rules:
    given = {**submission, "readings": readings} if readings else submission
    return Rulebook.load(book).under(given)


def without(rules: Rules, *kinds: type[c.Clause]) -> Rules:
    return rules.with_clauses(clause for clause in rules.clauses if not isinstance(clause, kinds))


def ups(rules: Rules, question: str) -> str:
    """The up cards to which a question is answered with yes."""
    held = [rank for rank in RANKS if rank not in rules.cards.without]
    return " ".join(rank for rank in held if getattr(rules, question)(Card(rank + "S")))


@pytest.mark.parametrize(
    ("book", "submission", "question", "answer"),
    [
        (PA, {}, "surrender_waits", "A J Q K"),
        (DBJ, {}, "surrender_waits", ""),
        (DUB, {}, "surrender_waits", ""),
        (CLASSIC, {"hole_card": "none"}, "surrender_waits", ""),
        (CLASSIC, {"hole_card": "none", "surrender": "late"}, "surrender_waits", "A 10 J Q K"),
        (PA, {}, "blackjack_paid_on_turn", "2 3 4 5 6 7 8 9"),
        (DUB, {}, "blackjack_paid_on_turn", "A 2 3 4 5 6 7 8 9 10 J Q K"),
        (DBJ, {}, "blackjack_paid_on_turn", ""),
        (S13, {"hole_card": "reader"}, "surrender_before_reader", ""),
        (PA, {}, "insurable", "A"),
        (PA, {}, "hole_card_read", "A J Q K"),
        (S13, {"hole_card": "none"}, "hole_card_read", ""),
        (PA, {}, "can_be_blackjack", "A J Q K"),
        (CLASSIC, {}, "can_be_blackjack", "A 10 J Q K"),
    ],
)
def test_what_the_up_card_calls_for(book: str, submission: dict[str, Any], question: str, answer: str) -> None:
    assert ups(rules_of(book, **submission), question).split() == answer.split()


def test_surrender_is_offered_before_the_reader_by_the_other_reading() -> None:
    rules = rules_of(S13, {"s13-surrender-timing": "before-reader"}, hole_card="reader")
    assert ups(rules, "surrender_before_reader") == "A J Q K"


def test_a_step_that_names_no_up_card_is_for_any() -> None:
    rules = rules_of(PA)
    asked = rules.with_clauses(
        c.Step(name="offer_insurance", **PLACE)
        if isinstance(clause, c.Step) and clause.name == "offer_insurance"
        else clause
        for clause in rules.clauses
    )
    assert ups(asked, "insurable").split() == [rank for rank in RANKS if rank != "10"]


def test_two_clauses_that_speak_of_one_up_card_are_a_fault() -> None:
    rules = rules_of(PA)
    doubled = rules.with_clauses((*rules.clauses, c.PayBlackjack(at="turn", **PLACE)))
    with pytest.raises(RulebookError, match="2 clauses pay_blackjack speak of KS as the up card"):
        doubled.blackjack_paid_on_turn(Card("KS"))


def test_a_surrender_that_nothing_settles_is_a_fault() -> None:
    with pytest.raises(RulebookError, match="nothing says when a surrender against 2S is settled"):
        without(rules_of(PA), c.SurrenderSettled).surrender_waits(Card("2S"))


def test_a_blackjack_ends_where_it_is_read_or_exposed() -> None:
    ace, king = Card("AS"), Card("KH")
    assert rules_of(PA).blackjack_ends(ace, king)
    assert rules_of(DUB).blackjack_ends(ace, king)
    assert not rules_of(S13, hole_card="none").blackjack_ends(ace, king)
    assert not rules_of(PA).blackjack_ends(ace, Card("9H"))
    assert not without(rules_of(PA), c.BlackjackEnds).blackjack_ends(ace, king)


def test_only_two_large_cards_are_exposed() -> None:
    rules = rules_of(DUB)
    assert rules.hole_card_exposed(Card("KS"), Card("QS")) is rules.one(c.Expose)
    assert rules.hole_card_exposed(Card("KS"), Card("2S")) is None
    assert rules.hole_card_exposed(Card("2S"), Card("KS")) is None
    assert rules_of(PA).hole_card_exposed(Card("KS"), Card("QS")) is None


# -- what a Blackjack spares


@pytest.mark.parametrize(
    ("readings", "wager", "bust", "rescued", "spared"),
    [
        ({}, "double", False, False, True),
        ({}, "main", False, False, False),
        ({}, "double", True, False, False),
        ({"s13-bust-then-blackjack": "original-only"}, "double", True, False, True),
        ({}, "split", False, True, False),
        ({"s13-rescued-split": "returned"}, "split", False, True, True),
        ({"s13-rescued-split": "returned"}, "split", True, False, False),
    ],
)
def test_what_a_blackjack_spares(readings: dict[str, str], wager: str, bust: bool, rescued: bool, spared: bool) -> None:
    clause = rules_of(S13, readings).spares(wager, bust, rescued)
    assert (clause is not None) == spared
    assert clause is None or clause.wager == wager


def test_a_dealers_blackjack_may_take_all() -> None:
    assert rules_of(CLASSIC, dealer_blackjack_takes="all").spares("double") is None


# -- settled before the dealer's hand


def test_a_21_without_a_second_chance_is_paid_at_once() -> None:
    rules = rules_of(DBJ)
    hand = rules.hand(parse_cards("7S 7H 7D"))
    assert rules.paid_at_once(hand)
    assert not rules.paid_at_once(hand, chance=True)
    assert not rules.paid_at_once(rules.hand(parse_cards("7S 7H 6D")))
    assert not rules_of(PA).paid_at_once(hand)


def test_a_reduced_total_over_21_loses_and_21_wins_at_once() -> None:
    rules = rules_of(DBJ)
    busted = rules.hand(parse_cards("KS 6H 9D"))
    reduced = {value: rules.reduced(busted, value) for value in (1, 4, 5)}
    assert [hand.points for hand in reduced.values()] == [24, 21, 20]
    lost, won, on = (rules.chance_settled(hand) for hand in reduced.values())
    assert lost is not None
    assert lost[:2] == ("lose", "lose")
    assert won is not None
    assert won[:2] == ("push", "win")
    assert on is None
    assert rules.low_value_of(Card("AS")) == 1


def test_a_second_chance_takes_the_double_along_or_not() -> None:
    other = rules_of(DBJ, {"dbj-current-wager": "original"})
    ten, eight = Amount("10"), Amount("8")
    assert rules_of(DBJ).chance_wager(ten, eight) == Amount("18")
    assert other.chance_wager(ten, eight) == ten


def test_a_second_chance_below_21_is_compared_with_the_dealer() -> None:
    rules = rules_of(DBJ)
    hand = rules.reduced(rules.hand(parse_cards("KS 6H 9D")), 5)
    dealers = [rules.dealer_hand(parse_cards(cards)) for cards in ("KS 7H", "KS KH", "KS 5H 6D")]
    rows = {row.outcome: (row.main, row.chance) for row in rules.all(c.ChanceResult)}
    assert [rules.chance_outcome(hand, dealer)[:2] for dealer in dealers] == [rows[r] for r in ("win", "push", "lose")]
    with pytest.raises(RulebookError, match="no chance_result"):
        without(rules, c.ChanceResult).chance_outcome(hand, dealers[0])


def test_the_dealer_draws_for_21_only_by_the_other_reading() -> None:
    three, two = parse_cards("7S 7H 7D"), parse_cards("AS KH")
    asked = rules_of(PA, {"dealer-stops-for-21": "no"})
    assert asked.dealer_draws_for(asked.hand(three))
    assert not asked.dealer_draws_for(asked.hand(two))
    assert not rules_of(PA).dealer_draws_for(asked.hand(three))


# -- insurance, envy, wheels


def test_insurance_is_half_in_whole_chips_and_wins_on_tens() -> None:
    rules = rules_of(PA, chip_unit="0.50")
    assert rules.most_insurance(Amount("5")) == Amount("2.50")
    assert rules.most_insurance(Amount("5.50")) == Amount("3")
    assert rules.insurance_wins(Card("KS"))
    assert not rules.insurance_wins(Card("9S"))
    assert not without(rules, c.Decision).insurance_wins(Card("KS"))


def test_others_are_paid_for_a_paid_super_bonus_or_for_the_hand() -> None:
    rules, other = rules_of(PA), rules_of(PA, {"envy-condition": "any-suited-777"})
    assert rules.envy(paid=True) is not None
    assert rules.envy(paid=False) is None
    assert other.envy(paid=False) is not None
    assert rules_of(CLASSIC).envy(paid=True) is None


def test_a_six_and_a_ten_turn_the_wheel() -> None:
    either, six_up = rules_of(MD, **WHEELS), rules_of(MD, {"md-xtreme-trigger": "six-up"}, **WHEELS)
    six, king = Card("6S"), Card("KS")
    assert either.wheel_triggered("xtreme_16", six, king)
    assert either.wheel_triggered("xtreme_16", king, six)
    assert six_up.wheel_triggered("xtreme_16", six, king)
    assert not six_up.wheel_triggered("xtreme_16", king, six)
    assert not either.wheel_triggered("xtreme_16", six, six)
    assert not rules_of(MD).wheel_triggered("xtreme_16", six, king)


def test_who_spins_and_whether_the_wager_goes_back() -> None:
    rules, other = rules_of(MD, **WHEELS), rules_of(MD, {"md-hot-spot": "each-spins", "md-wheel-stake": "returned"})
    assert [rules.each_spins(wheel) for wheel in ("bonus_spin", "xtreme_16")] == [True, False]
    assert [other.each_spins(wheel) for wheel in ("bonus_spin", "xtreme_16")] == [True, True]
    assert [rules.wager_returned(wheel) for wheel in ("bonus_spin", "xtreme_16")] == [False, False]
    assert [other.wager_returned(wheel) for wheel in ("bonus_spin", "xtreme_16")] == [True, True]
    with pytest.raises(RulebookError, match="0 clauses spin are in force for bonus_spin, not one"):
        without(rules, c.WheelSpin).each_spins("bonus_spin")


def test_wheels_of_which_one_returns_the_wager_are_not_simulated() -> None:
    rules = rules_of(MD, **WHEELS)
    mixed = rules.with_clauses(
        replace(clause, wager="returned")
        if isinstance(clause, c.WheelPrize) and clause.wheel == "xtreme_16"
        else clause
        for clause in rules.clauses
    )
    with pytest.raises(CannotCompile, match="wheels of which only one returns the wager"):
        compile_setup(Setup.of(mixed))


@pytest.mark.parametrize(
    ("book", "submission", "key", "fits"),
    [
        ("pa-spanish-21", {"chip_unit": "0.25"}, "chip_unit", "0.02"),
        ("classic-blackjack", {"chip_unit": "0.02", "blackjack_pays": "6:5"}, "chip_unit", "0.05"),
        ("classic-blackjack", {"chip_unit": "0.05", "blackjack_pays": "6:5", "surrender": "late"}, "chip_unit", "0.1"),
        ("s13-spanish-21", {"match_the_dealer_odds": {"suited": "100:7"}}, "match_the_dealer_odds", "0.14"),
    ],
)
def test_a_chip_that_leads_to_parts_of_a_cent_is_refused(
    book: str, submission: dict[str, Any], key: str, fits: str
) -> None:
    with pytest.raises(SubmissionRefused) as refused:
        Rulebook.load(book).under(submission)
    assert refused.value.key == key
    assert str(refused.value).split(" (")[0].endswith(f"take a multiple of {fits}")
    Rulebook.load(book).under({**submission, "chip_unit": fits})
