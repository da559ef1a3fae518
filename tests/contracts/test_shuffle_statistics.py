"""What a laboratory does with the cards: a hundred thousand shoes of one deck, from one fixed seed.

Each test gives a p-value: the chance that a fair shuffle gives a figure at least so large. Fair shuffles spread them
evenly from 0 to 1, so both ends are watched: a figure that is too good is as wrong as one that is too bad. The same
tests must catch four unfair shuffles.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cache
from hashlib import sha256
from math import comb

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import stats  # type: ignore[import-untyped]
from tests.daily import daily

from twentyone.table.shoe import WORD_BITS, below, shuffled, words

Orders = NDArray[np.int64]
PValues = dict[str, list[float]]

SHOES = 100_000
STREAMS = 20
DECKS = [48, 52]
CONTROL = 20_000
"""Shoes of an unfair shuffle."""

ONE_IN_A_MILLION = 1e-6
RARE = 0.01
LEAST = 0.001


def seed_number(number: int) -> bytes:
    """The seeds of the test: fixed, and all different."""
    return sha256(b"twentyone shuffle statistics %d" % number).digest()


@cache
def fair(cards: int) -> Orders:
    """Shoes by the table's own code."""
    return np.array([shuffled(range(cards), words(seed_number(i)), WORD_BITS) for i in range(SHOES)])


# -- the tests, each a p-value


def table_p(found: NDArray[np.int64]) -> float:
    """Cells that are all equally likely."""
    return float(stats.chisquare(found.ravel()).pvalue)


def tail_of_normal(z: float) -> float:
    return float(stats.norm.sf(z))


def distribution(orders: Orders) -> float:
    """Every position by every card. A shoe is a permutation, so the figure has (n - 1) squared degrees of freedom."""
    shoes, n = orders.shape
    cells = np.bincount((orders + n * np.arange(n)).ravel(), minlength=n * n)
    figure = (n - 1) / shoes * ((cells - shoes / n) ** 2).sum()
    return float(stats.chi2.sf(figure, (n - 1) ** 2))


def adjacent(orders: Orders, place: int) -> float:
    """Which card follows which at two neighbouring places."""
    n = orders.shape[1]
    cells = np.bincount(orders[:, place] * n + orders[:, place + 1], minlength=n * n).reshape(n, n)
    return table_p(cells[~np.eye(n, dtype=bool)])


def next_shoe(orders: Orders, place: int) -> float:
    """The first card of the next shoe after the card at a place of this one, in pairs of shoes."""
    n = orders.shape[1]
    pairs = len(orders) // 2
    return table_p(np.bincount(orders[: 2 * pairs : 2, place] * n + orders[1 : 2 * pairs : 2, 0], minlength=n * n))


def overlaps(orders: Orders, place: int) -> float:
    """Overlapping pairs of ranks at one place of successive shoes (Good's serial test)."""
    ranks = orders[:, place] // 4
    k, total = orders.shape[1] // 4, len(orders)
    pairs = np.bincount(ranks * k + np.roll(ranks, -1), minlength=k * k)
    singles = np.bincount(ranks, minlength=k)
    figure = ((pairs - total / k**2) ** 2).sum() * k**2 / total - ((singles - total / k) ** 2).sum() * k / total
    return float(stats.chi2.sf(figure, k * k - k))


@cache
def collected_by(k: int, most: int) -> NDArray[np.float64]:
    """The chance that all k ranks have been seen after 0, 1, 2... cards."""
    after = np.arange(most + 1)
    chance = sum((-1) ** j * comb(k, j) * (1 - j / k) ** after for j in range(k + 1))
    return np.clip(np.asarray(chance, dtype=np.float64), 0, 1)


def coupon_collector(orders: Orders) -> float:
    """How many shoes until every rank has stood at one place, over eight places one after another."""
    k = orders.shape[1] // 4
    lengths, seen, start = [], 0, 0
    for number, rank in enumerate((orders[:, :8].T.ravel() // 4).tolist(), 1):
        seen |= 1 << rank
        if seen == (1 << k) - 1:
            lengths.append(number - start)
            seen, start = 0, number
    by = collected_by(k, 40 * k)
    edges = [int(np.searchsorted(by, share)) for share in np.arange(1, 10) / 10]
    found = np.bincount(np.searchsorted(edges, lengths), minlength=10)
    shares = np.diff(np.concatenate([[0.0], by[edges], [1.0]]))
    return float(stats.chisquare(found, shares * len(lengths)).pvalue)


def runs(orders: Orders) -> float:
    """Runs of red and black in a shoe, against their exact distribution."""
    shoes, n = orders.shape
    red = orders % 4 % 3 > 0
    found = np.bincount((red[:, 1:] != red[:, :-1]).sum(axis=1) + 1, minlength=n + 1)
    shares = np.array([_chance_of_runs(count, n // 2) for count in range(n + 1)])
    common = shares * shoes >= 10
    return float(
        stats.chisquare(
            [*found[common], found[~common].sum()], [*(shares[common] * shoes), shares[~common].sum() * shoes]
        ).pvalue
    )


def _chance_of_runs(count: int, half: int) -> float:
    if count < 2:
        return 0.0
    least, odd = divmod(count, 2)
    ways = 2 * comb(half - 1, least - 1) * comb(half - 1, least if odd else least - 1)
    return ways / comb(2 * half, half)


def interplay(orders: Orders) -> float:
    """Correlation of neighbours in a shoe, which drawing without return makes slightly negative."""
    n = orders.shape[1]
    centred = orders - (n - 1) / 2
    products = (centred[:, 1:] * centred[:, :-1]).sum(axis=1)
    error = products.std(ddof=1) / np.sqrt(len(orders))
    return tail_of_normal((products.mean() + (n * n - 1) / 12) / error)


def serial(orders: Orders) -> float:
    """Correlation of a shoe with the next, place by place."""
    n = orders.shape[1]
    centred = orders - (n - 1) / 2
    products = (centred[1:] * centred[:-1]).sum(axis=1)
    spread = (n * n - 1) / 12 * n / np.sqrt(n - 1)
    return tail_of_normal(products.sum() / (spread * np.sqrt(len(products))))


def duplicates(orders: Orders) -> float:
    """Pairs of shoes that begin with the same three cards."""
    shoes, n = orders.shape
    counts = np.bincount(orders[:, 0] * n * n + orders[:, 1] * n + orders[:, 2])
    pairs, kinds = comb(shoes, 2), n * (n - 1) * (n - 2)
    figure = (counts * (counts - 1) // 2).sum()
    return tail_of_normal((figure - pairs / kinds) / np.sqrt(pairs / kinds * (1 - 1 / kinds)))


def p_values(orders: Orders) -> PValues:
    """All tests: seven on each of twenty streams, and those that need many shoes on all of them."""
    n = orders.shape[1]
    found: PValues = {
        "all positions": [distribution(orders)],
        "adjacent pairs": [adjacent(orders, place) for place in range(0, n, 2)],
        "first card of the next shoe": [next_shoe(orders, 0), next_shoe(orders, n - 1)],
    }
    for number, stream in enumerate(np.array_split(orders, STREAMS)):
        for name, test in STREAM_TESTS.items():
            found.setdefault(name, []).append(test(stream))
        found.setdefault("overlaps", []).append(overlaps(stream, number))
    return found


STREAM_TESTS: dict[str, Callable[[Orders], float]] = {
    "distribution": distribution,
    "coupon collector": coupon_collector,
    "runs": runs,
    "interplay": interplay,
    "serial": serial,
    "duplicates": duplicates,
}


def complaints(found: PValues) -> list[str]:
    """What a laboratory would object to, both ends of the p-values watched."""
    flat = np.array([p for values in found.values() for p in values])
    both_ends = 2 * np.minimum(flat, 1 - flat)
    lines = [f"{name}: p = {p:.1e}" for name, ps in found.items() for p in ps if 2 * min(p, 1 - p) < ONE_IN_A_MILLION]
    rare = int((both_ends < RARE).sum())
    if stats.binomtest(rare, len(flat), RARE).pvalue < LEAST:
        lines.append(f"{rare} of {len(flat)} p-values are rarer than {RARE}")
    if stats.kstest(flat, "uniform").pvalue < LEAST:
        lines.append("the p-values are not spread evenly")
    return lines


@pytest.mark.parametrize("cards", daily(DECKS, DECKS[0]))
def test_shoes_of_the_table_pass(cards: int) -> None:
    found = p_values(fair(cards))
    assert sum(map(len, found.values())) == 7 * STREAMS + cards // 2 + 3
    assert complaints(found) == []


# -- unfair shuffles


def swap_with_any(cards: Iterable[int], source: Iterator[int]) -> list[int]:
    """The naive shuffle: every card is swapped with any other."""
    order = list(cards)
    for place in range(len(order)):
        other = below(len(order), source, WORD_BITS)
        order[place], order[other] = order[other], order[place]
    return order


def modulo_of_bytes(cards: Iterable[int], source: Iterator[int]) -> list[int]:
    """Fisher-Yates on single bytes without rejection."""
    order = list(cards)
    for last in range(len(order) - 1, 0, -1):
        other = (next(source) & 255) % (last + 1)
        order[last], order[other] = order[other], order[last]
    return order


def unfair(shuffle: Callable[[Iterable[int], Iterator[int]], list[int]]) -> Orders:
    return np.array([shuffle(range(52), words(seed_number(i))) for i in range(CONTROL)])


@pytest.mark.parametrize("shuffle", [swap_with_any, modulo_of_bytes])
def test_a_biased_shuffle_is_caught(shuffle: Callable[[Iterable[int], Iterator[int]], list[int]]) -> None:
    assert any(line.startswith("all positions") for line in complaints(p_values(unfair(shuffle))))


def test_a_shuffle_that_is_too_even_is_caught() -> None:
    """Every shoe the one before, rotated by a card: every card stands at every place equally often, far too exactly."""
    first = fair(52)[0]
    orders = np.array([np.roll(first, i) for i in range(CONTROL)])
    found = p_values(orders)
    assert found["all positions"][0] > 1 - ONE_IN_A_MILLION
    assert any(line.startswith("all positions") for line in complaints(found))


def test_a_card_that_stays_for_the_next_shoe_is_caught() -> None:
    """In one shoe of ten the last card of the shoe before is put on top."""
    orders = fair(52)[:CONTROL].copy()
    for number in range(1, CONTROL, 10):
        shoe = orders[number]
        place = int(np.nonzero(shoe == orders[number - 1, -1])[0][0])
        shoe[[0, place]] = shoe[[place, 0]]
    assert any(line.startswith("first card of the next shoe") for line in complaints(p_values(orders)))


def test_shoes_dealt_twice_are_caught() -> None:
    """The shoes of a stream come again within it."""
    half = SHOES // STREAMS // 2
    orders = fair(52)[: 2 * half * STREAMS].copy()
    for start in range(0, len(orders), 2 * half):
        orders[start + half : start + 2 * half] = orders[start : start + half]
    assert any(line.startswith("duplicates") for line in complaints(p_values(orders)))
