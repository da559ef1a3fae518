"""One meter: what the round pays, what the meter shows, and what verify and the report say of a void jackpot."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from tests.contracts.runner_driver import KEYRING, seeded_source

from twentyone.cards import Card
from twentyone.ledger.accounts import Accounts
from twentyone.ledger.runner import Runner
from twentyone.ledger.store import open_store
from twentyone.ledger.tally import Tally
from twentyone.ledger.verify import verify
from twentyone.money import ZERO, Amount
from twentyone.round import Decision, Draw, Drawn, Round, Spun
from twentyone.round.events import MeterReset, MeterRestored
from twentyone.rulebook import Rulebook
from twentyone.rulebook.wheels import meters_of, paytables, weights_of
from twentyone.script.export import export
from twentyone.script.replay import replay
from twentyone.table import Command
from twentyone.table.script import FOLLOWER

BOOK = "md-spanish-21"
LAW = Path(__file__).parents[1] / "law" / BOOK
VOID_JACKPOT = LAW / "Ch.13" / "B-void-round-gives-the-meter-its-jackpot-back.json"


def event(kind: str, **data: Any) -> dict[str, Any]:
    return {"event": kind, **data}


WON = event("meter_reset", meter="wheel", paid=1_008_000, reset=1_000_000, waits="0")
UNDONE = [
    event("round_voided", effects=[]),
    event("settlement_undone", row={"player": "Ann", "net": 0, "staked": 0, "outcome": "win"}),
]
RESTORED = event("meter_restored", meter="wheel", paid=1_008_000)


def booked(*after: tuple[str, dict[str, Any]]) -> tuple[list[str], Accounts]:
    """The faults of a round in which a jackpot of 1,008 was won, and of what came after it."""
    accounts = Accounts()
    faults: list[str] = []
    events: list[tuple[str, dict[str, Any]]] = [
        ("meter_set", {"meter": "wheel", "base": 1_000_000}),
        ("meter_contributed", {"meter": "wheel", "added": "8000"}),
        ("round_begun", {"events": []}),
        ("round_event", {"events": [WON], "chips": []}),
        ("meter_paid", {"meter": "wheel", "paid": 1_008_000}),
        *after,
        ("round_ended", {}),
    ]
    for kind, data in events:
        faults += accounts.follow(kind, {"data": data})
    return faults, accounts


def test_a_jackpot_that_is_undone_is_given_back() -> None:
    faults, accounts = booked(
        ("round_event", {"events": [*UNDONE, RESTORED], "chips": []}),
        ("meter_restored", {"meter": "wheel", "paid": 1_008_000}),
    )
    assert (faults, accounts.meters["wheel"]) == ([], Fraction(1_008_000))


def test_a_void_round_that_leaves_the_meter_reset_is_found() -> None:
    """As it was written once: the round took the prize back, and the meter kept the win."""
    reset = event("meter_reset", meter="wheel", paid=0, reset=1_008_000, waits="0")
    faults, accounts = booked(("round_event", {"events": [*UNDONE, reset], "chips": []}))
    assert faults == ["the meter wheel has paid 1008000 for a round in which 0 was won of it"]
    assert accounts.meters["wheel"] == 1_000_000


def test_a_meter_that_gives_back_a_jackpot_that_stands_is_found() -> None:
    faults, _ = booked(("meter_restored", {"meter": "wheel", "paid": 1_008_000}))
    assert faults == ["the meter wheel has paid 0 for a round in which 1008000 was won of it"]


def test_a_share_that_is_taken_out_of_the_base_is_found() -> None:
    faults, _ = booked(("meter_share_taken_back", {"meter": "wheel", "taken": "1"}))
    assert faults == ["the meter wheel holds 999999, less than its base of 1000000"]


def test_the_figures_of_a_shift_forget_a_jackpot_that_is_undone() -> None:
    tally = Tally("table 1")
    for kind, data in (
        ("meter_set", {"meter": "wheel", "base": 1_000_000, "limit": None, "unit": 10}),
        ("meter_contributed", {"meter": "wheel", "added": "8005"}),
        ("meter_paid", {"meter": "wheel", "paid": 1_008_000}),
        ("meter_restored", {"meter": "wheel", "paid": 1_008_000}),
        ("meter_share_taken_back", {"meter": "wheel", "taken": "4000"}),
    ):
        tally._move_meters(kind, data, True)
    meter = tally.meters["wheel"]
    assert (meter.hits, meter.paid, meter.shown, meter.waits) == (0, ZERO, Amount("1004"), Fraction(5))
    assert (meter.contributed, meter.difference) == (Fraction(4005), Fraction(0))


# -- the round and the table


def test_a_round_holds_what_its_meter_does_not_show() -> None:
    """Md. 12.D(7): what waited is there when the meter starts again, and gone when the jackpot is undone."""
    terms = {"bonus_spin": {"rate": "1", "reset": "1000", "limit": "1001"}}
    rules = Rulebook.load(BOOK).under({"bonus_spin": "B", "progressive": terms})
    wagers = [{"box": box, "player": name, "main": "10", "bonus_spin": "1"} for box, name in ((1, "Ann"), (2, "Bob"))]
    wagers.append({"box": 3, "player": "Cal", "main": "10"})
    waits = {"bonus_spin": Fraction(1500)}
    round_ = Round.start(rules, wagers, {"bonus_spin": Amount("1001")}, waits)
    played: list[Drawn | Spun | Decision] = [
        Drawn(Card(card)) for card in ["AS", "AH", "5H", "7D", "KH", "KS", "6C", "QC"]
    ]
    played += [Spun("jackpot"), Spun("jackpot")]
    for step in played:
        round_ = round_.apply(step)
    resets = [event for event in round_.events if isinstance(event, MeterReset)]
    assert [(one.paid, one.reset, one.waits) for one in resets] == [
        (Amount("1001"), Amount("1001"), Fraction(500)),
        (Amount("1001"), Amount("1000.50"), Fraction(0)),
    ]
    void: list[Drawn | Spun | Decision] = [Decision("hit", 3, "Cal"), Drawn(Card("5S"), True), Drawn(Card("6S"), True)]
    for step in void:
        round_ = round_.apply(step)
    restored = [event for event in round_.events if isinstance(event, MeterRestored)]
    assert [one.paid for one in restored] == [Amount("1001"), Amount("1001")]
    assert (round_.state.meters, round_.state.meters_wait) == ({"bonus_spin": Amount("1001")}, waits)
    with pytest.raises(ValueError, match="cannot say it"):
        export(round_)
    script = export(round_, played + void)
    assert (script["format"], script["waits"]) == ("round-script/2", {"bonus_spin": "1500"})
    dealt = replay(script).round
    assert dealt is not None
    assert dealt.events == round_.events


# -- paytables and weights


def test_a_wheel_without_weights_has_every_community_amount_beside_every_symbol() -> None:
    """Md. 12.E(1), (6)(a): ten symbols, eight amounts; by the other reading each player spins, and none is due."""
    book = Rulebook.load(BOOK)
    weights = weights_of(book.under({"xtreme_16": True}))["xtreme_16"]
    assert (len(weights), set(weights.values())) == (80, {1})
    assert {name.partition("+")[2] for name in weights} == {"150", "100", "75", "50", "40", "35", "30", "25"}
    each = weights_of(book.under({"xtreme_16": True, "readings": {"md-hot-spot": "each-spins"}}))["xtreme_16"]
    assert len(each) == 10


def test_a_symbol_weighed_without_an_amount_has_each_of_them_equally_often() -> None:
    given = {"xtreme_16": {"1000": 1, "200+25": 3, "1000+150": 2}}
    weights = weights_of(Rulebook.load(BOOK).under({"xtreme_16": True, "wheel_weights": given}))["xtreme_16"]
    assert sum(weights.values()) == 8 * 6
    assert (weights["200+25"], weights["1000+25"], weights["1000+150"]) == (24, 1, 17)


@pytest.mark.parametrize("pair", [["A", "C"], ["C", "A"]])
def test_two_paytables_have_their_own_wheels_and_meters(pair: list[str]) -> None:
    rules = Rulebook.load(BOOK).under({"bonus_spin": pair})
    assert [(table.name, str(table.amount)) for table in paytables(rules)] == [
        ("bonus_spin_A", "1"),
        ("bonus_spin_C", "5"),
    ]
    assert {name: str(terms.base) for name, terms in meters_of(rules).items()} == {
        "bonus_spin_A": "1000",
        "bonus_spin_C": "5000",
    }
    assert set(weights_of(rules)) == {"bonus_spin_A", "bonus_spin_C"}


# -- in a ledger


def test_a_void_jackpot_in_a_ledger_is_well(tmp_path: Path) -> None:
    """Md. 13.B: the law script, stored: verify finds nothing, and the figures of the shift know of no win."""
    script = json.loads(VOID_JACKPOT.read_text(encoding="utf-8"))
    store = open_store(str(tmp_path / "t.db"), create=True)
    runner = Runner(store, "t", KEYRING, seeded_source(1), lambda: 5)
    runner.create(Rulebook.load(BOOK).under(script["submission"]), cards="person")
    for row in script["commands"]:
        if "follow" in row:
            while (state := runner.table.state).phase == "closed" or [todo.do for todo in state.agenda[:1]] != wait(
                row
            ):
                give(runner, FOLLOWER.command(runner.table, runner.table.next_steps()[0]))
        elif "seat" in row:
            give(runner, Command("sit", "player", row["seat"], args={"boxes": row["boxes"]}))
            give(runner, Command("buy_in", "dealer", "Dan", args={"player": row["seat"], "amount": row["chips"]}))
        else:
            args = {key: value for key, value in row.items() if key not in ("do", "role", "by")}
            give(runner, Command(row["do"], row.get("role", "dealer"), row.get("by", "Dan"), args=args))
    assert verify(store, KEYRING, None).faults == ()
    tally = Tally("t")
    for stored in store.read("t"):
        tally.follow(stored)
    figures = tally.meters["bonus_spin"]
    assert (figures.hits, figures.paid, figures.shown, figures.difference) == (0, ZERO, Amount("1001"), Fraction(0))
    store.close()


def wait(row: dict[str, Any]) -> list[str]:
    """The task that is due when there is nothing more to follow."""
    return [row["follow"]] if row["follow"] else []


def give(runner: Runner, command: Command) -> None:
    """Give a command as a table of real cards takes it: burn card and hole card are seen by nobody."""
    round_ = runner.table.state.round
    need = round_.next if round_ is not None else None
    down = command.do == "burn" or (command.do == "card" and isinstance(need, Draw) and need.face_down)
    seen = {key: value for key, value in command.args.items() if not (down and key == "card")}
    runner.handle(command._replace(args=seen), f"key {runner.version}")
