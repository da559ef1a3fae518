"""The round function: one round of any of the rulebooks, in plain Python that Numba compiles for cores and for GPUs.

`t` holds rules and charts, `m` money (see `layout.packed`), `w` is the work space of whole numbers, `deck` the shoe,
`r` the random keys. Nothing else is read or written.
"""
# mypy: disable-error-code="no-untyped-def, no-untyped-call"

from __future__ import annotations

import numpy as np

from twentyone.sim import layout as at
from twentyone.sim.draw import bucket, chance, draw, see
from twentyone.sim.jit import inlined, jit
from twentyone.sim.payoffs import FORFEIT_PENDING, MATTERS, MATTERS_FIRST, MATTERS_TO_BLACKJACK
from twentyone.sim.sides import bonus_spin, money, settle_match, xtreme

__all__ = ["begin", "play_round"]


@inlined
def begin(w, moment):
    """Begin a round: nothing is won yet."""
    w[at.MOMENT] = moment
    w[at.BEGUN] = w[at.POSITION]
    w[at.BEGUN_COUNT] = w[at.RUNNING]
    for place in range(at.CLEARED, at.FIRST):
        w[place] = 0


# -- lookups


@inlined
def _at(t, section, place):
    return np.int64(t[t[section] + place])


@inlined
def _step(t, state, card):
    return np.int64(t[t[at.STEP_AT] + state * at.CARD_COUNT + card])


@inlined
def _payoff(t, state, stake):
    return np.int64(t[t[at.PAYOFF_AT] + state * t[at.PAYOFF_ROW] + stake])


@inlined
def _look(t, up, second):
    return np.int64(t[t[at.LOOK_AT] + (up >> 2) * at.RANK_COUNT + (second >> 2)])


@inlined
def _dealer_step(t, state, card):
    return np.int64(t[t[at.DEALER_AT] + state * at.RANK_COUNT + (card >> 2)])


@inlined
def _decision(t, m, w, box, state, channel):
    strategy = money(m, box, 0, at.STRATEGY) * t[at.BUCKETS] + bucket(t, w)
    place = strategy * t[at.CHART_COUNT] + w[at.COND] * t[at.CHART_COLUMN] + state * at.CHANNELS + channel
    return np.int64(t[t[at.CHART_AT] + place])


# -- before the turns


@inlined
def _clear_boxes(t, w):
    for box in range(t[at.BOXES]):
        w[at.STATE + box] = 0
        w[at.CLOSED + box] = 0
        w[at.COVERED + box] = 0
        w[at.BOX_BUCKET + box] = bucket(t, w)


@inlined
def _deal_boxes(t, w, deck, r, source, place):
    for box in range(t[at.BOXES]):
        card = draw(t, w, deck, r, source)
        see(t, w, card)
        w[place + box] = card
        w[at.STATE + box] = _step(t, w[at.STATE + box], card)


@inlined
def _deal(t, w, deck, r, source):
    """The passes of the initial deal."""
    _clear_boxes(t, w)
    place = at.FIRST
    w[at.UP] = -1
    w[at.SECOND] = -1
    for number in range(t[at.PASSES]):
        if _at(t, at.PASSES_AT, number) == 0:
            _deal_boxes(t, w, deck, r, source, place)
            place = at.OTHER
        elif w[at.UP] < 0:
            w[at.UP] = draw(t, w, deck, r, source)
            see(t, w, w[at.UP])
        else:
            w[at.SECOND] = draw(t, w, deck, r, source)


@inlined
def _pay_blackjacks(t, w):
    """Blackjacks that are paid before the hole card is read."""
    for box in range(t[at.BOXES]):
        if _at(t, at.KIND_AT, w[at.STATE + box]) == 1:
            w[at.CLOSED + box] = _at(t, at.PAID_AT, w[at.STATE + box]) + 1


@inlined
def _insure(t, m, w):
    for box in range(t[at.BOXES]):
        if w[at.CLOSED + box] and not t[at.INSURE_PAID]:
            continue
        decision = _decision(t, m, w, box, w[at.STATE + box], at.INSURANCE)
        if decision == at.INSURE:
            w[at.COVERED + box] = 1
            w[at.INSURED_COUNT] += 1
            w[at.STAKED] += money(m, box, w[at.BOX_BUCKET + box], at.INSURED)
        elif decision == at.EVEN_MONEY:
            w[at.CLOSED + box] = t[at.EVEN_PAYOFF] + 1


@inlined
def _surrender_early(t, m, w):
    for box in range(t[at.BOXES]):
        if w[at.CLOSED + box] == 0 and _decision(t, m, w, box, w[at.STATE + box], at.EARLY) == at.SURRENDER:
            w[at.CLOSED + box] = t[at.WAIT_PAYOFF] + 1


# -- the turns


@inlined
def _close(t, w, box, payoff):
    """A hand draws no more."""
    hands = w[at.HANDS]
    w[at.PAYOFF + hands] = payoff
    w[at.OWNER + hands] = box
    w[at.HANDS] = hands + 1
    w[at.MATTER_MARKS] |= _at(t, at.MARK_AT, payoff)


@inlined
def _stake_more(m, w, box):
    w[at.STAKED] += money(m, box, w[at.BOX_BUCKET + box], at.MAIN)


@jit
def _second_chance(t, m, w, deck, r, source, box, state, stake):
    """The payoff of a busted hand: lost, or with a card taken off its total."""
    channel = at.OFFER_DOUBLED if stake & 1 else at.OFFER
    if _decision(t, m, w, box, state, channel) != at.CHANCE:
        return _payoff(t, state, stake)
    _stake_more(m, w, box)
    if stake & 1 and t[at.CHANCE_UNITS]:
        _stake_more(m, w, box)
    card = draw(t, w, deck, r, source)
    see(t, w, card)
    place = _at(t, at.POINTS_AT, state) * t[at.CHANCE_ROW] + _at(t, at.VALUE_AT, card >> 2) * at.STAKES + stake
    return _at(t, at.CHANCE_AT, place)


@jit
def _doubled(t, m, w, deck, r, source, box, state, stake):
    """The payoff of a hand that is doubled."""
    _stake_more(m, w, box)
    w[at.DOUBLES] += 1
    card = draw(t, w, deck, r, source)
    see(t, w, card)
    drawn = _step(t, state, card)
    if _at(t, at.KIND_AT, drawn) == at.BUST:
        return _second_chance(t, m, w, deck, r, source, box, drawn, stake + 1)
    if _decision(t, m, w, box, drawn, at.OFFER_DOUBLED) == at.RESCUE:
        return np.int64(t[at.RESCUE_SPLIT] if stake else t[at.RESCUE_MAIN])
    return _payoff(t, drawn, stake + 1)


@jit
def _err(t, w, r, state, may_split):
    """Any decision that is allowed."""
    legal = _at(t, at.LEGAL_AT, state)
    if not may_split:
        legal &= ~(1 << at.SPLIT)
    if w[at.LOOK] & at.ASKED_EARLY:
        legal &= ~(1 << at.SURRENDER)
    count = 0
    for name in range(at.SURRENDER + 1):
        count += (legal >> name) & 1
    wanted = (chance(w, r) * count) >> 32
    for name in range(at.SURRENDER + 1):
        wanted -= (legal >> name) & 1
        if wanted < 0:
            return name
    return at.STAND


@inlined
def _ask(t, m, w, r, box, state):
    """The player's decision on his turn; at his error rate, any that is allowed."""
    may_split = w[at.HANDS_OF_BOX] < _at(t, at.SPLITS_AT, state)
    decision = _decision(t, m, w, box, state, at.TURN_SPLIT if may_split else at.TURN)
    if m[at.ERROR_RATE] and _at(t, at.LEGAL_AT, state) > 1 and chance(w, r) < m[at.ERROR_RATE]:
        decision = np.int64(_err(t, w, r, state, may_split))
    return decision


@inlined
def _split(t, m, w, box, card, waiting):
    """Put the second card aside with an equal wager; the first is played on."""
    w[at.STACK + waiting] = card
    w[at.HANDS_OF_BOX] += 1
    w[at.SPLITS] += 1
    _stake_more(m, w, box)
    return _at(t, at.SPLIT_AT, w[at.FIRST_CARD])


@jit
def _play_hand(t, m, w, deck, r, source, box, state, last, stake, waiting):
    """Play a hand to its end; answers how many split hands wait behind it.

    `last` is the hand's last card; `stake` is 0 on the main wager, 2 on one added by a split.
    """
    while True:
        if _at(t, at.KIND_AT, state) == at.BUST:
            payoff = _second_chance(t, m, w, deck, r, source, box, state, stake)
            break
        decision = _ask(t, m, w, r, box, state)
        if decision == at.STAND:
            payoff = _payoff(t, state, stake)
            break
        if decision == at.DOUBLE:
            payoff = _doubled(t, m, w, deck, r, source, box, state, stake)
            break
        if decision == at.SURRENDER:
            payoff = np.int64(t[at.WAIT_PAYOFF] if w[at.LOOK] & at.SURRENDER_WAITS else t[at.ONCE_PAYOFF])
            break
        if decision == at.SPLIT:
            state = _split(t, m, w, box, last, waiting)
            waiting += 1
        last = draw(t, w, deck, r, source)
        see(t, w, last)
        state = _step(t, state, last)
    _close(t, w, box, payoff)
    return waiting


@inlined
def _play_box(t, m, w, deck, r, source, box):
    """Play the hands of a box, from the dealer's left."""
    state = w[at.STATE + box]
    if _at(t, at.KIND_AT, state) == at.BLACKJACK:
        _close(t, w, box, _at(t, at.PAID_AT, state) if w[at.LOOK] & at.BLACKJACK_PAID else _payoff(t, state, 0))
        return
    w[at.HANDS_OF_BOX] = 1
    w[at.FIRST_CARD] = w[at.FIRST + box]
    waiting = _play_hand(t, m, w, deck, r, source, box, state, w[at.OTHER + box], 0, 0)
    while waiting:
        waiting -= 1
        w[at.FIRST_CARD] = w[at.STACK + waiting]
        card = draw(t, w, deck, r, source)
        see(t, w, card)
        state = _step(t, _at(t, at.SPLIT_AT, w[at.FIRST_CARD]), card)
        waiting = _play_hand(t, m, w, deck, r, source, box, state, card, 2, waiting)


@inlined
def _turns(t, m, w, deck, r, source):
    ends = w[at.LOOK] & at.ENDS
    for box in range(t[at.BOXES]):
        if w[at.CLOSED + box]:
            _close(t, w, box, w[at.CLOSED + box] - 1)
        elif ends:
            _close(t, w, box, _payoff(t, w[at.STATE + box], 0))
        else:
            _play_box(t, m, w, deck, r, source, box)


# -- the dealer


@inlined
def _second_card(t, w, deck, r, source):
    """The dealer's second card after the players, unless nothing depends on it."""
    can = _look(t, w[at.UP], 0) & at.CAN_BE_BLACKJACK
    marks = w[at.MATTER_MARKS]
    matters = marks & (MATTERS_TO_BLACKJACK if can else MATTERS_FIRST)
    if can and (w[at.INSURED_COUNT] or marks & FORFEIT_PENDING):
        matters = 1
    if t[at.SECOND_ALWAYS] or matters:
        w[at.SECOND] = draw(t, w, deck, r, source)


@inlined
def _dealer(t, w, deck, r, source):
    """The dealer's final hand."""
    state = _dealer_step(t, 0, w[at.UP])
    if w[at.SECOND] >= 0:
        see(t, w, w[at.SECOND])
        state = _dealer_step(t, state, w[at.SECOND])
        if t[at.STOPS] == 0 or w[at.MATTER_MARKS] & MATTERS:
            while _at(t, at.DRAWS_AT, state) and w[at.FAULT] == 0:
                card = draw(t, w, deck, r, source)
                see(t, w, card)
                state = _dealer_step(t, state, card)
    w[at.DEALER_STATE] = state


# -- settlement


@inlined
def _collect_insurance(t, m, w):
    wins = False
    if w[at.SECOND] >= 0:
        wins = _look(t, w[at.UP], w[at.SECOND]) & at.INSURANCE_WINS > 0
    for box in range(t[at.BOXES]):
        if w[at.COVERED + box]:
            place = w[at.BOX_BUCKET + box]
            w[at.GAIN] += money(m, box, place, at.INSURED_WINS) if wins else -money(m, box, place, at.INSURED)


@inlined
def _super_bonus(t, m, w, box):
    """The fixed prize of a hand, and what everyone else is paid."""
    pays = money(m, box, w[at.BOX_BUCKET + box], at.SUPER)
    w[at.PRIZE] += pays
    if pays or t[at.ENVY_ON_HAND]:
        w[at.PRIZE] += np.int64(t[at.ENVY]) * (t[at.BOXES] - 1)


@inlined
def _settle(t, m, w):
    super_up = _look(t, w[at.UP], max(w[at.SECOND], 0)) & at.SUPER_UP
    for hand in range(w[at.HANDS]):
        box = w[at.OWNER + hand]
        place = w[at.PAYOFF + hand] * t[at.GAIN_ROW] + w[at.DEALER_STATE]
        w[at.GAIN] += _at(t, at.GAIN_AT, place) * money(m, box, w[at.BOX_BUCKET + box], at.MAIN_UNIT)
        if super_up and _at(t, at.PRIZE_AT, place):
            _super_bonus(t, m, w, box)


@inlined
def _before_turns(t, m, w, r):
    """Everything between the deal and the first turn."""
    for box in range(t[at.BOXES]):
        _stake_more(m, w, box)
    settle_match(t, m, w)
    bonus_spin(t, m, w, r)
    if t[at.PAY_FIRST]:
        _pay_blackjacks(t, w)
    if w[at.LOOK] & at.INSURABLE:
        _insure(t, m, w)
    if w[at.LOOK] & at.ASKED_EARLY:
        _surrender_early(t, m, w)


@jit
def play_round(t, m, w, deck, r, source):
    """Play one round; the results stand in the work space."""
    _deal(t, w, deck, r, source)
    hole = max(w[at.SECOND], 0)
    w[at.LOOK] = _look(t, w[at.UP], hole)
    w[at.COND] = _at(t, at.COND_AT, (w[at.UP] >> 2) * at.RANK_COUNT + (hole >> 2))
    _before_turns(t, m, w, r)
    _turns(t, m, w, deck, r, source)
    if t[at.SECOND_STEP]:
        _second_card(t, w, deck, r, source)
    xtreme(t, m, w, r)
    _dealer(t, w, deck, r, source)
    _collect_insurance(t, m, w)
    _settle(t, m, w)
