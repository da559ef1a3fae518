"""The compiled loops over hands: values from the largest hands down, and the way of hands from the smallest up.

Numba keeps compiled code while this file is unchanged, so the numbers that the loops are compiled with stand here.
"""

from __future__ import annotations

from typing import Any

from twentyone.odds.jit import jit

__all__ = [
    "CHANCE",
    "DECISIONS",
    "DOUBLE",
    "HIT",
    "RESCUE",
    "SPLIT",
    "STAND",
    "SURRENDER",
    "follow",
    "together",
    "value",
]

DECISIONS = ("stand", "hit", "double", "surrender", "split")
"""The decisions of a turn; a hand's permissions are bits in this order, then rescue and second chance."""
STAND, HIT, DOUBLE, SURRENDER, SPLIT, RESCUE, CHANCE = range(7)


# -- values


@jit
def value(
    listed: Any, after: Any, left: Any, dealer: Any, rows: Any, played: Any, over: Any, rescue: int, surrender: Any,
    may: Any, chances: Any, given: bool, turn: Any, offer: Any, values: Any, best: Any, rest: Any, drawn: Any,
) -> None:  # fmt: skip
    conditions, columns = dealer.shape[1:]
    flat = dealer.reshape(dealer.shape[0], conditions * columns)
    for hand in listed:
        bits = may[hand]
        draws = bits >> HIT & 1 or bits >> DOUBLE & 1
        if draws:
            _draw(flat[hand], best[0, hand], after[hand], left[hand], flat, best, rest, drawn)
        for k in range(conditions):
            chance = dealer[hand, k]
            once = _dot(chance, rows[played[0, hand]])
            twice = _dot(chance, rows[played[1, hand]])
            values[hand, k, STAND] = once
            if bits >> RESCUE & 1:
                twice = _offered(twice, _dot(chance, rows[rescue]), given, offer[1], hand, k)
            if bits >> CHANCE & 1:
                once = _offered(once, chances[0, hand, k], given, offer[0], hand, k)
            if bits >> (CHANCE + 1) & 1:
                twice = _offered(twice, chances[1, hand, k], given, offer[1], hand, k)
            best[0, hand, k] = once
            best[1, hand, k] = twice
            if draws:
                out = rest[k * columns : (k + 1) * columns]
                values[hand, k, HIT] = drawn[0, k] + _dot(out, rows[over[0]])
                values[hand, k, DOUBLE] = drawn[1, k] + _dot(out, rows[over[1]])
            if bits >> SURRENDER & 1:
                values[hand, k, SURRENDER] = _dot(chance, rows[surrender[k]])
            _choose(values[hand, k], bits, given, turn, best, hand, k)


@jit
def _draw(chances: Any, zero: Any, after: Any, left: Any, flat: Any, best: Any, rest: Any, drawn: Any) -> None:
    """One more card, on the turn and as a double: `drawn` is what hands within the limit are worth under each
    condition, `rest` the dealer's chances that they leave to those over it. All conditions at a time are vectors."""
    for i in range(rest.shape[0]):
        rest[i] = chances[i]
    for k in range(drawn.shape[1]):
        drawn[0, k] = zero[k] * 0
        drawn[1, k] = zero[k] * 0
    for card in range(after.shape[0]):
        target = after[card]
        if target >= 0:
            _add(left[card], best[0, target], drawn[0])
            _add(left[card], best[1, target], drawn[1])
            _add(-left[card], flat[target], rest)


@jit
def _add(times: Any, what: Any, into: Any) -> None:
    for i in range(into.shape[0]):
        into[i] += times * what[i]


@jit
def _choose(values: Any, bits: int, given: bool, turn: Any, best: Any, hand: int, k: int) -> None:
    if not given:
        chosen = STAND
        for decision in range(1, 4):
            if bits >> decision & 1 and values[decision] > values[chosen]:
                chosen = decision
        turn[hand, k] = chosen
    if turn[hand, k] != STAND:
        best[0, hand, k] = values[turn[hand, k]]


@jit
def _offered(without: Any, taken: Any, given: bool, offer: Any, hand: int, k: int) -> Any:
    if not given:
        offer[hand, k] = taken > without
    return taken if offer[hand, k] else without


@jit
def _dot(a: Any, b: Any) -> Any:
    total = a[0] * b[0]
    for i in range(1, a.shape[0]):
        total += a[i] * b[i]
    return total


# -- the way of hands


@jit
def together(dealer: Any, chance: Any) -> None:
    """The chance of each condition: all that the dealer can end with."""
    for hand in range(dealer.shape[0]):
        for k in range(dealer.shape[1]):
            total = dealer[hand, k, 0]
            for t in range(1, dealer.shape[2]):
                total += dealer[hand, k, t]
            chance[hand, k] = total


@jit
def follow(
    listed: Any, after: Any, left: Any, dealer: Any, played: Any, over: Any, rescue: int, surrender: Any,
    may: Any, turn: Any, offer: Any, reach: Any, mass: Any, rest: Any,
) -> None:  # fmt: skip
    for hand in listed:
        bits = may[hand]
        for k in range(dealer.shape[1]):
            here, doubled = reach[0, hand, k], reach[1, hand, k]
            if here != 0 and not (bits >> CHANCE & 1 and offer[0, hand, k]):
                decided = turn[hand, k]
                if decided in (HIT, DOUBLE):
                    _send(hand, k, here, decided == DOUBLE, after[hand], left[hand], dealer, over, reach, mass, rest)
                elif decided == SURRENDER:
                    _settle(mass[surrender[k], k], here, dealer[hand, k])
                else:
                    _settle(mass[played[0, hand], k], here, dealer[hand, k])
            if doubled != 0 and not (bits >> (CHANCE + 1) & 1 and offer[1, hand, k]):
                row = rescue if bits >> RESCUE & 1 and offer[1, hand, k] else played[1, hand]
                _settle(mass[row, k], doubled, dealer[hand, k])


@jit
def _send(
    hand: int, k: int, here: Any, double: bool, after: Any, left: Any, dealer: Any, over: Any, reach: Any, mass: Any,
    rest: Any,
) -> None:  # fmt: skip
    to = 1 if double else 0
    for t in range(rest.shape[0]):
        rest[t] = dealer[hand, k, t]
    for card in range(after.shape[0]):
        target = after[card]
        if target >= 0:
            reach[to, target, k] += here * left[card]
            for t in range(rest.shape[0]):
                rest[t] -= left[card] * dealer[target, k, t]
    _settle(mass[over[to], k], here, rest)


@jit
def _settle(cell: Any, here: Any, dealer: Any) -> None:
    for t in range(cell.shape[0]):
        cell[t] += here * dealer[t]
