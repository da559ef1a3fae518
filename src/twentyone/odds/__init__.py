"""Exact odds: what a game, a rule and a decision are worth, by finite-shoe combinatorial analysis.

>>> from twentyone.odds import analyse
"""

from typing import TYPE_CHECKING

from twentyone.extras import lazily

if TYPE_CHECKING:
    from twentyone.odds.analysis import Analysis, analyse
    from twentyone.odds.model import Figures
    from twentyone.odds.side_wagers import SideWagerPrice

__all__ = ["Analysis", "Figures", "SideWagerPrice", "analyse"]

__getattr__ = lazily(
    __name__,
    {"Analysis": "analysis", "Figures": "model", "SideWagerPrice": "side_wagers", "analyse": "analysis"},
    "twentyone[odds]",
)
