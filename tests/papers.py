"""What tests of the papers share: figures without an analysis, a PDF as pictures and as text."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from typing import Any

import numpy as np
import pypdfium2

from twentyone.odds.generate import Worth
from twentyone.odds.report import FIGURES
from twentyone.papers.making import paper_of
from twentyone.papers.model import Paper
from twentyone.rulebook import Rules
from twentyone.strategy import default_strategy

__all__ = ["REGULATIONS", "figures", "ink_in_margins", "sketch", "texts"]

REGULATIONS = ("pa-spanish-21", "md-spanish-21", "s13-spanish-21", "pa-down-under-blackjack", "pa-double-back-jack")
MARGIN = 0.04
"""The share of a page's width that stays white at each side; the least of all margins is a little wider."""


def sketch(rules: Rules, operator: str = "") -> Paper:
    """The papers of some rules with figures that nobody worked out; the chart is the book's own."""
    return paper_of(rules, figures(rules), Worth(default_strategy(rules), 0.004, 0.0001), operator)


def figures(rules: Rules) -> dict[str, Any]:
    """A report of the odds in form only."""
    cite = rules.wagers["main"].cite
    finals = dict.fromkeys(("17", "18", "19", "20", "21", "blackjack", "over"), 0.125)
    side = {
        "title": "A side wager", "edge": -0.031, "fraction": "-1/32", "wins": 0.15, "definition": "Per unit.",
        "cite": cite, "standard_deviation": 2.0, "events": [{"event": "no match", "net": -1.0, "probability": 0.85}],
    }  # fmt: skip
    return {
        **{figure.name: 0.00421 for figure in FIGURES},
        "method": "By nobody.",
        "return_ranges": [{"rounds": 1000, "least": 0.93, "most": 1.05}],
        "distribution": [{"net": "-1/2", "probability": 0.25}, {"net": "1", "probability": 0.75}],
        "outcomes": {"win": 0.4, "second_chance_win": 0.1},
        "decisions": {"stand": 0.7},
        "dealer": finals,
        "dealer_by_up": dict.fromkeys("A23456789", finals),
        "bonuses": [{"words": "21 in 5 cards, 3 to 2", "probability": 0.003, "share": 0.001, "cite": cite}],
        "side_wagers": {"match_the_dealer": side},
    }


def texts(pdf: bytes) -> list[str]:
    """The text of each page of a PDF."""
    with closing(pypdfium2.PdfDocument(pdf)) as document:
        return [page.get_textpage().get_text_range() for page in document]


def ink_in_margins(pdf: bytes) -> list[int]:
    """The pages with something in the margin at their left, their right or their top: words that did not fit."""
    return [number for number, page in enumerate(_pictures(pdf), 1) if _margins(page).min() < WHITE]


WHITE = 250


def _pictures(pdf: bytes) -> Iterator[np.ndarray[Any, Any]]:
    with closing(pypdfium2.PdfDocument(pdf)) as document:
        for page in document:
            yield page.render(scale=0.5, grayscale=True).to_numpy()


def _margins(page: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    wide = int(page.shape[1] * MARGIN)
    return np.concatenate(
        [page[:, :wide].ravel(), page[:, -wide:].ravel(), page[:wide].ravel(), page[-wide // 2 :].ravel()]
    )
