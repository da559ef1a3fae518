"""After a hand: best play, or what the other decision would have been worth; and hints on every kind of offer."""

from __future__ import annotations

import pytest
from tests.unit.test_service_saying import dealt, in_play

from twentyone.cards import Card
from twentyone.round import Happened, Offer
from twentyone.service.hints import hint
from twentyone.service.last_round import Played
from twentyone.service.review import review
from twentyone.service.view import table_view

CLASSIC = {"decks": 2}


def test_a_good_and_a_bad_decision_are_told_apart() -> None:
    """16 against a 7: to hit is better than to stand (basic strategy); 20 stands."""
    good = review(Played(3, dealt("classic-blackjack", "KC 7D QH 9S stand 2C", **CLASSIC)), "Ann")
    assert (good["round"], good["text"]) == (3, "Best play.")
    bad = review(Played(3, dealt("classic-blackjack", "KC 7D 6H 9S stand 2C", **CLASSIC)), "Ann")
    assert bad["text"].startswith("Your 16 against a 7: hit −0.")
    assert ", stand −0." in bad["text"]
    (decision,) = bad["decisions"]
    assert decision["lost"] == pytest.approx(decision["best_worth"] - decision["worth"])
    assert decision["lost"] > 0.01


def test_nobody_is_marked_for_what_others_decided() -> None:
    assert review(Played(3, dealt("classic-blackjack", "KC 7D 6H 9S stand 2C", **CLASSIC)), "Ben")["text"] == ""


def test_the_mark_does_not_know_the_hole_card() -> None:
    """What would have been best is judged by what was seen then."""
    one, other = (dealt("classic-blackjack", f"KC 7D 6H {hole} hit 3C stand", **CLASSIC) for hole in ("KS", "QS"))
    assert review(Played(1, one), "Ann") == review(Played(1, other), "Ann")


def test_every_offer_has_its_hint() -> None:
    """Insurance, even money, rescue, second chance, a late card, an exposed card: each answer has a value."""
    insured = hint(dealt("pa-down-under-blackjack", "AS AH KC 9D"), "Ann")
    assert set(insured["decisions"]) == {"insure", "even_money", "decline"}
    assert insured["decisions"]["insure"] < 0, "a third of the cards would have to be tens"
    assert insured["best"] == "decline"
    late = dealt("classic-blackjack", "9C 6D 2H JS hit", **CLASSIC).apply(Happened("requested_card_missed"))
    assert hint(late, "Ann")["best"] == "late_card"
    seen = Happened("card_drawn_in_error", None, Card("KS"), True)
    exposed = hint(dealt("classic-blackjack", "9C 6D 6H JS hit", **CLASSIC).apply(seen), "Ann")
    assert exposed["best"] == "refuse", "a king makes 25"
    assert exposed["decisions"]["accept"] == pytest.approx(-1)
    for round_ in (late, dealt("pa-spanish-21", "6C 7D 5H JS double 2C")):
        assert isinstance(round_.next, Offer)
        assert table_view(in_play(round_), 1, "player", "Ann")["offer"]["hint"]
        assert not table_view(in_play(round_), 1, "player", "Ben")["offer"]["hint"]
