"""Side wagers in closed form against published figures and against sums worked by hand."""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations

import pytest

from twentyone.cards import RANKS, SUITS, Card
from twentyone.odds.even_meters import even_words
from twentyone.odds.side_events import deviation
from twentyone.odds.side_wagers import shoe_of, side_wagers, super_bonus_probability
from twentyone.rulebook import Rulebook, Rules, rulebook_ids
from twentyone.rulebook.wheels import assumed_wheels


def rules_of(book: str, **submission: object) -> Rules:
    return Rulebook.load(book).under(submission)


def edge(book: str, wager: str, **submission: object) -> Fraction:
    found = side_wagers(rules_of(book, **submission))[wager].edge
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("book", "wager", "decks", "published"),
    [
        ("pa-spanish-21", "match_the_dealer", 6, "3.0555"),
        ("pa-spanish-21", "match_the_dealer", 8, "2.9855"),
        ("md-spanish-21", "match_the_dealer", 6, "3.0555"),
        ("s13-spanish-21", "match_the_dealer", 8, "2.9855"),
        ("pa-down-under-blackjack", "match_the_dealer", 6, "4.0618"),
        ("pa-down-under-blackjack", "match_the_dealer", 8, "3.6738"),
        ("pa-spanish-21", "insurance", 6, "24.7387"),
        ("pa-spanish-21", "insurance", 8, "24.8042"),
    ],
)
def test_published_edges(book: str, wager: str, decks: int, published: str) -> None:
    assert f"{float(edge(book, wager, decks=decks)) * 100:.4f}" == published


@pytest.mark.parametrize(("decks", "once"), [(6, 668_382), (8, 549_188)])
def test_the_super_bonus_falls_once_in(decks: int, once: int) -> None:
    chance = super_bonus_probability(rules_of("pa-spanish-21", decks=decks))
    assert chance is not None
    assert round(1 / chance) == once
    assert super_bonus_probability(rules_of("classic-blackjack")) is None


def test_match_the_dealer_card_by_card() -> None:
    """Every ordered deal of up card and two cards of a one-deck shoe, were it allowed, by the rules' own answer."""
    rules = rules_of("pa-spanish-21")
    deck = [Card(rank + suit) for rank in RANKS if rank != "10" for suit in SUITS]
    pays = wins = 0
    for up, one, two in permutations(deck, 3):
        matches = [card for card in (one, two) if card.rank == up.rank]
        pays += sum(9 if card.suit == up.suit else 4 for card in matches) if matches else -1
        wins += bool(matches)
        won = rules.match((one, two), up)
        assert (won is not None) == bool(matches)
    deals = 48 * 47 * 46
    suited, unsuited, other = 0, 3, 44
    assert suited + unsuited + other == 47
    chance = Fraction(other * (other - 1), 47 * 46)
    assert Fraction(wins, deals) == 1 - chance
    assert Fraction(pays, deals) == 2 * Fraction(unsuited, 47) * 4 - chance


def test_insurance_by_hand() -> None:
    """Sixteen cards of ten value a deck: 96 of the 311 cards left pay 2 to 1."""
    assert edge("classic-blackjack", "insurance") == 1 - 3 * Fraction(96, 311) == Fraction(23, 311)
    assert edge("pa-double-back-jack", "insurance", decks=1) == 1 - 3 * Fraction(16, 51)


def test_even_money_by_hand() -> None:
    """685a.7(g),(h)(1): 1 to 1 now, or 3 to 2 unless one of 95 tens among 309 cards makes it a push."""
    wanted = Fraction(3, 2) * (1 - Fraction(95, 309)) - 1
    assert edge("pa-down-under-blackjack", "even_money") == wanted


BLACKJACK = Fraction(2 * 24 * 72, 288 * 287)
SIX_TEN = Fraction(2 * 24 * 72, 288 * 287)


def spin(**submission: object) -> Rules:
    wheel = {"bonus_spin": {"jackpot": 1, "30+3": 199}, "xtreme_16": {"jackpot-1": 1, "200+25": 99}}
    return rules_of("md-spanish-21", bonus_spin="A", xtreme_16=True, wheel_weights=wheel, **submission)


def test_a_wheel_by_hand() -> None:
    """12.D(6)(b)(i): the meter starts at $1,000; $1 is laid and kept."""
    found = side_wagers(spin())["bonus_spin"]
    assert found.wins == BLACKJACK
    assert found.edge == 1 - BLACKJACK * Fraction(1000 + 199 * 30, 200)
    meter = found.break_even["bonus_spin"]
    assert BLACKJACK * (meter + 199 * 30) / 200 == 1
    assert abs(Fraction(found.body()["break_even_meter"]["bonus_spin"]) - meter) <= Fraction(1, 200)


def test_other_players_blackjacks_pay_the_community_amount() -> None:
    alone, three = (side_wagers(spin(), others)["bonus_spin"].edge for others in (0, 3))
    assert alone is not None
    assert three is not None
    assert alone - three == 3 * BLACKJACK * Fraction(199 * 3, 200)


def test_xtreme_16_by_hand() -> None:
    """A six and a ten-value card turn the wheel: $10,000 once in a hundred, else $200; $5 is laid."""
    found = side_wagers(spin())["xtreme_16"]
    assert found.wins == SIX_TEN
    assert found.edge == (5 - SIX_TEN * Fraction(10_000 + 99 * 200, 100)) / 5
    shared = side_wagers(spin(), others=1)["xtreme_16"]
    community = Fraction(150 + 100 + 75 + 50 + 40 + 35 + 30 + 25, 8)
    prize = Fraction(10_000 + 99 * 200, 100) / 2 + (community + 99 * 25) / 100 / 2
    assert shared.edge == (5 - SIX_TEN * prize) / 5


def test_readings_of_the_wheels() -> None:
    kept, back = (side_wagers(spin(readings={"md-wheel-stake": value})) for value in ("kept", "returned"))
    for name, chance in (("bonus_spin", BLACKJACK), ("xtreme_16", SIX_TEN)):
        assert (kept[name].edge or 0) - (back[name].edge or 0) == chance
    six_up = side_wagers(spin(readings={"md-xtreme-trigger": "six-up"}))["xtreme_16"]
    assert six_up.wins == SIX_TEN / 2


def test_a_wheel_that_the_submission_does_not_give_is_not_priced() -> None:
    found = side_wagers(rules_of("md-spanish-21", bonus_spin="A"))["bonus_spin"]
    assert found.edge is None
    assert found.body()["edge"] is None
    assert "wheel_weights" in found.definition


def test_what_is_not_offered_is_not_priced() -> None:
    assert set(side_wagers(rules_of("classic-blackjack"))) == {"insurance"}
    assert set(side_wagers(rules_of("pa-down-under-blackjack", decks=4))) == {"insurance", "even_money"}
    assert "match_the_dealer" not in side_wagers(rules_of("pa-spanish-21", match_the_dealer=False))


def test_one_wrong_payout_and_one_card_not_removed_would_be_seen() -> None:
    """Negative controls: 10 to 1 for 9 to 1, and a hole card from the whole shoe, give other figures."""
    own = {"match_the_dealer_odds": {"suited": "10:1"}}
    assert edge("s13-spanish-21", "match_the_dealer", **own) != edge("s13-spanish-21", "match_the_dealer")
    cards = sum(shoe_of(rules_of("pa-spanish-21")).values())
    whole = 1 - 3 * Fraction(72, cards)
    assert f"{float(whole) * 100:.4f}" != "24.7387"


def test_the_json_of_a_wager() -> None:
    body = side_wagers(rules_of("pa-spanish-21"))["match_the_dealer"].body()
    assert body["fraction"] == "114/3731"
    assert body["edge"] == pytest.approx(114 / 3731)
    assert body["cite"] == "58 Pa. Code § 635a.6(e)"


@pytest.mark.parametrize("book", rulebook_ids())
def test_no_side_wager_of_a_table_that_is_opened_first_favours_the_player(book: str) -> None:
    """Every house begins with these tables: each wheel there has weights of its own, and no wager gives money away."""
    shown = Rulebook.load(book)
    rules = shown.under(shown.showcase)
    assert assumed_wheels(rules) == ()
    assert all(price.edge is not None and price.edge >= 0 for price in side_wagers(rules).values())


@pytest.mark.parametrize("book", rulebook_ids())
def test_events_add_up(book: str) -> None:
    """All that can become of a wager comes to one, and to its edge; a changed event is seen."""
    wheels = {"wheel_weights": assumed_wheels(rules_of(book))} if "bonus_spin" in rules_of(book).wagers else {}
    priced = side_wagers(rules_of(book, **wheels))
    for wager in priced.values():
        assert sum(event.probability for event in wager.events) == 1
        if wager.name != "even_money":
            assert -sum(event.probability * event.net for event in wager.events) == wager.edge
            assert wager.wins == sum(event.probability for event in wager.events if event.net > -1)
        assert wager.standard_deviation is not None
        first = wager.events[0]
        wrong = (first._replace(net=first.net + 1), *wager.events[1:])
        assert deviation(wrong) != wager.standard_deviation or len(wrong) == 1


def test_deviation_by_hand() -> None:
    """Insurance is 2 to 1 once in 311/96: the root of 9 p (1 - p)."""
    chance = 96 / 311
    found = side_wagers(rules_of("classic-blackjack"))["insurance"].standard_deviation
    assert found == pytest.approx((9 * chance * (1 - chance)) ** 0.5, abs=1e-12)
    assert deviation(()) is None


@pytest.mark.parametrize(
    ("even", "limit", "words"),
    [
        ("-4815.67", None, "always in the player's favor: the meter bonus spin never shows less than its reset amount"),
        ("999.99", None, "always in the player's favor"),
        ("1000", None, "no edge when the meter bonus spin shows $1,000"),
        ("1500", "1400", "never in the player's favor: the meter bonus spin never shows more than its limit of $1,400"),
        ("1400", "1400", "no edge when the meter bonus spin shows $1,400"),
    ],
)
def test_a_meter_is_said_to_show_only_what_it_can(even: str, limit: str | None, words: str) -> None:
    """12.D(6): it starts at its reset amount and returns to it, and stops at its limit."""
    wager = {
        "break_even_meter": {"bonus_spin": even},
        "meter_bounds": {"bonus_spin": {"reset": "1000", "limit": limit}},
    }
    (said,) = even_words(wager)
    assert said.startswith(words)


def test_the_bounds_of_a_meter_are_those_of_the_submission() -> None:
    own = {"bonus_spin": {"reset": "2000", "limit": "9000", "rate": "0.05"}}
    body = side_wagers(spin(progressive=own))["bonus_spin"].body()
    assert body["meter_bounds"] == {"bonus_spin": {"reset": "2000", "limit": "9000"}}
