"""What a round is worth with one card gone, the chart unchanged: published to ten digits, and ours."""

from __future__ import annotations

from dataclasses import replace

from twentyone.odds.choosers import FixedStrategy
from twentyone.odds.classes import Classes
from twentyone.odds.core import Core
from twentyone.odds.settlement_mass import SettlementMass
from twentyone.odds.tables import Tables
from twentyone.rulebook import Rulebook, Rules
from twentyone.strategy import Strategy, default_strategy
from twentyone.strategy.cells import Cell

__all__ = ["PUBLISHED", "ROUNDING", "chart", "rules", "worth"]

PUBLISHED = {
    "": -0.3317035785, "A": -0.4245165255, "2": -0.2619103255, "3": -0.2476875354, "4": -0.2170750840,
    "5": -0.1853267626, "6": -0.2562006321, "7": -0.2912666188, "8": -0.3431801739, "9": -0.3742086172,
    "10": -0.4276935613,
}  # fmt: skip
"""The card that is gone to the player's return in per cent (Cacarulo, blackjacktheforum.com, thread 46508): six decks,
soft 17 stands, doubling on any two cards also after splits, four hands, aces split once, late surrender, one chart."""
ROUNDING = 5.1e-11
"""Half of its last digit."""
SURRENDERED = {("16", "9"): "Rh", ("16", "10"): "Rs", ("16", "A"): "Rh", ("15", "10"): "Rh"}
"""The hard totals and up cards against which a chart surrenders."""


def rules() -> Rules:
    """The rules of the publication."""
    return Rulebook.load("classic-blackjack").under({"decks": 6, "surrender": "late"})


def chart(game: Rules) -> Strategy:
    """The usual chart with surrender, hands out of a split played by the same cells."""
    own = default_strategy(game)
    cells = {key: own.cells.get(key._replace(phase="first"), cell) for key, cell in own.cells.items()}
    for key in cells:
        if key.phase == "first" and key.hand == "hard" and (key.row, key.up) in SURRENDERED:
            cells[key] = Cell(SURRENDERED[key.row, key.up])
        elif key.phase == "split" and key.hand == "hard" and (key.row, key.up) == ("16", "10"):
            cells[key] = Cell("S")
    return replace(own, cells=cells).check(game)


def worth(game: Rules, played: Strategy, gone: str = "") -> float:
    """The player's return in per cent with one card gone; insurance is never taken."""
    classes = Classes.of(game)
    shoe = classes.shoe
    if gone:
        shoe[classes.names.index(gone)] -= 1
    core = Core(Tables(game, shoe), FixedStrategy(played))
    core.split_all()
    return 100 * float(SettlementMass(core).value)
