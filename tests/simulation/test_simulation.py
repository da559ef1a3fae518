"""T28 in small: runs from seeds hold, the same seed is the same run, and every planted fault is found."""

from __future__ import annotations

import ast
from collections import Counter
from pathlib import Path

import pytest
from bench.prove_simulation import too_rare, wrong_with

from tests.simulation.checker import Stored, faults_of
from tests.simulation.plants import PLANTS
from tests.simulation.points import POINTS
from tests.simulation.world import World

SEEDS, SHORT = 24, 120
TRIES = 30
"""Seeds within which a planted fault happens."""


def test_nothing_is_lost_doubled_or_shown_whatever_goes_wrong() -> None:
    fired: Counter[str] = Counter()
    for seed in range(SEEDS):
        history = World(seed, SHORT).run()
        assert wrong_with(history) == [], f"python -m bench.prove_simulation --seed {seed}"
        fired.update(history.fired)
    assert len(POINTS) >= 10
    assert too_rare(fired, SEEDS) == []


def test_a_seed_is_played_again_to_the_byte() -> None:
    assert World(8, SHORT).run() == World(8, SHORT).run()


@pytest.mark.parametrize("name", PLANTS)
def test_a_planted_fault_is_found(name: str) -> None:
    for seed in range(TRIES):
        plant = PLANTS[name](seed)
        history = World(seed, SHORT, plant).run()
        if plant.done:
            assert faults_of(history.rows, history.answers, history.frames) != []
            return
    raise AssertionError("the fault did not happen")


def test_a_history_without_its_beginning_is_told_so_wherever_it_begins() -> None:
    """What cannot be checked without what is missing is no reason to stop."""
    history = World(2, SHORT).run()
    rows = [Stored._make(row) for row in history.rows]
    in_round = [place for place, row in enumerate(rows) if row.type == "round_event"]
    for place in (*range(20, len(rows) - 20, 20), *in_round):
        faults = faults_of(rows[place:], history.answers, history.frames)
        assert any("comes after version 0" in fault for fault in faults), place


def test_a_point_that_never_fires_is_a_fault() -> None:
    assert too_rare(Counter(dict.fromkeys(POINTS, 5)), 500) == []
    assert len(too_rare(Counter(dict.fromkeys(POINTS, 4)), 500)) == len(POINTS)


@pytest.mark.parametrize("path", ["tests/simulation/checker.py", "tests/money/account.py"])
def test_the_checker_imports_no_engine(path: str) -> None:
    tree = ast.parse((Path(__file__).parents[2] / path).read_text(encoding="utf-8"))
    names = [node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    names += [alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names]
    assert not [name for name in names if name.startswith("twentyone")]
