"""Analyses of whole games that many tests ask for: the last few are kept, at fifty megabytes and more each."""

from __future__ import annotations

from functools import lru_cache

import pytest

from twentyone.odds import split_joints
from twentyone.odds.analysis import Analysis, analyse
from twentyone.rulebook import Rulebook
from twentyone.strategy import default_strategy

__all__ = ["best", "by_chart", "deviation"]


@lru_cache(maxsize=3)
def best(book: str) -> Analysis:
    """A game under its default submission, played best."""
    return analyse(Rulebook.load(book).under())


@lru_cache(maxsize=3)
def by_chart(book: str) -> Analysis:
    """The same game, played by its default chart."""
    rules = Rulebook.load(book).under()
    return analyse(rules, strategy=default_strategy(rules))


def deviation(analysis: Analysis) -> float:
    """The standard deviation to four digits: of most splits two hands are not followed together, which takes long."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(split_joints, "MOST_PAIRS", 2_000)
        return analysis.figures.standard_deviation
