"""A round led through the state table: one lookup per card and no branch that depends on a card.

Every round takes the same number of steps; those after its last card change nothing. The cards come from a word that
holds eight of them, one byte each, or from an array and the index of the next card in it. The walk is written once and
compiled for either source; cores and GPUs share it.
"""
# mypy: disable-error-code="no-untyped-def, no-untyped-call"

from __future__ import annotations

import numpy as np

from twentyone.sim.jit import inlined, inlined_closure
from twentyone.sim.state_table import LOOKS, NO_CARD

__all__ = ["ARRAY", "WORD", "deal_from", "four", "kind_of", "kind_within", "one", "walk_through"]

PLAYER_STEPS, DEALER_STEPS = 3, 3
"""Cards that a hand and the dealer may draw here; a round that needs more is not over at its end."""

_ZERO, _ONE, _TWO, _THREE, _FOUR, _SIX = (np.uint64(number) for number in (0, 1, 2, 3, 4, 6))
_FIFTEEN, _BYTE, _LOOKS = np.uint64(15), np.uint64(0xFF), np.uint64(LOOKS)
_HALF = np.uint64(32)
_END = np.uint64(NO_CARD * 0x01010101 << 32)


# -- cards in a word: eight, one byte each


@inlined
def _word_card(_, word, index):
    return (word >> (index << _THREE)) & _BYTE


@inlined
def _word_dealt(word):
    """The last four cards, and behind them none."""
    return (word >> _HALF) | _END


@inlined
def _word_drawn(word, count):
    return word >> (count << _THREE)


WORD = _word_card, _word_dealt, _word_drawn
"""The cards are a word: a card of it, the cards after the deal, and those after this many more."""

# -- cards in an array: a lane has the index of its next card


@inlined
def _array_card(array, first, index):
    return np.uint64(array[first + index])


@inlined
def _array_dealt(first):
    return first + _FOUR


@inlined
def _array_drawn(first, count):
    return first + count


ARRAY = _array_card, _array_dealt, _array_drawn
"""The same for cards in an array."""

# -- one lane, or four side by side


def one(step):
    """A step of the walk as it is."""
    return step


def four(step):
    """A step of the walk for four lanes."""

    @inlined_closure
    def four_steps(fast, array, number, lanes):
        a, b, c, d = lanes
        return (
            step(fast, array, number, a), step(fast, array, number, b),
            step(fast, array, number, c), step(fast, array, number, d),
        )  # fmt: skip

    return four_steps


# -- the walk


@inlined
def kind_of(fast, first, row, state):
    """The kind of result of a row against a state of the dealer's; 0 where the round is not over."""
    return np.uint64(fast.result[((row - first) << _THREE) + (state >> _FOUR)])


@inlined
def kind_within(fast, first, row, state):
    """The same where only some rows are at hand, from `first` on: all others have no result."""
    index = ((row - first) << _THREE) + (state >> _FOUR)
    return np.uint64(fast.result[index]) if index < np.uint64(len(fast.result)) else _ZERO


def deal_from(source):
    """Compile the deal for a source of cards."""
    card = source[0]

    @inlined_closure
    def deal(fast, array, cards):
        """The row of a hand after the deal, and the index of up card and hole card."""
        hand = np.uint64(fast.pair[(card(array, cards, _ZERO) << _SIX) + card(array, cards, _TWO)])
        look = ((card(array, cards, _ONE) >> _TWO) << _FOUR) + (card(array, cards, _THREE) >> _TWO)
        return np.uint64(fast.start[np.uint64(fast.glance[look]) + hand]), look

    return deal


def _steps(source, kind):
    """The steps of the walk, each from lane to lane.

    A lane is its cards, the index of up card and hole card, its row, and the sum of the rows so far; on the dealer's
    turn its cards, its row, the dealer's state, and the sum of the states. The sum counts the cards drawn, modulo 16.
    """
    card, dealt, drawn = source
    deal = deal_from(source)

    @inlined_closure
    def begin(fast, array, _, cards):
        row, look = deal(fast, array, cards)
        return dealt(cards), look, row, _ZERO

    @inlined_closure
    def hit(fast, array, number, lane):
        cards, look, row, rows = lane
        return cards, look, np.uint64(fast.turn[row + (card(array, cards, number) >> _TWO)]), rows + row

    @inlined_closure
    def turn_to_dealer(fast, _, idle, lane):
        cards, look, row, rows = lane
        state = np.uint64(fast.second[look + _LOOKS if row >= idle else look])
        return drawn(cards, rows & _FIFTEEN), row, state, _ZERO

    @inlined_closure
    def draw(fast, array, number, lane):
        cards, row, state, states = lane
        return cards, row, np.uint64(fast.dealer[state + (card(array, cards, number) >> _TWO)]), states + state

    @inlined_closure
    def end(fast, _, first, lane):
        cards, row, state, states = lane
        return kind(fast, first, row, state), drawn(cards, states & _FIFTEEN)

    return begin, hit, turn_to_dealer, draw, end


def walk_through(source, lanes, kind=kind_of):
    """Compile the walk for a source of cards, a number of lanes and the results at hand."""
    begin, hit, turn_to_dealer, draw, end = (lanes(step) for step in _steps(source, kind))

    @inlined_closure
    def walk(fast, array, idle, first, cards):
        """The kind of result of each lane (0: not over), and its cards after the round."""
        lane = begin(fast, array, _ZERO, cards)
        for number in range(PLAYER_STEPS):
            lane = hit(fast, array, np.uint64(number), lane)
        lane = turn_to_dealer(fast, array, idle, lane)
        for number in range(DEALER_STEPS):
            lane = draw(fast, array, np.uint64(number), lane)
        return end(fast, array, first, lane)

    return walk
