"""Decisions on very cards: suits count, impossible hands are refused with the paragraph."""

from __future__ import annotations

import pytest
from tests.analyses import best

from twentyone.cards import Card, parse_cards
from twentyone.errors import Refused
from twentyone.odds.analysis import Analysis, analyse
from twentyone.rulebook import Rulebook


@pytest.fixture(scope="module")
def spanish() -> Analysis:
    """Spanish 21 as Pennsylvania writes it."""
    return best("pa-spanish-21")


@pytest.fixture(scope="module")
def down_under() -> Analysis:
    """Down Under Blackjack."""
    return best("pa-down-under-blackjack")


def test_every_legal_decision_has_a_value(spanish: Analysis) -> None:
    """A pair of eights may stand, hit, double, surrender and split."""
    found = spanish.decisions(parse_cards("8S 8H"), Card("7D"))
    assert set(found) == {"stand", "hit", "double", "surrender", "split"}
    assert found["surrender"] == -0.5
    assert max(found, key=lambda name: found[name]) == "split"


def test_the_suit_of_a_special_hand(spanish: Analysis) -> None:
    """6-7 of spades gains by a hit what 3 to 1 pays above 3 to 2, and of hearts what 2 to 1 does."""
    spades, hearts, mixed = (
        spanish.decisions(parse_cards(cards), Card("5D"))["hit"] for cards in ("6S 7S", "6H 7H", "6S 7H")
    )
    # One in four eights is of the suit, and the hand always wins; two cards and the up card are out of the shoe.
    eight = 24 / (288 - 3)
    assert spades - mixed == pytest.approx(eight / 4 * 1.5, abs=1e-12)
    assert hearts - mixed == pytest.approx(eight / 4 * 0.5, abs=1e-12)


def test_a_finished_special_hand(spanish: Analysis) -> None:
    """6-7-8 of spades stands for 3 to 1."""
    assert spanish.decisions(parse_cards("6S 7S 8S"), Card("5D")) == pytest.approx({"stand": 3})
    assert spanish.decisions(parse_cards("6S 7S 8H"), Card("5D")) == pytest.approx({"stand": 1.5})


def test_rescue(spanish: Analysis) -> None:
    """A doubled 12 against an ace is rescued for the original wager."""
    found = spanish.decisions(parse_cards("4S 6S 2H"), Card("AD"), doubled=True)
    assert found["rescue"] == pytest.approx(-1)
    assert found["decline"] < -1


def test_second_chance() -> None:
    """A hand of 22 may take its second chance; declining loses the wager."""
    found = analyse(Rulebook.load("pa-double-back-jack").under({"decks": 1})).decisions(
        parse_cards("KS 6H 6D"), Card("6C")
    )
    assert found["decline"] == pytest.approx(-1)
    assert found["second_chance"] > -1


def test_what_is_known_of_the_hole_card(down_under: Analysis) -> None:
    """16 against a 10: worth more beside a small hole card than beside an exposed 10."""
    cards, up = parse_cards("9S 7H"), Card("KD")
    small, exposed = down_under.decisions(cards, up, "small"), down_under.decisions(cards, up, "=10")
    assert small["stand"] > exposed["stand"]
    assert set(exposed) == {"stand", "hit", "double"}


@pytest.mark.parametrize(
    ("cards", "up", "why"),
    [
        ("7S 7S 7S 7S 7S 7S", "7S", "7 of 7S were asked, but the shoe holds 6"),
        ("10S 5H", "7S", "there is no 10S"),
        ("KS", "7S", "is no hand"),
        ("KS QS JS 5H", "7S", "is no hand"),
    ],
)
def test_impossible_hands(spanish: Analysis, cards: str, up: str, why: str) -> None:
    """What was asked, what is wrong, which paragraph."""
    with pytest.raises(Refused, match=why) as refused:
        spanish.decisions(parse_cards(cards), Card(up))
    assert refused.value.cite.startswith("58 Pa. Code § 635a.")


def test_a_hole_card_that_cannot_be_known(spanish: Analysis, down_under: Analysis) -> None:
    """A range where none is announced, and an exposed card where only its range is told."""
    with pytest.raises(Refused, match="cannot be known"):
        spanish.decisions(parse_cards("9S 7H"), Card("KD"), "small")
    with pytest.raises(Refused, match="small") as refused:
        down_under.decisions(parse_cards("9S 7H"), Card("6D"), "=10")
    assert "685a.7(h)" in refused.value.cite
