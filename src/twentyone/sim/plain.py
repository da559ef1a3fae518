"""The round function: one round of any of the rulebooks, in plain Python that Numba compiles for cores and for GPUs.

`game` holds the rules as arrays (`layout.Game`), `w` is the work space of whole numbers, `deck` the places of the
shoe in the order they are dealt, `r` the random key and word. Nothing else is read or written.
"""
# mypy: disable-error-code="no-untyped-def, no-untyped-call"

from __future__ import annotations

import numpy as np
from numba import njit

from twentyone.sim import layout as at
from twentyone.sim.fates import GIVEN_UP, MATTERS, MATTERS_FIRST, MATTERS_TO_BLACKJACK
from twentyone.sim.rng import WORDS, squares

__all__ = ["begin", "draw", "play_round"]

KEY, WORD, OTHER_KEY, OTHER_WORD = range(4)
"""Places in `r`: the key of the cards and its last word, the key of everything else and its last word."""

FRESH, SHOE, GIVEN = range(3)
"""Where cards come from: a new shoe each round, a real shoe, a list."""

_WORDS = np.uint64(WORDS)
_SIXTEEN = np.uint64(16)
_LOW = np.uint64(0xFFFF)
_HALF = np.uint64(32)
_LOW_HALF = np.uint64(0xFFFFFFFF)

(
    BOXES, SIZE, UP, SECOND, POSITION, FILLED, HALF, ROUND, FAULT, HANDS, GAIN, PRIZE, SIDE, STAKED, LOOK, COND, RUNNING,
    DEALER_STATE, MATTER_MARKS, HANDS_OF_BOX, DOUBLES, SPLITS, EXTRA, INSURED_COUNT,
) = (
    at.BOXES, at.SIZE, at.UP, at.SECOND, at.POSITION, at.FILLED, at.HALF, at.ROUND, at.FAULT, at.HANDS, at.GAIN,
    at.PRIZE, at.SIDE, at.STAKED, at.LOOK, at.COND, at.RUNNING, at.DEALER_STATE, at.MATTER_MARKS, at.HANDS_OF_BOX,
    at.DOUBLES, at.SPLITS, at.EXTRA, at.INSURED_COUNT,
)  # fmt: skip


# -- cards


@njit(cache=True, nogil=True)
def begin(w, number):
    """Begin a round: nothing is drawn, nothing won."""
    w[ROUND] = number
    w[HALF] = 0
    w[EXTRA] = 0
    w[HANDS] = 0
    w[GAIN] = 0
    w[PRIZE] = 0
    w[SIDE] = 0
    w[STAKED] = 0
    w[FAULT] = 0
    w[DOUBLES] = 0
    w[SPLITS] = 0
    w[INSURED_COUNT] = 0
    w[MATTER_MARKS] = 0
    w[at.SPINS] = 0


@njit(cache=True, nogil=True)
def _is_drawn(deck, place, count):
    for i in range(count):
        if deck[i] == place:
            return True
    return False


@njit(cache=True, nogil=True)
def _fill_fresh(game, w, deck, r):
    """The next place of a fresh shoe: sixteen bits scaled to the shoe without bias, places already drawn left out."""
    size = game.number[SIZE]
    count = w[FILLED]
    while True:
        half = w[HALF]
        w[HALF] = half + 1
        if half & 3 == 0:
            r[WORD] = squares((np.uint64(w[ROUND]) << _WORDS) + np.uint64(half >> 2), r[KEY])
        scaled = np.int64((r[WORD] >> (_SIXTEEN * np.uint64(half & 3))) & _LOW) * size
        place = scaled >> 16
        if (scaled & 0xFFFF) >= game.number[at.THRESHOLD] and not _is_drawn(deck, place, count):
            deck[count] = place
            w[FILLED] = count + 1
            return


@njit(cache=True, nogil=True)
def _fill_shoe(game, w, deck, r):
    """Shuffle the next place of a real shoe: swap it with a later one, or itself."""
    i = w[FILLED]
    word = squares((np.uint64(w[ROUND]) << _WORDS) + np.uint64(i >> 1), r[KEY])
    part = np.int64((word >> (_HALF * np.uint64(i & 1))) & _LOW_HALF)
    j = i + ((part * (game.number[SIZE] - i)) >> 32)
    deck[i], deck[j] = deck[j], deck[i]
    w[FILLED] = i + 1


@njit(cache=True, nogil=True)
def draw(game, w, deck, r, source):
    """The next card."""
    position = w[POSITION]
    if position >= w[FILLED]:
        if source == GIVEN or position >= game.number[SIZE]:
            w[FAULT] = at.OUT_OF_CARDS
            return 0
        if source == FRESH:
            _fill_fresh(game, w, deck, r)
        else:
            _fill_shoe(game, w, deck, r)
    w[POSITION] = position + 1
    return np.int64(game.cards[deck[position]])


@njit(cache=True, nogil=True)
def _see(game, w, card):
    """A counting player sees a card."""
    w[RUNNING] += game.tags[card >> 2]


@njit(cache=True, nogil=True)
def _bucket(game, w):
    """The true count, from the lowest that is told apart."""
    if game.number[at.COUNTS] == 0:
        return 0
    left = max(game.number[SIZE] - w[POSITION], 1)
    true = (w[RUNNING] * game.number[at.DECK_CARDS]) // left - game.number[at.LOW_BUCKET]
    return min(max(true, 0), game.number[at.BUCKETS] - 1)


# -- the rounds' other chances


@njit(cache=True, nogil=True)
def _chance(w, r):
    """Thirty-two random bits for anything but cards."""
    extra = w[EXTRA]
    w[EXTRA] = extra + 1
    word = squares((np.uint64(w[ROUND]) << _WORDS) + np.uint64(extra & 255), r[OTHER_KEY])
    return np.int64(word >> _HALF)


@njit(cache=True, nogil=True)
def _erring(game, w, r, state, decision, may_split):
    """The decision, or at the player's error rate any that is allowed."""
    if game.number[at.ERRORS] == 0 or _chance(w, r) >= game.number[at.ERRORS]:
        return decision
    legal = np.int64(game.legal[state])
    if not may_split:
        legal &= ~(1 << at.SPLIT)
    if w[LOOK] & at.ASKED_EARLY:
        legal &= ~(1 << at.SURRENDER)
    count = 0
    for name in range(5):
        count += (legal >> name) & 1
    wanted = (_chance(w, r) * count) >> 32
    for name in range(5):
        if (legal >> name) & 1:
            if wanted == 0:
                return name
            wanted -= 1
    return decision


# -- before the turns


@njit(cache=True, nogil=True)
def _deal(game, w, deck, r, source):
    """The passes of the initial deal."""
    boxes = game.number[BOXES]
    for box in range(boxes):
        w[at.STATE + box] = 0
        w[at.CLOSED + box] = 0
        w[at.COVERED + box] = 0
        w[at.BOX_BUCKET + box] = _bucket(game, w)
    dealt = 0
    dealers = 0
    w[SECOND] = -1
    for turn in game.passes:
        if turn == 1:
            card = draw(game, w, deck, r, source)
            if dealers == 0:
                w[UP] = card
                _see(game, w, card)
            else:
                w[SECOND] = card
            dealers += 1
        else:
            for box in range(boxes):
                card = draw(game, w, deck, r, source)
                _see(game, w, card)
                w[(at.OTHER if dealt else at.FIRST) + box] = card
                w[at.STATE + box] = game.step[w[at.STATE + box], card]
            dealt = 1


@njit(cache=True, nogil=True)
def _matches(card, up):
    if card >> 2 != up >> 2:
        return 0
    return 2 if card == up else 1


@njit(cache=True, nogil=True)
def _settle_match(game, w):
    for box in range(game.number[BOXES]):
        stake = game.money[box, w[at.BOX_BUCKET + box], at.MATCH_STAKE]
        if stake:
            one, two = _matches(w[at.FIRST + box], w[UP]), _matches(w[at.OTHER + box], w[UP])
            w[SIDE] += game.match[box, one, two]


@njit(cache=True, nogil=True)
def _spin(game, w, r, wheel, box, what):
    """The prize of the box that spins, and what every other box with the wager is paid."""
    part = _chance(w, r)
    symbol = 0
    while game.wheel[wheel, symbol, 0] <= part:
        symbol += 1
    w[at.SPUN + w[at.SPINS]] = (wheel * at.SYMBOLS + symbol) * at.MOST_BOXES + box
    w[at.SPINS] += 1
    stake = game.money[box, w[at.BOX_BUCKET + box], what]
    w[SIDE] += game.wheel[wheel, symbol, 1] - stake * game.number[at.STAKE_KEPT]
    for other in range(game.number[BOXES]):
        if other != box and game.money[other, w[at.BOX_BUCKET + other], what]:
            w[SIDE] += game.wheel[wheel, symbol, 2]


@njit(cache=True, nogil=True)
def _bonus_spin(game, w, r):
    for box in range(game.number[BOXES] - 1, -1, -1):
        stake = game.money[box, w[at.BOX_BUCKET + box], at.SPIN_STAKE]
        if stake and game.kind[w[at.STATE + box]] == 1:
            _spin(game, w, r, 0, box, at.SPIN_STAKE)
        else:
            w[SIDE] -= stake


@njit(cache=True, nogil=True)
def _xtreme(game, w, r):
    """Xtreme 16: one of the boxes with the wager is the hot spot."""
    count = 0
    for box in range(game.number[BOXES]):
        count += game.money[box, w[at.BOX_BUCKET + box], at.XTREME_STAKE] > 0
    if count == 0:
        return
    triggered = game.look[w[UP] >> 2, w[SECOND] >> 2] & at.XTREME
    hot = (_chance(w, r) * count) >> 32 if triggered and count > 1 else 0
    for box in range(game.number[BOXES]):
        stake = game.money[box, w[at.BOX_BUCKET + box], at.XTREME_STAKE]
        if stake == 0:
            continue
        if triggered and (hot == 0 or game.number[at.EACH_SPINS]):
            _spin(game, w, r, 1, box, at.XTREME_STAKE)
        elif not triggered or game.number[at.STAKE_KEPT]:
            w[SIDE] -= stake
        hot -= 1


@njit(cache=True, nogil=True)
def _pay_blackjacks(game, w):
    """Blackjacks that are paid before the hole card is read."""
    for box in range(game.number[BOXES]):
        if game.kind[w[at.STATE + box]] == 1:
            w[at.CLOSED + box] = game.paid[w[at.STATE + box]] + 1


@njit(cache=True, nogil=True)
def _decision(game, w, box, state, channel):
    strategy = game.money[box, 0, at.STRATEGY]
    return np.int64(game.chart[strategy, _bucket(game, w), w[COND], state, channel])


@njit(cache=True, nogil=True)
def _insure(game, w):
    for box in range(game.number[BOXES]):
        if w[at.CLOSED + box] and not game.number[at.INSURE_PAID]:
            continue
        decision = _decision(game, w, box, w[at.STATE + box], at.INSURANCE)
        if decision == at.INSURE:
            w[at.COVERED + box] = 1
            w[INSURED_COUNT] += 1
            w[STAKED] += game.money[box, w[at.BOX_BUCKET + box], at.INSURED]
        elif decision == at.EVEN_MONEY:
            w[at.CLOSED + box] = game.number[at.EVEN_FATE] + 1


@njit(cache=True, nogil=True)
def _surrender_early(game, w):
    for box in range(game.number[BOXES]):
        if w[at.CLOSED + box] == 0:
            if _decision(game, w, box, w[at.STATE + box], at.EARLY) == at.SURRENDER:
                w[at.CLOSED + box] = game.number[at.WAIT_FATE] + 1


# -- the turns


@njit(cache=True, nogil=True)
def _close(game, w, box, fate):
    """A hand draws no more."""
    hands = w[HANDS]
    w[at.FATE + hands] = fate
    w[at.OWNER + hands] = box
    w[HANDS] = hands + 1
    w[MATTER_MARKS] |= np.int64(game.mark[fate])


@njit(cache=True, nogil=True)
def _stake_more(game, w, box):
    w[STAKED] += game.money[box, w[at.BOX_BUCKET + box], at.MAIN]


@njit(cache=True, nogil=True)
def _second_chance(game, w, deck, r, source, box, state, stake):
    """The fate of a busted hand: lost, or with a card taken off its total."""
    channel = at.OFFER_DOUBLED if stake & 1 else at.OFFER
    if _decision(game, w, box, state, channel) != at.CHANCE:
        return np.int64(game.fate[state, stake])
    _stake_more(game, w, box)
    if stake & 1 and game.number[at.CHANCE_UNITS]:
        _stake_more(game, w, box)
    card = draw(game, w, deck, r, source)
    _see(game, w, card)
    return np.int64(game.chance[game.points[state], game.value[card >> 2], stake])


@njit(cache=True, nogil=True)
def _doubled(game, w, deck, r, source, box, state, stake):
    """The fate of a hand that is doubled."""
    _stake_more(game, w, box)
    w[DOUBLES] += 1
    card = draw(game, w, deck, r, source)
    _see(game, w, card)
    drawn = np.int64(game.step[state, card])
    if game.kind[drawn] == 2:
        return _second_chance(game, w, deck, r, source, box, drawn, stake + 1)
    if _decision(game, w, box, drawn, at.OFFER_DOUBLED) == at.RESCUE:
        return game.number[at.RESCUE_SPLIT if stake else at.RESCUE_MAIN]
    return np.int64(game.fate[drawn, stake + 1])


@njit(cache=True, nogil=True)
def _surrendered(game, w):
    return game.number[at.WAIT_FATE if w[LOOK] & at.SURRENDER_WAITS else at.ONCE_FATE]


@njit(cache=True, nogil=True)
def _ask(game, w, r, box, state):
    """The player's decision on his turn."""
    may_split = w[HANDS_OF_BOX] < game.splits[state]
    decision = _decision(game, w, box, state, at.TURN_SPLIT if may_split else at.TURN)
    if decision == at.STAND and game.legal[state] <= 1:
        return decision
    return _erring(game, w, r, state, decision, may_split)


@njit(cache=True, nogil=True)
def _play_hand(game, w, deck, r, source, box, cards, stake, waiting):
    """Play a hand to its end; answers how many split hands wait behind it.

    `cards` holds the hand's state and its last card; `stake` is 0 on the main wager, 2 on one added by a split.
    """
    state, last = cards
    while True:
        if game.kind[state] == 2:
            _close(game, w, box, _second_chance(game, w, deck, r, source, box, state, stake))
            return waiting
        decision = _ask(game, w, r, box, state)
        if decision == at.STAND:
            _close(game, w, box, np.int64(game.fate[state, stake]))
            return waiting
        if decision == at.DOUBLE:
            _close(game, w, box, _doubled(game, w, deck, r, source, box, state, stake))
            return waiting
        if decision == at.SURRENDER:
            _close(game, w, box, _surrendered(game, w))
            return waiting
        if decision == at.SPLIT:
            w[at.STACK + waiting] = last
            waiting += 1
            w[HANDS_OF_BOX] += 1
            w[SPLITS] += 1
            _stake_more(game, w, box)
            state = np.int64(game.split[w[at.STACK + at.MOST_HANDS - 1]])
        card = draw(game, w, deck, r, source)
        _see(game, w, card)
        state = np.int64(game.step[state, card])
        last = card


@njit(cache=True, nogil=True)
def _play_box(game, w, deck, r, source, box):
    """Play the hands of a box, from the dealer's left."""
    state = w[at.STATE + box]
    if game.kind[state] == 1:
        paid = w[LOOK] & at.BLACKJACK_PAID
        _close(game, w, box, np.int64(game.paid[state] if paid else game.fate[state, 0]))
        return
    w[HANDS_OF_BOX] = 1
    w[at.STACK + at.MOST_HANDS - 1] = w[at.FIRST + box]
    waiting = _play_hand(game, w, deck, r, source, box, (state, w[at.OTHER + box]), 0, 0)
    while waiting:
        waiting -= 1
        first = w[at.STACK + waiting]
        w[at.STACK + at.MOST_HANDS - 1] = first
        card = draw(game, w, deck, r, source)
        _see(game, w, card)
        cards = (np.int64(game.step[game.split[first], card]), card)
        waiting = _play_hand(game, w, deck, r, source, box, cards, 2, waiting)


@njit(cache=True, nogil=True)
def _turns(game, w, deck, r, source):
    ends = w[LOOK] & at.ENDS
    for box in range(game.number[BOXES]):
        if w[at.CLOSED + box]:
            _close(game, w, box, w[at.CLOSED + box] - 1)
        elif ends:
            _close(game, w, box, np.int64(game.fate[w[at.STATE + box], 0]))
        else:
            _play_box(game, w, deck, r, source, box)


# -- the dealer


@njit(cache=True, nogil=True)
def _second_card(game, w, deck, r, source):
    """The dealer's second card after the players, unless nothing depends on it."""
    can = game.look[w[UP] >> 2, 0] & at.CAN_BE_BLACKJACK
    marks = w[MATTER_MARKS]
    matters = marks & (MATTERS_TO_BLACKJACK if can else MATTERS_FIRST)
    if can and (w[INSURED_COUNT] or marks & GIVEN_UP):
        matters = 1
    if game.number[at.SECOND_ALWAYS] or matters:
        w[SECOND] = draw(game, w, deck, r, source)


@njit(cache=True, nogil=True)
def _dealer(game, w, deck, r, source):
    """The dealer's final hand."""
    state = np.int64(game.dealer[0, w[UP] >> 2])
    if w[SECOND] >= 0:
        _see(game, w, w[SECOND])
        state = np.int64(game.dealer[state, w[SECOND] >> 2])
        if game.number[at.STOPS] == 0 or w[MATTER_MARKS] & MATTERS:
            while game.draws[state] and w[FAULT] == 0:
                card = draw(game, w, deck, r, source)
                _see(game, w, card)
                state = np.int64(game.dealer[state, card >> 2])
    w[DEALER_STATE] = state


# -- settlement


@njit(cache=True, nogil=True)
def _collect_insurance(game, w):
    wins = False
    if w[SECOND] >= 0:
        wins = game.look[w[UP] >> 2, w[SECOND] >> 2] & at.INSURANCE_WINS > 0
    for box in range(game.number[BOXES]):
        if w[at.COVERED + box]:
            bucket = w[at.BOX_BUCKET + box]
            w[GAIN] += game.money[box, bucket, at.INSURED_WINS] if wins else -game.money[box, bucket, at.INSURED]


@njit(cache=True, nogil=True)
def _super_bonus(game, w, box):
    """The fixed prize of a hand, and what everyone else is paid."""
    pays = game.money[box, w[at.BOX_BUCKET + box], at.SUPER]
    w[PRIZE] += pays
    if pays or game.number[at.ENVY_ON_HAND]:
        w[PRIZE] += game.number[at.ENVY] * (game.number[BOXES] - 1)


@njit(cache=True, nogil=True)
def _settle(game, w):
    dealer = w[DEALER_STATE]
    super_up = game.look[w[UP] >> 2, max(w[SECOND], 0) >> 2] & at.SUPER_UP
    for hand in range(w[HANDS]):
        fate, box = w[at.FATE + hand], w[at.OWNER + hand]
        w[GAIN] += game.gain[fate, dealer] * game.money[box, w[at.BOX_BUCKET + box], at.MAIN_UNIT]
        if super_up and game.prize[fate, dealer]:
            _super_bonus(game, w, box)


@njit(cache=True, nogil=True)
def play_round(game, w, deck, r, source):
    """Play one round; the results stand in the work space."""
    _deal(game, w, deck, r, source)
    hole = max(w[SECOND], 0) >> 2
    w[LOOK] = game.look[w[UP] >> 2, hole]
    w[COND] = game.cond[w[UP] >> 2, hole]
    for box in range(game.number[BOXES]):
        w[STAKED] += game.money[box, w[at.BOX_BUCKET + box], at.MAIN]
    _settle_match(game, w)
    _bonus_spin(game, w, r)
    if game.number[at.PAY_FIRST]:
        _pay_blackjacks(game, w)
    if w[LOOK] & at.INSURABLE:
        _insure(game, w)
    if w[LOOK] & at.ASKED_EARLY:
        _surrender_early(game, w)
    _turns(game, w, deck, r, source)
    if game.number[at.SECOND_STEP]:
        _second_card(game, w, deck, r, source)
    _xtreme(game, w, r)
    _dealer(game, w, deck, r, source)
    _collect_insurance(game, w)
    _settle(game, w)
