"""The round function: one round of any of the rulebooks, in plain Python that Numba compiles for cores and for GPUs.

`t` holds rules and charts, `m` money (see `packing.py`), `w` is the work space of whole numbers, `deck` the shoe,
`r` the random keys. Nothing else is read or written.
"""
# mypy: disable-error-code="no-untyped-def, no-untyped-call"

from __future__ import annotations

import numpy as np

from twentyone.sim import layout as at
from twentyone.sim.draw import chance, corrected_bucket, draw, see
from twentyone.sim.jit import inlined, jit
from twentyone.sim.layout import BoxMoney, Channel, DecisionCode, HandKind, Look, MoneyHead, Parameter, Part, Stride
from twentyone.sim.payoffs import FORFEIT_PENDING, MATTERS, MATTERS_FIRST, MATTERS_TO_BLACKJACK
from twentyone.sim.sides import bonus_spin, money, settle_firsts, settle_match, xtreme
from twentyone.sim.steps import (
    close_hand,
    dealer_step,
    decision_of,
    entry,
    given_up,
    insure,
    lay_more,
    look_of,
    payoff_of,
    split_hand,
    step,
)
from twentyone.sim.work import Work

__all__ = ["begin_round", "end_round", "play_round"]


# -- before the turns


@inlined
def _clear_boxes(t, w):
    count = corrected_bucket(t, w, 1)
    w[Work.BOXES] = entry(t, Part.SEATS, count)
    for box in range(w[Work.BOXES]):
        w[Work.STATE + box] = 0
        w[Work.CLOSED + box] = 0
        w[Work.COVERED + box] = 0
        w[Work.BOX_BUCKET + box] = count


@inlined
def _deal_boxes(t, w, deck, r, source, cards):
    for box in range(w[Work.BOXES]):
        card = draw(t, w, deck, r, source)
        see(t, w, card)
        w[cards + box] = card
        w[Work.STATE + box] = step(t, w[Work.STATE + box], card)


@inlined
def _deal(t, w, deck, r, source):
    """The passes of the initial deal."""
    _clear_boxes(t, w)
    cards = Work.FIRST
    w[Work.UP] = -1
    w[Work.SECOND] = -1
    for number in range(t[Stride.PASSES]):
        if entry(t, Part.PASSES, number) == 0:
            _deal_boxes(t, w, deck, r, source, cards)
            cards = Work.OTHER
        elif w[Work.UP] < 0:
            w[Work.UP] = draw(t, w, deck, r, source)
            see(t, w, w[Work.UP])
        else:
            w[Work.SECOND] = draw(t, w, deck, r, source)


@inlined
def _pay_blackjacks(t, w):
    """Blackjacks that are paid before the hole card is read."""
    for box in range(w[Work.BOXES]):
        if entry(t, Part.KIND, w[Work.STATE + box]) == 1:
            w[Work.CLOSED + box] = entry(t, Part.PAID, w[Work.STATE + box]) + 1


@inlined
def _insure(t, m, w):
    for box in range(w[Work.BOXES]):
        if w[Work.CLOSED + box] and not t[Parameter.INSURE_PAID]:
            continue
        insure(t, m, w, box, decision_of(t, m, w, box, w[Work.STATE + box], Channel.INSURANCE))


@inlined
def _surrender_early(t, m, w):
    payoff = given_up(t, w)
    for box in range(w[Work.BOXES]):
        if w[Work.CLOSED + box]:
            continue
        if decision_of(t, m, w, box, w[Work.STATE + box], Channel.EARLY) == DecisionCode.SURRENDER:
            w[Work.CLOSED + box] = payoff + 1


# -- the turns


@jit
def _second_chance(t, m, w, deck, r, source, box, state, wager):
    """The payoff of a busted hand: lost, or with a card taken off its total."""
    channel = Channel.OFFER_DOUBLED if wager & 1 else Channel.OFFER
    if decision_of(t, m, w, box, state, channel) != DecisionCode.SECOND_CHANCE:
        return payoff_of(t, state, wager)
    lay_more(m, w, box)
    if wager & 1 and t[Parameter.CHANCE_UNITS]:
        lay_more(m, w, box)
    card = draw(t, w, deck, r, source)
    see(t, w, card)
    index = entry(t, Part.POINTS, state) * t[Stride.CHANCE] + entry(t, Part.VALUE, card >> 2) * at.WAGER_KINDS + wager
    return entry(t, Part.CHANCE, index)


@jit
def _doubled(t, m, w, deck, r, source, box, state, wager):
    """The payoff of a hand that is doubled."""
    lay_more(m, w, box)
    w[Work.DOUBLES] += 1
    card = draw(t, w, deck, r, source)
    see(t, w, card)
    drawn = step(t, state, card)
    if entry(t, Part.KIND, drawn) == HandKind.BUST:
        return _second_chance(t, m, w, deck, r, source, box, drawn, wager + 1)
    if decision_of(t, m, w, box, drawn, Channel.OFFER_DOUBLED) == DecisionCode.RESCUE:
        return np.int64(t[Parameter.RESCUE_SPLIT] if wager else t[Parameter.RESCUE_MAIN])
    return payoff_of(t, drawn, wager + 1)


@jit
def _err(t, w, r, state, may_split):
    """Any decision that is allowed."""
    legal = entry(t, Part.LEGAL, state)
    if not may_split:
        legal &= ~(1 << DecisionCode.SPLIT)
    if w[Work.LOOK] & Look.ASKED_EARLY:
        legal &= ~(1 << DecisionCode.SURRENDER)
    count = 0
    for name in range(DecisionCode.SURRENDER + 1):
        count += (legal >> name) & 1
    wanted = (chance(w, r) * count) >> 32
    for name in range(DecisionCode.SURRENDER + 1):
        wanted -= (legal >> name) & 1
        if wanted < 0:
            return name
    return DecisionCode.STAND


@inlined
def _ask(t, m, w, r, box, state):
    """The player's decision on his turn; at his error rate, any that is allowed."""
    may_split = w[Work.HANDS_OF_BOX] < entry(t, Part.SPLITS, state)
    decision = decision_of(t, m, w, box, state, Channel.TURN_SPLIT if may_split else Channel.TURN)
    if m[MoneyHead.ERROR_RATE] and entry(t, Part.LEGAL, state) > 1 and chance(w, r) < m[MoneyHead.ERROR_RATE]:
        decision = np.int64(_err(t, w, r, state, may_split))
    return decision


@jit
def _play_hand(t, m, w, deck, r, source, box, state, last, wager, waiting):
    """Play a hand to its end; returns how many split hands wait behind it.

    `last` is the hand's last card; `wager` is 0 on the main wager, 2 on one added by a split.
    """
    while True:
        if entry(t, Part.KIND, state) == HandKind.BUST:
            payoff = _second_chance(t, m, w, deck, r, source, box, state, wager)
            break
        decision = _ask(t, m, w, r, box, state)
        if decision == DecisionCode.STAND:
            payoff = payoff_of(t, state, wager)
            break
        if decision == DecisionCode.DOUBLE:
            payoff = _doubled(t, m, w, deck, r, source, box, state, wager)
            break
        if decision == DecisionCode.SURRENDER:
            payoff = given_up(t, w)
            break
        if decision == DecisionCode.SPLIT:
            state = split_hand(t, m, w, box, last, waiting)
            waiting += 1
        last = draw(t, w, deck, r, source)
        see(t, w, last)
        state = step(t, state, last)
    close_hand(t, w, box, payoff)
    return waiting


@inlined
def _play_box(t, m, w, deck, r, source, box):
    """Play the hands of a box, from the dealer's left."""
    state = w[Work.STATE + box]
    if entry(t, Part.KIND, state) == HandKind.BLACKJACK:
        close_hand(
            t, w, box, entry(t, Part.PAID, state) if w[Work.LOOK] & Look.BLACKJACK_PAID else payoff_of(t, state, 0)
        )
        return
    w[Work.HANDS_OF_BOX] = 1
    w[Work.FIRST_CARD] = w[Work.FIRST + box]
    waiting = _play_hand(t, m, w, deck, r, source, box, state, w[Work.OTHER + box], 0, 0)
    while waiting:
        waiting -= 1
        w[Work.FIRST_CARD] = w[Work.STACK + waiting]
        card = draw(t, w, deck, r, source)
        see(t, w, card)
        state = step(t, entry(t, Part.SPLIT, w[Work.FIRST_CARD]), card)
        waiting = _play_hand(t, m, w, deck, r, source, box, state, card, 2, waiting)


@inlined
def _turns(t, m, w, deck, r, source):
    ends = w[Work.LOOK] & Look.ENDS
    for box in range(w[Work.BOXES]):
        if w[Work.CLOSED + box]:
            close_hand(t, w, box, w[Work.CLOSED + box] - 1)
        elif ends:
            close_hand(t, w, box, payoff_of(t, w[Work.STATE + box], 0))
        else:
            _play_box(t, m, w, deck, r, source, box)


# -- the dealer


@inlined
def _second_card(t, w, deck, r, source):
    """The dealer's second card after the players, unless nothing depends on it."""
    can = look_of(t, w[Work.UP], 0) & Look.CAN_BE_BLACKJACK
    marks = w[Work.MATTER_MARKS]
    matters = marks & (MATTERS_TO_BLACKJACK if can else MATTERS_FIRST)
    if can and (w[Work.INSURED_COUNT] or marks & FORFEIT_PENDING):
        matters = 1
    if t[Parameter.SECOND_ALWAYS] or matters:
        w[Work.SECOND] = draw(t, w, deck, r, source)


@inlined
def _dealer(t, w, deck, r, source):
    """The dealer's final hand."""
    state = dealer_step(t, 0, w[Work.UP])
    if w[Work.SECOND] >= 0:
        see(t, w, w[Work.SECOND])
        state = dealer_step(t, state, w[Work.SECOND])
        if t[Parameter.STOPS] == 0 or w[Work.MATTER_MARKS] & MATTERS:
            while entry(t, Part.DRAWS, state) and w[Work.FAULT] == 0:
                card = draw(t, w, deck, r, source)
                see(t, w, card)
                state = dealer_step(t, state, card)
    w[Work.DEALER_STATE] = state


# -- settlement


@inlined
def _collect_insurance(t, m, w):
    wins = False
    if w[Work.SECOND] >= 0:
        wins = look_of(t, w[Work.UP], w[Work.SECOND]) & Look.INSURANCE_WINS > 0
    for box in range(w[Work.BOXES]):
        if w[Work.COVERED + box]:
            count = w[Work.BOX_BUCKET + box]
            lost, won = money(m, box, count, BoxMoney.INSURED), money(m, box, count, BoxMoney.INSURED_WINS)
            w[Work.GAIN] += won if wins else -lost


@inlined
def _super_bonus(t, m, w, box):
    """The fixed prize of a hand, and what everyone else is paid."""
    pays = money(m, box, w[Work.BOX_BUCKET + box], BoxMoney.SUPER)
    w[Work.PRIZE] += pays
    if pays or t[Parameter.ENVY_ON_HAND]:
        w[Work.PRIZE] += np.int64(t[Parameter.ENVY]) * (w[Work.BOXES] - 1)


@inlined
def _settle(t, m, w):
    super_up = look_of(t, w[Work.UP], max(w[Work.SECOND], 0)) & Look.SUPER_UP
    for hand in range(w[Work.HANDS]):
        box = w[Work.OWNER + hand]
        index = w[Work.PAYOFF + hand] * t[Stride.GAIN] + w[Work.DEALER_STATE]
        w[Work.GAIN] += entry(t, Part.GAIN, index) * money(m, box, w[Work.BOX_BUCKET + box], BoxMoney.MAIN_UNIT)
        if super_up and entry(t, Part.PRIZE, index):
            _super_bonus(t, m, w, box)


@inlined
def begin_round(t, m, w, deck, r, source):
    """The deal, and what is settled before anybody is asked."""
    _deal(t, w, deck, r, source)
    hole = max(w[Work.SECOND], 0)
    w[Work.LOOK] = look_of(t, w[Work.UP], hole)
    w[Work.COND] = entry(t, Part.COND, (w[Work.UP] >> 2) * at.RANK_COUNT + (hole >> 2))
    for box in range(w[Work.BOXES]):
        lay_more(m, w, box)
    settle_match(m, w)
    settle_firsts(m, w)
    bonus_spin(t, m, w, r)
    if t[Parameter.PAY_FIRST]:
        _pay_blackjacks(t, w)


@inlined
def end_round(t, m, w, deck, r, source):
    """The dealer's turn and the settlement."""
    if t[Parameter.SECOND_STEP]:
        _second_card(t, w, deck, r, source)
    xtreme(t, m, w, r)
    _dealer(t, w, deck, r, source)
    _collect_insurance(t, m, w)
    _settle(t, m, w)


@jit
def play_round(t, m, w, deck, r, source):
    """Play one round; the results stand in the work space."""
    begin_round(t, m, w, deck, r, source)
    if w[Work.LOOK] & Look.INSURABLE:
        _insure(t, m, w)
    if w[Work.LOOK] & Look.ASKED_EARLY:
        _surrender_early(t, m, w)
    _turns(t, m, w, deck, r, source)
    end_round(t, m, w, deck, r, source)
