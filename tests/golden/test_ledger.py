"""Golden ledgers lead to the same state: on both databases, whatever the hash seed, and dealt again by the engine."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from tests.contracts.runner_driver import KEYRING, seeded_source
from tests.golden.ledger import GOLDEN, chips_of, hashes_of, read_golden, replays_of
from tests.postgres import Postgres

from twentyone.ledger.runner import Runner
from twentyone.ledger.store import open_store
from twentyone.ledger.verify import verify
from twentyone.table import Command

ROOT = Path(__file__).parents[2]
MOST_COMMANDS = 200
"""More than any round needs."""


def test_there_is_a_golden_ledger() -> None:
    assert GOLDEN


@pytest.mark.parametrize("name", GOLDEN)
def test_a_golden_ledger_leads_to_the_same_states_and_chips(name: str) -> None:
    golden = read_golden(name)
    assert hashes_of(golden.events) == golden.states
    chips = {stream: chips_of(replay.state) for stream, replay in replays_of(golden.events).items()}
    assert chips == golden.chips


@pytest.mark.parametrize("name", GOLDEN)
def test_an_event_more_or_less_leads_to_another_state(name: str) -> None:
    """The hash can fail: one command of the round in progress left out."""
    golden = read_golden(name)
    stream = golden.events[0].stream
    last = max(event.ver for event in golden.events if event.stream == stream)
    fewer = [event for event in golden.events if (event.stream, event.ver) != (stream, last)]
    assert hashes_of(fewer)[stream] != golden.states[stream]


@pytest.mark.parametrize("seed", ["0", "1"])
def test_the_hash_seed_of_the_process_changes_nothing(seed: str) -> None:
    environment = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    command = [sys.executable, "-m", "tests.golden.ledger"]
    told = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=True)
    assert json.loads(told.stdout) == {name: read_golden(name).states for name in GOLDEN}


@pytest.mark.parametrize("name", GOLDEN)
@pytest.mark.parametrize("database", ["sqlite", "postgresql"])
def test_a_golden_ledger_is_the_same_on_both_databases(
    name: str, database: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    golden = read_golden(name)
    server: Postgres | None = request.getfixturevalue("postgres") if database == "postgresql" else None
    store = open_store(str(tmp_path / "g.db") if server is None else server.new_database(), create=True)
    assert store.take_over(golden.events) == len(golden.events)
    assert list(store.read_all()) == golden.events
    assert hashes_of(list(store.read_all())) == golden.states
    assert verify(store, KEYRING, None).faults == ()
    store.close()


@pytest.mark.parametrize("name", GOLDEN)
def test_a_table_of_an_earlier_form_is_played_on_and_verified_from_there(name: str, tmp_path: Path) -> None:
    golden = read_golden(name)
    store = open_store(str(tmp_path / "g.db"), create=True)
    store.take_over(golden.events)
    now = max(event.ts for event in golden.events)
    for number, stream in enumerate(golden.states):
        runner = Runner(store, stream, KEYRING, seeded_source(1000 + number), lambda: now)
        runner.load()
        chips = runner.table.state.chips
        assert {name: int(chips[name]) for name in chips} == golden.chips[stream]
        play_on(runner)
    assert verify(store, KEYRING, None).faults == ()
    store.close()


def play_on(runner: Runner) -> None:
    """The round that the earlier version began is played to its end."""
    for number in range(MOST_COMMANDS):
        if runner.table.state.phase != "round":
            return
        steps = runner.table.next_steps()
        step = next((step for step in steps if step.says in ("decline", "stand")), steps[0])
        by = step.about if step.role == "player" else runner.table.state.dealer or ""
        args = {"action": step.says} if step.do == "decide" else {}
        runner.handle(Command(step.do, step.role, by, 0, args), key=f"on {runner.stream} {number}")
    raise AssertionError("the round does not end")
