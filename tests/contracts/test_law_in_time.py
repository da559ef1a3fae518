"""The law changes on a date: each round is dealt, paid, verified and exported under the text of its own shoe."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from tests.amending import Shelf, add_edition, put_shelf, write_amendment
from tests.contracts.runner_driver import KEYRING, LedgerDay, begin, seeded_source

from twentyone.errors import Refused
from twentyone.ledger.codec import LAW_BEGUN, LAW_REFUSED
from twentyone.ledger.export import export_round
from twentyone.ledger.identity import given_submission
from twentyone.ledger.kept_law import KEPT, keep_law
from twentyone.ledger.law_in_force import LawDue, day_at
from twentyone.ledger.law_in_force import begun as law_begun
from twentyone.ledger.rounds import list_rounds
from twentyone.ledger.rows import HOUSE
from twentyone.ledger.runner import Runner
from twentyone.ledger.shoe_records import list_shoes, shoe_record
from twentyone.ledger.snapshots import state_hash
from twentyone.ledger.store import Store, open_store
from twentyone.ledger.verify import verify
from twentyone.rulebook import Rulebook, rulebook_ids
from twentyone.rulebook.in_time import later_editions, text_on
from twentyone.script import replay
from twentyone.service.shift.work import Shift, ShiftPlan
from twentyone.table import Command
from twentyone.table.shoe import faults as shoe_faults

BOOKS = rulebook_ids()
MIDNIGHT = 1_767_312_000
"""2026-01-02 00:00:00 UTC."""
DAY = "2026-01-02"
OLD, NEW = "3:2", "6:5"


@pytest.fixture
def shelf(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Shelf:
    return put_shelf(tmp_path, monkeypatch)


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return open_store(str(tmp_path / "t.db"), create=True)


def _amend(name: str, old: str = f'odds = "{OLD}"', new: str = f'odds = "{NEW}"') -> Callable[[Path], None]:
    return lambda shelf: write_amendment(shelf / name, DAY, old, new)


def _amend_all(shelf: Path) -> None:
    for name in BOOKS:
        fences = "".join(file.read_text(encoding="utf-8") for file in (shelf / name).glob("*.md"))
        odds, new = (OLD, NEW) if f'odds = "{OLD}"' in fences else ("2:1", "3:1")
        _amend(name, f'odds = "{odds}"', f'odds = "{new}"')(shelf)


def _remove(shelf: Path) -> None:
    for folder in shelf.iterdir():
        shutil.rmtree(folder)


def _work(store: Store, name: str, rounds: int, before: int, tables: int = 1, **submission: Any) -> Shift:
    """A shift that begins so many seconds before midnight."""
    plan = ShiftPlan(Rulebook.load(name).under(submission), tables, rounds, Fraction(0), "7", MIDNIGHT - before)
    shift = Shift(store, KEYRING, plan, lambda: 0, "own")
    shift.work(lambda _: None)
    return shift


def _bodies(store: Store, stream: str, kind: str) -> list[dict[str, Any]]:
    return [
        {**json.loads(event.body), "ver": event.ver, "ts": event.ts}
        for event in store.read(stream)
        if event.type == kind
    ]


def _exports(store: Store) -> dict[str, dict[str, Any]]:
    return {row.id: export_round(store, row) for row in list_rounds(store) if row.over}


class Side(NamedTuple):
    """What lies on one side of the midnight."""

    scripts: list[dict[str, Any]]
    """Its rounds."""
    odds: set[str]
    """The odds at which wagers were paid there."""


def _sides(store: Store, stream: str, begun: int) -> tuple[Side, Side]:
    sides: tuple[Side, Side] = Side([], set()), Side([], set())
    for row in list_rounds(store):
        script = export_round(store, row)
        verdict = replay(json.dumps(script))
        assert (verdict.exit, verdict.faults) == (0, ()), row.id
        assert verdict.result is not None
        side = sides[row.first > begun]
        assert not row.first < begun < row.last, "a round crosses the midnight of its law"
        side.scripts.append(script)
        side.odds.update(wager["odds"] for wager in verdict.result["wagers"] if wager["odds"])
    return sides


# -- a shift over midnight


ROUNDS = {"classic-blackjack": 40, "pa-down-under-blackjack": 40}
"""Rounds of a shift that go on long enough after midnight to pay a Blackjack."""


@pytest.mark.parametrize("name", ROUNDS)
def test_a_shift_over_midnight_pays_by_each_days_law(shelf: Shelf, store: Store, name: str) -> None:
    shelf(_amend(name))
    stream = f"{name}-1"
    _work(store, name, ROUNDS[name], before=1800)
    (begun,) = _bodies(store, stream, LAW_BEGUN)
    assert (begun["begins"], begun["edition"], begun["source"]) == (DAY, DAY, "a test")
    assert begun["ts"] >= MIDNIGHT
    loaded = [body["ver"] for body in _bodies(store, stream, "shoe_loaded") if body["ts"] >= MIDNIGHT]
    assert begun["ver"] < loaded[0], "the first shoe after midnight is of the new text"
    before, after = _sides(store, stream, begun["ver"])
    assert (OLD in before.odds, NEW in before.odds, OLD in after.odds, NEW in after.odds) == (True, False, False, True)
    assert {script.get("edition", "") for script in after.scripts} == {DAY}
    assert DAY not in {script.get("edition", "") for script in before.scripts}
    assert all("edition" not in script for script in before.scripts if script["format"] == "round-script/1")
    assert [body["rulebook_hash"] for body in _bodies(store, HOUSE, KEPT)][-1] == begun["rulebook_hash"]
    assert verify(store, KEYRING, None).faults == ()
    assert verify(store, None, None).faults == ()
    for shoe in list_shoes(store, stream, 10**9, 99):
        assert not shoe.ended or shoe_faults(shoe_record(store, stream, shoe)) == []
    if name == "classic-blackjack":
        _check_without_editions(
            shelf, store, name, {script["title"]: script for side in (before, after) for script in side.scripts}
        )


def _check_without_editions(shelf: Shelf, store: Store, name: str, before: dict[str, Any]) -> None:
    """The same record from a package that has no such book, and the shift goes on from its end."""
    version = store.version(f"{name}-1")
    _work(store, name, ROUNDS[name] + 2, before=1800)
    assert store.version(f"{name}-1") > version
    assert len(_bodies(store, f"{name}-1", LAW_BEGUN)) == 1
    shelf(_remove)
    now = _exports(store)
    assert {row: now[row] for row in before} == before
    assert {script["edition"] for row, script in now.items() if row not in before} == {DAY}
    assert verify(store, KEYRING, None).faults == ()


def test_a_script_under_another_days_law_is_found(shelf: Shelf, store: Store) -> None:
    """The negative control: without its edition, a round of the new text does not come to its cents."""
    name = "classic-blackjack"
    shelf(_amend(name))
    _work(store, name, 30, before=1)
    scripts = [{key: value for key, value in script.items() if key != "edition"} for script in _exports(store).values()]
    assert 1 in {replay(script).exit for script in scripts}
    assert {script["format"] for script in scripts} == {"round-script/2"}
    told = replay({**scripts[0], "edition": "2026-01-03"})
    assert (told.exit, told.error) == (2, f"edition: no text begins on 2026-01-03; law on that day is that of {DAY}")


def test_a_table_takes_other_cards_where_the_new_text_wants_them(shelf: Shelf, store: Store) -> None:
    name = "classic-blackjack"
    shelf(_amend(name, "default = 6", "default = 8"))
    _work(store, name, 34, before=1200)
    (begun,) = _bodies(store, f"{name}-1", LAW_BEGUN)
    sizes = {body["ver"] > begun["ver"]: body["data"]["size"] for body in _bodies(store, f"{name}-1", "shoe_loaded")}
    assert sizes == {False: 6 * 52, True: 8 * 52}
    assert verify(store, KEYRING, None).faults == ()


def test_a_closed_table_opens_under_the_new_text(shelf: Shelf, store: Store) -> None:
    name = "pa-spanish-21"
    shelf(_amend(name))
    _work(store, name, 1, before=7200)
    plan = ShiftPlan(Rulebook.load(name).under(), 1, 2, Fraction(0), "7", MIDNIGHT)
    Shift(store, KEYRING, plan, lambda: 0, "own").work(lambda _: None)
    kinds = [event.type for event in store.read(f"{name}-1")]
    assert (
        kinds.index("table_closed") < kinds.index(LAW_BEGUN) < kinds.index("table_opened", kinds.index("table_closed"))
    )
    assert verify(store, KEYRING, None).faults == ()


# -- a text that forbids a submission


def test_a_text_that_forbids_a_submission_closes_that_table_and_no_other(shelf: Shelf, store: Store) -> None:
    name = "pa-spanish-21"
    shelf(_amend(name, "choices = [6, 8]", "choices = [6]"))
    eight = _work(store, name, 60, before=600, decks=8)
    why = eight.closed_by_law()[f"{name}-1"]
    assert "decks" in str(why.why) or "8" in why.why
    assert why.cite == Rulebook.load(name).cite("635a.3(a)")
    (refused,) = _bodies(store, f"{name}-1", LAW_REFUSED)
    assert (refused["begins"], refused["cite"]) == (DAY, why.cite)
    assert [event.type for event in store.read(f"{name}-1")][-3:].count("table_closed") == 1
    last = max(body["ts"] for body in _bodies(store, f"{name}-1", "shoe_loaded"))
    assert last < MIDNIGHT
    runner = Runner(store, f"{name}-1", KEYRING, seeded_source(1), lambda: MIDNIGHT + 10**6)
    runner.load()
    with pytest.raises(Refused) as opened:
        runner.handle(_open_table(), "again")
    assert opened.value.cite == why.cite
    assert verify(store, KEYRING, None).faults == ()


def _open_table() -> Command:
    return Command("open_table", "floorperson", "Fay", args={"dealer": "Dan"})


def test_a_text_that_is_not_held_closes_the_table_with_its_source(shelf: Shelf, store: Store) -> None:
    name = "s13-spanish-21"
    shelf(lambda folder: add_edition(folder / name, DAY, {}, held=False))
    shift = _work(store, name, 60, before=300)
    assert f"{DAY} (a test), which is not held" in str(shift.closed_by_law()[f"{name}-1"])
    assert {script.get("edition", "") for script in _exports(store).values()} == {""}
    assert verify(store, KEYRING, None).faults == ()


def test_a_list_of_editions_with_a_fault_changes_nothing(shelf: Shelf, store: Store) -> None:
    name = "s13-spanish-21"
    (shelf(lambda _: None) / name / "editions.toml").write_text("[[edition", encoding="utf-8")
    rules = Rulebook.load(name).under()
    runner = Runner(store, "t", KEYRING, seeded_source(1), lambda: MIDNIGHT)
    runner.create(rules)
    runner.handle(_open_table(), "one")
    assert runner.table.rules.rulebook.edition == ""


# -- all six books, each in the middle of a round


def test_an_interrupted_round_ends_under_its_own_law_and_the_next_shoe_begins_under_the_new(
    shelf: Shelf, store: Store
) -> None:
    days: dict[str, LedgerDay] = {}
    for seed, name in enumerate(BOOKS, 3):
        book = text_on(name, day_at(MIDNIGHT - 7200))
        days[name] = day = begin(store, book.under(), seed, stream=name)
        day.clock = MIDNIGHT - 7200
        day.work(2)
        while day.state.round is None or len(day.state.round.events) < 3:
            day.follow(day.table.next_steps()[0])
    before = _exports(store)
    shelf(_amend_all)
    assert verify(store, KEYRING, None).faults == ()
    assert _exports(store) == before
    for seed, (name, day) in enumerate(days.items(), 100):
        day.runner = Runner(store, name, KEYRING, seeded_source(seed), lambda day=day: day.clock)  # type: ignore[misc]
        day.clock = MIDNIGHT
        day.runner.load()
        own = day.runner.table.rules
        _end_round(day)
        assert day.runner.table.rules is own, name
        day.give("reshuffle", "floorperson", "Fay")
        day.follow(day.table.next_steps()[0])
        assert day.runner.table.rules.rulebook.edition == DAY, name
        day.work(day.done + 1)
    assert verify(store, KEYRING, None).faults == ()
    after = _exports(store)
    assert {row: after[row] for row in before} == before
    assert sum(script.get("edition") == DAY for script in after.values()) == len(BOOKS)
    shelf(_remove)
    assert _exports(store) == after
    assert verify(store, KEYRING, None).faults == ()


@pytest.mark.parametrize("abolished", [False, True], ids=["paid by the new text", "what it abolished goes back"])
def test_wagers_that_lay_there_before_the_shoe_are_dealt_under_its_text(
    shelf: Shelf, store: Store, abolished: bool
) -> None:
    name, offered = "pa-spanish-21", 'default = {}\nstated = "to_offer"\nsays = "the Match-the-Dealer Wager is offered"'
    shelf(_amend(name, offered.format("true"), offered.format("false")) if abolished else _amend(name))
    day = begin(store, text_on(name, day_at(MIDNIGHT - 7200)).under(), 3)
    day.clock = MIDNIGHT - 7200
    day.work(2)
    day.give("reshuffle", "floorperson", "Fay")
    for wager, amount in {"main": "50", "match_the_dealer": "5"}.items():
        day.give("place_wager", "player", "Ann", box=1, wager=wager, amount=amount)
    day.clock = MIDNIGHT
    if abolished:
        with pytest.raises(Refused) as refused:
            _end_round(day)
        assert refused.value.cite == Rulebook.load(name).cite("635a.6(e)")
        day.give("take_back_wager", "player", "Ann", box=1, wager="match_the_dealer")
    _end_round(day)
    *_, last = list_rounds(store)
    (begun,) = _bodies(store, "t", LAW_BEGUN)
    assert last.first < begun["ver"] < last.last
    script = export_round(store, last)
    assert (script["edition"], replay(json.dumps(script)).exit) == (DAY, 0)
    assert verify(store, KEYRING, None).faults == ()


def _end_round(day: LedgerDay) -> None:
    """What the table asks for, until the cards of a round are collected."""
    done = day.done
    while day.done == done:
        day.follow(day.table.next_steps()[0])


def test_a_table_is_loaded_from_a_snapshot_under_the_text_that_began_before_it(shelf: Shelf, store: Store) -> None:
    name = "classic-blackjack"
    shelf(_amend(name))
    day = begin(store, Rulebook.load(name).under(), 3, every=40)
    for midnight, rounds in ((0, 2), (MIDNIGHT, 4)):
        day.clock = max(day.clock, midnight)
        day.give("reshuffle", "floorperson", "Fay") if midnight else None
        day.work(rounds)
    saved, (begun,) = store.load_snapshot("t"), _bodies(store, "t", LAW_BEGUN)
    assert saved is not None
    assert saved[0] > begun["ver"]
    loaded = Runner(store, "t", KEYRING, seeded_source(9), lambda: day.clock)
    loaded.load()
    assert loaded.table.rules is Rulebook.load(name, at=DAY).under(given_submission(loaded.table.rules))
    assert state_hash(loaded.table.state, loaded.table.rules) == state_hash(day.state, day.table.rules)
    assert verify(store, KEYRING, None).faults == ()


def test_another_process_is_quicker(shelf: Shelf, store: Store) -> None:
    """Two processes work one table: the text begins once, whoever stores it, and before anybody's next shoe."""
    name = "classic-blackjack"
    shelf(_amend(name))
    one = begin(store, Rulebook.load(name).under(), 3)
    other = Runner(store, "t", KEYRING, seeded_source(9), lambda: MIDNIGHT)
    other.load()
    one.clock = MIDNIGHT
    assert one.runner is not None
    one.runner.take_up_law()
    other.handle(_open_table(), "open")
    assert other.table.rules.rulebook.edition == DAY
    kinds = [event.type for event in store.read("t")]
    assert kinds.count(LAW_BEGUN) == 1
    assert verify(store, KEYRING, None).faults == ()


# -- what verify finds


def test_a_text_before_its_day_or_in_the_middle_of_a_shoe_is_a_fault(shelf: Shelf, store: Store) -> None:
    name = "classic-blackjack"
    shelf(_amend(name))
    book = Rulebook.load(name)
    day = begin(store, book.under(), 3, stream="t")
    day.clock = MIDNIGHT - 3600
    day.work(1)
    new = LawDue(later_editions(book, day_at(MIDNIGHT)), Rulebook.load(name, at=DAY).under())
    keep_law(store, Rulebook.load(name, at=DAY), 0)
    assert day.runner is not None
    store.append("t", day.runner.version, [law_begun(new, day.clock)], "planted", "planted")
    faults = [fault.what for fault in verify(store, KEYRING, None).faults]
    assert faults[:2] == [f"the text of {DAY} is not law on 2026-01-01", "a new text begins where no shoe does"]


def test_the_first_format_knows_no_editions(shelf: Shelf, store: Store) -> None:
    """Others read round-script/1: a key that it does not have makes it unreadable to them, and so to us."""
    _work(store, "pa-spanish-21", 3, before=7200)
    script = next(script for script in _exports(store).values() if script["format"] == "round-script/1")
    assert replay(script).exit == 0
    told = replay({**script, "edition": "2019-11-02"})
    assert (told.exit, told.error[:8]) == (2, "edition:")
    assert replay({**script, "format": "round-script/2", "edition": "2019-11-02"}).exit == 0
