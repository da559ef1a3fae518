"""The decision clock: it answers person by person, and never for somebody who has answered himself."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from tests.unit.test_table import Staff

from twentyone.service.lines import ABSENT
from twentyone.service.staff import Watch, _for_absent
from twentyone.table import Command, Table


def _insurance_is_offered() -> Table:
    """Ann and Bob against an ace."""
    staff = Staff("pa-spanish-21").ready("Ann", "Bob")
    for name, box in (("Ann", 1), ("Bob", 2)):
        staff.do("place_wager", "player", name, box=box, amount="10")
    staff.do("deal")
    for card in ["9S", "9C", "AH", "8D", "8H", "7S"]:
        staff.do("card", card=card)
    return staff.table


def test_the_clock_declines_for_each_who_is_silent() -> None:
    """One command for each of them, in his name and for his box; then nobody is left to be asked."""
    table = _insurance_is_offered()
    for name, box in (("Ann", 1), ("Bob", 2)):
        chosen = _for_absent(table)
        assert chosen is not None
        do, role, by, args = chosen
        assert (do, role, by, args["action"], args["box"]) == ("decide", "player", name, "decline", box)
        assert name in args[ABSENT]
        table = table.apply(Command(do, role, by, 0, args))
    assert [step.says for step in table.next_steps()][:1] != ["insure"]


def test_the_clock_leaves_out_who_has_answered() -> None:
    """Ann said no herself: the clock speaks for Bob."""
    table = _insurance_is_offered().apply(Command("decide", "player", "Ann", 0, {"action": "decline"}))
    chosen = _for_absent(table)
    assert chosen is not None
    assert chosen[2] == "Bob"


def test_an_answer_gives_the_others_no_more_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """The time for an offer runs from its beginning, whoever answers meanwhile."""
    now = [100.0]
    monkeypatch.setattr("twentyone.service.staff.time", SimpleNamespace(monotonic=lambda: now[0]))
    table, watch = _insurance_is_offered(), Watch()
    assert watch.waited(table) == 0
    now[0] += 30
    assert watch.waited(table.apply(Command("decide", "player", "Ann", 0, {"action": "decline"}))) == 30
