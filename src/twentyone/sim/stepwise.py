"""Rounds decision by decision: the round function of `plain.py`, stopped wherever a player is asked.

Many rounds stand side by side, each in a row of the work space; `advance` carries one decision out in each of them and
says what is asked next. Cards, turns, dealer and settlement are those of `plain.py`; `may` tells which decisions are
allowed (`asking.py`).
"""
# mypy: disable-error-code="no-untyped-def, no-untyped-call"

from __future__ import annotations

from enum import IntEnum, auto

import numpy as np

from twentyone.sim.draw import FRESH, draw, see
from twentyone.sim.jit import inlined, jit
from twentyone.sim.layout import WAGER_KINDS, Channel, DecisionCode, HandKind, Look, Parameter, Part, Stride
from twentyone.sim.numbers import numbers
from twentyone.sim.plain import begin_round, end_round
from twentyone.sim.steps import begin, close_hand, entry, given_up, insure, lay_more, payoff_of, split_hand, step
from twentyone.sim.work import WORK_LENGTH, Work

__all__ = ["KEPT", "NEXT_STEP", "ROW_LENGTH", "SAME_STEP", "SETTLED", "Pause", "ShownField", "advance"]

SETTLED = len(Channel)
"""Beside the occasions of `Channel`: nothing is asked any more, the round is settled."""

KEPT, NEXT_STEP, SAME_STEP = range(3)
"""What becomes of a round that is over: it stays; the next step deals another; another is dealt at once."""

DEAL = -1
"""In place of a decision: deal a new round."""


@numbers
class Pause(IntEnum):
    """Where a round stands still, behind its work space."""

    CHANNEL = WORK_LENGTH
    """The occasion: one of `Channel`, or `SETTLED`."""
    ALLOWED = auto()
    """The decisions that are allowed, one bit each."""
    BOX = auto()
    """The box that is asked."""
    HAND = auto()
    """The state of its hand."""
    LAST = auto()
    """The last card of that hand."""
    WAGER = auto()
    """0 on the main wager, 2 on one added by a split; one more for a double."""
    WAITING = auto()
    """Split hands that wait behind it."""
    OVER = auto()
    """Whether the player has been told that the round is over."""
    NUMBER = auto()
    """The number of the next round."""
    LAID = auto()
    """Cards that lie in the shoe as given; the next round begins with them."""


ROW_LENGTH = Pause.LAID + 1
"""Entries of a round's row."""


@numbers
class ShownField(IntEnum):
    """What a player is shown: the fields of an observation."""

    PHASE = 0
    """Where he is asked: see `asking.PHASES`."""
    TOTAL = auto()
    """The total of the hand."""
    SOFT = auto()
    """Whether an ace in it counts high."""
    PAIR = auto()
    """0: no pair that may be split now; else the number of its value class, from 1."""
    CARDS = auto()
    """How many cards it has, as far as any clause counts them."""
    UP = auto()
    """The value class of the up card."""
    HOLE = auto()
    """What is known of the hole card: 0 nothing, else the number of what was told."""
    BONUS = auto()
    """The best special hand it can still become."""
    HANDS = auto()
    """How many hands the box has."""
    WAITING = auto()
    """How many of them still wait for their turn."""


# -- who is asked


@inlined
def _asks(w, may, box, state, channel):
    """Ask a box; false where it has nothing to decide."""
    allowed = np.int64(may[w[Work.COND], state, channel])
    w[Pause.ALLOWED] = allowed
    w[Pause.CHANNEL] = channel
    w[Pause.BOX] = box
    w[Pause.HAND] = state
    return allowed > 0


@jit
def _insurance(t, w, may, first):
    """Ask the boxes from this one on for insurance; false where none is asked."""
    if w[Work.LOOK] & Look.INSURABLE:
        for box in range(first, t[Parameter.BOXES]):
            paid = w[Work.CLOSED + box] and not t[Parameter.INSURE_PAID]
            if not paid and _asks(w, may, box, w[Work.STATE + box], Channel.INSURANCE):
                return True
    return False


@jit
def _early(t, w, may, first):
    """Ask the boxes from this one on whether they surrender before the hole card is read."""
    if w[Work.LOOK] & Look.ASKED_EARLY:
        for box in range(first, t[Parameter.BOXES]):
            if not w[Work.CLOSED + box] and _asks(w, may, box, w[Work.STATE + box], Channel.EARLY):
                return True
    return False


@jit
def _take_card(t, w, deck, r):
    """The next card for the hand on its turn."""
    card = draw(t, w, deck, r, FRESH)
    see(t, w, card)
    w[Pause.LAST] = card
    w[Pause.HAND] = step(t, w[Pause.HAND], card)


@jit
def _next_hand(t, w, deck, r):
    """Take up the split hand that waits; false where none does."""
    if w[Pause.WAITING] == 0:
        return False
    w[Pause.WAITING] -= 1
    w[Work.FIRST_CARD] = w[Work.STACK + w[Pause.WAITING]]
    w[Pause.HAND] = entry(t, Part.SPLIT, w[Work.FIRST_CARD])
    w[Pause.WAGER] = 2
    _take_card(t, w, deck, r)
    return True


@inlined
def _stood(t, w):
    """The payoff of the hand on its turn, if it draws no more; a Blackjack may be paid on its turn."""
    state = w[Pause.HAND]
    if entry(t, Part.KIND, state) == HandKind.BLACKJACK and w[Work.LOOK] & Look.BLACKJACK_PAID:
        return entry(t, Part.PAID, state)
    return payoff_of(t, state, w[Pause.WAGER])


@jit
def _ask_hand(t, w, deck, r, may, box):
    """Ask about the hand on its turn, or one behind it; a hand that has nothing to decide is closed."""
    while True:
        state, wager = w[Pause.HAND], w[Pause.WAGER]
        channel = Channel.TURN
        if wager & 1:
            channel = Channel.OFFER_DOUBLED
        elif entry(t, Part.KIND, state) == HandKind.BUST:
            channel = Channel.OFFER
        elif w[Work.HANDS_OF_BOX] < entry(t, Part.SPLITS, state):
            channel = Channel.TURN_SPLIT
        if _asks(w, may, box, state, channel):
            return True
        close_hand(t, w, box, _stood(t, w))
        if not _next_hand(t, w, deck, r):
            return False


@jit
def _begin_box(t, w, deck, r, may, box):
    """Take up the hand of a box; false where it has nothing to decide."""
    state = w[Work.STATE + box]
    if w[Work.CLOSED + box]:
        close_hand(t, w, box, w[Work.CLOSED + box] - 1)
    elif w[Work.LOOK] & Look.ENDS:
        close_hand(t, w, box, payoff_of(t, state, 0))
    else:
        w[Work.HANDS_OF_BOX] = 1
        w[Work.FIRST_CARD] = w[Work.FIRST + box]
        w[Pause.LAST] = w[Work.OTHER + box]
        w[Pause.HAND] = state
        w[Pause.WAGER] = 0
        w[Pause.WAITING] = 0
        return _ask_hand(t, w, deck, r, may, box)
    return False


@jit
def _turns(t, w, deck, r, may, first):
    """The turns of the boxes from this one on, up to the first that is asked."""
    for box in range(first, t[Parameter.BOXES]):  # noqa: SIM110 (compiled code knows no generator)
        if _begin_box(t, w, deck, r, may, box):
            return True
    return False


# -- what is decided


@jit
def _second_chance(t, m, w, deck, r, box):
    """The payoff of a hand from whose total a card is taken."""
    wager, points = w[Pause.WAGER], entry(t, Part.POINTS, w[Pause.HAND])
    lay_more(m, w, box)
    if wager & 1 and t[Parameter.CHANCE_UNITS]:
        lay_more(m, w, box)
    card = draw(t, w, deck, r, FRESH)
    see(t, w, card)
    return entry(t, Part.CHANCE, points * t[Stride.CHANCE] + entry(t, Part.VALUE, card >> 2) * WAGER_KINDS + wager)


@jit
def _answer_offer(t, m, w, deck, r, box, decision):
    """Close a hand that was offered a rescue or a second chance."""
    payoff = payoff_of(t, w[Pause.HAND], w[Pause.WAGER])
    if decision == DecisionCode.SECOND_CHANCE:
        payoff = _second_chance(t, m, w, deck, r, box)
    elif decision == DecisionCode.RESCUE:
        payoff = np.int64(t[Parameter.RESCUE_SPLIT] if w[Pause.WAGER] > 1 else t[Parameter.RESCUE_MAIN])
    close_hand(t, w, box, payoff)


@jit
def _take_turn(t, m, w, deck, r, box, decision):
    """Carry out a decision of a turn; false where it closes the hand."""
    if decision == DecisionCode.STAND:
        close_hand(t, w, box, _stood(t, w))
        return False
    if decision == DecisionCode.SURRENDER:
        close_hand(t, w, box, given_up(t, w))
        return False
    if decision == DecisionCode.DOUBLE:
        lay_more(m, w, box)
        w[Work.DOUBLES] += 1
        w[Pause.WAGER] += 1
    elif decision == DecisionCode.SPLIT:
        w[Pause.HAND] = split_hand(t, m, w, box, w[Pause.LAST], w[Pause.WAITING])
        w[Pause.WAITING] += 1
    _take_card(t, w, deck, r)
    return True


@jit
def _answer(t, m, w, deck, r, may, decision):
    """Carry out a decision and go on; false where nobody is asked any more."""
    channel, box = w[Pause.CHANNEL], w[Pause.BOX]
    if channel == Channel.INSURANCE:
        insure(t, m, w, box, decision)
        return _insurance(t, w, may, box + 1) or _early(t, w, may, 0) or _turns(t, w, deck, r, may, 0)
    if channel == Channel.EARLY:
        if decision == DecisionCode.SURRENDER:
            w[Work.CLOSED + box] = given_up(t, w) + 1
        return _early(t, w, may, box + 1) or _turns(t, w, deck, r, may, 0)
    goes_on = False
    if channel == Channel.TURN or channel == Channel.TURN_SPLIT:
        goes_on = _take_turn(t, m, w, deck, r, box, decision)
    else:
        _answer_offer(t, m, w, deck, r, box, decision)
    if not goes_on:
        goes_on = _next_hand(t, w, deck, r)
    if goes_on and _ask_hand(t, w, deck, r, may, box):
        return True
    return _turns(t, w, deck, r, may, box + 1)


# -- a round


@jit
def _finish(t, m, w, deck, r):
    """The dealer's turn and the settlement."""
    end_round(t, m, w, deck, r, FRESH)
    w[Pause.CHANNEL] = SETTLED
    w[Pause.ALLOWED] = 1 << DecisionCode.DECLINE


@jit
def _begin(t, m, w, deck, r, may):
    """Deal the next round from a fresh shoe, up to the first decision."""
    number = w[Pause.NUMBER]
    w[Pause.NUMBER] = number + 1
    w[Pause.OVER] = 0
    w[Work.POSITION] = 0
    begin(w, number)
    w[Work.ROUND] = number
    w[Work.FILLED] = w[Pause.LAID]
    w[Pause.LAID] = 0
    begin_round(t, m, w, deck, r, FRESH)
    if not (_insurance(t, w, may, 0) or _early(t, w, may, 0) or _turns(t, w, deck, r, may, 0)):
        _finish(t, m, w, deck, r)


@jit
def _tell(w, hands, columns, shown, mask):
    """Write down what the player is shown and may decide."""
    channel, state = w[Pause.CHANNEL], w[Pause.HAND]
    for field in range(len(shown)):
        shown[field] = 0
    for decision in range(len(mask)):
        mask[decision] = (w[Pause.ALLOWED] >> decision) & 1
    column = columns[w[Work.COND]]
    doubled = channel == Channel.OFFER_DOUBLED
    shown[ShownField.PHASE] = hands[state, ShownField.PHASE]
    if channel > Channel.TURN_SPLIT:
        shown[ShownField.PHASE] = channel
    shown[ShownField.UP] = column[0]
    if channel == SETTLED:
        return
    shown[ShownField.TOTAL] = hands[state, ShownField.TOTAL]
    shown[ShownField.SOFT] = hands[state, ShownField.SOFT]
    shown[ShownField.CARDS] = hands[state, ShownField.CARDS]
    shown[ShownField.BONUS] = hands[state, ShownField.HOLE] if doubled else hands[state, ShownField.BONUS]
    if channel == Channel.TURN_SPLIT or channel == Channel.EARLY:
        shown[ShownField.PAIR] = hands[state, ShownField.PAIR]
    shown[ShownField.HANDS] = 1
    if channel != Channel.INSURANCE and channel != Channel.EARLY:
        shown[ShownField.HOLE] = column[1]
        shown[ShownField.HANDS] = w[Work.HANDS_OF_BOX]
        shown[ShownField.WAITING] = w[Pause.WAITING]


@jit
def advance(t, m, may, hands, columns, work, decks, keys, decisions, mode, shown, masks, gains, results):
    """Carry out a decision in each round, and say what its player then is shown; returns how many ran out of cards.

    `gains` takes what a round that is over gained, in grains; `results` 0 where a round goes on, 1 where it is over, 2
    where the decision was refused and nothing changed. With `SAME_STEP` another round is dealt where one is over.
    """
    faults = 0
    for row in range(len(work)):
        w, deck, r, decision, result = work[row], decks[row], keys[row], decisions[row], 0
        gains[row] = 0
        deals = decision == DEAL or (w[Pause.OVER] and mode == NEXT_STEP)
        if not deals:
            allowed = 0 <= decision <= DecisionCode.DECLINE and (w[Pause.ALLOWED] >> decision) & 1
            if w[Pause.OVER] or not allowed:
                result = 2
            elif w[Pause.CHANNEL] == SETTLED or not _answer(t, m, w, deck, r, may, decision):
                result = 1
        if result == 1:
            if w[Pause.CHANNEL] != SETTLED:
                _finish(t, m, w, deck, r)
            gains[row] = w[Work.GAIN] + w[Work.PRIZE] + w[Work.SIDE]
            faults += w[Work.FAULT] > 0
            w[Pause.OVER] = 1
            deals = mode == SAME_STEP
        if deals:
            _begin(t, m, w, deck, r, may)
        results[row] = result
        _tell(w, hands, columns, shown[row], masks[row])
    return faults
