"""A stranger's walk through all games, three rounds each: by mouse, by keyboard alone, by touch at 390 pixels.

Every card is the test's, and every amount follows from the paragraphs that stand beside it: the wager is 25 dollars.
"""

from __future__ import annotations

from typing import Any

import pytest

from tests.web.conftest import Enter
from tests.web.serving import Api, Server
from tests.web.walk import Move, Played, Walk

BUST = "Your hand is bust. Second chance"

DOUBLED_INSURED_SPLIT = (
    # 6(a), 8(e): both wagers of a doubled hand earn 1 to 1.
    Played(
        ("chip-25", "lay"),
        "6C 7H 5D KS",
        (Move("Your 11 against a 7. Your decision.", "double", "10S"),),
        ("Your 21 beats the dealer's 17: +$50.",),
        ("§ 8(e)",),
        "$550.00",
    ),
    # 5(d): insurance is lost to a 7 in the hole, at once; 8(c)(5): the higher total wins.
    Played(
        ("rebet",),
        "9C AH 8D 7S",
        (
            Move("Your 17 against an ace. Insurance up to $12.50 pays 2 to 1?", "insure"),
            Move("Your 17 against an ace. Your decision.", "stand"),
        ),
        ("Together −$37.50.", "Dealer's 18 beats your 17: −$25.", "Insurance loses: −$12.50."),
        ("§ 8(c)(5)", "§ 5(d)"),
        "$512.50",
    ),
    # 7(a), 6(b), 8(c)(4): both hands of a split win when the dealer is over 21, the doubled one twice.
    Played(
        ("rebet",),
        "8C 6H 8D KS",
        (
            Move("Your 16 against a 6. Your decision.", "split", "10H"),
            Move("Hand 1 · Your 18 against a 6. Your decision.", "stand", "3S"),
            Move("Hand 2 · Your 11 against a 6. Your decision.", "double", "9H"),
        ),
        ("Together +$75.", "Hand 1 · Dealer busts with 26: +$25.", "Hand 2 · Dealer busts with 26: +$50."),
        ("§ 8(e)", "§ 8(e)"),
        "$587.50",
        "QD",
    ),
)

RESCUED_INSURED_SPLIT = (
    # 635a.12(e)(1): a 7 of another suit pays 4 to 1; 635a.10(d): the rescue gives up the first wager.
    Played(
        ("chip-25", "pick-match-the-dealer", "chip-5", "lay"),
        "7C 7D 4D KS",
        (
            Move("Your 11 against a 7. Your decision.", "double", "2S"),
            Move("Your 13 against a 7. Rescue: take back $25, give up $25?", "rescue"),
        ),
        ("Together −$5.", "Rescued, $25 taken back: −$25.", "Match the dealer pays 4 to 1: +$20."),
        ("§ 635a.10(d)", "§ 635a.12(e)(1)"),
        "$495.00",
    ),
    # 635a.8, 635a.12(d): half the wager at 2 to 1 is what the Blackjack takes; 635a.7(h): it ends the round.
    Played(
        ("rebet",),
        "9C AH 8D KS",
        (Move("Your 17 against an ace. Insurance up to $12.50 pays 2 to 1?", "insure"),),
        (
            "Together −$5.",
            "Dealer's Blackjack beats your 17: −$25.",
            "Match the dealer loses: −$5.",
            "Insurance pays 2 to 1: +$25.",
        ),
        ("§ 635a.7(n)", "§ 635a.7(f)", "§ 635a.12(d)"),
        "$490.00",
    ),
    # 635a.12(e)(1): each of two matches pays; 635a.11(c): a split hand may double; equal totals go back.
    Played(
        ("rebet",),
        "8C 8H 8D KS",
        (
            Move("Your 16 against an 8. Your decision.", "split", "3H"),
            Move("Hand 1 · Your 11 against an 8. Your decision.", "double", "7S"),
            Move("Hand 1 · Your 18 against an 8. Rescue: take back $25, give up $25?", "decline", "KD"),
            Move("Hand 2 · Your 18 against an 8. Your decision.", "stand"),
        ),
        (
            "Together +$40.",
            "Hand 1 · Push, your 18 ties: $50 back.",
            "Hand 2 · Push, your 18 ties: $25 back.",
            "Match the dealer pays 8 to 1: +$40.",
        ),
        ("§ 635a.7(o)", "§ 635a.7(o)", "§ 635a.12(e)(1)"),
        "$530.00",
    ),
)

SPUN_SURRENDERED_DOUBLED = (
    # Ch. 12.A(2): a Blackjack earns 3 to 2; Ch. 12.D: the $50 symbol pays $50, the $1 wager is kept.
    Played(
        ("chip-25", "pick-bonus-spin", "lay"),
        "AS 7H KC 9D",
        (),
        ("Together +$86.50.", "Blackjack pays 3 to 2: +$37.50.", "Bonus spin wins: +$49."),
        ("Ch. 12.A(2)", "Ch. 12.D(1)(e)"),
        "$586.50",
        spins="50",
    ),
    # Ch. 12.A(4)(a)(i): a 9 in the suit of the up card pays 9 to 1; Ch. 9.A, C(1): half is given up at once.
    Played(
        ("chip-25", "pick-match-the-dealer", "chip-5", "lay"),
        "9C 9C 5D KS",
        (Move("Your 14 against a 9. Your decision.", "surrender"),),
        ("Together +$32.50.", "Surrendered: −$12.50.", "Match the dealer pays 9 to 1: +$45."),
        ("Ch. 9.C(1)", "Ch. 12.A(4)(a)(i)"),
        "$619.00",
    ),
    # Ch. 8: who declines insurance loses none; Ch. 10.H: who is offered the rescue may refuse; Ch. 12.A(1).
    Played(
        ("chip-25", "lay"),
        "6C AH 5D 7S",
        (
            Move("Your 11 against an ace. Insurance up to $12.50 pays 2 to 1?", "decline"),
            Move("Your 11 against an ace. Your decision.", "double", "8H"),
            Move("Your 19 against an ace. Rescue: take back $25, give up $25?", "decline"),
        ),
        ("Your 19 beats the dealer's 18: +$50.",),
        ("Ch. 12.A(1)",),
        "$669.00",
    ),
)

SURRENDERED_SECOND_CHANCES = (
    # 673a.9(a)(2): after the reader only half is lost.
    Played(
        ("chip-25", "lay"),
        "10C KH 6D 8S",
        (Move("Your 16 against a king. Your decision.", "surrender"),),
        ("Surrendered: −$12.50.",),
        ("§ 673a.9(a)(2)",),
        "$487.50",
    ),
    # 673a.7(l): after a double the second chance is as large as both wagers; 673a.7(s)(1)(i): it alone is paid.
    Played(
        ("rebet",),
        "8S 7H 4C KD",
        (
            Move("Your 12 against a 7. Your decision.", "double", "KS"),
            Move(f"Your 22 against a 7. {BUST} $50: one card is subtracted from 22?", "second_chance", "3C"),
        ),
        ("Second chance wins with 19 against the dealer's 17: +$50.",),
        ("§ 673a.12(b)",),
        "$537.50",
    ),
    # 673a.7(l)(2): 24 less 3 is 21 and paid at once, whatever the dealer makes; 673a.7(q)(1): his 22 returns the other.
    Played(
        ("rebet",),
        "8C 6H 8D KS",
        (
            Move("Your 16 against a 6. Your decision.", "split", "KH"),
            Move("Hand 1 · Your 18 against a 6. Your decision.", "stand", "6D"),
            Move("Hand 2 · Your 14 against a 6. Your decision.", "hit", "JD"),
            Move(f"Hand 2 · Your 24 against a 6. {BUST} $25: one card is subtracted from 24?", "second_chance", "3H"),
        ),
        (
            "Together +$25.",
            "Hand 1 · Push, your 18 against the dealer's 22: $25 back.",
            "Hand 2 · Second chance wins with 21: +$25.",
        ),
        ("§ 673a.7(q)(1)", "§ 673a.12(b)"),
        "$562.50",
        "6S",
    ),
)

EVEN_MONEY_SPLIT_INSURED = (
    # 685a.11(c): an ace of another suit pays 4 to 1; 685a.7(g): even money pays the Blackjack 1 to 1.
    Played(
        ("chip-25", "pick-match-the-dealer", "chip-5", "lay"),
        "AS AH KC 9D",
        (
            Move(
                "Your Blackjack against an ace. Insurance up to $12.50 pays 2 to 1; "
                "or even money: your Blackjack is paid 1 to 1 now, $25?",
                "even_money",
            ),
        ),
        ("Together +$45.", "Even money for your Blackjack: +$25.", "Match the dealer pays 4 to 1: +$20."),
        ("§ 685a.7(g)", "§ 685a.11(c)"),
        "$545.00",
    ),
    # 685a.9(a), 685a.10(c), 685a.11(a): both hands win 1 to 1, the doubled one twice.
    Played(
        ("chip-25", "lay"),
        "8C 7H 8D KS",
        (
            Move("Your 16 against a 7, hole card large. Your decision.", "split", "KH"),
            Move("Hand 1 · Your 18 against a 7, hole card large. Your decision.", "stand", "3D"),
            Move("Hand 2 · Your 11 against a 7, hole card large. Your decision.", "double", "9S"),
        ),
        (
            "Together +$75.",
            "Hand 1 · Your 18 beats the dealer's 17: +$25.",
            "Hand 2 · Your 20 beats the dealer's 17: +$50.",
        ),
        ("§ 685a.11(a)", "§ 685a.11(a)"),
        "$620.00",
    ),
    # 685a.8(a), 685a.11(b): insurance earns what the Blackjack takes under 685a.7(h)(2).
    Played(
        ("rebet",),
        "9C AH 9D KD",
        (Move("Your 18 against an ace. Insurance up to $12.50 pays 2 to 1?", "insure"),),
        ("Together $0.", "Dealer's Blackjack beats your 18: −$25.", "Insurance pays 2 to 1: +$25."),
        ("§ 685a.7(h)(2)", "§ 685a.11(b)"),
        "$620.00",
    ),
)

SEVENS_SURRENDERED_RESCUED = (
    # 13(e)(6)(iv), (7), 13(f)(5)(i): 3 to 1 for 7-7-7 of spades, $5,000 against a 7, and two matches at 4 to 1.
    Played(
        ("chip-25", "pick-match-the-dealer", "chip-5", "lay"),
        "7S 7H 7S KS",
        (Move("Your 14 against a 7. Your decision.", "hit", "7S"),),
        (
            "Together +$5,115.",
            "Your 21 pays 3 to 1: +$75.",
            "Match the dealer pays 8 to 1: +$40.",
            "Super bonus: +$5,000.",
        ),
        ("§ 13(e)(6)(iv)", "§ 13(f)(5)(i)", "§ 13(e)(7)"),
        "$5,615.00",
        badges=("+$5,075", "+$40"),
    ),
    # 13(h)(1)(ii): against a king the surrendered wager waits for the second card, then half of it is lost.
    Played(
        ("chip-25", "lay"),
        "9C KH 7D 8S",
        (Move("Your 16 against a king. Your decision.", "surrender"),),
        ("Surrendered: −$12.50.",),
        ("§ 13(h)(1)(ii)",),
        "$5,602.50",
    ),
    # 13(j)(3), 13(i)(4): a split hand is doubled and rescued; 13(e)(1)(i): the other wins when the dealer is over 21.
    Played(
        ("rebet",),
        "8C 6H 8D KS",
        (
            Move("Your 16 against a 6. Your decision.", "split", "3H"),
            Move("Hand 1 · Your 11 against a 6. Your decision.", "double", "2C"),
            Move("Hand 1 · Your 13 against a 6. Rescue: take back $25, give up $25?", "rescue", "KD"),
            Move("Hand 2 · Your 18 against a 6. Your decision.", "stand"),
        ),
        ("Together $0.", "Hand 1 · Rescued, $25 taken back: −$25.", "Hand 2 · Dealer busts with 25: +$25."),
        ("§ 13(i)(4)", "§ 13(e)(5)"),
        "$5,602.50",
        "9H",
    ),
)

WALKS: tuple[tuple[str, str, dict[str, Any], tuple[Played, ...]], ...] = (
    ("mouse", "classic-blackjack", {}, DOUBLED_INSURED_SPLIT),
    ("keyboard", "pa-spanish-21", {}, RESCUED_INSURED_SPLIT),
    ("touch", "md-spanish-21", {"bonus_spin": "A"}, SPUN_SURRENDERED_DOUBLED),
    ("mouse", "pa-double-back-jack", {}, SURRENDERED_SECOND_CHANCES),
    ("keyboard", "pa-down-under-blackjack", {}, EVEN_MONEY_SPLIT_INSURED),
    ("touch", "s13-spanish-21", {}, SEVENS_SURRENDERED_RESCUED),
)


DAILY = "md-spanish-21"
"""The walk by touch; the others are `make prove PART=day`."""
CHOSEN = [
    pytest.param(*walk, id=f"{walk[1]}-{walk[0]}", marks=() if walk[1] == DAILY else pytest.mark.prove)
    for walk in WALKS
]


@pytest.mark.parametrize(("means", "rulebook", "chosen", "rounds"), CHOSEN)
def test_a_stranger_walks_through_a_game(
    server: Server,
    admin: Api,
    enter: Enter,
    means: str,
    rulebook: str,
    chosen: dict[str, Any],
    rounds: tuple[Played, ...],
) -> None:
    """He sits down, plays three rounds, reads what each decision costs and what each paragraph paid; nothing fails."""
    walk = Walk(server, admin, enter, means, rulebook, **chosen)
    walk.sits()
    for round_ in rounds:
        walk.plays(round_)
    assert walk.logged == []
    assert admin.post("/verify")["faults"] == []
