"""Suits of one hand: the card that completes a special hand may lie face up, be out, or be the card that was split."""

from __future__ import annotations

import json
from collections import Counter
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from tests.analyses import best
from tests.daily import daily, daily_books
from tests.hand_oracle import Beside, Hand, Oracle
from tests.hand_situations import Deal, compared, dealt, forgotten_up_card, situations

from twentyone.cards import SUITS, Card, parse_cards
from twentyone.cli import DONE, REFUSED, main
from twentyone.money import Amount
from twentyone.odds.classes import Classes
from twentyone.odds.core import Core
from twentyone.odds.effects import house_edge
from twentyone.odds.hand_values import SeenHand, decks_of, hand_values
from twentyone.odds.insurance import insured
from twentyone.odds.kept_hands import kept_hand
from twentyone.odds.settlement_mass import SettlementMass
from twentyone.odds.tables import Tables
from twentyone.rulebook import Rulebook

PA, S13 = "pa-spanish-21", "s13-spanish-21"
SPANISH = (PA, "md-spanish-21", S13)
SHAPES = {("6", "7"): "8", ("6", "8"): "7", ("7", "8"): "6", ("7", "7"): "7"}
"""Two cards, and the one that makes a special hand of them."""
PAYS = {"S": Fraction(3), "H": Fraction(2), "D": Fraction(2), "C": Fraction(2)}
"""What a special hand of one suit pays; one of several pays 3 to 2 as any 21 of three such cards does."""


# -- the chance of the third card


def many_out(decks: int) -> tuple[Card, ...]:
    """A hundred and eighty cards that have left the shoe, more spades than clubs."""
    left = [card for card, many in decks_of(Rulebook.load(PA).under({"decks": decks})).items() for _ in range(many)]
    return tuple(left[::2] + left[1::12])[:180]


@pytest.mark.parametrize("book", SPANISH)
@pytest.mark.parametrize(("decks", "gone"), list(product((6, 8), (False, True))))
def test_a_hit_gains_by_the_very_cards_that_are_left(book: str, decks: int, gone: bool) -> None:
    """Against a 6, 7 or 8 nothing is told of the hole card, so every unseen card is as likely to come."""
    rules = Rulebook.load(book).under({"decks": decks})
    out = many_out(decks) if gone else ()
    tried = 0
    for ((one, two), third), suit, shown in product(SHAPES.items(), SUITS, SUITS):
        cards, up = (Card(one + suit), Card(two + suit)), Card(third + shown)
        left = Counter(decks_of(rules))
        left.subtract((*cards, up, *out))
        if min(left.values()) < 0:
            continue
        other = next(Card(two + some) for some in SUITS if some != suit and left[Card(two + some)] > 0)
        mixed = hand_values(rules, (cards[0], other), up, out=out)["hit"]
        gain = Fraction(left[Card(third + suit)], left.total()) * (PAYS[suit] - Fraction(3, 2))
        assert hand_values(rules, cards, up, out=out)["hit"] == pytest.approx(mixed + float(gain), abs=1e-12)
        tried += 1
    assert tried > 40


@pytest.mark.parametrize(
    ("cards", "up", "out", "hit"),
    [
        ("6S 7S", "8S", "", -0.195409),
        ("6S 7S", "8H", "", -0.190146),
        ("6S 7S", "8C", "", -0.190146),
        ("7H 7H", "7S", "", -0.232010),
        ("7H 7H", "7H", "", -0.233765),
        ("6S 7S", "8S", "2C", -0.194677),
        ("7S 7S", "7H", "", -0.217975),
    ],
)
def test_values_that_others_worked_out(cards: str, up: str, out: str, hit: float) -> None:
    found = hand_values(Rulebook.load(PA).under(), parse_cards(cards), Card(up), out=parse_cards(out) if out else ())
    assert found["hit"] == pytest.approx(hit, abs=5e-7)


# -- one value, however it is asked


@pytest.mark.parametrize("book", daily((PA, S13), S13))
def test_the_analysis_the_table_and_the_hand_say_the_same(book: str) -> None:
    game, names = best(book), ("6S", "6H", "7S", "7H", "8S", "8C", "9D")
    for one, two, shown in product(names, names, ("6S", "7S", "7C", "8S", "8H")):
        cards, up = (Card(one), Card(two)), Card(shown)
        for split in (False, True):
            if split and one[0] == "9":
                continue
            ours = hand_values(game.rules, cards, up, split=split)
            assert game.decisions(cards, up, split=split) == pytest.approx(ours, abs=1e-12), (cards, up, split)
        known = kept_hand(game.rules, cards, up, "", doubled=False)
        assert known is None or known == pytest.approx(hand_values(game.rules, cards, up), abs=1e-12)


def test_a_rank_without_a_suit_is_the_mean_over_the_suits_that_are_left() -> None:
    """Against a 7 beside 7-7 of hearts there are four hearts and six of each other suit."""
    game = best(S13)
    cards = parse_cards("7H 7H")
    by_suit = {suit: game.value(cards, Card("7" + suit), decision="hit") for suit in SUITS}
    mean = sum(by_suit[suit] * (4 if suit == "H" else 6) for suit in SUITS) / 22
    assert game.value(cards, "7", decision="hit") == pytest.approx(mean, abs=1e-12)
    assert hand_values(game.rules, cards, Card("7S"), any_suit=True)["hit"] == pytest.approx(mean, abs=1e-12)


def test_a_pair_without_suits_is_split_for_the_mean_over_its_suits() -> None:
    """Two methods: shares of suits carried through the analysis, and each pair by itself, which can only gain by it."""
    game, named = best(S13), ("SH", "SD", "SC", "HD", "HC", "DC")
    pairs = {suit * 2: 15 for suit in SUITS} | dict.fromkeys(named, 36)
    split = {
        suits: hand_values(game.rules, parse_cards(f"8{suits[0]} 8{suits[1]}"), Card("9C"))["split"] for suits in pairs
    }
    mean = sum(split[suits] * many for suits, many in pairs.items()) / sum(pairs.values())
    assert len({round(value, 9) for value in split.values()}) > 2
    assert 0 <= mean - game.value("8 8", "9", decision="split") < 1e-6


# -- an oracle


def beside_a_card_that_counts(book: str, shown: str) -> tuple[Deal, list[SeenHand]]:
    """A deal from a full shoe; hands that the up card would complete, and some of every kind."""
    deal = dealt(book, "suits")._replace(up=Card(shown), out=(), hidden=Card("KD"), hole="")
    (one, two), _ = next((shape, third) for shape, third in SHAPES.items() if third == shown[0])
    suited = [SeenHand((Card(one + a), Card(two + b)), deal.up) for a, b in product("SHC", "SHC")]
    return deal, [*suited, *situations(deal, "hands", 30)]


@pytest.mark.parametrize(("book", "shown"), daily(tuple(product(SPANISH, ("7H", "8S"))), (PA, "8S")))
def test_hands_beside_a_card_that_counts_are_valued_as_the_oracle_does(book: str, shown: str) -> None:
    found = compared(*beside_a_card_that_counts(book, shown), most=0)
    assert not found.faults
    assert found.review > 30
    assert found.hints > 30


def test_an_up_card_that_is_left_among_the_cards_to_come_is_found(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The control; the wrong values are kept nowhere else."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    deal, asked = beside_a_card_that_counts(PA, "8S")
    with patch(*forgotten_up_card()):
        found = compared(deal, asked[:9], most=0)
    assert len(found.faults) >= 3
    assert any(fault.startswith("oracle") for fault in found.faults)


@pytest.mark.parametrize("book", daily_books("pa-down-under-blackjack"))
def test_random_hands_are_valued_alike_by_all(book: str) -> None:
    """Split and doubled hands, rescues and second chances, cards that are out: `make prove PART=hands` has 10,000."""
    deal = dealt(book, "daily")
    found = compared(deal, list(situations(deal, "daily", 40)), most=0)
    assert not found.faults
    assert found.oracle == 40


@pytest.mark.parametrize(
    ("book", "pair"), daily(((S13, "7S 7S"), (S13, "7S 7H"), (S13, "8C 8D"), (PA, "8C 8D")), (S13, "7S 7H"))
)
def test_a_split_is_the_sum_over_every_pattern_of_second_cards(book: str, pair: str) -> None:
    """Hands of further splits begin with a card of any suit."""
    rules, cards, up = Rulebook.load(book).under(), parse_cards(pair), Card("7C")
    left = Counter(decks_of(rules))
    left.subtract((up,))
    found = Beside(Oracle(rules), left, up).values(Hand(cards))
    assert found == pytest.approx(hand_values(rules, cards, up), abs=1e-12)


# -- a shoe with one card less


def test_one_card_less_is_the_mean_over_its_suits() -> None:
    """Every suit of the 7 that is gone, the shoe known card by card."""
    rules = Rulebook.load(PA).under({"max_split_hands": 2})
    shoe = Classes.of(rules).shoe
    shoe[Classes.of(rules).index("7")] -= 1

    def edge(gone: str) -> float:
        left = decks_of(rules)
        left[Card(gone)] -= 1
        core = Core(Tables(rules, shoe, cards=left))
        return -float(SettlementMass(core).value + insured(core).value)

    mean = (edge("7S") + 3 * edge("7H")) / 4
    assert house_edge(rules, shoe) == pytest.approx(mean, abs=1e-12)
    assert house_edge(rules, shoe) == pytest.approx(0.005227421, abs=5e-10)


# -- the command


def asked(capsys: pytest.CaptureFixture[str], *words: str) -> Any:
    assert main(["hand", *words, "--json"]) == DONE
    return json.loads(capsys.readouterr().out)


def test_the_command_takes_the_suit_of_the_up_card(capsys: pytest.CaptureFixture[str]) -> None:
    spade, heart, either = (asked(capsys, PA, "6S 7S", "--up", up) for up in ("8S", "8H", "8"))
    assert [body["up"] for body in (spade, heart, either)] == ["8S", "8H", "8"]
    hit = [body["decisions"]["hit"] for body in (spade, heart, either)]
    assert hit[0] < hit[2] < hit[1]
    assert hit[2] == pytest.approx((hit[0] + 3 * hit[1]) / 4, abs=1e-12)


def test_the_super_bonus_is_left_out_until_a_wager_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    """A third 7 of spades comes four times in 285; $1,000 are a hundred wagers of $10."""
    sevens = [PA, "7S 7S", "--up", "7H"]
    plain, ten = asked(capsys, *sevens), asked(capsys, *sevens, "--wager", "10")
    assert ten["decisions"]["hit"] - plain["decisions"]["hit"] == pytest.approx(100 * 4 / 285, abs=1e-12)
    assert {name: value for name, value in ten["decisions"].items() if name != "hit"} == {
        name: value for name, value in plain["decisions"].items() if name != "hit"
    }
    assert (plain["super_bonus"]["wager"], ten["super_bonus"]["wager"]) == (None, "10")
    assert (plain["best"], ten["best"]) == ("split", "hit")
    assert "super_bonus" not in asked(capsys, PA, "7S 7S", "--up", "8H")
    main(["hand", *sevens])
    assert (
        "The super bonus is left out: --wager DOLLARS counts it (58 Pa. Code § 635a.12(c))" in capsys.readouterr().out
    )
    main(["hand", *sevens, "--wager", "10"])
    assert "The super bonus of a wager of $10 is counted" in capsys.readouterr().out
    assert main(["hand", *sevens, "--wager", "no"]) == REFUSED
    assert "--wager no: a wager is a positive amount" in capsys.readouterr().err


def test_a_finished_hand_has_its_super_bonus(capsys: pytest.CaptureFixture[str]) -> None:
    """Against a 7 nothing is told of the hole card: the hand has won."""
    whole = asked(capsys, PA, "7S 7S 7S", "--up", "7", "--wager", "25")["decisions"]["stand"]
    assert whole == pytest.approx(3 + int(Amount("5000")) / int(Amount("25")), abs=1e-12)
