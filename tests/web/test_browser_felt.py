"""A felt with real cards and three guests without devices, run from one console, with an irregularity of each kind."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.web.conftest import Enter
from tests.web.felt import GUESTS, Felt
from tests.web.serving import Api, Server

DEAL = "9C 8C 6D 7H 5C 7D 5H ??"
"""Ben has 14, Cy 15, Di 11, the dealer a 7."""


def _a_card_mistyped(felt: Felt) -> None:
    """The last card was mistyped: two presses correct it, on the record. Ben draws, Cy stands, Di doubles."""
    felt.lays()
    felt.cards("9C 8C 6D 7H 5C 7C")
    felt.dan.page.locator("[data-wrong='7C']").click()
    felt.dan.part("right").locator("[data-card='7D']").click()
    felt.dan.settled()
    felt.dan.story("corrected: 7C was entered, it is 7D (mistyped at the console)")
    felt.cards("5H ??")
    felt.signals("Ben", "hit")
    felt.cards("4S")
    felt.signals("Ben", "stand")
    felt.signals("Cy", "stand")
    felt.signals("Di", "double")
    felt.cards("9D")
    felt.turns("KS")
    felt.ends()
    assert felt.chips() == ["210", "190", "220"]


def _cards_of_the_wrong_kind(felt: Felt) -> None:
    """635a.13(a), (b): a card found face up and a ten are set aside; the floorperson destroys the ten."""
    felt.lays()
    felt.dan.does("card", card="9c", face_up=True)
    felt.dan.story("9♣ is set aside: face up")
    felt.types("th")
    felt.dan.story("10♥ is set aside: ten")
    felt.worked |= {"face_up", "ten"}
    felt.cards("9S 8S 6S 7S 5S 7C 5D ??")
    for name in GUESTS:
        felt.signals(name, "stand")
    felt.turns("KH")
    felt.ends()
    felt.fay.does("destroy_found_ten")
    felt.dan.story("Fay destroys 10♥")


def _an_exposed_card(felt: Felt) -> None:
    """635a.13(d): a card drawn in error and seen is offered to the guest whose turn it is, who refuses it."""
    felt.lays()
    felt.cards(DEAL)
    felt.signals("Ben", "hit")
    felt.reports("card drawn in error", exposed=True, card="3h")
    felt.signals("Ben", "refuse")
    felt.dan.story("a card was drawn in error: 3♥")
    felt.signals("Cy", "stand")
    felt.signals("Di", "stand")
    felt.turns("JS")
    felt.ends()


def _a_card_that_nobody_saw(felt: Felt) -> None:
    """635a.13(c): a card drawn in error face down is the next card."""
    felt.lays()
    felt.cards(DEAL)
    felt.reports("card drawn in error")
    felt.dan.story("a card was drawn in error: face down")
    for name in GUESTS:
        felt.signals(name, "stand")
    felt.turns("JD")
    felt.ends()


def _a_hole_card_read_without_cause(felt: Felt) -> None:
    """635a.13(j), (g): the floorperson confirms on his own screen; a card drawn past 17 changes nothing."""
    felt.lays()
    felt.cards(DEAL)
    felt.dan.begins("hole card read")
    felt.worked.add("hole_card_read")
    felt.until("confirm_notification", "reader_told", "decide")
    if felt.view["next"][0]["do"] == "reader_told":
        felt.reader("false")
    felt.fay.does("confirm_notification")
    for name in GUESTS:
        felt.signals(name, "stand")
    felt.turns("QS")
    felt.reports("dealer drew past 17", card="4c")
    felt.dan.story("4♣ is set aside: past 17")
    felt.ends()


def _a_box_missed(felt: Felt) -> None:
    """635a.13(f): box 4 was missed and gets its card later."""
    felt.lays()
    felt.cards("9D")
    felt.reports("box missed", box="4")
    felt.cards("6H 7C 5D 4D 2S")
    felt.until("decide", "card")
    if felt.view["offer"]:
        felt.signals("Cy", "late_card")
        felt.until("card")
    _deal_out(felt, "8D 3D 2D")
    felt.turns("KC")
    felt.ends()


def _the_dealers_card_missed(felt: Felt) -> None:
    """The dealer missed his own first card."""
    felt.lays()
    felt.cards("9H 8H 6C")
    felt.reports("dealer card missed")
    _deal_out(felt, "5S 7S 5C 7D")
    felt.turns("KD")
    felt.ends()


def _a_requested_card_missed(felt: Felt) -> None:
    """635a.13(h), (i): Ben has his card dealt late, Cy calls his hand dead."""
    felt.lays()
    felt.cards(DEAL)
    felt.signals("Ben", "hit")
    felt.reports("requested card missed")
    felt.signals("Ben", "late_card")
    felt.signals("Cy", "hit")
    felt.reports("requested card missed")
    felt.signals("Cy", "call_dead")
    felt.signals("Di", "stand")
    _deal_out(felt, "4H")
    felt.turns("KS")
    felt.ends()


def _a_broken_reader_and_insurance(felt: Felt) -> None:
    """635a.8, 635a.13(k): two guests insure, one does not; the reader fails before it is asked, and is repaired."""
    felt.lays()
    felt.cards("9S 8S 6H AH 5S 7S 5H ??")
    for name, answer in zip(GUESTS, ("insure", "decline", "insure"), strict=True):
        felt.signals(name, answer)
    felt.fay.begins("report a device that does not work", device="card_reader")
    felt.fay.accepted()
    felt.fay.does("device_repaired")
    felt.worked.add("reader_failed")
    felt.reader("false")
    for name in GUESTS:
        felt.signals(name, "stand")
    felt.turns("7C")
    felt.ends()


def _two_cards_face_up(felt: Felt) -> None:
    """635a.13(a): a second card face up voids the round; everybody has what he had before."""
    before = felt.chips()
    felt.lays()
    felt.dan.does("card", card="9h", face_up=True)
    felt.dan.does("card", card="8h", face_up=True)
    felt.worked.add("more_face_up")
    felt.dan.story("the round is void")
    felt.ends()
    assert felt.chips() == before


def _deal_out(felt: Felt, cards: str) -> None:
    """Enter these cards as they become due, the hole card unseen, and stand for whoever is asked."""
    rest = iter(cards.split())
    while (step := felt.view["next"][0])["do"] in ("card", "decide"):
        if step["do"] == "decide":
            felt.signals(step["about"], "stand")
        elif "face down" in step["says"]:
            felt.cards("??")
        else:
            felt.cards(next(rest))


SHORT: tuple[Callable[[Felt], None], ...] = (_a_card_mistyped, _cards_of_the_wrong_kind, _an_exposed_card)
WHOLE = (
    *SHORT,
    _a_card_that_nobody_saw,
    _a_hole_card_read_without_cause,
    _a_box_missed,
    _the_dealers_card_missed,
    _a_requested_card_missed,
    _a_broken_reader_and_insurance,
    _two_cards_face_up,
)
"""Ten rounds, with every irregularity that the console of this game offers to report."""


@pytest.mark.prove
@pytest.mark.parametrize("rounds", [SHORT, WHOLE], ids=["short", "whole"])
def test_a_felt_of_guests_without_devices(
    server: Server, admin: Api, enter: Enter, rounds: tuple[Callable[[Felt], None], ...]
) -> None:
    """Everything is entered at the dealer's console, except what the text gives to the floorperson."""
    felt = Felt(server, admin, enter, "pa-spanish-21")
    felt.opens()
    offered = {action["name"] for action in felt.view["actions"] if action["do"] == "happened"}
    for play in rounds:
        play(felt)
    assert felt.view["round"] == len(rounds)
    if rounds is WHOLE:
        assert offered <= felt.worked, offered - felt.worked
    felt.everybody_leaves()
    assert admin.post("/verify")["faults"] == []
