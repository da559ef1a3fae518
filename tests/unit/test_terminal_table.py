"""The table of the terminal: its shoe, its wheels and meters, who sits where."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from twentyone.cards import Card, parse_cards
from twentyone.cli.play import _answer_by_rule
from twentyone.cli.terminal_table import OutOfCards, TerminalTable, assign_boxes
from twentyone.errors import Refused, SubmissionRefused
from twentyone.ledger.live_shoe import LiveShoe
from twentyone.ledger.shoes import Custody
from twentyone.money import Amount
from twentyone.round import Decision, Round, Wagers
from twentyone.round.events import RackShuffled, WheelSpun
from twentyone.rulebook import Rulebook, Rules
from twentyone.rulebook.wheels import weights_of
from twentyone.table import Table, TableState
from twentyone.table.health import Source
from twentyone.table.limits import MOST

ANN = [Wagers(1, "Ann", Amount("10"))]
SIX = [Wagers(box, f"p{box}", Amount("10")) for box in range(1, 7)]


def rules_of(book: str, **submission: object) -> Rules:
    return Rulebook.load(book).under(submission)


def open_table(rules: Rules, seed: int = 1, wagers: list[Wagers] = ANN) -> TerminalTable:
    return TerminalTable(rules, wagers, Source(random.Random(seed).randbytes), lambda: 0)


def play(table: TerminalTable) -> Round | None:
    """A round by the plain rule; its cards are picked up."""
    round_ = table.deal(lambda: _answer_by_rule(table))
    table.clear()
    return round_


def left(table: TerminalTable) -> int:
    """Cards in the shoe."""
    assert table.table.state.shoe is not None
    return table.table.state.shoe.left


def in_the_shoe(table: TerminalTable) -> Iterator[Card]:
    """The cards that will leave the shoe, in their order."""
    state = table.table.state.copy()
    assert state.shoe is not None
    for rest in range(state.shoe.left, 0, -1):
        state.shoe = state.shoe._replace(left=rest)
        card = table._live_shoe.next_card(state, table._custody)
        assert card is not None
        yield card


def test_the_shoe_holds_the_batch_and_burns_one() -> None:
    table = open_table(rules_of("pa-spanish-21"))
    drawn = list(in_the_shoe(table))
    assert table.table.state.shoe is not None
    assert (table.table.state.shoe.size, len(drawn)) == (288, 287)
    assert all(card.rank != "10" for card in drawn)


def test_the_cover_card_a_quarter_from_the_end_calls_for_a_shuffle_after_the_round() -> None:
    table = open_table(rules_of("pa-double-back-jack"))
    told = ["cards_shuffled", "cut_made", "cover_card_inserted", "card_burned"]
    assert [line.kind for line in table.news] == told
    table.news.clear()
    while table.deal(lambda: _answer_by_rule(table)) is not None and left(table) >= 78:
        rest = left(table)
        table.clear()
        assert (table.news, left(table)) == ([], rest)
    assert [line.kind for line in table.news] == ["cover_card_seen"]
    table.clear()
    assert [line.kind for line in table.news] == ["cover_card_seen", *told]
    assert left(table) == 311


def test_equal_seeds_shuffle_alike_and_others_do_not() -> None:
    rules = rules_of("pa-spanish-21")
    drawn = [list(in_the_shoe(open_table(rules, seed)))[:20] for seed in (1, 1, 2)]
    assert drawn[0] == drawn[1] != drawn[2]


def test_an_empty_shoe_is_filled_from_the_discard_rack() -> None:
    table = open_table(rules_of("pa-double-back-jack", decks=1), 3, SIX)
    rounds = [play(table) for _ in range(20)]
    assert any(isinstance(event, RackShuffled) for round_ in rounds if round_ is not None for event in round_.events)


def without_cards(table: TerminalTable, rack: int) -> None:
    """Take all cards out of the shoe, and all but some out of the discard rack."""
    state = table.table.state.copy()
    assert state.shoe is not None
    state.shoe, state.rack = state.shoe._replace(left=0), state.rack[:rack]
    table.table = Table(table.rules, state)


@pytest.mark.parametrize("rack", [0, 1])
def test_a_round_without_any_card_left_is_given_up(rack: int) -> None:
    """A single card in the rack is burned: it is none for the round."""
    table = open_table(rules_of("pa-double-back-jack", decks=1), 3)
    without_cards(table, rack)
    assert play(table) is None
    assert "cards_shuffled" in [line.kind for line in table.news]
    assert table.farewell() == "0 rounds: Ann $0.00; table inventory $0.00."
    assert play(table) is not None


def test_who_brings_the_cards_says_that_none_is_left() -> None:
    table = open_table(rules_of("pa-double-back-jack", decks=1), 3)
    without_cards(table, 0)
    table._wager()
    with pytest.raises(OutOfCards):
        table._bring()


def test_a_decision_that_is_not_allowed_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    table = open_table(rules_of("pa-spanish-21"))
    deal_these(monkeypatch, "9S 7H 8C KD 2S")

    def answer() -> None:
        before = table.table
        with pytest.raises(Refused, match=r"635a\.11"):
            table.decide(Decision("split", 1, "Ann"))
        with pytest.raises(Refused, match="does not sit"):
            table.decide(Decision("stand", 1, "Bob"))
        assert table.table is before
        table.decide(Decision("stand", 1, "Ann"))

    assert table.deal(answer) is not None


def test_wheels_spin_with_equal_weights_unless_the_submission_has_others() -> None:
    plain = weights_of(rules_of("md-spanish-21", bonus_spin="A"))["bonus_spin"]
    assert set(plain.values()) == {1}
    assert "jackpot" in plain
    flat = rules_of("md-spanish-21", bonus_spin="A", wheel_weights={"jackpot": 1, "10": 3})
    assert weights_of(flat) == {"bonus_spin": {"jackpot": 1, "10": 3}}
    assert weights_of(rules_of("md-spanish-21")) == {}


@pytest.mark.parametrize("weights", [{"9": 1}, {"jackpot": -1}, {"jackpot": "1"}, {"spin": {"jackpot": 1}}])
def test_wrong_wheel_weights_are_refused(weights: dict[str, object]) -> None:
    with pytest.raises(SubmissionRefused, match=r"12\.D"):
        open_table(rules_of("md-spanish-21", bonus_spin="A", wheel_weights=weights))


def test_meters_stand_at_their_reset_amounts() -> None:
    given = {"bonus_spin": {"rate": "0.10", "reset": "1500"}}
    for terms, amount in (({"progressive": given}, "1500"), ({}, "1000")):
        table = open_table(rules_of("md-spanish-21", bonus_spin="A", **terms))
        assert {name: meter.shown for name, meter in table.table.state.meters.items()} == {"bonus_spin": Amount(amount)}


def deal_these(monkeypatch: pytest.MonkeyPatch, cards: str) -> None:
    """Every round begins with these cards."""
    deck, from_shoe = parse_cards(cards), LiveShoe.next_card

    def next_card(live_shoe: LiveShoe, state: TableState, custody: Custody) -> Card | None:
        used = state.round.state.used if state.round is not None else len(deck)
        return deck[used] if used < len(deck) else from_shoe(live_shoe, state, custody)

    monkeypatch.setattr(LiveShoe, "next_card", next_card)


def test_the_hot_spot_is_drawn_among_the_boxes_with_the_wager(monkeypatch: pytest.MonkeyPatch) -> None:
    sides = {"xtreme_16": Amount("5")}
    wagers = [
        Wagers(1, "Ann", Amount("10"), sides),
        Wagers(2, "Bob", Amount("10"), sides),
        Wagers(3, "Cy", Amount("10")),
    ]
    deal_these(monkeypatch, "9S 9H 9D 6D 9C 8H 8D KC")
    spots = set()
    for seed in range(20):
        round_ = play(open_table(rules_of("md-spanish-21", xtreme_16=True), seed, wagers))
        assert round_ is not None
        spots |= {event.box for event in round_.events if isinstance(event, WheelSpun)}
    assert spots == {1, 2}


@pytest.mark.parametrize("boxes", range(1, 8))
@pytest.mark.parametrize("players", range(1, 8))
def test_every_player_and_every_box_has_a_wager(boxes: int, players: int) -> None:
    names = [f"p{number}" for number in range(players)]
    seats = assign_boxes(boxes, names)
    assert {player for _, player in seats} == set(names)
    assert {box for box, _ in seats} == set(range(1, boxes + 1))


def test_a_high_wager_raises_the_limit_of_a_sale() -> None:
    """Nobody else is at this table: the operator lets the dealer sell what the wagers need."""
    table = open_table(rules_of("classic-blackjack"), wagers=[Wagers(1, "Ann", Amount("5000"))])
    assert play(table) is not None
    assert table.table.state.limits["buy_in"] == MOST
