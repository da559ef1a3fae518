"""The story's sentences, read aloud: every kind of event, with and without what it may bring."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Any

import pytest
from tests.contracts.event_samples import sample
from tests.golden.ledger import GOLDEN, read_golden

from twentyone.cards import Card
from twentyone.money import Amount
from twentyone.round.events import ReaderFailed
from twentyone.round.words import in_words
from twentyone.service.lines import lines
from twentyone.table import card_events as cards
from twentyone.table import events as e
from twentyone.table import meter_events as meters
from twentyone.table import wager_events as w
from twentyone.table.evolve import CHANGES
from twentyone.table.words import _WORDS, described, recorded

HASH = "0123456789abcdef" * 4
READER = "the card reader is out of order: no dealing until it is repaired or replaced"
OUT = "the shoe ran out"
MOVED = {"amount": Amount("480"), "source": "Ann_B", "target": "(cage)"}
BOUGHT = {"amount": Amount("500"), "source": "(inventory)", "target": "Ann"}
LAID: dict[str, Any] = {"player": "Ann", "box": 3, "wager": "match_dealer", "amount": Amount("10")}
LAID |= {"cash": False, "coupon": Amount(0)}
COUPON: dict[str, Any] = {"number": "A-1", "amount": Amount("5"), "box": 3, "player": "Ann", "wager": "main"}

SAID: list[tuple[type[e.TableEvent], dict[str, Any], str]] = [
    (cards.CardsShuffled, {"commitment": HASH, "batch": "blue"},
     "the cards are shuffled (blue backs); their order is committed to as 0123456789ab"),
    (cards.CardsShuffled, {"commitment": "shuffled by hand", "batch": "red"},
     "the cards are shuffled (red backs); nobody knows the order"),
    (cards.CardsReceived, {"decks": 1, "batch": "red"}, "1 deck comes to the table (red backs)"),
    (cards.CardsReceived, {"decks": 6, "batch": "blue"}, "6 decks come to the table (blue backs)"),
    (cards.CardsReceived, {"decks": 6, "batch": "red", "whole": False},
     "6 decks come to the table (red backs), without tens"),
    (cards.TensTakenOut, {"cards": 24}, "Fay takes the tens out: 24 cards"),
    (cards.TensRemoved, {"left": 288, "floorperson": "Fay"}, "Fay destroys the tens; 288 cards are left"),
    (cards.FoundTensDestroyed, {"cards": (Card("10S"), Card("10H"))}, "Fay destroys 10♠ and 10♥, found in the shoe"),
    (cards.CardsCounted, {"cards": 312}, "all cards are collected and counted: 312"),
    (cards.CardsTurnedUp, {}, "the cards are turned face up"),
    (cards.CutMade, {"cutter": "Ann_B", "place": 1}, "Ann_B cuts 1 card from the top"),
    (cards.CoverCardInserted, {"from_bottom": 1}, "the cover card goes in 1 card from the bottom"),
    (cards.CoverCardInserted, {"from_bottom": 72}, "the cover card goes in 72 cards from the bottom"),
    (cards.CoverCardSeen, {"box": None}, "the cover card comes out: this round is finished first"),
    (cards.CoverCardSeen, {"box": 2}, "the cover card comes out at box 2: this round is finished first"),
    (cards.RackReloaded, {"size": 1, "burn": None, "kept": ()},
     f"{OUT}: 1 card of the discard rack is shuffled for it"),
    (cards.RackReloaded, {"size": 9, "kept": ()},
     f"{OUT}: 9 cards of the discard rack are shuffled for it, one is burned"),
    (cards.RackReloaded, {"size": 9, "burn": None, "kept": (Card("KD"),)},
     f"{OUT}: 9 cards of the discard rack are shuffled for it; K♦, found face up, stays in it"),
    (cards.TableIdle, {"face": "down", "asked_by": ""}, "no play: the cards are spread face down"),
    (cards.TableIdle, {"face": "up", "asked_by": "Ann"}, "no play: the cards are spread face up, as Ann asked"),
    (e.HandsReconstructed, {"rounds": ()}, "the discard rack holds no hand to rebuild"),
    (e.HandsReconstructed, {"rounds": (((Card("9S"),),),), "aside": ()}, "the hands are rebuilt from the discard rack"),
    (
        e.HandsReconstructed,
        {"rounds": (((Card("9S"),),),), "aside": ((Card("5C"),),)},
        "the hands are rebuilt from the discard rack; 5♣ was set aside and is in no hand",
    ),
    (e.PlayerSeated, {"player": "Ann_B", "boxes": (2,)}, "Ann_B sits down at box 2"),
    (e.PlayerSeated, {"player": "Ann_B", "boxes": (2, 3)}, "Ann_B sits down at boxes 2, 3"),
    (e.PlayerLeft, {"player": "Ann_B"}, "Ann_B leaves the table"),
    (e.ConsentGiven, {"player": "Bob_", "box": 3}, "Fay lets Bob_ wager on box 3"),
    (w.ConsentEnded, {"player": "Bob_", "box": 3}, "Fay lets Bob_ wager on box 3 no longer"),
    (w.PlayerStanding, {"player": "Bob_"}, "Bob_ stands at the table"),
    (w.PlayerAdmitted, {"player": "Bob_"}, "Fay lets Bob_ wager again"),
    (w.VerbalMade, {"player": "Bob_", "box": 3, "wager": "main", "amount": Amount("5")},
     "Bob_ says $5.00 for box 3, with cash: main"),
    (w.VerbalDeclined, {"player": "Bob_", "box": 3}, "the verbal wager of Bob_ on box 3 is not accepted"),
    (w.BurnCardAsked, {"player": "Bob_"}, "Bob_ asks to see the burn card"),
    (cards.BurnCardShown, {"card": Card("7C"), "player": "Bob_"}, "the burn card is shown to Bob_: 7♣"),
    (e.WagerTakenBack, {"player": "Fay", "box": 3, "wager": ""}, "Fay takes the wager on box 3 back"),
    (e.WagerTakenBack, {"player": "Bob_", "box": 3, "wager": "match_dealer"},
     "Fay hands Bob_ the match dealer wager on box 3 back"),
    (e.WagerLaid, LAID, "Ann lays $10.00 on box 3: match dealer"),
    (e.WagerLaid, LAID | {"cash": True}, "Ann lays $10.00 on box 3: match dealer, verbally with cash"),
    (e.WagerLaid, LAID | {"coupon": Amount("5")}, "Ann lays $10.00 on box 3: match dealer, with a coupon of $5.00"),
    (e.WagerConfirmed, {"role": "floorperson", "box": 1}, "the floorperson confirms the verbal wager on box 1"),
    (e.ChipsMoved, MOVED | {"why": "leaves"}, "Ann_B takes $480.00 to the cage"),
    (e.ChipsMoved, MOVED | {"why": "the table closes"}, "the table closes: Ann_B takes $480.00 to the cage"),
    (e.ChipsMoved, MOVED | {"why": "tip", "target": "(tips)"}, "Ann_B gives $480.00 into the tip box"),
    (e.ChipsMoved, BOUGHT | {"why": "buy-in", "cash": Amount("500")}, "Ann buys in for $500.00"),
    (e.ChipsMoved, BOUGHT | {"why": "verbal", "cash": Amount("500")}, "Ann gets $500.00 in chips for cash"),
    (e.ChipsMoved, BOUGHT | {"why": "fill", "source": "(cage)", "target": "(inventory)"},
     "fill: $500.00 from the cage to the table inventory"),
    (w.CouponLaid, COUPON, "Fay lays the coupon A-1 of $5.00 beside the main wager of Ann on box 3"),
    (w.CouponReturned, COUPON, "the coupon A-1 of $5.00 goes back to Ann"),
    (w.CouponUsed, COUPON | {"paid": Amount("7.5")}, "the coupon A-1 of $5.00 is used; it won $7.50"),
    (w.LimitSet, {"about": "buy_in", "most": Amount("500")},
     "Fay sets the most that one command may move (buy in) to $500.00"),
    (e.CouponSettled, BOUGHT | {"why": "coupon"}, "coupon: $500.00 from the table inventory to Ann"),
    (e.DeviceReported, {"device": "card_reader", "state": "out_of_order", "stopped": READER}, READER),
    (e.DeviceReported, {"device": "card_reader", "state": "out_of_order", "stopped": ""},
     "the card reader is out of order"),
    (e.DeviceReported, {"device": "shuffler", "state": "covered", "stopped": READER},
     f"the shuffler is covered; {READER}"),
    (e.DeviceReported, {"device": "card_reader", "state": "working", "stopped": ""}, "the card reader works again"),
    (e.DeviceInspected, {"device": "card_reader"}, "Fay inspects the card reader"),
    (cards.CardsPickedUp, {"removed": (), "returned": False}, "the cards are picked up into the discard rack"),
    (cards.CardsPickedUp, {"removed": (), "returned": True}, "the cards go back into the shuffler"),
    (cards.CardsPickedUp, {"removed": (Card("10S"),), "returned": False},
     "the cards are picked up into the discard rack; 1 card leaves the game"),
    (cards.CardsReturned, {"batch": "red", "cards": 288}, "the cards go back into the shuffler, which holds 288 again"),
    (cards.ShoeLoaded, {"size": 288, "device": "", "continuous": True, "batch": "red"},
     "288 cards go into the shuffler (red backs)"),
    (cards.ShoeLoaded, {"size": 288, "device": "shuffler", "continuous": False, "batch": "blue"},
     "the shuffler puts 288 cards into the shoe (blue backs)"),
    (cards.ShoeReplaced, {"batch": "red", "left": 200}, "200 cards go into another shoe as they stand"),
    (e.RoundEnded, {"void": True}, "the round is void"),
    (e.RoundResumed, {}, "the round is not over yet"),
    (e.BarSet, {"on": False}, "those who sit out may enter again"),
    (meters.MeterSet, {"meter": "bonus_spin", "base": Amount("5000")}, "the meter bonus spin starts at $5,000.00"),
    (
        meters.JackpotTakenBack,
        {"meter": "bonus_spin", "paid": Amount("5001.5")},
        "the meter bonus spin has the $5,001.50 back that it paid",
    ),
    (
        meters.MeterShareTakenBack,
        {"meter": "bonus_spin", "taken": Fraction(50)},
        "the share of a returned wager leaves the meter bonus spin",
    ),
    (meters.JackpotPaid, {"meter": "bonus_spin", "paid": Amount("5001.5")}, "the meter bonus spin pays $5,001.50"),
]  # fmt: skip


@pytest.mark.parametrize(("kind", "data", "says"), SAID)
def test_a_sentence_reads_well(kind: type[e.TableEvent], data: dict[str, Any], says: str) -> None:
    assert [line.says for line in described(sample(kind, by="Fay", **data))] == [says]


@pytest.mark.parametrize(
    ("event", "says"),
    [
        (sample(e.AgendaSet, todo=(e.Todo("burn", "shoe"), e.Todo("cut"))), "to be done next: burn shoe, cut"),
        (sample(e.AgendaSet, todo=()), "to be done next: nothing"),
        (sample(e.RoundBegun, number=17, events=()), "round 17 begins: the wagers are closed"),
    ],
)
def test_what_comes_next_is_in_the_record_and_not_in_the_story(event: e.TableEvent, says: str) -> None:
    assert [line.says for line in recorded(event)] == [says]
    assert list(described(event)) == []


def test_every_kind_of_event_has_words() -> None:
    assert set(_WORDS) == set(CHANGES) - {e.RoundEvent}


def test_the_reader_may_fail_after_the_hole_card_was_read() -> None:
    """Nothing is said of a reading that may have been before."""
    assert "not read" not in in_words(ReaderFailed(""))


BROKEN = re.compile(r"None|[{}_]|  |[:;] ?$|^:| (by|as|to|of|for|at) ?$|\b1 (cards|decks|boxes|rounds)\b")
"""What no sentence has: a value that is not there, a name of the program, an end that is cut off."""


@pytest.mark.parametrize("name", GOLDEN)
def test_the_story_of_a_ledger_has_no_broken_sentence(name: str) -> None:
    """Days of every game, as the live table tells them."""
    story = list(lines(read_golden(name).events))
    assert len(story) > 400
    assert not any(line.says == "the cards are collected" for line in story), "told when they are picked up"
    assert [line.says for line in story if BROKEN.search(line.says)] == []
    assert all(line.cite for line in story)


@pytest.mark.parametrize(
    "says",
    [
        "the cards are shuffled (red backs); their order is committed to as ",
        "Ann cuts 1 cards from the top",
        "the round is void: ",
        "box None is dealt 8♠",
        "match_dealer $10.00 lose, net -$10.00",
    ],
)
def test_a_broken_sentence_is_found(says: str) -> None:
    """Negative control: sentences that are cut short or name what a person does not say."""
    assert BROKEN.search(says)
