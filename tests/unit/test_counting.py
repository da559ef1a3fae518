"""Counting systems as data, and what is worked out from their sums."""

from __future__ import annotations

import json
from fractions import Fraction
from itertools import combinations
from math import exp, inf
from typing import Any

import numpy as np
import pytest

from twentyone.cards import RANKS, SUITS, Card
from twentyone.errors import NotAScript
from twentyone.odds.counted_shoe import Group, expected_cards
from twentyone.odds.efficiency import correlation, insurance_worth
from twentyone.rulebook import Rulebook
from twentyone.sim import stats
from twentyone.sim.counting import HILO, Count, SideCount
from twentyone.sim.counts import COUNTS, FOLDER, count_named, indices_of, spread_of
from twentyone.sim.setup import Setup
from twentyone.sim.stats import Totals
from twentyone.sim.winnings import AtCount, Winnings, best_ramp, lifetime_ruin, trip_ruin

CLASSIC = Rulebook.load("classic-blackjack").under()
DECK = tuple(Card(rank + suit) for rank in RANKS for suit in SUITS)

INSURANCE = {
    "hilo": 0.76, "ko": 0.78, "hiopt1": 0.85, "hiopt2": 0.91, "halves": 0.72, "omega2": 0.85, "zen": 0.85,
    "uston_apc": 0.90,
}  # fmt: skip
"""Insurance correlations as published (Griffin's measure), to two digits."""

ILLUSTRIOUS = {
    "insurance A": 3, "16 10": 0, "15 10": 4, "10-10 5": 5, "10-10 6": 4, "10 10": 4, "12 3": 2, "12 2": 3, "11 A": 1,
    "9 2": 1, "10 A": 4, "9 7": 3, "16 9": 5, "13 2": -1, "12 4": 0, "12 5": -2, "12 6": -1, "13 3": -2,
}  # fmt: skip
"""Don Schlesinger's eighteen for the high-low count (Blackjack Forum, September 1986)."""


# -- systems


@pytest.mark.parametrize("name", COUNTS)
def test_a_published_count_names_its_source_and_reads_its_tags(name: str) -> None:
    count = count_named(name)
    assert count.name == name
    assert len(count.source) > 10
    assert Setup.of(CLASSIC, mode="shoe", count=count).start_count is not None


def test_the_first_count_is_the_one_that_is_known_by_name() -> None:
    assert dict(count_named("hilo").tags) == {rank: tag for rank, tag in HILO.tags.items() if tag}


@pytest.mark.parametrize(("name", "decks", "start"), [("ko", 6, -20), ("ko", 1, 0), ("red7", 6, -12), ("reko", 6, -20)])
def test_an_unbalanced_count_starts_by_its_decks(name: str, decks: int, start: int) -> None:
    assert count_named(name).started(DECK, decks) == start


def test_a_count_that_does_not_say_where_it_starts_is_refused() -> None:
    two = Rulebook.load("classic-blackjack").under({"decks": 2})
    with pytest.raises(Exception, match="running count of a new shoe of 2 decks"):
        _ = Setup.of(two, mode="shoe", count=count_named("reko")).start_count


def test_only_the_red_sevens_count() -> None:
    red7 = count_named("red7")
    assert [red7.tag(Card("7" + suit)) for suit in SUITS] == [0, 1, 1, 0]


def test_aces_counted_aside_correct_the_count_by_what_is_left_beyond_their_share() -> None:
    aces = Count("aces", {}, side=SideCount({"A": 1}, Fraction(2)))
    tags = [Fraction(aces.corrected_tag(card, DECK), aces.fineness(DECK)) for card in DECK]
    assert sum(tags) == 0
    gone = [tag for card, tag in zip(DECK, tags, strict=True) if card.rank == "A"][:3]
    assert sum(gone) == -2 * (Fraction(49, 13) - 1)  # one ace is left, 49/13 would be its share


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ({"tags": {"7": {"green": 1}}}, "red"),
        ({"tags": {}, "start": {"plus": 3}}, "each_deck"),
        ({"tags": {}, "divisor": "deck"}, "cards, full, half, none"),
        ({"tags": {}, "rounding": "up"}, "floor, truncate, round"),
        ({"tags": {}, "side": {"tags": {"A": 1}}}, "weight"),
        ({"tags": {}, "side": {"tags": {"A": 1}, "weight": "1/0"}}, "like 2"),
        ({"tags": {}, "side": {"tags": {"A": 1}, "weight": 1, "uses": ["luck"]}}, "wagers, insurance"),
        ({"tags": {}, "boxes": {"2": 8}}, "1 to 7"),
        ({"tags": {}, "scale": 0}, "positive"),
        ({"tags": {}, "spread": {"-99": 0}}, "nothing is ever wagered"),
    ],
)
def test_a_count_that_makes_no_sense_is_refused(written: dict[str, Any], said: str) -> None:
    with pytest.raises(NotAScript, match=said):
        count_named(written)


def test_a_spread_may_sit_out_and_take_two_boxes() -> None:
    count = spread_of(HILO, "-6:0,1:1,2:4,4:2x8")
    assert [count.units(told) for told in (-3, 1, 3, 5)] == [0, 1, 4, 8]
    assert [count.boxes_at(told, 2) for told in (-3, 1, 3, 5)] == [1, 1, 1, 2]


# -- published figures


@pytest.mark.parametrize(("name", "published"), INSURANCE.items())
def test_the_insurance_correlation_is_the_published_one(name: str, published: float) -> None:
    told = correlation(insurance_worth(CLASSIC), count_named(name).tag)
    assert abs(told - published) <= 0.005


def test_another_tag_has_another_insurance_correlation() -> None:
    """Negative control: the eight moved by one point is seen in the second digit."""
    wrong = count_named({"tags": {**count_named("hilo").tags, "8": 1}})
    assert abs(correlation(insurance_worth(CLASSIC), wrong.tag) - 0.76) > 0.005


def test_the_eighteen_indices_are_within_a_point_of_the_published() -> None:
    """Rounded like a count that is rounded down: fifteen are equal, and three a point off; no index is tuned."""
    kept = json.loads((FOLDER / "indices" / "classic-blackjack.hilo.json").read_text("utf-8"))
    found = {_named(row["where"]): row["index"] for row in kept["indices"]}
    away = {name: found[name] - index for name, index in ILLUSTRIOUS.items()}
    assert max(map(abs, away.values())) < 1
    rounded = {name: int(np.ceil(found[name] - 0.5)) for name in ILLUSTRIOUS}
    assert sum(rounded[name] == index for name, index in ILLUSTRIOUS.items()) == 15
    assert all(abs(rounded[name] - index) <= 1 for name, index in ILLUSTRIOUS.items())


def _named(where: dict[str, Any]) -> str:
    if "phase" in where:
        return f"insurance {where['up']}"
    hand = (
        f"{where['pair']}-{where['pair']}" if where["pair"] else f"{'soft ' if where['soft'] else ''}{where['total']}"
    )
    return f"{hand} {where['up']}"


def test_indices_that_come_with_the_package_are_departures() -> None:
    files = sorted((FOLDER / "indices").glob("*.json"))
    for path in files:
        book, name = path.stem.split(".")
        assert indices_of(count_named(name), book).departures
    with pytest.raises(NotAScript, match="no indices of ko"):
        indices_of(count_named("ko"), "classic-blackjack")


# -- the cards to be expected


def test_the_cards_to_be_expected_are_those_of_all_sets_of_cards() -> None:
    groups = [Group(-1, 3), Group(0, 2), Group(2, 4)]
    cards = [number for number, group in enumerate(groups) for _ in range(group.cards)]
    for left in (3, 5):
        told = expected_cards(groups, left)
        for total in range(-3, 9):
            sets = [each for each in combinations(cards, left) if sum(groups[i].tag for i in each) == total]
            if sets:
                by_hand = [sum(each.count(i) for each in sets) / len(sets) for i in range(3)]
                assert told(total) == pytest.approx(by_hand, abs=1e-12)
            else:
                with pytest.raises(ValueError, match="add up"):
                    told(total)


# -- win rates


def test_a_lifetime_is_the_longest_trip() -> None:
    assert lifetime_ruin(100, 0.02, 1.1) == pytest.approx(trip_ruin(100, 0.02, 1.1, 10**9), abs=1e-12)
    assert trip_ruin(100, 0.02, 1.1, 1_000) < trip_ruin(100, 0.02, 1.1, 10_000) < lifetime_ruin(100, 0.02, 1.1)
    assert trip_ruin(100, -0.02, 1.1, 10**6) == pytest.approx(1, abs=1e-9)
    assert lifetime_ruin(100, -0.02, 1.1) == trip_ruin(0, 0.02, 1.1, 10) == 1


def _shoes(gains: list[list[int]]) -> Totals:
    """The sums of shoes whose rounds gained this, each with a wager of one."""
    totals = Totals.zero()
    for rounds in gains:
        for index, number in (
            (stats.ROUNDS, len(rounds)), (stats.INITIAL, len(rounds)), (stats.GAIN, sum(rounds)),
            (stats.GAIN_2, sum(gain**2 for gain in rounds)), (stats.SHOES, 1), (stats.SHOE_GAIN_2, sum(rounds) ** 2),
            (stats.SHOE_ROUNDS_2, len(rounds) ** 2), (stats.SHOE_GAIN_ROUNDS, sum(rounds) * len(rounds)),
        ):  # fmt: skip
            totals.sums[index] += number
    return totals


def test_win_rate_score_and_ruin_follow_from_the_sums() -> None:
    rng = np.random.default_rng(1)
    gains = [list(map(int, rng.integers(-2, 4, size=int(rng.integers(20, 40))))) for _ in range(200)]
    won = Winnings(_shoes(gains), 1.0)
    every = np.array([gain for shoe in gains for gain in shoe])
    assert won.mean == pytest.approx(every.mean())
    assert won.deviation == pytest.approx(every.std(ddof=1))
    left = [sum(shoe) - won.mean * len(shoe) for shoe in gains]
    assert won.standard_error == pytest.approx((sum(x * x for x in left) * 200 / 199) ** 0.5 / len(every))
    assert won.score == pytest.approx(100 * 10_000 * (won.mean / won.deviation) ** 2)
    assert won.n0 == pytest.approx((won.deviation / won.mean) ** 2)
    assert won.kelly_bankroll is not None
    assert lifetime_ruin(won.kelly_bankroll, won.mean, won.deviation) == pytest.approx(exp(-2))
    bankroll = won.bankroll_for(0.05)
    assert bankroll is not None
    assert lifetime_ruin(bankroll, won.mean, won.deviation) == pytest.approx(0.05)


def test_wagers_that_do_not_win_have_no_score() -> None:
    lost = Winnings(_shoes([[-1, 1, -1], [1, -1, -1]]), 1.0)
    assert (lost.score, lost.n0, lost.kelly_bankroll, lost.bankroll_for(0.05)) == (None, None, None, None)
    assert lost.desirability < 0
    assert Winnings(_shoes([[1]]), 1.0).standard_error == inf


def test_the_best_ramp_is_the_best_of_all() -> None:
    rows = [AtCount(0, 700, -0.006, 1.3), AtCount(1, 200, 0.004, 1.32), AtCount(2, 100, 0.011, 1.35)]

    def score(units: tuple[int, ...]) -> float:
        mean = sum(row.rounds * row.mean * wager for row, wager in zip(rows, units, strict=True)) / 1000
        square = sum(
            row.rounds * (row.variance + row.mean**2) * wager**2 for row, wager in zip(rows, units, strict=True)
        )
        return 1e6 * mean * abs(mean) / (square / 1000 - mean**2)

    best = best_ramp(rows, 1000, 1, 8)
    every = [(a, b, c) for a in range(1, 9) for b in range(1, 9) for c in range(1, 9)]
    assert best.score == pytest.approx(max(map(score, every)))
    assert best.spread == "0:1,1:" + ",2:".join(str(best.units[count]) for count in (1, 2))
    assert best_ramp(rows, 1000, 0, 8).units[0] == 0
    by_chance = [*rows, AtCount(3, 10, -0.5, 1.3)]
    units = best_ramp(by_chance, 1010, 1, 8).units
    assert sorted(units.values()) == list(units.values())
