"""What the simulator does not do, it says: meters that stand still, hands and boxes without end, one player a box."""

from __future__ import annotations

from dataclasses import fields, replace

import pytest
from tests.contracts.sim_driver import Simulator, first_difference

from twentyone.money import Amount
from twentyone.rulebook import Rulebook, Rules
from twentyone.rulebook.wheels import meters_of, weights_of
from twentyone.sim.compile import Compiled, compile_setup
from twentyone.sim.setup import Box, Setup
from twentyone.sim.states import CannotCompile
from twentyone.strategy import default_strategy

TWO_BLACKJACKS = "AS AH 9C KS KH 8D 5C"
"""Two boxes: a Blackjack each, so that both turn the wheel."""
METER = Amount("7777")


def _jackpots(rules: Rules) -> Compiled:
    """Two boxes at a wheel that shows nothing but its jackpot."""
    weights = {**weights_of(rules), "bonus_spin": {"jackpot": 1}}
    boxes = (Box(default_strategy(rules), Amount("10"), {"bonus_spin": Amount("1")}),) * 2
    return compile_setup(Setup(rules, boxes, meters={"bonus_spin": METER}, weights=weights))


def test_a_second_jackpot_of_a_round_pays_what_the_meter_was_reset_to() -> None:
    rules = Rulebook.load("md-spanish-21").under({"bonus_spin": "A"})
    compiled = _jackpots(rules)
    dealt = Simulator(compiled).deal_cards(TWO_BLACKJACKS)
    assert first_difference(compiled, 0, given=[dealt]) is None
    paid = METER + meters_of(rules)["bonus_spin"].base
    assert dealt.side == paid - 2 * Amount("1")


def test_a_meter_that_pays_twice_would_be_found() -> None:
    compiled = _jackpots(Rulebook.load("md-spanish-21").under({"bonus_spin": "A"}))
    dealt = Simulator(compiled).deal_cards(TWO_BLACKJACKS)
    wrong = replace(dealt, side=2 * int(METER) - 2 * int(Amount("1")))
    assert "sim" in str(first_difference(compiled, 0, given=[wrong]))


def test_from_round_to_round_a_meter_stands_still() -> None:
    simulator = Simulator(_jackpots(Rulebook.load("md-spanish-21").under({"bonus_spin": "A"})))
    assert simulator.deal_cards(TWO_BLACKJACKS) == simulator.deal_cards(TWO_BLACKJACKS)


def test_more_boxes_than_the_work_space_holds_are_refused_with_the_paragraph() -> None:
    rules = Rulebook.load("s13-spanish-21").under()
    with pytest.raises(CannotCompile, match=r"8 boxes are not simulated.*13\(g\)"):
        compile_setup(Setup.of(rules, 8))


def test_a_box_has_one_player() -> None:
    """Section 13(m) lets several wager on one box; a simulated box has one strategy and one main wager."""
    rules = Rulebook.load("s13-spanish-21").under()
    assert rules.shared
    assert {field.name for field in fields(Box)} == {"strategy", "main", "sides"}
