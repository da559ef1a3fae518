"""A citation is a claim: the paragraph that an event or a refusal cites speaks of it, or nothing is cited.

tests/cites has what each paragraph speaks of, and what each kind of event and of refusal is about. Every event of
irregular shifts is held against it, and every command in every role, at each kind of moment of them.
"""

from __future__ import annotations

from random import Random
from typing import Any
from unittest.mock import patch

import pytest
from tests.cites.shifts import Shift, refusals_of, shift
from tests.cites.subjects import KINDS, Wrong, law_of, unknown_paragraphs
from tests.daily import daily

from twentyone.errors import Refused
from twentyone.round.actions import ACTIONS
from twentyone.rulebook import rulebook_ids
from twentyone.table.play import COMMANDS, TablePlay, task_cite

BOOKS = rulebook_ids()
FEWEST = 20
"""Kinds of moments that the shifts of a book reach at least."""


def moments_of(shifts: list[Shift], most: int) -> list[tuple[Any, ...]]:
    """A table at each kind of moment of some shifts."""
    found: dict[tuple[object, ...], tuple[Any, ...]] = {}
    for worked in shifts:
        for moment, there in worked.moments.items():
            found.setdefault(moment, there)
    assert len(found) >= FEWEST
    return list(found.values())[:most]


def wrong_refusals(book: str, moments: list[tuple[Any, ...]]) -> dict[str, Wrong]:
    """The refusals at these moments whose paragraph does not say so, one for each sentence."""
    law, rng, wrong = law_of(book), Random(book), {}
    for table, shoe in moments:
        for command, refused in refusals_of(table, shoe, rng):
            fault = law.refusal(refused.why, refused.cite)
            if fault is not None:
                wrong[f"{command.do} by {command.role}: {fault.what}"] = fault
    return wrong


@pytest.mark.parametrize(("days", "rounds", "moments"), daily([(4, 8, 24), (24, 40, 400)], (4, 8, 24)))
@pytest.mark.parametrize("book", BOOKS)
def test_every_citation_of_a_shift_is_right(book: str, days: int, rounds: int, moments: int) -> None:
    shifts = [shift(book, number, rounds) for number in range(days)]
    assert [fault for worked in shifts for fault in worked.wrong] == []
    assert wrong_refusals(book, moments_of(shifts, moments)) == {}


# -- the table itself


def test_the_table_names_paragraphs_that_there_are() -> None:
    assert unknown_paragraphs() == []


def test_the_table_knows_every_command_and_every_decision() -> None:
    assert set(KINDS["commands"]) == set(COMMANDS)
    assert set(KINDS["decisions"]) == set(ACTIONS)


# -- the negative control: what was once cited, and what somebody might cite

EVENTS = [
    ("pa-spanish-21", "CardDealt:late_second", "58 Pa. Code § 635a.7(e)(3)"),
    ("pa-spanish-21", "CardDealt:late_dealer", "58 Pa. Code § 635a.7(e)(4)"),
    ("pa-spanish-21", "HoleCardRead:none", "58 Pa. Code § 635a.13(j)(2)"),
    ("pa-spanish-21", "player_left", "58 Pa. Code § 635a.6(a)"),
    ("pa-spanish-21", "chips_moved:fill", "58 Pa. Code § 635a.6(a)"),
    ("pa-double-back-jack", "EntryCorrected", "58 Pa. Code § 673a.7(u)"),
    ("pa-down-under-blackjack", "CardDealt:late_second", "58 Pa. Code § 685a.7(e)(3)"),
    ("pa-down-under-blackjack", "WagerSettled:hand:lose", "58 Pa. Code § 685a.7(o)(1)"),
    ("md-spanish-21", "table_closed", "Md. Standard Rules – Spanish 21, Ch. 4.A"),
    ("md-spanish-21", "cut_offered:floorperson", "Md. Standard Rules – Spanish 21, Ch. 5.D(1)"),
    ("s13-spanish-21", "player_seated", "Section 13(g)(4)(i)"),
    ("s13-spanish-21", "WagerSettled:insurance:lose", "Section 13(k)(3)"),
    ("classic-blackjack", "CardBurned", "Classic § 2(d)"),
]
REFUSALS = [
    ("pa-spanish-21", "decide is for the player or dealer, not for the floorperson", "58 Pa. Code § 635a.6(c)"),
    ("pa-spanish-21", "no card is due", "58 Pa. Code § 635a.6(c)"),
    ("pa-spanish-21", "tip is for the player, not for the dealer", "58 Pa. Code § 635a.6(a)"),
    ("pa-spanish-21", "wash cards is not due: the table is closed", "58 Pa. Code § 635a.4(d)"),
    ("pa-double-back-jack", "destroy tens is for nobody under this text", "58 Pa. Code § 673a.6(a)"),
    ("pa-double-back-jack", "wagers are closed: a round is in progress", ""),
    ("pa-down-under-blackjack", "count again is for the floorperson, not for the dealer", "58 Pa. Code § 685a.6(d)"),
    (
        "md-spanish-21",
        "this table has no shuffler; its devices: card reader",
        "Md. Standard Rules – Spanish 21, Ch. 13.Q",
    ),
    ("md-spanish-21", "spin is for the dealer, not for the player", "Md. Standard Rules – Spanish 21, Ch. 12.D(6)(b)"),
    ("md-spanish-21", "card is for the dealer, not for the player", "Md. Standard Rules – Spanish 21, Ch. 6.D"),
    ("s13-spanish-21", "sit is for the player, not for the dealer", "Section 13(e)(3)"),
    ("s13-spanish-21", "box 1 may not split: the hand has 4", "Section 13(h)(1)"),
    ("classic-blackjack", "no round is in progress: one begins with `deal`", "Classic § 3(d)"),
]


@pytest.mark.parametrize(("book", "kind", "cite"), EVENTS)
def test_a_planted_citation_of_an_event_is_found(book: str, kind: str, cite: str) -> None:
    assert law_of(book).event(kind, cite) is not None


@pytest.mark.parametrize(("book", "why", "cite"), REFUSALS)
def test_a_planted_citation_of_a_refusal_is_found(book: str, why: str, cite: str) -> None:
    assert law_of(book).refusal(why, cite) is not None


def test_the_nearest_task_is_found_at_once() -> None:
    """A refusal that falls back to a paragraph nearby is what this test is against."""

    def nearest(self: TablePlay, why: str, cite: str | None = None) -> Refused:
        return Refused(why, cite or task_cite(self.rules, self.state, "place_wager") or "")

    worked = shift("pa-spanish-21", 0, 3)
    moments = list(worked.moments.values())[:3]
    with patch.object(TablePlay, "refuse", nearest):
        assert len(wrong_refusals("pa-spanish-21", moments)) > len(COMMANDS)
