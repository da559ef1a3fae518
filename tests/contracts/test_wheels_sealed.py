"""Wheels like shoes: committed to before the wagers, revealed after the round, turned again by `verify`; seeds once."""

from __future__ import annotations

import json
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from itertools import cycle
from pathlib import Path
from random import Random
from typing import Any

import pytest
from tests.contracts.runner_driver import KEYRING, seeded_source
from tests.contracts.store_places import Place
from tests.contracts.wheel_driver import JACKPOT, WHEELS, WheelTable

from twentyone.ledger import live_shoe, live_wheel
from twentyone.ledger.canonical import canonical
from twentyone.ledger.chain import GENESIS, event_hash
from twentyone.ledger.live_wheel import LiveWheel
from twentyone.ledger.rows import NewEvent, StaleVersion, StoredEvent
from twentyone.ledger.runner import Prepared, Runner, RunnerStopped
from twentyone.ledger.seed_seals import seal
from twentyone.ledger.shoes import Custody
from twentyone.ledger.store import Store, open_store
from twentyone.ledger.unique_seeds import SealedSeeds
from twentyone.ledger.verify import Report, verify
from twentyone.round import Round, Spin
from twentyone.table import Command
from twentyone.table.health import Source, SourceFailed
from twentyone.table.shoe import SEED_BYTES, commitment

NO_JACKPOT, HOT_SPOT_TWO, TWO_IN_ROUND_3 = 1, 2, 4
"""Sources: in six spins no jackpot and two hot spots; a spin in the second round; two spins in the third."""


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """A new ledger."""
    opened = open_store(str(tmp_path / "t.db"), create=True)
    yield opened
    opened.close()


def whats(store: Store) -> list[str]:
    return [str(fault) for fault in verify(store, KEYRING, None).faults]


def events(store: Store, *kinds: str, stream: str = "t") -> list[StoredEvent]:
    return [event for event in store.read(stream) if event.type in kinds]


# -- an honest table


def test_an_honest_table_is_well_and_every_seed_stands_before_the_wagers(store: Store) -> None:
    table = WheelTable(store, TWO_IN_ROUND_3)
    table.until_spins(3)
    kinds = ("wheel_sealed", "wager_laid", "round_begun", "cards_collected", "wheel_revealed")
    told = [event.type for event in events(store, *kinds)]
    while "wager_laid" in told:
        assert told[:2] == ["wheel_sealed", "wager_laid"]
        over = told.index("cards_collected")
        assert "wheel_sealed" not in told[1:over]
        assert told[over + 1] == "wheel_revealed"
        told = told[over + 2 :]
    report = verify(store, KEYRING, None)
    assert report.faults == ()
    assert report.counts["spins"] == 3
    assert report.counts["wheel seeds sealed"] == report.counts["wheel seeds revealed"] + 1 == table.state.rounds + 1
    assert {spin["round"] for spin in table.spins[:2]} == {3}, "one seed for two spins"


def test_a_closed_table_has_no_seed_left(store: Store) -> None:
    table = WheelTable(store, HOT_SPOT_TWO)
    table.until_spins(1)
    table.give("close_table", "floorperson")
    assert events(store, "wheel_sealed", "wheel_revealed")[-1].type == "wheel_revealed"
    report = verify(store, KEYRING, None)
    assert (report.faults, report.counts["seeds still sealed"]) == ((), 0)


def test_without_the_key_every_spin_that_is_over_is_turned_again(store: Store) -> None:
    WheelTable(store, HOT_SPOT_TWO).until_spins(1)
    report = verify(store, None, None)
    assert (report.faults, report.counts["spins"]) == ((), 1)


def test_a_seed_stands_for_the_next_round_where_no_wager_lies_on_a_wheel(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tests.contracts.wheel_driver.WAGERS", {"main": "10"})
    table = WheelTable(store, HOT_SPOT_TWO)
    while table.state.rounds < 3:
        table.step()
    assert len(events(store, "wheel_sealed")) == 1
    assert events(store, "wheel_revealed") == []
    assert whats(store) == []


@pytest.mark.parametrize("cards", ["person", "shoe"])
def test_where_a_person_spins_a_real_wheel_nothing_is_committed_to(store: Store, cards: str) -> None:
    runner = Runner(store, "t", KEYRING, seeded_source(1), lambda: 5)
    runner.create(WHEELS, cards=cards)
    runner.handle(Command("open_table", "floorperson", "Fay", args={"dealer": "Dan"}), "k")
    assert len(events(store, "wheel_sealed")) == (cards == "shoe")
    assert whats(store) == []


# -- a table that is killed between commitment and spin


def test_a_restart_between_commitment_and_spin_turns_the_same_symbol(place: Place, tmp_path: Path) -> None:
    """The process dies with the spin due; another one, with other entropy, finds the seed in the ledger."""
    kept = open_store(str(tmp_path / "kept.db"), create=True)
    through = WheelTable(kept, HOT_SPOT_TWO)
    through.until_spins(1)
    table = WheelTable(place.open(), HOT_SPOT_TWO)
    table.until_spin_due()
    again = Runner(place.open(), "t", KEYRING, seeded_source(77), lambda: table.clock)
    again.load()
    assert again.custody == table.runner.custody
    table.runner = again
    table.until_spins(1)
    assert table.spins == through.spins
    assert whats(place.open()) == []
    kept.close()


def test_a_snapshot_holds_the_seal_of_the_wheels(store: Store) -> None:
    table = WheelTable(store, HOT_SPOT_TWO, every=30)
    table.until_spin_due()
    assert store.load_snapshot("t") is not None
    again = Runner(store, "t", KEYRING, seeded_source(80), lambda: table.clock)
    again.load()
    assert again.custody == table.runner.custody
    assert again.custody.wheel is not None
    assert whats(store) == []


KILLED = """
import os, signal, sys
from tests.contracts.wheel_driver import WheelTable
from twentyone.ledger.store import open_store
table = WheelTable(open_store(sys.argv[1], create=True), int(sys.argv[2]))
table.until_spin_due()
os.kill(os.getpid(), signal.SIGKILL)
"""


def test_a_process_killed_before_the_spin_leaves_its_symbol_behind(store: Store, tmp_path: Path) -> None:
    path = tmp_path / "killed.db"
    dead = subprocess.run([sys.executable, "-c", KILLED, str(path), str(HOT_SPOT_TWO)], check=False)
    assert dead.returncode == -signal.SIGKILL
    through = WheelTable(store, HOT_SPOT_TWO)
    through.until_spins(1)
    found = open_store(str(path))
    runner = Runner(found, "t", KEYRING, seeded_source(79), lambda: 10_000)
    runner.load()
    args = json.loads(runner.handle(Command("spin", "dealer", "Dan"), "after").events[0].body)["args"]
    assert {"round": runner.table.state.rounds, **args} == through.spins[0]
    assert whats(found) == []
    found.close()


def test_two_processes_turn_one_wheel_once(place: Place) -> None:
    table = WheelTable(place.open(), HOT_SPOT_TWO)
    table.until_spin_due()
    other = Runner(place.open(), "t", KEYRING, seeded_source(78), lambda: table.clock)
    other.load()
    first = other.prepare(Command("spin", "dealer", "Dan"), "a")
    second = table.runner.prepare(Command("spin", "dealer", "Dan"), "b")
    assert isinstance(first, Prepared)
    assert isinstance(second, Prepared)
    drawn = [one.batch.events[0].body["args"] for one in (first, second)]
    assert drawn[0] == drawn[1]
    other.handle(Command("spin", "dealer", "Dan"), "a")
    with pytest.raises(StaleVersion):
        table.runner.handle(Command("spin", "dealer", "Dan"), "b")
    assert len([event for event in place.open().read("t") if '"wheel_spun"' in event.body]) == 1


# -- runners that cheat

Cheat = Callable[[pytest.MonkeyPatch], None]


def rig_jackpots(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every wheel stops where the runner likes it."""

    def rigged(self: LiveWheel, round_: Round, need: Spin, custody: Custody) -> dict[str, Any]:
        if need.wheel == "bonus_spin":
            return {"symbol": JACKPOT}
        return {"symbol": "jackpot-1+150", **({"hot_spot": 1} if need.box is None else {})}

    monkeypatch.setattr(LiveWheel, "spin", rigged)


def move_hot_spot(monkeypatch: pytest.MonkeyPatch) -> None:
    """The symbol is right, the winner is not."""
    honest = LiveWheel.spin

    def rigged(self: LiveWheel, round_: Round, need: Spin, custody: Custody) -> dict[str, Any]:
        drawn = honest(self, round_, need, custody)
        return {**drawn, "hot_spot": 3 - drawn["hot_spot"]} if "hot_spot" in drawn else drawn

    monkeypatch.setattr(LiveWheel, "spin", rigged)


def _without(monkeypatch: pytest.MonkeyPatch, kind: str) -> None:
    honest = LiveWheel.own_events

    def silent(self: LiveWheel, *rest: Any) -> tuple[list[NewEvent], Custody]:
        own, custody = honest(self, *rest)
        return [event for event in own if event.type != kind], custody

    monkeypatch.setattr(LiveWheel, "own_events", silent)


def seal_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its wheels have seeds that nobody was told of."""
    _without(monkeypatch, "wheel_sealed")


def reveal_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """It keeps its seeds to itself."""
    _without(monkeypatch, "wheel_revealed")


def seal_late(monkeypatch: pytest.MonkeyPatch) -> None:
    """It commits in the round, when wagers and cards are known."""
    honest = LiveWheel.own_events

    def late(self: LiveWheel, phase: str, *rest: Any) -> tuple[list[NewEvent], Custody]:
        return honest(self, phase if phase == "round" else "closed", *rest)

    monkeypatch.setattr(LiveWheel, "own_events", late)


def exchange(monkeypatch: pytest.MonkeyPatch) -> None:
    """It commits in time, and to another seed when the round has begun."""
    honest = LiveWheel.own_events

    def twice(self: LiveWheel, phase: str, custody: Custody, at: int) -> tuple[list[NewEvent], Custody]:
        if phase == "round" and custody.wheel is not None:
            custody = custody._replace(wheel=None)
        return honest(self, phase, custody, at)

    monkeypatch.setattr(LiveWheel, "own_events", twice)


def test_six_rigged_jackpots_of_six_are_named(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    rig_jackpots(monkeypatch)
    table = WheelTable(store, NO_JACKPOT)
    table.until_spins(6)
    found = whats(store)
    assert len(found) == len(table.spins) == 6
    assert all("is jackpot" in what and "the seed makes it" in what for what in found)


def test_a_rigged_spin_of_a_round_that_is_not_over_is_named_with_the_key(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    rig_jackpots(monkeypatch)
    table = WheelTable(store, HOT_SPOT_TWO)
    table.until_spin_due()
    table.step()
    assert table.state.phase in ("round", "settled")
    assert "the seed makes it" in "".join(whats(store))
    assert verify(store, None, None).faults == ()


@pytest.mark.parametrize(
    ("cheat", "spins", "named"),
    [
        (move_hot_spot, 2, "hot spot 1, the seed makes it 1000+75, hot spot 2"),
        (seal_nothing, 1, "the wheel is spun, and no seed was sealed for it"),
        (seal_nothing, 1, "no seed was sealed for its wheels before its wagers"),
        (reveal_nothing, 1, "is over, and it is not revealed"),
        (seal_late, 1, "is sealed after the fact"),
        (seal_late, 1, "no seed was sealed for its wheels before its wagers"),
        (exchange, 1, "stands: it is exchanged"),
    ],
)
def test_a_runner_that_cheats_is_named(
    store: Store, monkeypatch: pytest.MonkeyPatch, cheat: Cheat, spins: int, named: str
) -> None:
    cheat(monkeypatch)
    WheelTable(store, NO_JACKPOT).until_spins(spins)
    assert named in "\n".join(whats(store))


# -- the owner of the file


def altered(path: Path, kind: str, change: Callable[[dict[str, Any]], dict[str, Any]]) -> None:
    """Alter the first event of a kind, and make the chain right again."""
    raw = sqlite3.connect(path, isolation_level=None)
    guards = raw.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'").fetchall()
    for name, _ in guards:
        raw.execute(f"DROP TRIGGER {name}")
    ver, body = raw.execute("SELECT ver, body FROM events WHERE type = ? ORDER BY ver", (kind,)).fetchone()
    raw.execute("UPDATE events SET body = ? WHERE ver = ?", (canonical(change(json.loads(body))), ver))
    prev = GENESIS
    rows = raw.execute("SELECT ver, stream, ts, type, schema, body, idem, fingerprint FROM events ORDER BY ver")
    for ver, stream, ts, type_, schema, body, idem, mark in rows.fetchall():
        own = event_hash(prev, stream, ver, ts, type_, schema, body, idem, mark)
        raw.execute("UPDATE events SET prev = ?, hash = ? WHERE ver = ?", (prev, own, ver))
        prev = own
    for _, sql in guards:
        raw.execute(sql)
    raw.close()


OTHER = bytes(range(32))


@pytest.mark.parametrize(
    ("kind", "change", "named"),
    [
        ("wheel_revealed", {"seed": OTHER.hex()}, "the revealed seed does not give the commitment"),
        ("wheel_revealed", {"commitment": commitment(OTHER)}, "no round of such a seed is over"),
        ("wheel_sealed", {"commitment": commitment(OTHER)}, "does not open the seal of seed"),
        (
            "wheel_sealed",
            {"commitment": commitment(OTHER), "sealed": seal(KEYRING, "t", OTHER)},
            "no round of such a seed is over",
        ),
    ],
)
def test_an_altered_seed_is_named(store: Store, tmp_path: Path, kind: str, change: dict[str, str], named: str) -> None:
    WheelTable(store, HOT_SPOT_TWO).until_spins(1)
    altered(tmp_path / "t.db", kind, lambda body: {**body, **change})
    assert named in "\n".join(whats(store))


# -- a seed is used once


def test_two_tables_of_one_seed_are_named(place: Place) -> None:
    store = place.open()
    for stream in ("one", "two"):
        WheelTable(store, HOT_SPOT_TWO, stream).until_spins(1)
    found = verify(store, KEYRING, None).faults
    assert {fault.stream for fault in found} == {"two"}
    assert all("every shoe and every round's wheels have a seed of their own" in fault.what for fault in found)
    shared = events(store, "shoe_sealed", "wheel_sealed", stream="two")
    assert {event.ver for event in shared} <= {fault.ver for fault in found}


def test_tables_of_seeds_of_their_own_are_well(store: Store) -> None:
    for number, stream in enumerate(("one", "two"), HOT_SPOT_TWO):
        table = WheelTable(store, number, stream)
        while table.state.rounds < 1:
            table.step()
    assert whats(store) == []


def two_answers(seed: int) -> Source:
    """A source that is sound until it gives two seeds in turn, for ever: no two answers in a row are alike."""
    sound, answers = Random(seed), cycle([Random(1).randbytes(SEED_BYTES), Random(2).randbytes(SEED_BYTES)])
    return Source(lambda count: next(answers) if count == SEED_BYTES else sound.randbytes(count))


def test_a_source_that_gives_a_seed_again_stops_the_table(store: Store) -> None:
    table = WheelTable(store, source=two_answers(1))
    with pytest.raises(SourceFailed, match="a second time"):
        table.until_spins(1)
    with pytest.raises(RunnerStopped, match="a second time"):
        table.step()
    assert whats(store) == [], "the second use was not stored"


def test_a_seed_of_a_command_that_is_not_yet_stored_is_known() -> None:
    """Commands prepared on top of each other go into the ledger together: none of them seals a seed again."""
    sealed = [NewEvent("wheel_sealed", {"commitment": commitment(OTHER)}, 5, 3)]
    seeds = SealedSeeds()
    seeds.check(sealed, 7)
    seeds.check(sealed, 7)
    with pytest.raises(SourceFailed, match="a second time"):
        seeds.check(sealed, 9)


def test_a_seed_that_was_sealed_before_the_start_is_known(store: Store) -> None:
    table = WheelTable(store, source=two_answers(1))
    while len(events(store, "wheel_sealed", "shoe_sealed")) < 2:
        table.step()
    table.runner = Runner(store, "t", KEYRING, two_answers(2), lambda: table.clock)
    table.runner.load()
    with pytest.raises(SourceFailed, match="a second time"):
        table.until_spins(1)


def test_a_runner_that_uses_one_seed_for_shoe_and_wheel_is_named(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its own check left out: `verify` finds it."""
    for module in (live_shoe, live_wheel):
        monkeypatch.setattr(module, "new_seed", lambda _: OTHER)
    monkeypatch.setattr("twentyone.ledger.unique_seeds.SealedSeeds.check", lambda *_: None)
    table = WheelTable(store, HOT_SPOT_TWO)
    while table.state.rounds < 1:
        table.step()
    assert "stands at t version" in "\n".join(whats(store))


def test_report_counts_seeds_of_wheels(store: Store) -> None:
    WheelTable(store, HOT_SPOT_TWO).until_spins(1)
    report: Report = verify(store, KEYRING, None)
    assert report.counts["seeds still sealed"] == 2
