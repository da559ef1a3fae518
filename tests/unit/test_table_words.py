"""The story's sentences, read aloud: every kind of event, with and without what it may bring."""

from __future__ import annotations

import re
from typing import Any

import pytest
from tests.golden.ledger import GOLDEN, read_golden

from twentyone.money import Amount
from twentyone.round import events as e
from twentyone.round.words import in_words
from twentyone.service.lines import lines
from twentyone.table.evolve import CHANGES
from twentyone.table.model import TableEvent
from twentyone.table.words import _WORDS, ROUND, SILENT, told

HASH = "0123456789abcdef" * 4
READER = "the card reader is out of order: no dealing until it is repaired or replaced"
MOVED = {"amount": "480", "source": "Ann_B", "target": "(cage)"}
BOUGHT = {"amount": "500", "source": "(inventory)", "target": "Ann"}
LAID: dict[str, Any] = {"player": "Ann", "box": 3, "wager": "match_dealer", "amount": "10"}
SHOE: dict[str, Any] = {"batch": "red", "cover": None}

SAID: list[tuple[str, dict[str, Any], str]] = [
    ("cards_shuffled", {"commitment": HASH}, "the cards are shuffled; their order is committed to as 0123456789ab"),
    ("cards_shuffled", {"commitment": "shuffled by hand"}, "the cards are shuffled; nobody knows the order"),
    ("cards_received", {"decks": 1, "batch": "red"}, "1 deck comes to the table (red backs)"),
    ("cards_received", {"decks": 6, "batch": "blue"}, "6 decks come to the table (blue backs)"),
    ("cards_turned_up", {}, "the cards are turned face up"),
    ("cut_made", {"by": "Ann_B", "place": 1}, "Ann_B cuts 1 card from the top"),
    ("cover_card_inserted", {"from_bottom": 1}, "the cover card goes in 1 card from the bottom"),
    ("cover_card_inserted", {"from_bottom": 72}, "the cover card goes in 72 cards from the bottom"),
    ("cover_card_seen", {"box": None}, "the cover card comes out: this round is finished first"),
    ("cover_card_seen", {"box": 2}, "the cover card comes out at box 2: this round is finished first"),
    ("rack_reloaded", {"size": 1}, "the shoe ran out: 1 card of the discard rack is shuffled into it, one is burned"),
    ("rack_reloaded", {"size": 9}, "the shoe ran out: 9 cards of the discard rack are shuffled into it, one is burned"),
    ("table_idle", {"face": "down"}, "no play: the cards are spread face down"),
    ("table_idle", {"face": "up"}, "no play: the cards are spread face up"),
    ("player_seated", {"player": "Ann_B", "boxes": [2]}, "Ann_B sits down at box 2"),
    ("player_seated", {"player": "Ann_B", "boxes": [2, 3]}, "Ann_B sits down at boxes 2, 3"),
    ("player_left", {"player": "Ann_B"}, "Ann_B leaves the table"),
    ("consent_given", {"player": "Bob_", "box": 3}, "Fay lets Bob_ wager on box 3"),
    ("wager_laid", LAID, "Ann lays $10.00 on box 3: match dealer"),
    ("wager_laid", LAID | {"cash": False, "coupon": "0"}, "Ann lays $10.00 on box 3: match dealer"),
    ("wager_laid", LAID | {"cash": True}, "Ann lays $10.00 on box 3: match dealer, in words with cash"),
    ("wager_laid", LAID | {"coupon": "5"}, "Ann lays $10.00 on box 3: match dealer, with a coupon of $5.00"),
    ("wager_confirmed", {"role": "floorperson", "box": 1}, "the floorperson confirms the verbal wager on box 1"),
    ("chips_moved", MOVED | {"why": "leaves"}, "Ann_B takes $480.00 to the cage"),
    ("chips_moved", MOVED | {"why": "the table closes"}, "the table closes: Ann_B takes $480.00 to the cage"),
    ("chips_moved", MOVED | {"why": "tip", "target": "(tips)"}, "Ann_B gives $480.00 into the tip box"),
    ("chips_moved", BOUGHT | {"why": "buy-in", "cash": "500"}, "Ann buys in for $500.00"),
    ("chips_moved", BOUGHT | {"why": "verbal", "cash": "500"}, "Ann gets $500.00 in chips for cash"),
    ("chips_moved", BOUGHT | {"why": "fill", "source": "(cage)", "target": "(inventory)"},
     "fill: $500.00 from the cage to the table inventory"),
    ("coupon_settled", BOUGHT | {"why": "coupon"}, "coupon: $500.00 from the table inventory to Ann"),
    ("device_reported", {"device": "card_reader", "state": "out_of_order", "stopped": READER}, READER),
    ("device_reported", {"device": "card_reader", "state": "out_of_order", "stopped": ""},
     "the card reader is out of order"),
    ("device_reported", {"device": "shuffler", "state": "covered", "stopped": READER},
     f"the shuffler is covered; {READER}"),
    ("device_reported", {"device": "card_reader", "state": "working", "stopped": ""}, "the card reader works again"),
    ("device_inspected", {"device": "card_reader"}, "Fay inspects the card reader"),
    ("cards_collected", {"removed": [], "returned": False}, "the cards are picked up into the discard rack"),
    ("cards_collected", {"removed": [], "returned": True}, "the cards go back into the shuffler"),
    ("cards_collected", {"removed": ["TS"], "returned": False},
     "the cards are picked up into the discard rack; 1 card leaves the game"),
    ("round_ended", {"void": True}, "the round is void"),
    ("round_resumed", {}, "the round is not over yet"),
    ("bar_set", {"on": False}, "those who sit out may enter again"),
    ("meter_set", {"meter": "bonus_spin", "base": "5000"}, "the meter bonus spin starts at $5,000.00"),
    ("meter_paid", {"meter": "bonus_spin", "paid": "5001.5"}, "the meter bonus spin pays $5,001.50"),
]  # fmt: skip


@pytest.mark.parametrize(("kind", "data", "says"), SAID)
def test_a_sentence_reads_well(kind: str, data: dict[str, Any], says: str) -> None:
    assert [line.says for line in told(TableEvent(kind, "", 0, "Fay", data))] == [says]


def test_every_kind_of_event_has_words() -> None:
    assert set(_WORDS) == set(CHANGES) - {*SILENT, *ROUND}


def test_the_reader_may_fail_after_the_hole_card_was_read() -> None:
    """Nothing is said of a reading that may have been before."""
    assert "not read" not in in_words(e.ReaderFailed(""))


BROKEN = re.compile(r"None|[{}_]|  |[:;] ?$|^:| (by|as|to|of|for|at) ?$|\b1 (cards|decks|boxes|rounds)\b")
"""What no sentence has: a value that is not there, a name of the program, an end that is cut off."""


@pytest.mark.parametrize("name", GOLDEN)
def test_the_story_of_a_ledger_has_no_broken_sentence(name: str) -> None:
    """Days of every game, as the live table tells them."""
    story = list(lines(read_golden(name).events))
    assert len(story) > 500
    assert [line.says for line in story if BROKEN.search(line.says)] == []
    assert all(line.cite for line in story)


@pytest.mark.parametrize(
    "says",
    [
        "the cards are shuffled; their order is committed to as ",
        "Ann cuts 1 cards from the top",
        "the round is void: ",
        "box None is dealt 8♠",
        "match_dealer $10.00 lose, net -$10.00",
    ],
)
def test_a_broken_sentence_is_found(says: str) -> None:
    """Negative control: sentences that are cut short or name what a person does not say."""
    assert BROKEN.search(says)


def test_amounts_come_as_money_or_as_text() -> None:
    """The ledger keeps text, a live event an amount: both read alike."""
    event = TableEvent("wager_laid", "", 0, "Ann", LAID | {"amount": Amount("10"), "coupon": Amount(0)})
    assert next(told(event)).says == "Ann lays $10.00 on box 3: match dealer"
