"""Whole days at a table of every regulation: what holds after every event, whoever does what."""

from __future__ import annotations

from collections import Counter
from dataclasses import fields
from typing import Any

import pytest
from tests.contracts.table_driver import FLOORPERSON, Day

from twentyone.cards import Card
from twentyone.money import NOTHING
from twentyone.rulebook import Rulebook, rulebook_ids
from twentyone.rulebook.clauses import SubmissionKey
from twentyone.table import Table, TableEvent, TableState, fold_table
from twentyone.table.evolve import evolve
from twentyone.table.model import Bundle
from twentyone.table.play import task_of
from twentyone.table.rounds import reconstruct_rack
from twentyone.table.shoe import full_batch

BOOKS = [book for book in rulebook_ids() if Rulebook.load(book).regulation]
SHOES = 3
"""Shoes that a day plays down to the cover card."""
ROUNDS = 45
"""Rounds of a day whose device has no cover card: what is dealt goes back into it after each."""
DISTURBED = 40
"""Rounds of a day on which everybody gives commands at random."""

Hands = tuple[tuple[Card, ...], ...]


class Witness:
    """Follows a day event by event, with a state of its own, and checks what must always hold."""

    def __init__(self, rulebook: Rulebook, table: Table) -> None:
        self.cites = {rulebook.prefix + paragraph for paragraph in rulebook.entries}
        self.state = TableState()
        self.dealt: dict[int, Hands] = {}
        self.see(table, table.events)

    def see(self, before: Table, events: tuple[TableEvent, ...]) -> None:
        """Check the state after each of some new events."""
        for event in events:
            if event.kind == "cards_collected":
                self.dealt[self.state.rounds] = hands_on(before.state)
            evolve(self.state, event)
            if event.kind == "cards_collected":
                self.check_count(event)
            assert event.cite in self.cites, event
            self.check_money(event)
            self.check_meters(event)

    def check_count(self, event: TableEvent) -> None:
        """No card gets lost: as many are in the shoe and in the rack as the batch has."""
        state = self.state
        assert state.shoe is not None
        rack = sum(len(hand) for bundle in state.rack for hand in bundle.hands)
        assert state.shoe.left + rack + len(state.removed) == state.batches[state.shoe.batch].cards, event

    def check_money(self, event: TableEvent) -> None:
        """Chips and cash add up to nothing, and nobody has less than nothing."""
        state = self.state
        assert sum(state.chips.values(), NOTHING) == 0, event
        assert sum(state.cash.values(), NOTHING) == 0, event
        assert all(amount >= 0 for name, amount in state.chips.items() if name in state.players), (event, state.chips)

    def check_meters(self, event: TableEvent) -> None:
        """A meter holds its bases and what was wagered, less what it paid and what waits above its limit."""
        for meter in self.state.meters.values():
            held = meter.base * (meter.hits + 1) + meter.contributed - meter.paid - meter.overflow
            assert meter.amount == held, event


def hands_on(state: TableState) -> Hands:
    """The hands on the layout as the round itself knows them, right to left, the dealer's last."""
    assert state.round is not None
    layout = state.round.state
    boxes = [(hand.cards, hand.chance) for box in layout.boxes[::-1] for hand in layout.hands[box][::-1]]
    return (*(cards if chance is None else (*cards, chance) for cards, chance in boxes), layout.dealer)


def submissions(book: str) -> list[dict[str, Any]]:
    """The submissions to try: preshuffled decks, every shuffler, every hole card, both wheels with their meters."""
    keys = {clause.name: clause for clause in Rulebook.load(book).clauses if isinstance(clause, SubmissionKey)}
    wheels: list[dict[str, Any]] = [{}]
    if "progressive" in keys:
        meters = {
            "bonus_spin": {"rate": "0.07", "reset": "5000", "limit": "5001.50"},
            "xtreme_16_primary": {"rate": "0.1", "reset": "12000"},
            "xtreme_16_secondary": {"rate": "0.0333", "reset": "6000"},
        }
        wheels += [{"bonus_spin": table, "xtreme_16": True, "progressive": meters} for table in ("A", "C")]
    holes = [{"hole_card": mode} for mode in keys["hole_card"].choices] if "hole_card" in keys else [{}]
    two = {} if keys["boxes_per_player"].default == 2 else {"boxes_per_player": 2}
    preshuffled: list[dict[str, Any]] = [{"shuffler": "manual", "preinspected": True}]
    return (preshuffled if "preinspected" in keys else []) + [
        {"shuffler": shuffler, **hole, **wheel, **two}
        for shuffler in keys["shuffler"].choices
        for hole in holes
        for wheel in wheels
    ]


CASES = [(book, given) for book in BOOKS for given in submissions(book)]
NAMES = [
    "-".join([book, *(str(value) for value in given.values() if isinstance(value, str | bool))])
    for book, given in CASES
]


def begin(book: str, given: dict[str, Any], seed: int, noise: float = 0.0) -> tuple[Day, Witness]:
    """A day with its witness."""
    rulebook = Rulebook.load(book)
    rules = rulebook.under(given)
    witness = Witness(rulebook, Table.new(rules))
    return Day(rules, seed, witness.see, noise), witness


def check_cards(day: Day) -> None:
    """Every card of the batch is in the shoe or in the rack."""
    state = day.state
    assert state.shoe is not None
    rack = [card for bundle in state.rack for hand in bundle.hands for card in hand]
    assert state.shoe.left == len(day.shoe)
    assert Counter([*day.shoe, *rack, *state.removed]) == Counter(full_batch(day.rules))
    assert state.shoe.left + len(rack) + len(state.removed) == state.batches[state.shoe.batch].cards


def check_fold(day: Day) -> None:
    """The state is the fold of the events."""
    folded = fold_table(day.table.events)
    for field in (field for field in fields(TableState) if field.compare):
        mine, theirs = getattr(day.state, field.name), getattr(folded, field.name)
        if field.name == "round":
            mine, theirs = (None if held is None else held.state for held in (mine, theirs))
        assert mine == theirs, field.name


def check_rack(day: Day, witness: Witness) -> None:
    """The hands rebuilt from the rack are those that were dealt."""
    for bundle in reconstruct_rack(day.state.rack):
        hands = witness.dealt[bundle.round]
        assert bundle.hands[: len(hands)] == hands
    day.give("reconstruct", "floorperson", FLOORPERSON)
    rebuilt = day.table.events[-1].data["rounds"]
    assert rebuilt == [[[c.name for c in hand] for hand in bundle.hands] for bundle in reconstruct_rack(day.state.rack)]


def play_on(day: Day, witness: Witness, rounds: int) -> None:
    """So many more rounds, with the cards counted and the hands rebuilt after each."""
    for number in range(day.done + 1, day.done + rounds + 1):
        day.work(number)
        check_cards(day)
        if number % 5 == 0:
            check_rack(day, witness)


def covers(day: Day) -> int:
    """How often the cover card has come out."""
    return sum(event.kind == "cover_card_seen" for event in day.table.events)


@pytest.mark.parametrize(("book", "given"), CASES, ids=NAMES)
def test_a_newcomer_works_a_day_by_the_next_steps(book: str, given: dict[str, Any]) -> None:
    day, witness = begin(book, given, seed=CASES.index((book, given)))
    has_cover = task_of(day.rules, "insert_cover_card") is not None
    play_on(day, witness, 3)
    day.change_dealer()
    play_on(day, witness, 3)
    if task_of(day.rules, "spread_idle") is not None:
        day.stand_idle()
        play_on(day, witness, 3)
    if task_of(day.rules, "reshuffle") is not None:
        day.give("reshuffle", "floorperson", FLOORPERSON)
        play_on(day, witness, 3)
    while covers(day) < SHOES if has_cover else day.done < ROUNDS:
        play_on(day, witness, 1)
    check_fold(day)
    day.give("close_table", "floorperson", FLOORPERSON)
    check_fold(day)
    assert day.state.shoes > SHOES or not has_cover
    assert witness.state.chips == day.state.chips


@pytest.mark.parametrize(("book", "given"), CASES, ids=NAMES)
def test_commands_at_random_are_refused_or_allowed(book: str, given: dict[str, Any]) -> None:
    day, witness = begin(book, given, seed=1000 + CASES.index((book, given)), noise=0.2)
    day.work(DISTURBED)
    check_fold(day)
    assert sum(day.refused.values()) > DISTURBED
    assert sum(day.allowed.values()) > 0
    assert witness.state.chips == day.state.chips


@pytest.mark.parametrize("book", BOOKS)
def test_a_shoe_that_runs_out_in_a_round_is_filled_from_the_rack(book: str) -> None:
    day, witness = begin(book, {"shuffler": "manual"}, seed=7)
    play_on(day, witness, 4)
    state = day.state.copy()
    assert state.shoe is not None
    gone = tuple(day.shoe[:-3])
    state.shoe = state.shoe._replace(left=3)
    state.rack = (*state.rack, Bundle(0, (gone,)))
    state.gone = dict(Counter(state.gone) + Counter(card.name for card in gone))
    day.table, day.shoe = Table(day.rules, state, day.table.events), day.shoe[-3:]
    witness.state = state.copy()
    day.work(5)
    assert day.reloads == 1
