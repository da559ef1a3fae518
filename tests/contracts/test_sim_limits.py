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


def test_two_paytables_pay_each_wager_by_its_own_row_for_row() -> None:
    """Md. 12.D(8)(a): a $1 wager spins the row of $100 and $20; a $5 wager is paid $50 by that row of its own."""
    rules = Rulebook.load("md-spanish-21").under({"bonus_spin": ["A", "C"]})
    weights = {**weights_of(rules), "bonus_spin_A": {"100+20": 1}, "bonus_spin_C": {"750+100": 1}}
    one, five = (Box(default_strategy(rules), Amount("10"), {"bonus_spin": Amount(size)}) for size in ("1", "5"))
    compiled = compile_setup(Setup(rules, (one, five, five), weights=weights))
    dealt = Simulator(compiled).deal_cards("AS KD KC 9C KH 9D 9H 8D")
    assert first_difference(compiled, 0, given=[dealt]) is None
    assert dealt.side == Amount("100") - Amount("1") + 2 * (Amount("50") - Amount("5"))
    other = Simulator(compiled).deal_cards("KD AS KC 9C 9H KH 9D 8D")
    assert first_difference(compiled, 0, given=[other]) is None
    assert other.side == Amount("750") - Amount("5") + Amount("100") - Amount("1") + Amount("100") - Amount("5")


def test_every_wager_beside_the_hot_spot_is_paid() -> None:
    """Md. 12.E(6)(a), each symbol of the wheel with each amount of the community: the simulator goes with the round."""
    rules = Rulebook.load("md-spanish-21").under({"xtreme_16": True})
    boxes = (Box(default_strategy(rules), Amount("10"), {"xtreme_16": Amount("5")}),) * 3
    compiled = compile_setup(Setup(rules, boxes, meters={name: terms.base for name, terms in meters_of(rules).items()}))
    dealt = [Simulator(compiled, seed).deal_cards("KS KH KD 6C 9C 9H 9S KC 5C") for seed in range(20)]
    assert first_difference(compiled, 0, given=dealt) is None
    assert min(row.side for row in dealt) >= int(Amount("200") + 2 * Amount("25") - 3 * Amount("5"))


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
