"""The prize wheel: weights of the submission checked, symbols drawn exactly by weight."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from typing import Any

import pytest

from twentyone.errors import SubmissionRefused
from twentyone.money import Amount
from twentyone.round import Round, Spun
from twentyone.rulebook import Rulebook
from twentyone.rulebook.wheels import weights_of
from twentyone.table.evolve import evolve
from twentyone.table.health import SourceFailed
from twentyone.table.meter_events import JackpotPaid, MeterContributed, MeterSet
from twentyone.table.model import TableState
from twentyone.table.shoe import words
from twentyone.table.wheel import draw_hot_spot, draw_symbol

BITS = 3
WEIGHTS = {"jackpot": 1, "1000": 2, "50": 3}


def shares(length: int, draw: Any, weights: dict[str, int]) -> dict[str, Fraction]:
    """The share of each symbol among the runs of `length` words that are enough for a draw."""
    found: Counter[str] = Counter()
    for run in product(range(1 << BITS), repeat=length):
        try:
            found[draw(weights, iter(run), BITS)] += 1
        except SourceFailed:
            continue
    return {symbol: Fraction(count, found.total()) for symbol, count in found.items()}


def wanted(weights: dict[str, int]) -> dict[str, Fraction]:
    return {symbol: Fraction(weight, sum(weights.values())) for symbol, weight in weights.items()}


@pytest.mark.parametrize("length", [1, 2, 3])
def test_every_symbol_is_exactly_as_likely_as_its_weight(length: int) -> None:
    assert shares(length, draw_symbol, WEIGHTS) == wanted(WEIGHTS)


def test_weights_above_a_word_take_two() -> None:
    heavy = {"jackpot": 1, "50": 40}
    assert shares(2, draw_symbol, heavy) == wanted(heavy)
    with pytest.raises(SourceFailed):
        draw_symbol(heavy, iter([0]), BITS)


def test_a_draw_without_rejection_is_found_out() -> None:
    """The check can fail: words taken modulo the sum favour the first symbols."""

    def biased(weights: dict[str, int], source: Iterator[int], _: int) -> str:
        return draw_symbol(weights, iter([next(source) % sum(weights.values())]), BITS)

    assert shares(1, biased, WEIGHTS) != wanted(WEIGHTS)


def test_the_hot_spot_falls_on_each_box_equally() -> None:
    found = Counter(draw_hot_spot([1, 4, 6], iter([word]), BITS) for word in range(6))
    assert found == {1: 2, 4: 2, 6: 2}


def test_the_same_seed_spins_the_same_symbol() -> None:
    """So that a spin can be checked like a shoe: RFC 8439's keystream begins b876, and 0xb876 = 47222 = 2 mod 6."""
    assert draw_symbol(WEIGHTS, words(bytes(32))) == "1000"


def under(**given: Any) -> dict[str, dict[str, int]]:
    return weights_of(Rulebook.load("md-spanish-21").under(given))


def test_weights_of_a_submission() -> None:
    """12.D(1), (9)(a) give symbols and no weights: once each, unless the submission says otherwise."""
    plain = under(bonus_spin="A", xtreme_16=True)
    shared = {"250+100", "100+20", "30+3"}
    assert set(plain["bonus_spin"]) == {"jackpot", "1000", "350", "120", "50", "33", "20", "10"} | shared
    assert {weight for wheel in plain.values() for weight in wheel.values()} == {1}
    mixed = under(bonus_spin="A", xtreme_16=True, wheel_weights={"bonus_spin": {"jackpot": 1, "10": 9}})
    assert mixed["bonus_spin"] == {"jackpot": 1, "10": 9}
    assert mixed["xtreme_16"] == plain["xtreme_16"]


@pytest.mark.parametrize(
    "weights",
    [
        {"9": 1},
        {"jackpot": 0},
        {"jackpot": -1},
        {"jackpot": "1"},
        {"jackpot": True},
        {"jackpot": 1.5},
        {"spin": {"jackpot": 1}},
        {"bonus_spin": {}},
        {"bonus_spin": {"jackpot": 1}, "10": 1},
        {"bonus_spin": {"5000": 1}},
    ],
)
def test_wrong_weights_are_refused_with_key_and_paragraph(weights: dict[str, Any]) -> None:
    """5000 is a symbol of paytable C, not of A."""
    with pytest.raises(SubmissionRefused, match=r"Ch\. 12\.D\(5\)") as refused:
        under(bonus_spin="A", wheel_weights=weights)
    assert refused.value.key == "wheel_weights"


def test_weights_without_a_wheel_are_refused() -> None:
    with pytest.raises(SubmissionRefused, match="no wheel is in use"):
        under(wheel_weights={"jackpot": 1})


@pytest.mark.parametrize(
    "meter",
    [
        {"rate": "0.1"},
        {"reset": "999.99"},
        {"reset": 5000},
        {"reset": "5000.005"},
        {"reset": "5000", "limit": "4999"},
        {"reset": "5000", "limit": "5001.001"},
        {"reset": "5000", "limit": "much"},
        {"reset": "5000", "pace": "0.1"},
        "5000",
    ],
)
def test_wrong_meters_are_refused_with_key_and_paragraph(meter: Any) -> None:
    """12.D(6)(b)(i): at least $1,000 under paytable A."""
    with pytest.raises(SubmissionRefused, match=r"Ch\. 12\.D\(6\)\(b\)\(i\)") as refused:
        under(bonus_spin="A", progressive={"bonus_spin": meter})
    assert refused.value.key == "progressive"


@pytest.mark.parametrize("rate", ["fast", "-0.1", "1.1", 0.1])
def test_a_wrong_rate_is_refused_under_its_own_paragraph(rate: Any) -> None:
    """12.D(6)(a) wants the rate, 12.E(3)(a) that of the other wheel's meters."""
    with pytest.raises(SubmissionRefused, match=r"Ch\. 12\.D\(6\)\(a\)"):
        under(bonus_spin="A", progressive={"bonus_spin": {"reset": "5000", "rate": rate}})
    with pytest.raises(SubmissionRefused, match=r"Ch\. 12\.E\(3\)\(a\)"):
        under(xtreme_16=True, progressive={"xtreme_16_primary": {"reset": "10000", "rate": rate}})


def test_a_jackpot_starts_the_meter_again_from_the_submission_s_amount() -> None:
    """12.D(6)(b): the reset amount is the submission's, not the least that it may be."""
    terms = {"bonus_spin": {"rate": "0.5", "reset": "5000"}}
    rules = Rulebook.load("md-spanish-21").under({"bonus_spin": "B", "progressive": terms})
    wagers = [{"box": 1, "player": "Ann", "main": "10", "bonus_spin": "1"}]
    round_ = Round.start(rules, wagers, {"bonus_spin": Amount("6000")})
    for card in ("AS", "9D", "KS", "8D"):
        round_ = round_.apply(card)
    round_ = round_.apply(Spun("jackpot"))
    assert round_.state.meters["bonus_spin"] == Amount("5000")


def test_what_waits_above_the_limit_comes_back_only_up_to_the_limit() -> None:
    state = TableState()
    base, limit = Amount("1000"), Amount("1002")
    evolve(state, MeterSet("", 0, "", meter="wheel", base=base, rate=Fraction(1), limit=limit))
    evolve(state, MeterContributed("", 0, "", meter="wheel", added=Fraction(7000)))
    evolve(state, JackpotPaid("", 0, "", meter="wheel", paid=limit))
    meter = state.meters["wheel"]
    assert (meter.shown, int(meter.overflow)) == (Amount("1002"), 3000)


def test_a_meter_is_full_at_its_limit_and_not_a_fraction_above() -> None:
    """One half of a thousandth below its limit there is room for one half of a thousandth."""
    state = TableState()
    base, limit = Amount("1000"), Amount("1000.002")
    evolve(state, MeterSet("", 0, "", meter="wheel", base=base, rate=Fraction(1, 2), limit=limit))
    for added in (Fraction(3, 2), Fraction(2)):
        evolve(state, MeterContributed("", 0, "", meter="wheel", added=added))
    meter = state.meters["wheel"]
    assert (meter.amount, meter.overflow) == (Fraction(int(Amount("1000.002"))), Fraction(3, 2))
