"""Where things stand in the arrays that the round function reads and writes."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

__all__ = ["Game", "packed"]

RANK_COUNT = 13
SUIT_COUNT = 4
CARD_COUNT = RANK_COUNT * SUIT_COUNT

MOST_BOXES = 8
MOST_HANDS = 16
"""Boxes of a table and hands of a box that the work space has room for."""

BLACKJACK, BUST = 1, 2
"""Kinds of hands beside the ordinary, 0."""

STAKES = 4
"""A main wager or one added by a split, doubled or not."""

# -- decisions
STAND, HIT, DOUBLE, SPLIT, SURRENDER, RESCUE, CHANCE, INSURE, EVEN_MONEY, DECLINE = range(10)
DECISIONS = (
    "stand", "hit", "double", "split", "surrender", "rescue", "second_chance", "insure", "even_money", "decline",
)  # fmt: skip
"""Decision by number."""

# -- channels of the chart
TURN, TURN_SPLIT, OFFER, OFFER_DOUBLED, INSURANCE, EARLY = range(6)
CHANNELS = 6
"""A turn without and with the right to split; what is offered to a hand over the limit; to a doubled one; insurance;
surrender before the reader."""

# -- marks of a pair of up card and hole card
ENDS, SURRENDER_WAITS, BLACKJACK_PAID, INSURABLE, ASKED_EARLY, CAN_BE_BLACKJACK, SUPER_UP, INSURANCE_WINS, XTREME = (
    1, 2, 4, 8, 16, 32, 64, 128, 256,
)  # fmt: skip

# -- parameters
(
    SIZE, BOXES, HOLE, SECOND_STEP, SECOND_ALWAYS, STOPS, PAY_FIRST, INSURE_PAID, SPLIT_PAYOFF, EARLY_PAYOFF,
    ONCE_PAYOFF, WAIT_PAYOFF, RESCUE_MAIN, RESCUE_SPLIT, EVEN_PAYOFF, CHANCE_LOW, CHANCE_UNITS, THRESHOLD, STATES,
    PAYOFFS, DEALERS, CONDS, TALLIES, UNIT, ENVY_ON_HAND, ENVY, COVER, BURN, COUNTS, BUCKETS, LOW_BUCKET, DECK_CARDS,
    START_COUNT, EACH_SPINS, STAKE_KEPT, RELOADS, RELOAD_BURN,
) = range(37)  # fmt: skip
PARAMETERS = 40
"""Names of the whole numbers in `Game.number`."""

# -- sections of the packed table: where each array begins, and the length of its rows
(
    CARDS_AT, STEP_AT, SPLIT_AT, SPLITS_AT, KIND_AT, PAYOFF_AT, PAID_AT, CHANCE_AT, POINTS_AT, GAIN_AT, TALLY_AT,
    PRIZE_AT, MARK_AT, DEALER_AT, DRAWS_AT, LOOK_AT, COND_AT, CHART_AT, LEGAL_AT, VALUE_AT, PASSES_AT, TAGS_AT,
    PAYOFF_ROW, CHANCE_ROW, GAIN_ROW, CHART_ROW, CHART_COLUMN, CHART_COUNT, PASSES,
) = range(PARAMETERS, PARAMETERS + 29)  # fmt: skip
HEADER = PARAMETERS + 32

# -- money of a box, in grains
(MAIN, MAIN_UNIT, INSURED, INSURED_WINS, SUPER, MATCH_STAKE, SPIN_STAKE, XTREME_STAKE, STRATEGY) = range(9)
MONEY = 12

# -- the head of the packed money
ERROR_RATE, BOX_ROW, MATCH_AT, WHEEL_AT, WHEEL_ROW, CONTROL_AT, CONTROL_ROW, COARSE = range(8)
MONEY_HEADER = 8
"""`CONTROL_AT` is nothing where there is no control variate; see `control.py`."""

# -- the work space of a round
(
    POSITION, FILLED, RUNNING, ROUND, MOMENT, BEGUN, BEGUN_COUNT, HALF, EXTRA, GAIN, PRIZE, SIDE, STAKED, HANDS,
    FAULT, DOUBLES, SPLITS, INSURED_COUNT, MATTER_MARKS, SPINS, UP, SECOND, LOOK, COND, HANDS_OF_BOX,
    FIRST_CARD, DEALER_STATE, METERS_RESET, RELOADED,
) = range(29)  # fmt: skip
"""`ROUND` numbers the random cards (in a real shoe: the shoe), `MOMENT` everything else that is random; `BEGUN` and
`BEGUN_COUNT` are position and count at the start of the round: the cards before are in the discard rack."""
CLEARED = HALF
"""From here to the boxes everything begins a round at nothing; the shoe and the count go on."""
FIRST = 29
"""The first cards of the boxes."""
OTHER = FIRST + MOST_BOXES
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
SPUN = BOX_BUCKET + MOST_BOXES
"""The symbols that wheels landed on, with wheel and box."""
SYMBOLS = 64
EXPECTED = SPUN + 2 * MOST_BOXES
"""What the controls of the boxes are on average from the cards left before the round."""
LEFT = EXPECTED + MOST_BOXES
"""How many cards of each value are left."""
MOST_VALUES = 16
WORK = LEFT + MOST_VALUES

OUT_OF_CARDS = 1
"""A fault: the shoe ran out in a round, and so did the discard rack."""
PLACES = 512
"""Room for a shoe, and behind it for the cards of the rack that a round takes; at most as many are dealt but one."""


class Game(NamedTuple):
    """Rules, wagers and strategies as arrays."""

    number: NDArray[np.int64]
    """Whole numbers by name (`SIZE` and so on)."""
    cards: NDArray[np.int16]
    """Place in the unshuffled shoe to card."""
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
    """State to the decisions that are allowed on a turn, a bit each."""
    value: NDArray[np.int16]
    """Rank to its value; an ace: low."""
    match: NDArray[np.int64]
    """Box and how its two cards match the up card (0 not, 1 in rank, 2 in suit too) to grains."""
    money: NDArray[np.int64]
    """Box, count, `MAIN` and so on to grains."""
    tags: NDArray[np.int64]
    """Rank to what a counting player adds."""
    wheel: NDArray[np.int64]
    """Prize wheels: see `wheels.py`."""
    passes: NDArray[np.int8]
    """The passes of the initial deal: 0 to the boxes, 1 to the dealer."""
    errors: int
    """How often a player decides at random, in parts of 2^32."""


SECTIONS = {
    CARDS_AT: "cards", STEP_AT: "step", SPLIT_AT: "split", SPLITS_AT: "splits", KIND_AT: "kind", PAYOFF_AT: "payoff",
    PAID_AT: "paid", CHANCE_AT: "chance", POINTS_AT: "points", GAIN_AT: "gain", TALLY_AT: "tally", PRIZE_AT: "prize",
    MARK_AT: "mark", DEALER_AT: "dealer", DRAWS_AT: "draws", LOOK_AT: "look", COND_AT: "cond", CHART_AT: "chart",
    LEGAL_AT: "legal", VALUE_AT: "value", PASSES_AT: "passes", TAGS_AT: "tags",
}  # fmt: skip
"""The arrays of the packed table."""


def packed(game: Game) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    """The game as two flat arrays, the form that the round function reads: rules and charts, and money."""
    header = np.zeros(HEADER, np.int32)
    header[:PARAMETERS] = game.number
    header[PAYOFF_ROW], header[CHANCE_ROW] = game.payoff.shape[1], game.chance.shape[1] * game.chance.shape[2]
    header[GAIN_ROW], header[CHART_ROW] = game.gain.shape[1], game.chart.shape[4]
    header[CHART_COLUMN] = game.chart.shape[3] * game.chart.shape[4]
    header[CHART_COUNT] = game.chart.shape[2] * header[CHART_COLUMN]
    header[PASSES] = len(game.passes)
    parts, length = [header], HEADER
    for place, name in SECTIONS.items():
        part = np.asarray(getattr(game, name)).astype(np.int32).ravel()
        header[place] = length
        parts.append(part)
        length += len(part)
    return np.concatenate(parts), _packed_money(game)


def _packed_money(game: Game) -> NDArray[np.int64]:
    head = np.zeros(MONEY_HEADER, np.int64)
    head[ERROR_RATE], head[BOX_ROW], head[WHEEL_ROW] = game.errors, game.money.shape[1] * MONEY, game.wheel[0].size
    head[MATCH_AT] = MONEY_HEADER + game.money.size
    head[WHEEL_AT] = head[MATCH_AT] + game.match.size
    return np.concatenate([head, game.money.ravel(), game.match.ravel(), game.wheel.ravel()])
