"""How the properties run: over every rulebook, with chance from Hypothesis, the same examples every time.

A failing example is told as it was found, with all its commands; `SHRINK=1 pytest ...` makes it smaller, slowly.
"""

from __future__ import annotations

import os
from random import Random

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st

from twentyone.rulebook import rulebook_ids

__all__ = ["chance", "every_book", "steady"]

every_book = pytest.mark.parametrize("book", rulebook_ids())
"""Once for each rulebook."""

chance = st.one_of(st.randoms(use_true_random=False), st.integers(0, 2**64).map(Random))
"""A `random.Random`: its choices are Hypothesis's (odd rounds, small ones), or its seed is (ordinary rounds)."""

PHASES = (Phase.explicit, Phase.generate, *((Phase.shrink,) if os.environ.get("SHRINK") else ()))


SHARE = 1 if os.environ.get("LONG") else 2
"""`make prove PART=tests` looks at all examples (`LONG=1`), `make test` at half of them."""


def steady(examples: int) -> settings:
    """So many examples, the same ones every time."""
    return settings(
        derandomize=True,
        deadline=None,
        max_examples=examples // SHARE,
        phases=PHASES,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
    )
