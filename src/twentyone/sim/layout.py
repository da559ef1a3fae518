"""The arrays that the round function reads: rules and charts in one, money in the other.

The names are members of `IntEnum`, which Numba compiles as the numbers they are (`numbers.py`).
"""

from __future__ import annotations

from enum import IntEnum, auto
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from twentyone.sim.numbers import numbers

__all__ = [
    "BoxMoney",
    "Channel",
    "DecisionCode",
    "GameArrays",
    "HandKind",
    "Look",
    "MoneyHead",
    "Parameter",
    "Part",
    "Stride",
    "packed",
]

RANK_COUNT = 13
SUIT_COUNT = 4
CARD_COUNT = RANK_COUNT * SUIT_COUNT
PAIRS = SUIT_COUNT**2
"""Pairs of one rank, by the suits of the cards."""
FIRSTS = PAIRS + 2 * RANK_COUNT**3
"""The kinds of first cards that side wagers are paid by."""

WAGER_KINDS = 4
"""A main wager or one added by a split, doubled or not."""


@numbers
class HandKind(IntEnum):
    """What a player's hand is."""

    PLAIN = 0
    """Neither of the others."""
    BLACKJACK = auto()
    """A Blackjack."""
    BUST = auto()
    """Over the limit."""


@numbers
class DecisionCode(IntEnum):
    """The decisions of a player; the first five may be taken on a turn."""

    STAND = 0
    """Draw no more."""
    HIT = auto()
    """Draw a card."""
    DOUBLE = auto()
    """Double the wager and draw one card."""
    SPLIT = auto()
    """Make two hands of a pair."""
    SURRENDER = auto()
    """Give the hand up for a part of the wager."""
    RESCUE = auto()
    """Take back the double and give up the wager."""
    SECOND_CHANCE = auto()
    """Wager again for a card that is taken off the total."""
    INSURE = auto()
    """Lay the Insurance Wager."""
    EVEN_MONEY = auto()
    """Take even money for a Blackjack."""
    DECLINE = auto()
    """Take none of what is offered."""


DECISIONS = tuple(decision.name.lower() for decision in DecisionCode)
"""Names of decisions by number."""


@numbers
class Channel(IntEnum):
    """The occasions on which a chart is asked."""

    TURN = 0
    """A turn without the right to split."""
    TURN_SPLIT = auto()
    """A turn with it."""
    OFFER = auto()
    """What is offered to a hand over the limit."""
    OFFER_DOUBLED = auto()
    """What is offered to a doubled hand."""
    INSURANCE = auto()
    """Insurance and even money."""
    EARLY = auto()
    """Surrender before the hole card is read."""


CHANNELS = len(Channel)


@numbers
class Look(IntEnum):
    """Marks of a pair of up card and second card, one bit each."""

    ENDS = 1
    """It is a Blackjack that the players learn of before they act."""
    SURRENDER_WAITS = 2
    """A surrendered hand waits for the second card."""
    BLACKJACK_PAID = 4
    """A Blackjack is paid on its turn."""
    INSURABLE = 8
    """Insurance is offered."""
    ASKED_EARLY = 16
    """Surrender is offered before the hole card is read."""
    CAN_BE_BLACKJACK = 32
    """Some second card makes the up card a Blackjack."""
    SUPER_UP = 64
    """The super bonus is due against this up card."""
    INSURANCE_WINS = 128
    """The second card makes insurance win."""
    XTREME = 256
    """The two cards turn the wheel of Xtreme 16."""


@numbers
class Parameter(IntEnum):
    """The whole numbers of `GameArrays.number`, at the head of the packed table."""

    SIZE = 0
    """Cards of the shoe."""
    BOXES = auto()
    """Boxes in play."""
    HOLE = auto()
    """Whether the dealer is dealt a second card with the boxes."""
    SECOND_STEP = auto()
    """Whether he is dealt it after their turns."""
    SECOND_ALWAYS = auto()
    """Whether he is dealt it even where nothing depends on it."""
    STOPS = auto()
    """Whether he stops where nothing depends on his further cards."""
    PAY_FIRST = auto()
    """Whether Blackjacks are paid before the hole card is read."""
    INSURE_PAID = auto()
    """Whether a box whose Blackjack is paid may insure."""
    ONCE_PAYOFF = auto()
    """The payoff of a hand that is surrendered and settled at once."""
    WAIT_PAYOFF = auto()
    """The payoff of a hand that is surrendered and waits for the second card."""
    RESCUE_MAIN = auto()
    """The payoff of a rescued hand with the main wager."""
    RESCUE_SPLIT = auto()
    """The payoff of a rescued hand with a wager that a split added."""
    EVEN_PAYOFF = auto()
    """The payoff of a Blackjack that takes even money."""
    CHANCE_UNITS = auto()
    """Whether a second chance after a double costs both wagers."""
    THRESHOLD = auto()
    """Sixteen random bits times the size of the shoe leave less than this: they are refused."""
    ENVY_ON_HAND = auto()
    """Whether the envy bonus is due for the hand, paid a super bonus or not."""
    ENVY = auto()
    """The envy bonus, in grains."""
    COVER = auto()
    """Cards before the cover card."""
    BURN = auto()
    """Whether the first card of a shoe is burned."""
    COUNTS = auto()
    """Whether the players count."""
    BUCKETS = auto()
    """True counts that are told apart."""
    LOW_BUCKET = auto()
    """The lowest of them."""
    DECK_CARDS = auto()
    """Cards of a deck."""
    START_COUNT = auto()
    """The running count of a new shoe."""
    EACH_SPINS = auto()
    """Whether Xtreme 16 turns the wheel for every box with the wager, not for the hot spot alone."""
    WAGER_KEPT = auto()
    """Whether the wager on a wheel is lost when the wheel turns."""
    RELOADS = auto()
    """Whether a round goes on from the discard rack when the shoe runs out."""
    RELOAD_BURN = auto()
    """Whether a card of the rack is burned then."""
    INFINITE = auto()
    """Whether a card may be drawn again."""


@numbers
class Part(IntEnum):
    """The arrays of `GameArrays` in the packed table: the entry says where the array begins."""

    CARDS = len(Parameter)
    STEP = auto()
    SPLIT = auto()
    SPLITS = auto()
    KIND = auto()
    PAYOFF = auto()
    PAID = auto()
    CHANCE = auto()
    POINTS = auto()
    GAIN = auto()
    TALLY = auto()
    PRIZE = auto()
    MARK = auto()
    DEALER = auto()
    DRAWS = auto()
    LOOK = auto()
    COND = auto()
    CHART = auto()
    LEGAL = auto()
    VALUE = auto()
    PASSES = auto()
    TAGS = auto()

    @property
    def array(self) -> str:
        """The field of `GameArrays`, which has the sentence on it."""
        return self.name.lower()


@numbers
class Stride(IntEnum):
    """How many entries of an array of the packed table belong together."""

    PAYOFF = len(Parameter) + len(Part)
    """A state of `payoff`."""
    CHANCE = auto()
    """A total of `chance`."""
    GAIN = auto()
    """A payoff of `gain`, `tally` and `prize`."""
    CHART_COLUMN = auto()
    """A column of `chart`."""
    CHART_COUNT = auto()
    """A true count of `chart`."""
    PASSES = auto()
    """All of `passes`."""


HEADER = len(Parameter) + len(Part) + len(Stride)
"""Entries before the first array of the packed table."""


@numbers
class BoxMoney(IntEnum):
    """The money of a box at a true count, in grains."""

    MAIN = 0
    """The main wager."""
    MAIN_UNIT = auto()
    """The part of it in which gains are told."""
    INSURED = auto()
    """The Insurance Wager."""
    INSURED_WINS = auto()
    """What that wins."""
    SUPER = auto()
    """The super bonus."""
    MATCH_WAGER = auto()
    """The Match-the-Dealer Wager."""
    PAIRS_WAGER = auto()
    """The Perfect Pairs Wager."""
    THREES_WAGER = auto()
    """The 21+3 Wager."""
    SPIN_WAGER = auto()
    """The Bonus Spin Wager."""
    XTREME_WAGER = auto()
    """The Xtreme 16 Wager."""
    STRATEGY = auto()
    """The number of the box's strategy, which is no money."""
    SPIN_WHEEL = auto()
    """The number of the wheel that its Blackjack turns, which is no money either."""


MONEY = len(BoxMoney)
"""Entries of a box at a true count."""


@numbers
class MoneyHead(IntEnum):
    """The head of the packed money."""

    ERROR_RATE = 0
    """How often a player decides at random, in parts of 2^32."""
    BOX_ROW = auto()
    """Entries of a box."""
    MATCH = auto()
    """Where `GameArrays.match` begins."""
    FIRSTS = auto()
    """Where `GameArrays.firsts` begins."""
    WHEEL = auto()
    """Where the wheels begin."""
    WHEEL_ROW = auto()
    """Entries of a wheel."""
    CONTROL = auto()
    """Where the control variate begins; 0 where there is none (see `control.py`)."""
    CONTROL_ROW = auto()
    """Values of cards that it tells apart."""
    COARSE = auto()
    """Fine parts of a grain in a coarse one."""


MONEY_HEADER = len(MoneyHead)
"""Entries before the money of the first box."""


class GameArrays(NamedTuple):
    """Rules, wagers and strategies as arrays."""

    number: NDArray[np.int64]
    """Whole numbers by `Parameter`."""
    cards: NDArray[np.int16]
    """Index in the unshuffled shoe to card."""
    step: NDArray[np.int16]
    """State of a hand and card to the next state."""
    split: NDArray[np.int16]
    """Card to the state of a split hand that holds it."""
    splits: NDArray[np.int16]
    """State to the number of hands from which a box may not split it (0: never)."""
    kind: NDArray[np.int8]
    """State to what it is: 0 a hand, 1 a Blackjack, 2 over the limit."""
    payoff: NDArray[np.int16]
    """State, wager (main, split), doubled to the payoff of the closed hand."""
    paid: NDArray[np.int16]
    """State to the payoff of a Blackjack that is paid before the dealer's hand is known."""
    chance: NDArray[np.int16]
    """Reduced total, wager, doubled to the payoff of a hand with a second chance."""
    points: NDArray[np.int16]
    """State to its total."""
    gain: NDArray[np.int32]
    """Payoff and dealer's state to the gain, in parts of the wager."""
    tally: NDArray[np.int16]
    """Payoff and dealer's state to what is counted."""
    prize: NDArray[np.int8]
    """Payoff and dealer's state to whether a super bonus is due."""
    mark: NDArray[np.int8]
    """Payoff to its marks."""
    dealer: NDArray[np.int16]
    """Dealer's state and rank to the next state."""
    draws: NDArray[np.int8]
    """Dealer's state to whether he draws."""
    look: NDArray[np.int16]
    """Up card and second card (ranks) to marks."""
    cond: NDArray[np.int16]
    """Up card and second card (ranks) to the chart's column."""
    chart: NDArray[np.int8]
    """Strategy, count, column, state, channel to the decision."""
    legal: NDArray[np.int8]
    """State to the decisions that are allowed on a turn, one bit each."""
    value: NDArray[np.int16]
    """Rank to its value; an ace: low."""
    match: NDArray[np.int64]
    """Box and how its two cards match the up card (0 not, 1 in rank, 2 in suit too) to grains."""
    firsts: NDArray[np.int64]
    """Box and kind of its first cards to grains: a pair by its suits, then three ranks, the up card's last, and whether
    they have one suit; no boxes where nobody has laid a wager on them."""
    money: NDArray[np.int64]
    """Box, count, `BoxMoney` to grains."""
    tags: NDArray[np.int64]
    """Rank to what a counting player adds."""
    wheel: NDArray[np.int64]
    """Prize wheels: see `wheels.py`."""
    passes: NDArray[np.int8]
    """The passes of the initial deal: 0 to the boxes, 1 to the dealer."""
    errors: int
    """How often a player decides at random, in parts of 2^32."""


def packed(game: GameArrays) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    """The game as two flat arrays, the form that the round function reads: rules and charts, and money."""
    header = np.zeros(HEADER, np.int32)
    header[: len(Parameter)] = game.number
    header[Stride.PAYOFF], header[Stride.CHANCE] = game.payoff.shape[1], game.chance[0].size
    header[Stride.GAIN], header[Stride.PASSES] = game.gain.shape[1], len(game.passes)
    header[Stride.CHART_COLUMN], header[Stride.CHART_COUNT] = game.chart[0, 0, 0].size, game.chart[0, 0].size
    parts, length = [header], HEADER
    for section in Part:
        part = np.asarray(getattr(game, section.array)).astype(np.int32).ravel()
        header[section] = length
        parts.append(part)
        length += len(part)
    return np.concatenate(parts), _packed_money(game)


def _packed_money(game: GameArrays) -> NDArray[np.int64]:
    head = np.zeros(MONEY_HEADER, np.int64)
    head[MoneyHead.ERROR_RATE] = game.errors
    head[MoneyHead.BOX_ROW], head[MoneyHead.WHEEL_ROW] = game.money[0].size, game.wheel[0].size
    head[MoneyHead.MATCH] = MONEY_HEADER + game.money.size
    head[MoneyHead.FIRSTS] = head[MoneyHead.MATCH] + game.match.size
    head[MoneyHead.WHEEL] = head[MoneyHead.FIRSTS] + game.firsts.size
    return np.concatenate([head, game.money.ravel(), game.match.ravel(), game.firsts.ravel(), game.wheel.ravel()])
