"""The follower of the procedure: each step done as the text allows it, by whose turn it is."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from twentyone.errors import Refused
from twentyone.rulebook import Rulebook, Rules, rulebook_ids
from twentyone.rulebook.clauses import CoverCard, Cut
from twentyone.table import Command, NextStep, Table
from twentyone.table.follow import Follower, consent, lowest

BOOKS = rulebook_ids()
STAFF = {"dealer": "Dan", "floorperson": "Fay"}


def brought(step: NextStep) -> dict[str, Any]:
    known = {"shuffle": {"commitment": "0" * 64}, "burn": {"card": "2S"}}
    return known.get(step.do, {})


def highest(positions: range) -> int:
    return positions[-1]


def opened(rules: Rules, follower: Follower, task: str = "") -> Table:
    """A table with Ann at box 1, made ready up to a task."""
    table = Table.new(rules)
    table = table.apply(follower.command(table, table.next_steps()[0]))
    return follower.until(table.apply(Command("sit", "player", "Ann", args={"boxes": [1]})), task, 0)


NONE = ("s13-spanish-21", "continuous")
"""A shuffler that its text does not have."""
SHUFFLERS = [(book, kind) for book in BOOKS for kind in ("manual", "automated", "continuous") if (book, kind) != NONE]


@pytest.mark.parametrize(("book", "shuffler"), SHUFFLERS)
@pytest.mark.parametrize("pick", [None, lowest, highest])
def test_every_table_is_made_ready(book: str, shuffler: str, pick: Callable[[range], int] | None) -> None:
    """With the usual picks, and with those at either end of what the text allows."""
    picks = {} if pick is None else {"cut_at": pick, "cover_at": pick}
    rules = Rulebook.load(book).under({"shuffler": shuffler})
    table = opened(rules, Follower(STAFF, bring=brought, **picks))
    assert (table.state.phase, table.state.agenda, table.state.dealer) == ("open", (), "Dan")
    assert table.state.shoe is not None
    assert table.next_steps()[0].do == "place_wager"


@pytest.mark.parametrize("book", BOOKS)
@pytest.mark.parametrize("beyond", [lambda positions: positions[0] - 1, lambda positions: positions[-1] + 1])
def test_one_card_beyond_is_refused(book: str, beyond: Callable[[range], int]) -> None:
    rules = Rulebook.load(book).under()
    with pytest.raises(Refused) as cut:
        opened(rules, Follower(STAFF, cut_at=beyond, bring=brought))
    with pytest.raises(Refused) as cover:
        opened(rules, Follower(STAFF, cover_at=beyond, bring=brought))
    assert (cut.value.cite, cover.value.cite) == (rules.one(Cut).cite, rules.one(CoverCard).cite)


def test_the_cut_is_the_players_to_whom_it_is_offered() -> None:
    follower = Follower(STAFF, bring=brought)
    table = opened(Rulebook.load("pa-spanish-21").under(), follower, "cut")
    table = table.apply(follower.command(table, table.next_steps()[0]))
    steps = table.next_steps()
    assert [follower.command(table, step)[:3] for step in steps if step.do == "cut"] == [("cut", "player", "Ann")]
    declines = {step.role: follower.command(table, step) for step in steps if step.do == "decline_cut"}
    assert declines["player"] == Command("decline_cut", "player", "Ann")
    assert declines["dealer"] == Command("decline_cut", "dealer", "Dan", args={"player": "Ann"})
    for declined in declines.values():
        after = table.apply(declined)
        assert follower.command(after, after.next_steps()[0]).by == "Dan"


def test_a_device_is_named_and_the_dealer_on_duty_speaks() -> None:
    follower = Follower({"dealer": "Dora", "floorperson": "Fay"}, bring=brought)
    table = opened(Rulebook.load("pa-spanish-21").under(), Follower(STAFF, bring=brought))
    repair = follower.command(table, NextStep("device_repaired", "floorperson", "", "", "card_reader"))
    assert repair == Command("device_repaired", "floorperson", "Fay", args={"device": "card_reader"})
    assert follower.command(table, NextStep("collect_cards", "dealer", "", "")).by == "Dan"


def test_consent_is_asked_once_and_only_of_the_first() -> None:
    rules = Rulebook.load("s13-spanish-21").under({"players_per_box": 2})
    table = opened(rules, Follower(STAFF, bring=brought))
    for name, boxes in (("Ann", [1]), ("Bob", [2])):
        table = table.apply(Command("sit", "player", name, args={"boxes": boxes}))
        table = table.apply(Command("buy_in", "dealer", "Dan", args={"player": name, "amount": "100"}))
    table = table.apply(Command("place_wager", "player", "Ann", args={"box": 1, "amount": "10"}))
    assert list(consent(rules, table.state, 1, "Ann")) == []
    asked = list(consent(rules, table.state, 1, "Bob"))
    assert asked == [Command("consent", "player", "Ann", args={"box": 1, "player": "Bob"})]
    assert list(consent(rules, table.apply(asked[0]).state, 1, "Bob")) == []
    alone = Rulebook.load("pa-spanish-21").under()
    assert list(consent(alone, table.state, 1, "Bob")) == []


def test_a_spoken_wager_is_confirmed_by_each_who_must() -> None:
    rules = Rulebook.load("s13-spanish-21").under({})
    follower = Follower(STAFF, bring=brought)
    table = opened(rules, follower)
    table = table.apply(Command("sit", "player", "Ann", args={"boxes": [1]}))
    said = {"box": 1, "amount": "10", "cash": True}
    table = follower.until(table, "", 0).apply(Command("place_wager", "player", "Ann", args=said))
    for role in ("dealer", "floorperson"):
        command = follower.command(table, table.next_steps()[0])
        assert (command.do, command.role) == ("confirm_verbal_wager", role)
        assert command.args == {"box": 1, "player": "Ann", "wager": "main"}
        table = table.apply(command)
    assert [step.do for step in table.next_steps()] == ["place_wager", "deal"]
