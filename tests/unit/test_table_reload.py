"""A shoe that runs out in a round is filled from the discard rack, and that shoe can be dealt again from its record."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from twentyone.cards import Card
from twentyone.errors import Refused
from twentyone.round import Round
from twentyone.rulebook import Rulebook
from twentyone.rulebook.clauses import Irregularity
from twentyone.table import Command, Table
from twentyone.table.card_events import CardsPickedUp, RackReloaded
from twentyone.table.events import RoundEvent
from twentyone.table.evolve import fold_table
from twentyone.table.model import Bundle
from twentyone.table.rack import rack_cards
from twentyone.table.script import follow
from twentyone.table.shoe import ShoeRecord, after_cut, commitment, faults, full_batch, shoe_order

SEED = bytes(range(32))
RULES = Rulebook.load("pa-spanish-21").under({"decks": 6})


def give(table: Table, do: str, role: str = "dealer", by: str = "Dan", **args: Any) -> Table:
    return table.apply(Command(do, role, by, 0, args))


@pytest.fixture(scope="module")
def empty() -> Table:
    """A table in mid-round whose shoe is empty: one card in the rack is the burn, the others were dealt before."""
    table = follow(Table.new(RULES), "show_cards", 0)
    table = give(table, "sit", "player", "Ann", boxes=[1])
    table = follow(give(table, "buy_in", player="Ann", amount="1000"), "", 0)
    table = give(give(table, "place_wager", "player", "Ann", box=1, amount="10"), "deal")
    table = give(table, "card", card="9S")
    state = table.state.copy()
    assert state.shoe is not None
    rest = list(full_batch(RULES))
    for gone in ("2S", "9S"):
        rest.remove(Card(gone))
    state.shoe = state.shoe._replace(left=0)
    state.rack = (*state.rack, Bundle(1, (tuple(rest),)))
    state.gone = dict.fromkeys({card.name for card in full_batch(RULES)}, 6)
    return Table(RULES, state, table.events)


def test_the_card_burned_out_of_the_rack_is_unknown(empty: Table) -> None:
    """635a.13(g): drawn face down, it has left the shoe and lies in the rack; nobody says which card it is."""
    table = give(give(empty, "reload_rack", commitment="by hand"), "offer_cut")
    table = give(give(table, "cut", "player", "Ann", place=100), "burn", card="unknown")
    assert [str(card) for card in rack_cards(table.state.rack)] == ["unknown"]
    assert table.state.gone == {"9S": 1, "unknown": 1}
    assert table.state.shoe is not None
    assert table.state.shoe.left == 286


def test_the_rack_is_the_batch_of_a_record_of_its_own(empty: Table) -> None:
    """635a.13(g): all cards of the rack, shuffled and cut, the first drawn off."""
    batch = rack_cards(empty.state.rack)
    assert len(batch) == 287
    stack = after_cut(shoe_order(SEED, batch), 100)
    table = give(empty, "reload_rack", commitment=commitment(SEED))
    event = next(event for event in table.new_events if isinstance(event, RackReloaded))
    assert event.cite == "58 Pa. Code § 635a.13(g)"
    assert event.cards == batch
    assert event.size == 287
    table = give(give(table, "offer_cut"), "cut", "player", "Ann", place=100)
    table = give(table, "burn", card=stack[0].name)
    assert table.state.cuts["rack"] == 100
    assert table.state.shoe is not None
    assert (table.state.shoe.size, table.state.shoe.left) == (287, 286)
    record = ShoeRecord("pa-spanish-21", {"decks": 6}, SEED.hex(), commitment(SEED), 100, stack[:20], batch)
    assert ShoeRecord.from_json(record.to_json()) == record
    assert faults(record) == []
    assert faults(replace(record, batch=None)) != []
    assert faults(replace(record, batch=batch[1:])) != []
    assert faults(replace(record, dealt=(stack[1], *stack[1:20]))) == [
        f"card 1 is {stack[1]}, the seed makes it {stack[0]}"
    ]


def test_the_next_step_cites_the_paragraph_of_an_empty_shoe(empty: Table) -> None:
    """635a.13(g), not the paragraph of the card that came last."""
    (step,) = empty.next_steps("dealer")
    assert (step.do, step.cite) == ("reload_rack", "58 Pa. Code § 635a.13(g)")


def test_a_batch_that_the_decks_cannot_hold_is_a_fault() -> None:
    batch = (*full_batch(RULES), Card("AS"))
    dealt = shoe_order(SEED, batch)[:5]
    record = ShoeRecord("pa-spanish-21", {"decks": 6}, SEED.hex(), commitment(SEED), 0, dealt, batch)
    assert faults(record) == [f"the batch holds {Card('AS')} more often than its decks do"]


@pytest.mark.parametrize("args", [{"burn": "9S"}, {"cut": 100}, {"commitment": 7}])
def test_a_wrong_reload_is_refused(empty: Table, args: dict[str, Any]) -> None:
    with pytest.raises(Refused) as refused:
        give(empty, "reload_rack", **{"commitment": commitment(SEED), **args})
    assert refused.value.cite == "", "no paragraph speaks of arguments"


@pytest.mark.parametrize(("size", "due"), [(19, "burn"), (20, "cut")])
def test_a_rack_is_cut_that_is_long_enough_for_a_cut(empty: Table, size: int, due: str) -> None:
    """635a.13(g), 635a.5(d): ten cards from either end leave a place in twenty cards, and none in nineteen."""
    state = empty.state.copy()
    state.rack = (Bundle(1, (rack_cards(state.rack)[:size],)),)
    table = give(Table(RULES, state, empty.events), "reload_rack", commitment=commitment(SEED))
    assert table.state.agenda[0].do == due
    if due == "cut":
        with pytest.raises(Refused, match="comes first") as refused:
            give(table, "card", card="9S")
        assert "635a.5(d)" in refused.value.cite


def test_new_cards_leave_no_removed_ones_behind() -> None:
    """A ten found in the shoe is out of play while its decks are at the table, and gone with them."""
    table = follow(Table.new(RULES), "show_cards", 0)
    table = give(table, "sit", "player", "Ann", boxes=[1])
    table = follow(give(table, "buy_in", player="Ann", amount="1000"), "", 0)
    table = give(give(table, "place_wager", "player", "Ann", box=1, amount="10"), "deal")
    for card in ("10S", "9S", "9H", "9D", "KD"):
        table = give(table, "card", card=card)
    table = give(give(table, "decide", "player", "Ann", action="stand"), "collect_cards")
    assert (table.state.found, table.state.removed) == ((Card("10S"),), ())
    table = table.apply(Command("destroy_found_ten", "floorperson", "Fay"))
    assert (table.state.found, table.state.removed) == ((), (Card("10S"),))
    table = follow(give(table, "change_cards"), "inspect_cards", 0)
    assert table.state.removed == ()


@pytest.mark.parametrize("word", ["cut", "burn"])
def test_what_the_text_does_not_order_for_the_rack_is_not_due(empty: Table, word: str) -> None:
    """635a.13(g) names the cut and the burn card; a text without the word has neither."""
    key = "irregularity.insufficient_cards"
    clauses = [
        replace(clause, effects=tuple(effect for effect in clause.effects if effect != word))
        if isinstance(clause, Irregularity) and clause.key == key
        else clause
        for clause in RULES.clauses
    ]
    rules = RULES.with_clauses(clauses)
    round_ = empty.state.round
    assert round_ is not None
    state = empty.state.copy()
    state.round = Round(rules, round_.state, round_.events, round_.next)
    table = give(Table(rules, state, empty.events), "reload_rack", commitment=commitment(SEED))
    assert [todo.do for todo in table.state.agenda] == [name for name in ("cut", "burn") if name != word]


def test_a_ten_of_an_earlier_form_folds_as_it_did() -> None:
    """There the ten left the shoe as any card and its batch with the pick-up; nobody waits for a floorperson."""
    table = follow(Table.new(RULES), "show_cards", 0)
    table = give(table, "sit", "player", "Ann", boxes=[1])
    table = follow(give(table, "buy_in", player="Ann", amount="1000"), "", 0)
    table = give(give(table, "place_wager", "player", "Ann", box=1, amount="10"), "deal")
    before = table.state
    found = give(table, "card", card="10S").new_events
    old = [replace(event, cards=(Card("10S"),)) for event in found if isinstance(event, RoundEvent)]
    state = fold_table(old, before)
    assert before.shoe is not None
    assert state.shoe == before.shoe.drawn()
    picked = CardsPickedUp("", 0, "Dan", hands=(), removed=(Card("10S"),), returned=False)
    state = fold_table([picked], state)
    assert (state.found, state.removed, state.batches["red"].cards) == ((), (Card("10S"),), 287)
