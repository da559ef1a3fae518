"""The house of the terminal table: its shoe, its wheels and meters, who sits where."""

from __future__ import annotations

import random

import pytest

from twentyone.cards import parse_cards
from twentyone.cli.house import House, OutOfCards, Shoe, Table, automatic, meters_of, seat, weights_of
from twentyone.errors import SubmissionRefused
from twentyone.money import Amount
from twentyone.round import Offer, Round, Wagers
from twentyone.round.events import RackShuffled, WheelSpun
from twentyone.rulebook import Rulebook, Rules


def rules_of(book: str, **submission: object) -> Rules:
    return Rulebook.load(book).under(submission)


def test_the_shoe_holds_the_batch_and_burns_one() -> None:
    shoe = Shoe(rules_of("pa-spanish-21"), random.Random(1))
    drawn = []
    while (card := shoe.draw()) is not None:
        drawn.append(card)
    assert (shoe.size, len(drawn)) == (288, 287)
    assert all(card.rank != "10" for card in drawn)


def test_the_cover_card_a_quarter_from_the_end_calls_for_a_shuffle_after_the_round() -> None:
    shoe = Shoe(rules_of("pa-double-back-jack"), random.Random(1))
    while shoe.left > 78:
        shoe.draw()
    assert not shoe.cover_out
    assert not shoe.end_round()
    assert shoe.left == 78
    shoe.draw()
    assert shoe.cover_out
    assert shoe.end_round()
    assert shoe.left == 311


def test_equal_seeds_shuffle_alike_and_others_do_not() -> None:
    rules = rules_of("pa-spanish-21")
    first, second, other = (Shoe(rules, random.Random(seed)) for seed in (1, 1, 2))
    drawn = [[shoe.draw() for _ in range(20)] for shoe in (first, second, other)]
    assert drawn[0] == drawn[1] != drawn[2]


def test_an_empty_shoe_is_filled_from_the_discard_rack() -> None:
    rules = rules_of("pa-double-back-jack", decks=1)
    house = House(rules, random.Random(3))
    for _ in range(49):
        house.shoe.draw()
    house.shoe._rack, house.shoe._dealt = house.shoe._rack + house.shoe._dealt, []
    round_ = house.bring(Round.start(rules, [Wagers(1, "Ann", Amount("10"))]))
    assert any(isinstance(event, RackShuffled) for event in round_.events)


def test_a_round_without_any_card_left_is_given_up() -> None:
    rules = rules_of("pa-double-back-jack", decks=1)
    house = House(rules, random.Random(3))
    while house.shoe.draw() is not None:
        pass
    with pytest.raises(OutOfCards):
        house.bring(Round.start(rules, [Wagers(1, "Ann", Amount("10"))]))
    table = Table(rules, house, [Wagers(1, "Ann", Amount("10"))])
    assert table.deal(lambda round_: round_.apply(automatic(round_))) is None
    assert table.reshuffled
    assert table.farewell() == "0 rounds: Ann $0.00; table inventory $0.00."
    assert table.deal(lambda round_: round_.apply(automatic(round_))) is not None


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
        weights_of(rules_of("md-spanish-21", bonus_spin="A", wheel_weights=weights))


def test_meters_stand_at_their_reset_amounts() -> None:
    given = {"bonus_spin": {"rate": "0.10", "reset": "1500"}}
    assert meters_of(rules_of("md-spanish-21", bonus_spin="A", progressive=given)) == {"bonus_spin": Amount("1500")}
    assert meters_of(rules_of("md-spanish-21", bonus_spin="A")) == {"bonus_spin": Amount("1000")}


def test_the_hot_spot_is_drawn_among_the_boxes_with_the_wager() -> None:
    rules = rules_of("md-spanish-21", xtreme_16=True)
    house = House(rules, random.Random(4))
    sides = {"xtreme_16": Amount("5")}
    wagers = [
        Wagers(1, "Ann", Amount("10"), sides),
        Wagers(2, "Bob", Amount("10"), sides),
        Wagers(3, "Cy", Amount("10")),
    ]
    spots = set()
    for _ in range(20):
        round_ = Round.start(rules, wagers, house.meters)
        for card in parse_cards("9S 9H 9D 6D 9C 8H 8D KC"):
            round_ = round_.apply(card)
        while isinstance(round_.next, Offer):
            round_ = round_.apply(automatic(round_))
        round_ = house.bring(round_)
        spots |= {event.box for event in round_.events if isinstance(event, WheelSpun)}
    assert spots == {1, 2}


@pytest.mark.parametrize("boxes", range(1, 8))
@pytest.mark.parametrize("players", range(1, 8))
def test_every_player_and_every_box_has_a_wager(boxes: int, players: int) -> None:
    names = [f"p{number}" for number in range(players)]
    seats = seat(boxes, names)
    assert {player for _, player in seats} == set(names)
    assert {box for box, _ in seats} == set(range(1, boxes + 1))
