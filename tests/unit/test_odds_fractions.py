"""The same source with exact fractions proves the floats: kernels uncompiled, arrays of `Fraction`, small shoes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from tests.contracts.odds_by_rounds import value_by_rounds

from twentyone.odds.core import Core
from twentyone.odds.settlement_mass import SettlementMass
from twentyone.odds.tables import Tables
from twentyone.rulebook import Rulebook

#        A  2  3  4  5  6  7  8  9  10
SHOES = [
    ("classic-blackjack", {}, [0, 0, 0, 0, 0, 4, 0, 0, 0, 10]),
    ("pa-spanish-21", {"max_split_hands": 3}, [3, 0, 0, 0, 5, 0, 0, 0, 0, 9]),
    ("pa-down-under-blackjack", {}, [3, 0, 0, 0, 0, 4, 0, 0, 0, 7]),
]

PROGRAM = """
import json, sys
from fractions import Fraction
import numpy as np
from twentyone.odds.settlement_mass import SettlementMass
from twentyone.odds.core import Core
from twentyone.odds.tables import Tables
from twentyone.rulebook import Rulebook
for book, submission, shoe in json.loads(sys.argv[1]):
    tables = Tables(Rulebook.load(book).under(submission), shoe=np.array(shoe), number=Fraction)
    settled = SettlementMass(Core(tables))
    print(settled.value)
"""


@pytest.fixture(scope="module")
def exactly() -> list[Fraction]:
    """The value of each game, worked in fractions by a process of its own."""
    source = str(Path(__file__).parents[2] / "src")
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONPATH": source}
    command = [sys.executable, "-c", PROGRAM, json.dumps(SHOES)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    return [Fraction(line) for line in done.stdout.splitlines()]


def test_fractions_prove_the_floats(exactly: list[Fraction]) -> None:
    """Float and fraction differ by rounding only."""
    assert len(exactly) == len(SHOES)
    for (book, submission, shoe), value in zip(SHOES, exactly, strict=True):
        settled = SettlementMass(Core(Tables(Rulebook.load(book).under(submission), shoe=np.array(shoe))))
        assert float(settled.value) == pytest.approx(float(value), abs=1e-13)


def test_fractions_are_the_mean_of_all_rounds(exactly: list[Fraction]) -> None:
    """In fractions the analysis and the rounds dealt one by one are equal, not nearly equal."""
    for (book, submission, shoe), value in zip(SHOES, exactly, strict=True):
        core = Core(Tables(Rulebook.load(book).under(submission), shoe=np.array(shoe)))
        assert value == value_by_rounds(core)
        assert value != value + Fraction(1, 10**12)
