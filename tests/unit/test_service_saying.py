"""What a person is told: his result with its paying paragraph, and what each decision costs and leads to."""

from __future__ import annotations

from pathlib import Path

import pytest

from twentyone.cards import Card
from twentyone.money import ZERO, Amount
from twentyone.round import Happened, Round
from twentyone.round.commands import Decision
from twentyone.rulebook import Rulebook, rulebook_ids
from twentyone.script import replay
from twentyone.service.last_round import Played
from twentyone.service.results import dealer_words, parts, result
from twentyone.service.saying import saying
from twentyone.service.view import dealer_shown, table_view
from twentyone.table import NextStep, Table
from twentyone.table.model import Player, TableState

LAW = Path(__file__).parents[1] / "law"
EACH = 7
"""One of so many of the law's own examples is told."""


def dealt(book: str, cards: str, *wagers: dict[str, object], **chosen: object) -> Round:
    """A round of Ann's with these cards and decisions, the one after the other."""
    rules = Rulebook.load(book).under(chosen)
    round_ = Round.start(rules, wagers or [{"box": 1, "player": "Ann", "main": "25"}])
    for step in cards.split():
        round_ = round_.apply(step)
    return round_


def told(round_: Round, who: str = "Ann", role: str = "player") -> str:
    """What somebody is told in the middle of a round."""
    table = in_play(round_)
    return " ".join(said.text for said in saying(table, table.next_steps(), role, who, None))


def in_play(round_: Round) -> Table:
    """A table at which this round is played, by Ann and Ben."""
    state = TableState(phase="round", round=round_, rounds=1, dealer="Dan")
    state.players = {"Ann": Player(1, (1,)), "Ben": Player(2, (2,))}
    return Table(round_.rules, state)


@pytest.mark.parametrize(
    ("book", "cards", "says", "cite"),
    [
        ("pa-spanish-21", "9C KD 6H JS stand", "Dealer's 20 beats your 15: −$25.", "635a.7"),
        ("pa-spanish-21", "AS 7H KS KD", "Blackjack pays 3 to 2: +$37.50.", "635a.12"),
        ("pa-spanish-21", "9C 6D 6H JS hit KC", "Bust with 25: −$25.", "635a.7"),
        ("pa-spanish-21", "9C 6D 8H JS stand KC", "Dealer busts with 26: +$25.", "635a.12"),
        ("pa-spanish-21", "9C 7D 8H JS stand", "Push, your 17 ties: $25 back.", "635a.7"),
        ("pa-spanish-21", "9C 7D 6H JS surrender", "Surrendered: −$12.50.", "635a.9"),
        ("pa-spanish-21", "6C 7D 5H JS double 2C rescue", "Rescued, $25 taken back: −$25.", "635a.10"),
        (
            "pa-double-back-jack",
            "10C 7H 6D KS hit 9H second_chance 4C",
            "Second chance wins with 21; your first $25 comes back: +$25.",
            "673a.12",
        ),
        (
            "pa-double-back-jack",
            "10C 7H 6D 6S hit 9H second_chance 8C KS",
            "Second chance wins with 17, the dealer busts with 23; your first $25 comes back: +$25.",
            "673a.12",
        ),
        (
            "pa-down-under-blackjack",
            "10C 9D 9H 7S hit 2C 6H",
            "Your 21 wins against the dealer's 22: +$25.",
            "685a.11",
        ),
        ("pa-down-under-blackjack", "10C 9D 9H 7S stand 7H", "Dealer busts with 23: +$25.", "685a.11"),
    ],
)
def test_a_result_says_why_and_how_much(book: str, cards: str, says: str, cite: str) -> None:
    """One hand, one sentence, and the paragraph that pays or takes."""
    (found,) = result(dealt(book, cards), "Ann")
    assert found.text.startswith(says.removesuffix("."))
    assert f"§ {cite}(" in found.cite


def test_several_boxes_and_wagers_are_summed_with_their_parts() -> None:
    wagers = [
        {"box": 1, "player": "Ann", "main": "25", "match_the_dealer": "5"},
        {"box": 2, "player": "Ann", "main": "50"},
    ]
    found = result(dealt("pa-spanish-21", "9C 8C 8H KH KD KS stand stand", *wagers), "Ann")
    assert [said.text for said in found] == [
        "Together +$20.",
        "Box 1 · Your 19 beats the dealer's 18: +$25.",
        "Box 2 · Push, your 18 ties: $50 back.",
        "Box 1 · Match the dealer loses: −$5.",
    ]
    assert all(said.cite for said in found[1:])
    assert [said.part for said in found] == [False, True, True, True]


@pytest.mark.parametrize("book", rulebook_ids())
def test_the_parts_are_all_of_the_result(book: str) -> None:
    """Whatever was dealt: what is told adds up to what was won and lost, each part with its paragraph."""
    scripts = [path.read_text(encoding="utf-8") for path in sorted(LAW.glob(f"{book}/*/*.json"))[::EACH]]
    rounds = [round_ for script in scripts if (round_ := replay(script).round) is not None]
    assert len(rounds) > EACH
    for played in rounds:
        for who in played.state.players:
            each = parts(played, who)
            assert sum((part.net for part in each), ZERO) == played.net.get(who, ZERO)
            assert all(part.cite and part.text[0].isupper() for part in each)


def test_a_card_that_was_not_shown_is_not_told() -> None:
    """A round whose hole card stays face down says nothing of the dealer's hand."""
    round_ = dealt("pa-spanish-21", "9C 7D 8H JS")
    assert list(dealer_words(round_)) == []
    assert "beats" not in " ".join(said.text for said in result(round_, "Ann"))


def asked(round_: Round, who: str = "Ann") -> dict[str, str]:
    """The price and consequence of each decision, as the view has it."""
    view = table_view(in_play(round_), 1, "player", who)
    return {one["action"]: one["says"] for one in view["offer"]["decisions"] if one["allowed"]}


def test_offers_tell_price_and_consequence() -> None:
    rescue = dealt("pa-spanish-21", "6C 7D 5H JS double 2C")
    assert asked(rescue) == {"rescue": "Rescue: take back $25, give up $25"}
    assert told(rescue) == "Your 13 against a 7. Rescue: take back $25, give up $25?"
    chance = dealt("pa-double-back-jack", "10C 7H 6D KS hit 9H")
    assert asked(chance) == {"second_chance": "Second chance $25: one card is subtracted from 25"}
    assert told(chance).startswith("Your 25 against a 7. Your hand is bust. Second chance $25")
    insured = dealt("pa-down-under-blackjack", "AS AH KC 9D")
    assert asked(insured)["insure"] == "Insurance up to $12.50 pays 2 to 1"
    assert asked(insured)["even_money"] == "Even money: your Blackjack is paid 1 to 1 now, $25"
    assert told(insured).startswith(
        "Your Blackjack against an ace. Insurance up to $12.50 pays 2 to 1; or even money: "
    )
    turn = asked(dealt("pa-spanish-21", "8C 8H 8D JS"))
    assert turn["surrender"] == "Surrender: give up $12.50, keep $12.50"
    assert turn["double"] == "Double up to $25: one more card"
    assert turn["split"] == "Split $25: the pair becomes two hands"


def test_a_card_drawn_in_error_is_named_to_who_may_refuse_it() -> None:
    """What the player must accept or refuse is told: in the sentence, in the view, and on both buttons."""
    turn = dealt("pa-spanish-21", "9C 6D 2H JS").apply(Happened("card_drawn_in_error", None, Card("8S"), True))
    assert table_view(in_play(turn), 1, "player", "Ann")["exposed"] == "8S"
    assert "8♠ was drawn in error and is the next card." in told(turn)
    late = dealt("pa-spanish-21", "9C 6D 2H JS hit").apply(Happened("card_drawn_in_error", None, Card("8S"), True))
    assert asked(late) == {
        "accept": "Take the card: 8♠ makes 19",
        "refuse": "Refuse the card: you stay at 11 and draw no more",
    }
    missed = dealt("pa-spanish-21", "9C 6D 2H JS hit").apply(Happened("requested_card_missed"))
    assert asked(missed)["call_dead"] == "Dead hand: $25 goes back"
    assert told(missed).startswith("Your 11 against a 6. Your card was missed. Late card: ")


@pytest.mark.parametrize(
    ("cards", "says"),
    [
        ("9C 8D 6H JS", "Your 15 against an 8. Your decision."),
        ("AC 10D 6H JS", "Your soft 17 against a 10. Your decision."),
        ("9C JD 6H 5S", "Your 15 against a jack. Your decision."),
    ],
)
def test_cards_have_their_articles(cards: str, says: str) -> None:
    assert told(dealt("classic-blackjack", cards)) == says


def test_others_are_told_whom_the_table_waits_for() -> None:
    wagers = [{"box": 1, "player": "Ann", "main": "25"}, {"box": 2, "player": "Ben", "main": "25"}]
    turn = dealt("pa-spanish-21", "9C 8C 7D 6H 7H JS", *wagers)
    assert told(turn, "Ben") == "Ann plays box 1."
    assert told(turn, "", "player") == "Ann plays box 1."
    offered = dealt("pa-spanish-21", "9C 8C AD 6H 7H JS", *wagers)
    assert told(offered, "Cy") == "Insurance: Ann and Ben may answer."
    alone = offered.apply(Decision("decline", 1, "Ann"))
    assert told(alone, "Ann") == "Insurance: Ben is asked."
    dealing = dealt("pa-spanish-21", "9C 8C", *wagers)
    assert told(dealing) == "The cards are dealt."
    assert told(dealing, "Dan", "dealer") == "A card for the dealer."


def test_the_paragraph_of_a_card_is_that_of_the_card_to_come() -> None:
    """635a.7(e): the first card to each box is (1), the dealer's (2), the second (3), his second (4)."""
    rules = Rulebook.load("pa-spanish-21").under({})
    round_ = Round.start(rules, [{"box": 1, "player": "Ann", "main": "25"}])
    cites = []
    for card in ("9C", "KD", "6H", "JS"):
        cites.append(in_play(round_).next_steps()[0].cite)
        round_ = round_.apply(card)
    assert [cite[-6:] for cite in cites] == ["(e)(1)", "(e)(2)", "(e)(3)", "(e)(4)"]


def test_a_result_stays_until_the_next_wager_with_what_is_to_be_done() -> None:
    round_ = dealt("pa-spanish-21", "9C KD 6H JS stand")
    table = in_play(round_)
    table.state.phase = "settled"
    steps = table.next_steps()
    mine = [said.text for said in saying(table, steps, "player", "Ann", Played(1, round_))]
    assert mine == ["Dealer's 20 beats your 15: −$25."]
    assert saying(table, steps, "player", "Ben", None)[0].text == "Dealer has 20."
    table.state.phase, table.state.round = "open", None
    table.state.chips = {"Ann": Amount("475")}
    wager = NextStep("place_wager", "player", "635a.6", "lay a wager")
    after = saying(table, [wager], "player", "Ann", Played(1, round_))
    assert [said.text for said in after] == ["Dealer's 20 beats your 15: −$25.", "Lay your next wager."]
    table.state.chips = {}
    assert saying(table, [wager], "player", "Ann", None)[0].text == "You have no chips at this table."


def test_the_dealer_is_not_out_on_a_total_on_which_he_stands() -> None:
    """685a.7(m): the dealer stands on 22; elsewhere 22 is over."""
    stands = dealt("pa-down-under-blackjack", "10C 9D 9H 7S stand 6H")
    over = dealt("pa-double-back-jack", "10C 9D 9H 7S stand 6H")
    assert list(dealer_words(stands)) == ["Dealer has 22."]
    assert list(dealer_words(over)) == ["Dealer busts with 22."]
    assert (dealer_shown(stands)["bust"], dealer_shown(over)["bust"]) == (False, True)
