"""A round as a person reads it, and as a server tells it: every part of a line, each at its time."""

from __future__ import annotations

from tests.unit.test_round import play, start

from twentyone.cards import UNKNOWN
from twentyone.round import Drawn, Round
from twentyone.round.commands import ReaderTold
from twentyone.round.view import HIDDEN
from twentyone.rulebook import Rulebook

SPANISH = "pa-spanish-21"


def test_before_the_first_card() -> None:
    assert str(start(SPANISH)) == "Spanish 21  dealer -\n  box 1: -  = 0  [p1 $10.00]\n  next: a card for box 1"


def test_two_hands_of_a_box_are_told_apart_and_one_is_not() -> None:
    round_ = play(start(SPANISH), "8S 6H 8C KD")
    assert str(round_).splitlines()[1] == "  box 1: 8♠ 8♣  = 16  [p1 $10.00]"
    round_ = play(round_, "split")
    assert str(round_).splitlines()[1:3] == [
        "  box 1 hand 1: 8♠  = 8  [p1 $10.00]",
        "  box 1 hand 2: 8♣  = 8  [p1 $10.00]",
    ]


def test_the_dealer_is_counted_once_the_hole_card_is_turned_up() -> None:
    round_ = play(start(SPANISH), "8S 6H 9C KD")
    assert str(round_).splitlines()[0] == "Spanish 21  dealer 6♥ ??"
    assert round_.seen_by("player")["dealer"]["cards"] == ["6H", HIDDEN]
    round_ = play(round_, "stand")
    assert str(round_).splitlines()[0] == "Spanish 21  dealer 6♥ K♦  = 16"
    assert round_.seen_by("player")["dealer"]["cards"] == ["6H", "KD"]
    assert str(round_).splitlines()[-1] == "  next: a card for the dealer"


def test_a_range_that_was_announced_stands_beside_the_dealer() -> None:
    """685a.3(e)(3): the reader tells whether the hole card is small or large, and no more."""
    round_ = play(start("pa-down-under-blackjack"), "9S 9H 8D KD")
    assert str(round_).splitlines()[0] == "Down Under Blackjack  dealer 9♥ ??  (large)"
    assert "(" not in str(play(start(SPANISH), "9S 9H 8D KD")).splitlines()[0]


def test_what_is_offered_and_whether_it_may_be_declined() -> None:
    assert str(play(start(SPANISH), "8S AH 9C KD")).endswith("\n  next: insurance: insure or decline")
    assert str(play(start(SPANISH), "9S 6H 8C KD")).endswith("\n  next: turn: surrender, double, hit, stand")


def test_what_the_reader_tells_and_a_card_that_nobody_has_seen() -> None:
    """Md. 7.G(2) and 7.L(1): at a real table the reader looks at the hole card, and the dealer turns it up later."""
    round_ = play(start("md-spanish-21"), "6S KD 5H", Drawn(UNKNOWN))
    assert str(round_).endswith("\n  next: what the reader tells of the hole card")
    assert round_.seen_by("dealer")["dealer"]["cards"] == ["KD", UNKNOWN.name]
    assert str(play(round_, ReaderTold(blackjack=False), "stand")).endswith("\n  next: the hole card turned up")


def test_a_push_returns_what_was_laid_and_nothing_else() -> None:
    """635a.7(o): one wager lies there, so one row settles it."""
    round_ = play(start(SPANISH), "9S 9H 9D 9C", "stand")
    assert [(row.wager, row.outcome, str(row.net)) for row in round_.state.rows] == [("main", "push", "0")]
    assert str(round_).splitlines()[1:] == [
        "  box 1: 9♠ 9♦  = 18  [p1 $10.00]  main push $0.00",
        "  next: the round is over",
    ]


def test_a_line_tells_of_its_own_hand_only() -> None:
    """635a.9(a)(1), 635a.7(h)(1)(i): one surrenders, or has a Blackjack, paid and taken away; the other plays."""
    wagers = [{"box": 1, "player": "p1", "main": "10"}, {"box": 2, "player": "p2", "main": "10"}]
    rules = Rulebook.load(SPANISH).under({})
    lines = str(play(Round.start(rules, wagers), "9S 8S 6H 7C 8D KD", "surrender")).splitlines()
    assert lines[1:3] == [
        "  box 1: 9♠ 7♣  = 16  [p1 $10.00]  main surrender -$5.00",
        "  box 2: 8♠ 8♦  = 16  [p2 $10.00]",
    ]
    lines = str(play(Round.start(rules, wagers), "AS 8S 6H KC 8D KD")).splitlines()
    assert lines[1] == "  box 1: -  = 21 soft  [p1 $10.00]  main win $15.00"


def test_the_card_of_a_double_lies_sideways() -> None:
    """635a.10(a)."""
    round_ = play(start(SPANISH), "6S 6H 5C KD", "double", "3C")
    hand = round_.seen_by("player")["boxes"][0]["hands"][0]
    assert (hand["cards"], hand["sideways"]) == (["6S", "5C", "3C"], ["3C"])
