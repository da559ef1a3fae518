"""The round of play: pure, event-sourced, exact. Cards and decisions in, cited events out."""

from twentyone.round import (  # noqa: F401 (register steps and decisions)
    dealer,
    double_down,
    insurance,
    splitting,
    surrender,
)
from twentyone.round.commands import (
    Command,
    Confirmed,
    Corrected,
    Decision,
    Draw,
    Drawn,
    Happened,
    Need,
    Offer,
    Option,
    Over,
    ReaderReport,
    ReaderTold,
    Spin,
    Spun,
    Told,
    TurnedUp,
    TurnUp,
)
from twentyone.round.evolve import fold
from twentyone.round.round import Round
from twentyone.round.state import State
from twentyone.round.wagers import Wagers

__all__ = [
    "Command",
    "Confirmed",
    "Corrected",
    "Decision",
    "Draw",
    "Drawn",
    "Happened",
    "Need",
    "Offer",
    "Option",
    "Over",
    "ReaderReport",
    "ReaderTold",
    "Round",
    "Spin",
    "Spun",
    "State",
    "Told",
    "TurnUp",
    "TurnedUp",
    "Wagers",
    "fold",
]
