"""Analyses of whole games that many tests ask for: each is made once in a process."""

from __future__ import annotations

from functools import cache

from twentyone.odds.analysis import Analysis, analyse
from twentyone.rulebook import Rulebook
from twentyone.strategy import default_strategy

__all__ = ["best", "by_chart"]


@cache
def best(book: str) -> Analysis:
    """A game under its default submission, played best."""
    return analyse(Rulebook.load(book).under())


@cache
def by_chart(book: str) -> Analysis:
    """The same game, played by its default chart."""
    rules = Rulebook.load(book).under()
    return analyse(rules, strategy=default_strategy(rules))
