"""No command moves more than it may: the operator's limits, a player's own chips, and texts that are no amounts."""

from __future__ import annotations

from typing import Any

import pytest
from tests.unit.test_table import BOOKS, COUPON, Staff

from twentyone.errors import Refused, SubmissionRefused
from twentyone.money import Amount
from twentyone.rulebook import Rulebook
from twentyone.table.limits import LIMITS, MOST
from twentyone.table.play import COMMANDS

ABSURD: tuple[Any, ...] = (
    "1e30", "1" + "0" * 40, str(10**17), "NaN", "Infinity", "-1", "0", "", " 5", "5 ", "+5", "٥", "５", "1_000", "0x10",
    "1.0001", "5\n", 5, 5.0, True, None, [], {},
)  # fmt: skip
"""What is no amount, or none that a command may have."""
SOLD = {"buy_in": ("dealer", "Dan"), "fill": ("floorperson", "Fay"), "credit": ("floorperson", "Fay")}


def ready(book: str = "s13-spanish-21") -> Staff:
    return Staff(book).ready("Ann")


@pytest.mark.parametrize("value", ABSURD, ids=repr)
def test_an_absurd_amount_is_refused_by_every_command_that_takes_one(value: Any) -> None:
    staff = ready().do("place_wager", "player", "Ann", box=1, amount="10")
    people = {"player": "Ann", "dealer": "Dan", "floorperson": "Fay", "operator": "Olga"}
    for do, handler in COMMANDS.items():
        for name in handler.amounts:
            known = {"box": 1, "player": "Ann", "number": "A-1", "about": "tip", "action": "insurance", name: value}
            args = {key: known[key] for key in handler.takes if key in known}
            for role, by in people.items():
                assert isinstance(staff.refused(do, role, by, **args), Refused), (do, role)


@pytest.mark.parametrize("book", BOOKS)
@pytest.mark.parametrize("do", SOLD)
def test_a_sale_a_fill_and_a_credit_have_a_limit(book: str, do: str) -> None:
    staff, (role, by), who = ready(book), SOLD[do], {"player": "Ann"} if do == "buy_in" else {}
    before = dict(staff.table.state.chips)
    assert "above the limit" in str(staff.refused(do, role, by, **who, amount=str(10**9)))
    assert "above the limit" in str(staff.refused(do, role, by, **who, amount=str(LIMITS[do] + Amount("1"))))
    assert staff.table.state.chips == before
    staff.do(do, role, by, **who, amount=str(LIMITS[do]))


def test_a_verbal_wager_has_a_limit() -> None:
    staff = ready()
    refused = staff.refused("place_wager", "player", "Ann", box=1, amount="100001", cash=True)
    assert "verbal wager: $100,001.00 is above the limit of $100,000.00" in str(refused)


def test_the_operator_sets_a_limit_and_nobody_else_does() -> None:
    staff = ready()
    for role, by in (("player", "Ann"), ("dealer", "Dan"), ("floorperson", "Fay")):
        assert "for the operator" in str(staff.refused("set_limit", role, by, about="buy_in", amount="5"))
    staff.do("set_limit", "operator", "Olga", about="buy_in", amount="50")
    assert "limit of $50.00" in str(staff.refused("buy_in", player="Ann", amount="50.5"))
    staff.do("buy_in", player="Ann", amount="50")
    assert "there is no limit for" in str(staff.refused("set_limit", "operator", "Olga", about="rent", amount="5"))
    above = str(MOST + Amount("1"))
    assert "at most" in str(staff.refused("set_limit", "operator", "Olga", about="buy_in", amount=above))


def test_a_tip_is_of_chips_off_the_layout_and_has_a_limit() -> None:
    staff = ready().do("place_wager", "player", "Ann", box=1, amount="400")
    assert "does not have" in str(staff.refused("tip", "player", "Ann", amount="601"))
    staff.do("buy_in", player="Ann", amount="100000")
    assert "above the limit" in str(staff.refused("tip", "player", "Ann", amount="10001"))
    staff.do("tip", "player", "Ann", amount="600")


def test_what_a_coupon_won_in_a_round_that_is_not_over_is_not_tipped_away() -> None:
    """A void round takes it back: it would be taken from chips that he no longer has."""
    staff = ready().do("place_wager", "player", "Ann", box=1, amount="10")
    staff.do("place_wager", "player", "Ann", box=1, amount="5", wager="match_the_dealer")
    staff.do("lay_coupon", **COUPON | {"amount": "5", "wager": "match_the_dealer"}).do("deal")
    for card in ("8S", "8D", "3C", "9C"):
        staff.do("card", card=card)
    assert staff.table.state.chips["Ann"] == Amount("1030")
    assert "won in a round that is not over" in str(staff.refused("tip", "player", "Ann", amount="1030"))
    assert "won in a round that is not over" in str(staff.refused("tip", "player", "Ann", amount="1000.5"))
    staff.do("decide", "player", "Ann", action="hit")
    for card in ("2C", "2D"):
        staff.do("card", card=card, face_up=True)
    assert staff.table.state.chips["Ann"] == Amount("1000")


def test_a_player_attaches_no_coupon_to_his_wager() -> None:
    """Before, one that he made up paid 150,000,506."""
    staff = ready()
    refused = staff.refused("place_wager", "player", "Ann", box=1, amount="10", coupon="99999999")
    assert "has no argument 'coupon'" in str(refused)
    staff.do("place_wager", "player", "Ann", box=1, amount="10")
    for by in ("Ann", "Dan"):
        assert "not for the player" in str(staff.refused("lay_coupon", "player", by, **COUPON))
    assert "above the limit" in str(staff.refused("lay_coupon", **COUPON | {"amount": "99999999"}))
    assert "lies beside at least" in str(staff.refused("lay_coupon", **COUPON | {"amount": "10.5"}))


@pytest.mark.parametrize("number", ["", " ", "A 1", "-A", "A-", "A--1", "é", "1" * 41, "\n", "A\n", "<b>"])
def test_what_is_no_number_of_a_coupon_is_refused(number: str) -> None:
    staff = ready().do("place_wager", "player", "Ann", box=1, amount="10")
    assert "not the number of a coupon" in str(staff.refused("lay_coupon", **COUPON | {"number": number}))


@pytest.mark.parametrize("value", ["1e30", "1" + "0" * 40, str(10**12), "NaN", "٥", "-5"])
def test_a_submission_has_no_absurd_amount(value: str) -> None:
    with pytest.raises(SubmissionRefused):
        Rulebook.load("s13-spanish-21").under({"table_minimum": value})
