"""States, payoffs and tables: any two hands of one state are the same hand to every question that is asked of it."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import numpy as np
import pytest
from tests.contracts.sim_driver import default_game

from twentyone.cards import Card
from twentyone.errors import NotAScript, Refused
from twentyone.money import Amount
from twentyone.rulebook import Rulebook, Rules, rulebook_ids
from twentyone.sim.compile import compile_setup
from twentyone.sim.counts import count_named, spread_of
from twentyone.sim.dealer import DealerHands
from twentyone.sim.layout import Channel, DecisionCode
from twentyone.sim.minimal import classes
from twentyone.sim.setup import Box, Setup
from twentyone.sim.state_table import NO_CARD, RANK_ROW, RESULT_ROW, TableNumber
from twentyone.sim.states import DECK, CannotCompile, Hands, card_number
from twentyone.sim.table import fast_table
from twentyone.strategy import default_strategy, special_hand

DECISIONS = ("hit", "stand", "double", "split", "surrender", "rescue", "second_chance")


def test_cards_are_numbered_rank_by_rank() -> None:
    assert [card_number(card) for card in DECK] == list(range(52))
    assert card_number(Card("AS")) // 4 == 0
    assert card_number(Card("KC")) == 51


@pytest.mark.parametrize("book", rulebook_ids())
@pytest.mark.parametrize("split", [False, True])
def test_a_hand_and_the_hand_that_stands_for_it_get_the_same_answers(book: str, split: bool) -> None:
    rules = Rulebook.load(book).under()
    hands, rng = Hands(rules, 5), Random(f"{book} {split}")
    held = [card for card in DECK if card.rank not in rules.cards.without]
    for _ in range(400):
        cards: tuple[Card, ...] = (rng.choice(held),)
        state = hands.number(cards, split) if split else int(hands.step[0, card_number(cards[0])])
        for _ in range(rng.choice((1, 2, 3, 4))):
            if len(cards) > 1 and not _may_draw(rules, cards, split):
                break
            cards = (*cards, rng.choice(held))
            state = int(hands.step[state, card_number(cards[-1])])
        facts, stands = rules.hand(cards, split, hands=1 + split), hands.facts[state]
        assert (facts.points, facts.soft, facts.blackjack) == (stands.points, stands.soft, stands.blackjack)
        for name in DECISIONS:
            assert (rules.refusal(name, facts) is None) == (rules.refusal(name, stands) is None), (cards, name)
        if facts.points <= rules.limit:
            assert special_hand(rules, cards, split) == special_hand(rules, stands.cards, split)


def _may_draw(rules: Rules, cards: tuple[Card, ...], split: bool) -> bool:
    facts = rules.hand(cards, split, hands=1 + split)
    return facts.points < rules.limit and any(rules.refusal(name, facts) is None for name in ("hit", "double"))


@pytest.mark.parametrize("book", rulebook_ids())
def test_the_dealer_stands_where_the_text_says(book: str) -> None:
    rules = Rulebook.load(book).under()
    dealer = DealerHands(rules)
    totals = {dealer.facts[state].points for state in dealer.finals}
    assert min(totals) == min(rules.dealer.stands)
    assert all(dealer.facts[state].points == rules.limit for state in dealer.blackjacks)


def test_sixteen_hands_of_a_box_are_refused_with_the_paragraph() -> None:
    rules = Rulebook.load("pa-spanish-21").under({"max_split_hands": 40})
    with pytest.raises(CannotCompile, match=r"635a\.11\(a\)"):
        compile_setup(Setup.of(rules))


def test_eight_boxes_are_refused() -> None:
    with pytest.raises(CannotCompile, match="8 boxes"):
        compile_setup(Setup.of(Rulebook.load("pa-spanish-21").under(), boxes=8))


def test_a_wager_that_cannot_be_paid_exactly_is_refused() -> None:
    with pytest.raises(CannotCompile, match="thousandths"):
        compile_setup(Setup.of(Rulebook.load("pa-spanish-21").under(), main=Amount("0.001")))


def test_a_cover_card_too_deep_is_refused() -> None:
    setup = Setup.of(Rulebook.load("pa-spanish-21").under(), mode="shoe", penetration=Fraction(9, 10))
    with pytest.raises(Refused, match=r"635a\.5"):
        compile_setup(setup)


def test_the_table_is_as_small_as_it_can_be() -> None:
    """Two rows with the same entries are one, and rows that only differ in such rows too."""
    rows = np.array([[4, 5], [4, 5], [0, 4], [1, 4]])
    known = classes([rows], 2)
    assert known[0] == known[1]
    assert known[2] == known[3]
    assert known[0] != known[2]
    assert known[4] != known[5]


@pytest.mark.parametrize("book", rulebook_ids())
def test_a_row_tells_by_its_place_whether_it_draws_and_all_others_lead_to_themselves(book: str) -> None:
    table = default_game(book).table
    assert table is not None
    for entries, first in (
        (table.turn, table.number[TableNumber.FIRST_CLOSED]),
        (table.dealer, table.number[TableNumber.DRAWS]),
    ):
        assert set(entries[:first] % RANK_ROW) <= {0, 1}
        assert all(entries[place] == place // RANK_ROW * RANK_ROW for place in range(int(first), len(entries)))
        drawing = range(1, int(first) - RANK_ROW, RANK_ROW)
        assert {int(row) for row in entries if row % RANK_ROW} <= set(drawing)
        assert all(entries[row + NO_CARD // 4] == entries[drawing[0] + NO_CARD // 4] for row in drawing)


def test_only_a_closed_row_and_a_dealer_who_stands_have_a_result() -> None:
    table = default_game("classic-blackjack").table
    assert table is not None
    result = table.result.reshape(-1, RESULT_ROW)
    closed, split = (
        int(table.number[name]) // RANK_ROW for name in (TableNumber.FIRST_CLOSED, TableNumber.FIRST_SPLIT)
    )
    states = len(table.dealer) // RANK_ROW - 1
    stands = int(table.number[TableNumber.DRAWS]) // RANK_ROW
    assert not result[:closed].any()
    assert not result[split:].any()
    assert result[closed:split, stands:states].all()
    assert not result[:, :stands].any()
    assert not result[:, states:].any()


def test_a_table_too_large_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    game = default_game("classic-blackjack").game
    monkeypatch.setattr("twentyone.sim.table.RESULTS", 2)
    assert fast_table(game) is None


def test_a_game_without_a_hole_card_has_no_state_table() -> None:
    rules = Rulebook.load("classic-blackjack").under({"hole_card": "none"})
    assert fast_table(compile_setup(Setup.of(rules)).game) is None
    assert fast_table(default_game("classic-blackjack").game) is not None


# -- counting


def test_a_count_is_data() -> None:
    count = count_named({"tags": {"A": -1, "5": 2}, "lowest": -3, "highest": 5, "spread": {"1": 2, "3": 8}})
    assert [count.units(true) for true in (-3, 0, 1, 2, 3, 5)] == [1, 1, 2, 2, 8, 8]
    assert spread_of(count, "0:3").units(4) == 3


@pytest.mark.parametrize(
    "body",
    [{}, {"tags": {"1": 1}}, {"tags": {"A": 0.5}}, {"tags": {}, "lowest": -99}, {"tags": {}, "nonsense": 1},
     {"tags": {}, "departures": [{"decision": "hit"}]}, {"tags": {}, "spread": {"x": 1}}],
)  # fmt: skip
def test_a_count_that_is_none_is_refused(body: dict[str, object]) -> None:
    with pytest.raises(NotAScript):
        count_named(body)


def test_a_departure_changes_the_chart_from_its_count_on() -> None:
    rules = Rulebook.load("classic-blackjack").under()
    where = {"phase": "first", "total": 16, "soft": False, "pair": None, "up": "10"}
    count = count_named(
        {
            "tags": {"A": -1},
            "lowest": -1,
            "highest": 1,
            "departures": [{"where": where, "decision": "stand", "least": 1}],
        }
    )
    strategy = default_strategy(rules)
    game = compile_setup(Setup(rules, (Box(strategy),), "shoe", count=count)).game
    state = int(game.step[game.step[0, card_number(Card("KS"))], card_number(Card("6H"))])
    column = int(game.cond[9, 5])
    said = [int(game.chart[0, bucket, column, state, Channel.TURN]) for bucket in range(3)]
    assert said == [DecisionCode.HIT, DecisionCode.HIT, DecisionCode.STAND]
