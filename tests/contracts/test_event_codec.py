"""Every class of event goes into the ledger and comes back: made from the types of its fields, none left out."""

from __future__ import annotations

import json
from dataclasses import dataclass, make_dataclass
from typing import Any

import pytest
from tests.contracts.event_samples import sample, samples

from twentyone.ledger import codec
from twentyone.ledger.canonical import canonical
from twentyone.ledger.codec import TABLE_EVENTS, decode_event, decode_round_event, encode_round_event, table_event
from twentyone.ledger.rows import StoredEvent
from twentyone.money import Amount
from twentyone.round import events as round_events
from twentyone.round.events import Event
from twentyone.rulebook import Rulebook
from twentyone.table.events import ChipsMoved, CouponSettled, RecordField, TableEvent
from twentyone.table.evolve import CHANGES

RULES = Rulebook.load("pa-spanish-21").under({})
KINDS = [
    "agenda_set",
    "bar_set",
    "batch_spread_asked",
    "burn_card_asked",
    "burn_card_shown",
    "card_burned",
    "cards_collected",
    "cards_counted",
    "cards_inspected",
    "cards_miscounted",
    "cards_received",
    "cards_remixed",
    "cards_returned",
    "cards_shown",
    "cards_shuffled",
    "cards_spread",
    "cards_stacked",
    "cards_turned_up",
    "cards_washed",
    "chips_moved",
    "consent_ended",
    "consent_given",
    "coupon_laid",
    "coupon_returned",
    "coupon_settled",
    "coupon_used",
    "cover_card_inserted",
    "cover_card_seen",
    "cut_declined",
    "cut_made",
    "cut_offered",
    "dealer_changed",
    "device_inspected",
    "device_inspected_again",
    "device_reported",
    "face_up_asked",
    "floorperson_assigned",
    "found_tens_destroyed",
    "handling_refused",
    "hands_reconstructed",
    "inspection_verified",
    "limit_set",
    "meter_contributed",
    "meter_paid",
    "meter_restored",
    "meter_set",
    "meter_share_taken_back",
    "play_resumed",
    "player_admitted",
    "player_left",
    "player_seated",
    "player_standing",
    "rack_reloaded",
    "recount_ordered",
    "recut_ordered",
    "reshuffle_ordered",
    "round_begun",
    "round_ended",
    "round_event",
    "round_resumed",
    "shoe_loaded",
    "shoe_replaced",
    "shuffle_failed",
    "table_closed",
    "table_idle",
    "table_opened",
    "ten_found",
    "tens_removed",
    "tens_taken_out",
    "verbal_declined",
    "verbal_made",
    "wager_confirmed",
    "wager_laid",
    "wager_taken_back",
]
"""What stored ledgers call the table's events: a class may be renamed, these names may not."""
ROUND = [
    kind
    for name in round_events.__all__
    if isinstance(kind := getattr(round_events, name), type) and issubclass(kind, Event) and kind is not Event
]


def back(event: TableEvent) -> TableEvent:
    """An event through the text of a ledger."""
    new = table_event(event, RULES)
    text = canonical(new.body)
    stored = StoredEvent(1, "t", 1, new.ts, new.type, new.schema, text, "", "", None, None)
    return decode_event(stored, json.loads(text))


def same(one: object, other: object) -> bool:
    """Whether two events hold the same values of the same types: an amount is more than its number."""
    return one == other and repr(one) == repr(other) and type(one) is type(other)


def test_the_names_in_stored_ledgers_are_for_good() -> None:
    assert sorted(kind.kind for kind in TABLE_EVENTS) == KINDS
    assert set(TABLE_EVENTS) == set(CHANGES)


@pytest.mark.parametrize("kind", TABLE_EVENTS, ids=lambda kind: kind.__name__)
def test_an_event_of_the_table_comes_back_as_it_was(kind: type[TableEvent]) -> None:
    for event in samples(kind):
        assert same(back(event), event)


@pytest.mark.parametrize("kind", ROUND, ids=lambda kind: kind.__name__)
def test_an_event_of_the_round_comes_back_as_it_was(kind: type[Event]) -> None:
    for event in samples(kind):
        assert same(decode_round_event(json.loads(canonical(encode_round_event(event)))), event)


@pytest.mark.parametrize("kind", TABLE_EVENTS, ids=lambda kind: kind.__name__)
def test_an_event_of_the_table_is_plain_json_under_the_same_names(kind: type[TableEvent]) -> None:
    """What programs are shown has the keys that the ledger has, money in dollars."""
    event = sample(kind)
    shown, stored = event.to_json(), table_event(event, RULES).body
    assert json.loads(json.dumps(shown)) == shown
    assert shown.get("data", {}).keys() == stored.get("data", {}).keys()
    assert (shown["kind"], shown["cite"], shown["by"]) == (kind.kind, stored["cite"], stored["by"])


def test_cash_is_left_out_where_there_is_none() -> None:
    for kind in (ChipsMoved, CouponSettled):
        assert "cash" not in table_event(sample(kind, cash=None), RULES).body["data"]
        assert table_event(sample(kind, cash=Amount("5")), RULES).body["data"]["cash"] == 5000


# -- negative controls


def test_money_that_is_read_as_a_number_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """A codec that reads every amount as a plain number gives back another event."""
    kind, held = codec._TABLE["wager_laid"], codec._table_fields("wager_laid")
    careless = tuple(field._replace(read=int) if field.name == "amount" else field for field in held)
    monkeypatch.setattr(codec, "_table_fields", lambda _: careless)
    assert not same(back(sample(kind)), sample(kind))


def test_a_field_that_is_left_out_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """A required field that the ledger does not have cannot be made up."""
    kind, held = codec._TABLE["wager_laid"], codec._table_fields("wager_laid")
    monkeypatch.setattr(codec, "_table_fields", lambda _: held[1:])
    with pytest.raises(TypeError, match="box"):
        back(sample(kind))


@dataclass
class Strange:
    """A type that no ledger knows."""


@pytest.mark.parametrize("hint", [Strange, float, list[str], int | str, tuple[float, ...], Any])
def test_a_type_without_a_form_is_refused(hint: Any) -> None:
    """A new field of an event says how it is stored, or none can be stored."""
    kind = make_dataclass("Odd", [("field", hint)])
    with pytest.raises(TypeError, match="the ledger has no form for"):
        codec._fields(kind, [RecordField("field", "field", None)])
