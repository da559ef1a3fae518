"""Double entry from stored events alone: what it books, and what it does not let pass."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from twentyone.ledger.accounts import INVENTORY, LAYOUT, Accounts


def body(**data: Any) -> dict[str, Any]:
    return {"cite": "c", "by": "x", "data": data}


def settled(player: str, net: int, staked: int, outcome: str = "win") -> dict[str, Any]:
    return {"event": "wager_settled", "player": player, "net": net, "staked": staked, "outcome": outcome}


def in_round(events: list[dict[str, Any]], **chips: int) -> dict[str, Any]:
    names = {"layout": LAYOUT, "inventory": INVENTORY}
    moved = [[names.get(name, name), amount] for name, amount in chips.items()]
    return body(events=events, cards=[], chips=moved)


def table_with_wager() -> Accounts:
    """Ann buys in for 100 dollars and lays 10."""
    accounts = Accounts()
    bought = body(source=INVENTORY, target="Ann", amount=100_000, cash=100_000)
    assert accounts.follow("chips_moved", bought) == []
    assert accounts.follow("wager_laid", body(box=1, player="Ann", wager="main", amount=10_000, coupon=0)) == []
    return accounts


def placed(amount: int) -> dict[str, Any]:
    return body(
        number=1, events=[{"event": "wager_placed", "box": 1, "player": "Ann", "wager": "main", "amount": amount}]
    )


def test_a_wager_is_pending_and_its_settlement_posts_it() -> None:
    accounts = table_with_wager()
    assert accounts.pending == 10_000
    assert accounts.follow("round_begun", placed(10_000)) == []
    won = in_round([settled("Ann", 15_000, 10_000)], Ann=25_000, layout=-10_000, inventory=-15_000)
    assert accounts.follow("round_event", won) == []
    assert accounts.follow("round_ended", body(void=False)) == []
    assert accounts.balances["Ann"] == 115_000
    assert sum(accounts.balances.values()) == 0


def test_a_loss_goes_to_the_inventory_and_a_double_is_pending() -> None:
    accounts = table_with_wager()
    assert accounts.follow("round_event", in_round([], Ann=-10_000, layout=10_000)) == []
    assert accounts.pending == 20_000
    lost = [settled("Ann", -10_000, 10_000, "lose")] * 2
    assert accounts.follow("round_event", in_round(lost, layout=-20_000, inventory=20_000)) == []
    assert (accounts.pending, accounts.balances["Ann"]) == (0, 80_000)


def test_a_void_gives_back_and_a_correction_is_a_new_entry() -> None:
    accounts = table_with_wager()
    row = settled("Ann", 10_000, 10_000)
    assert accounts.follow("round_event", in_round([row], Ann=20_000, layout=-10_000, inventory=-10_000)) == []
    undone = [{"event": "settlement_undone", "row": row}, settled("Ann", 0, 10_000, "void")]
    assert accounts.follow("round_event", in_round(undone, Ann=-10_000, inventory=10_000)) == []
    assert accounts.balances["Ann"] == 100_000


def test_a_wager_taken_back_is_void() -> None:
    accounts = table_with_wager()
    assert accounts.follow("wager_taken_back", body(box=1, player="Ann")) == []
    assert accounts.pending == 0
    assert "does not lie" in accounts.follow("wager_taken_back", body(box=1, player="Ann"))[0]


def test_a_side_wager_taken_back_leaves_the_main_wager() -> None:
    accounts = table_with_wager()
    accounts.follow("wager_laid", body(box=1, player="Ann", wager="match_the_dealer", amount=5_000, coupon=0))
    assert accounts.follow("wager_taken_back", body(box=1, player="Ann", wager="match_the_dealer")) == []
    assert accounts.pending == 10_000


def test_chips_that_do_not_add_up_are_found() -> None:
    faults = table_with_wager().follow("round_event", in_round([], Ann=-5_000))
    assert "add up to -5000" in faults[0]


def test_a_payment_that_no_settlement_says_is_found() -> None:
    paid = in_round([settled("Ann", 15_000, 10_000)], Ann=26_000, layout=-10_000, inventory=-16_000)
    faults = table_with_wager().follow("round_event", paid)
    assert faults == [
        "(inventory) moves by -16000, the settlements and wagers say -15000",
        "Ann moves by 26000, the settlements and wagers say 25000",
    ]


def test_a_player_below_nothing_is_found() -> None:
    faults = table_with_wager().follow("wager_laid", body(box=1, player="Ann", wager="main", amount=90_001, coupon=0))
    assert faults == ["Ann has -1, less than zero"]


def test_a_negative_entry_is_found() -> None:
    faults = Accounts().follow("chips_moved", body(source=INVENTORY, target="(cage)", amount=-1))
    assert "negative" in faults[0]


def test_a_round_that_begins_or_ends_with_other_chips_is_found() -> None:
    accounts = table_with_wager()
    assert "begin" in accounts.follow("round_begun", placed(9_000))[0]
    assert "still lies" in accounts.follow("round_ended", body(void=False))[0]


def test_meters_are_exact_and_pay_no_more_than_they_hold() -> None:
    accounts = Accounts()
    accounts.follow("meter_set", body(meter="m", base=1_000, rate="1/3", limit=None))
    accounts.follow("meter_contributed", body(meter="m", added="1/3"))
    assert accounts.meters["m"] == Fraction(3001, 3)
    assert accounts.follow("meter_paid", body(meter="m", paid=1_000)) == []
    assert accounts.meters["m"] == Fraction(3001, 3)
    assert "holds" in accounts.follow("meter_paid", body(meter="m", paid=1_001))[0]


def test_what_moves_no_chips_is_left_alone() -> None:
    accounts = Accounts()
    assert accounts.follow("cards_spread", {"cite": "c", "by": "x"}) == []
    assert not accounts.balances
