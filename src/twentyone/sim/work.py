"""The work space of a round: what the round function writes."""

from __future__ import annotations

from enum import IntEnum, auto

from twentyone.sim.numbers import numbers

__all__ = ["WORK_LENGTH", "Work"]

MOST_BOXES = 8
MOST_HANDS = 16
"""Boxes of a table and hands of a box that the work space has room for."""
MOST_VALUES = 16
"""Values of cards that the work space has room for."""
SYMBOLS = 128
"""More than the symbols of a wheel."""

SHOE_ROOM = 512
"""Room for a shoe, and behind it for the cards of the rack that a round takes; at most as many are dealt but one."""


@numbers
class Work(IntEnum):
    """The work space of a round."""

    POSITION = 0
    """The next card of the shoe."""
    FILLED = auto()
    """Cards of the shoe that are drawn or shuffled."""
    RUNNING = auto()
    """The running count."""
    CORRECTED = auto()
    """The running count with its side count, in parts of a point."""
    ROUND = auto()
    """Numbers the random cards: the round, or the real shoe."""
    MOMENT = auto()
    """Numbers everything else that is random."""
    BEGUN = auto()
    """The position at the start of the round: the cards before it are in the discard rack."""
    BEGUN_COUNT = auto()
    """The running count at the start of the round."""
    BEGUN_CORRECTED = auto()
    """The corrected one."""
    BOXES = auto()
    """The boxes in play."""
    HALF = auto()
    """Draws of sixteen bits so far; from here to the cards of the boxes a round begins at zero."""
    EXTRA = auto()
    """Draws of anything but cards so far."""
    GAIN = auto()
    """What the round has gained, prizes and side wagers apart."""
    PRIZE = auto()
    """Super bonuses and envy bonuses."""
    SIDE = auto()
    """The gain on side wagers."""
    WAGERED = auto()
    """Everything wagered but side wagers."""
    HANDS = auto()
    """Closed hands."""
    FAULT = auto()
    """Why the round could not be dealt; 0: it could."""
    DOUBLES = auto()
    """Doubles so far."""
    SPLITS = auto()
    """Splits so far."""
    INSURED_COUNT = auto()
    """Boxes that have insured."""
    MATTER_MARKS = auto()
    """The marks of all closed hands together."""
    SPINS = auto()
    """Turns of wheels so far."""
    UP = auto()
    """The up card."""
    SECOND = auto()
    """The dealer's second card; -1: none yet."""
    LOOK = auto()
    """The marks of up card and second card."""
    COND = auto()
    """The chart's column."""
    HANDS_OF_BOX = auto()
    """Hands of the box on its turn."""
    FIRST_CARD = auto()
    """The first card of the hand on its turn."""
    DEALER_STATE = auto()
    """The dealer's hand."""
    METERS_RESET = auto()
    """The marks of the meters that this round has reset."""
    RELOADED = auto()
    """Whether the shoe ran out in this round."""
    FIRST = auto()
    """The first cards of the boxes."""
    OTHER = FIRST + MOST_BOXES  # type: ignore[operator]
    """Their second cards."""
    STATE = OTHER + MOST_BOXES
    """Their hands."""
    CLOSED = STATE + MOST_BOXES
    """The payoff of a hand that is decided before the turns, counted from 1."""
    COVERED = CLOSED + MOST_BOXES
    """Whether the box has insured."""
    STACK = COVERED + MOST_BOXES
    """Second cards of split hands that wait."""
    PAYOFF = STACK + MOST_HANDS
    """The payoffs of the closed hands."""
    OWNER = PAYOFF + MOST_BOXES * MOST_HANDS
    """Their boxes."""
    BOX_BUCKET = OWNER + MOST_BOXES * MOST_HANDS
    """The true counts at which the boxes wagered."""
    SPUN = BOX_BUCKET + MOST_BOXES
    """The symbols that wheels landed on, with wheel and box."""
    EXPECTED = SPUN + 2 * MOST_BOXES
    """What the controls of the boxes are on average from the cards left before the round."""
    LEFT = EXPECTED + MOST_BOXES
    """How many cards of each value are left."""


WORK_LENGTH = Work.LEFT + MOST_VALUES
"""Entries of the work space."""

OUT_OF_CARDS = 1
"""A fault: the shoe ran out in a round, and so did the discard rack."""
