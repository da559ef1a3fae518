"""Events and commands as JSON and back: exact, with names of their own, in forms that later versions can read."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from twentyone.cards import Card
from twentyone.ledger import codec
from twentyone.ledger.canonical import canonical
from twentyone.ledger.codec import (
    ROUND_EVENTS,
    command_event,
    decode_command,
    decode_round_event,
    encode_round_event,
    read_body,
    table_event,
)
from twentyone.ledger.identity import earlier_rules, given_submission, rulebook_hash, rules_hash
from twentyone.ledger.rows import LedgerRefused, StoredEvent
from twentyone.money import Amount, Odds
from twentyone.round import events as e
from twentyone.rulebook import Rulebook, rulebook_ids
from twentyone.table import Command
from twentyone.table.events import ChipsMoved

NAMES = [
    "announced",
    "asked",
    "blackjack_announced",
    "box_missed",
    "card_dealt",
    "card_drawn_in_error",
    "card_refused",
    "card_set_aside",
    "cards_collected",
    "deal_begun",
    "dealer_card_missed",
    "decision_taken",
    "declined",
    "hand_called_dead",
    "hand_closed",
    "hole_card_exposed",
    "hole_card_read",
    "hole_card_revealed",
    "insurance_offered",
    "meter_reset",
    "meter_shown",
    "rack_shuffled",
    "range_announced",
    "requested_card_missed",
    "round_voided",
    "settlement_undone",
    "step_begun",
    "total_announced",
    "wager_placed",
    "wager_settled",
    "wheel_spun",
    "wrong_range_found",
]

RULES = Rulebook.load("pa-spanish-21").under({})
SETTLED = e.WagerSettled("c", 1, 2, "Ann", "main", Amount("10"), "win", Odds(3, 2), Amount("15"), Amount("10"))


def stored(kind: str, body: str, schema: int = 1) -> StoredEvent:
    return StoredEvent(1, "t", 1, 0, kind, schema, body, "", "", None, None)


def test_the_names_of_the_rounds_events_are_for_good() -> None:
    """A ledger is read for ten years: a class may be renamed, the name in the ledger may not."""
    assert set(NAMES) <= ROUND_EVENTS


@pytest.mark.parametrize(
    "event",
    [
        e.CardDealt("c", Card("10H"), None, None, True),
        e.CardDrawnInError("c", None),
        e.CardDrawnInError("c", Card("AS")),
        e.DealBegun("c", ((1, 1, False), (None, None, True))),
        e.DecisionTaken("c", 1, None, "Ann", "insure", Amount("2.5")),
        e.DecisionTaken("c", 1, 1, "Ann", "stand"),
        e.RoundVoided("c", ("reshuffle",)),
        e.SettlementUndone("c", SETTLED),
        e.WrongRangeFound("c", "small", ((1, 1), (2, 1))),
        SETTLED,
        replace(SETTLED, odds=None, box=None),
    ],
    ids=lambda event: type(event).__name__,
)
def test_an_event_of_the_round_comes_back_as_it_was(event: e.Event) -> None:
    body = encode_round_event(event)
    assert decode_round_event(json.loads(canonical(body))) == event


def test_money_is_whole_thousandths() -> None:
    assert encode_round_event(SETTLED)["net"] == 15000
    tip = ChipsMoved("c", 7, "Ann", source="Ann", target="(tips)", amount=Amount("2.505"), why="tip")
    assert table_event(tip, RULES).body["data"] == {"source": "Ann", "target": "(tips)", "amount": 2505, "why": "tip"}
    assert command_event(Command("tip", "player", "Ann", 7, {"amount": "2.505"})).body["args"] == {"amount": 2505}


@pytest.mark.parametrize("args", [{"amount": "5", "box": 1}, {"amount": "odd"}, {"boxes": [1, 2]}, {}])
def test_a_command_comes_back_as_it_was(args: dict[str, object]) -> None:
    command = Command("place_wager", "player", "Ann", 9, args)
    assert decode_command(json.loads(canonical(command_event(command).body))) == command


@pytest.mark.parametrize("body", ['{"player":"\\ud800"}', '{"\\uDFFF":1}', '{"player":', "7", "[" * 9_999])
def test_a_body_that_is_none_is_refused(body: str) -> None:
    """Half a character is written as an escape only, and nothing can store it: this software did not write it."""
    with pytest.raises(LedgerRefused, match="cannot be read: verify this ledger"):
        read_body(stored("seat_taken", body))


@pytest.mark.parametrize("player", ["a\u0007b", "back\\ud800slash", "\U0001f0a1"])
def test_a_body_with_odd_characters_is_read(player: str) -> None:
    assert read_body(stored("seat_taken", canonical({"player": player}))) == {"player": player}


def test_a_body_of_a_newer_form_is_refused() -> None:
    with pytest.raises(LedgerRefused, match="version that wrote it"):
        read_body(stored("cards_spread", "{}", schema=codec.SCHEMA + 1))


def test_a_body_of_an_older_form_is_brought_up_step_by_step(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(codec, "SCHEMA", codec.SCHEMA + 1)
    monkeypatch.setitem(codec.UPCASTERS, ("tip", 1), lambda body: {"sum": body["cents"] * 10})
    monkeypatch.setitem(codec.UPCASTERS, ("tip", 2), lambda body: {"amount": body["sum"]})
    assert read_body(stored("tip", '{"cents":5}')) == {"amount": 50}
    assert read_body(stored("tip", '{"sum":50}', 2)) == {"amount": 50}
    assert read_body(stored("other", '{"a":1}')) == {"a": 1}


# -- what a table is played under


@pytest.mark.parametrize("book", rulebook_ids())
def test_a_submission_makes_the_same_rules_again(book: str) -> None:
    rulebook = Rulebook.load(book)
    rules = rulebook.under({})
    again = rulebook.under(given_submission(rules))
    assert again.submission.values == rules.submission.values
    assert rules_hash(again) == rules_hash(rules)


def test_hashes_tell_books_submissions_and_readings_apart() -> None:
    books = {rulebook_hash(Rulebook.load(book)) for book in rulebook_ids()}
    assert len(books) == len(rulebook_ids())
    book = Rulebook.load("pa-spanish-21")
    reading = next(reading for reading in book.readings if len(reading.values) > 1)
    other = {"readings": {reading.name: reading.values[1]}}
    assert len({rules_hash(book.under(given)) for given in ({}, {"decks": 8}, other)}) == 3


def test_a_changed_clause_changes_the_hash_and_changed_words_do_not() -> None:
    book = Rulebook.load("pa-spanish-21")
    paragraph, entry = next((name, entry) for name, entry in book.entries.items() if entry.clauses)
    reworded = replace(book, entries={**book.entries, paragraph: replace(entry, words="other words")})
    shorter = replace(book, entries={**book.entries, paragraph: replace(entry, clauses=entry.clauses[1:])})
    assert rulebook_hash(reworded) == rulebook_hash(book)
    assert rulebook_hash(shorter) != rulebook_hash(book)


def test_what_an_earlier_form_took_and_this_version_refuses_is_left_out() -> None:
    """A chip on which 3 to 2 is no whole number of cents; one that fits stays, and a strange key is passed over."""
    given = {"chip_unit": "0.25", "decks": 8, "sunshine": 1, "readings": {"sunshine": "yes"}}
    rules = earlier_rules("pa-spanish-21", given, "0" * 64)
    default = Rulebook.load("pa-spanish-21").under({}).submission["chip_unit"]
    assert (rules.submission["chip_unit"], rules.submission["decks"], rules.known_as) == (default, 8, "0" * 64)
    fits = earlier_rules("pa-spanish-21", {**given, "chip_unit": "0.10"}, "0" * 64)
    assert fits.submission["chip_unit"] == Amount("0.10")
