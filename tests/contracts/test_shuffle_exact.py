"""The shuffle proved on tiny sources: every word that can come is tried, and every result counted.

Statistics cannot show that a shuffle has no bias, only that none was seen. Here the code of the table runs on words of
few bits, all of them, and each number and each order must come out exactly equally often. The same checks must fail for
two well-known mistakes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain, permutations, product, repeat
from math import factorial, prod

import pytest

from twentyone.table.health import SourceFailed
from twentyone.table.shoe import WORD_BITS, after_cut, below, shuffled

Below = Callable[[int, Iterator[int], int], int]
Shuffle = Callable[[Iterable[int], Iterator[int], int], list[int]]


# -- two mistakes


def modulo(n: int, words: Iterator[int], bits: int) -> int:
    """A number below n without rejection: the low ones come more often."""
    return next(words) % n


def swap_with_any(cards: Iterable[int], words: Iterator[int], bits: int) -> list[int]:
    """The naive shuffle: every card is swapped with any other."""
    order = list(cards)
    for place in range(len(order)):
        other = below(len(order), words, bits)
        order[place], order[other] = order[other], order[place]
    return order


def swap_by_modulo(cards: Iterable[int], words: Iterator[int], bits: int) -> list[int]:
    """Fisher-Yates on numbers without rejection."""
    order = list(cards)
    for last in range(len(order) - 1, 0, -1):
        other = modulo(last + 1, words, bits)
        order[last], order[other] = order[other], order[last]
    return order


# -- numbers


def counts_below(number: Below, n: int, bits: int) -> Counter[int]:
    """How often each number comes when every word comes once; a rejected word gives none."""
    counts: Counter[int] = Counter()
    for word in range(1 << bits):
        try:
            counts[number(n, iter([word]), bits)] += 1
        except SourceFailed:
            continue
    return counts


def uneven(number: Below, bits: int) -> list[int]:
    """The n for which the numbers below n do not all come equally often."""
    wrong = []
    for n in range(1, (1 << bits) + 1):
        counts = counts_below(number, n, bits)
        if counts != dict.fromkeys(range(n), (1 << bits) // n):
            wrong.append(n)
    return wrong


@pytest.mark.parametrize("bits", [1, 2, 3, 5, 8])
def test_every_number_below_every_n_comes_equally_often(bits: int) -> None:
    assert uneven(below, bits) == []


def test_modulo_without_rejection_is_found() -> None:
    """The check can fail: without rejection only the powers of two are even."""
    assert uneven(modulo, 8) == [n for n in range(1, 257) if 256 % n]


@pytest.mark.parametrize("n", [6, 48, 52, 255, 288, 312, 384, 416])
def test_words_of_the_real_width(n: int) -> None:
    assert counts_below(below, n, WORD_BITS) == dict.fromkeys(range(n), (1 << WORD_BITS) // n)


def test_a_rejected_word_leaves_no_trace() -> None:
    """After a rejected word the next decides as if it had come first."""
    for n in range(1, 257):
        rejected = [word for word in range(256) if word >= 256 - 256 % n]
        for word in range(256 - 256 % n):
            assert below(n, iter([*rejected, word]), 8) == below(n, iter([word]), 8)


@pytest.mark.parametrize("n", [-1, 0, 257])
def test_a_number_that_no_word_can_give(n: int) -> None:
    with pytest.raises(ValueError, match="not a whole number from 1 to 256"):
        below(n, repeat(0), 8)


# -- orders


def counts_orders(shuffle: Shuffle, cards: Sequence[int], bits: int, length: int) -> Counter[tuple[int, ...]]:
    """How often each order comes when every sequence of `length` words comes once; those that run out give none."""
    counts: Counter[tuple[int, ...]] = Counter()
    for sequence in product(range(1 << bits), repeat=length):
        try:
            counts[tuple(shuffle(cards, iter(sequence), bits))] += 1
        except (SourceFailed, StopIteration):
            continue
    return counts


def exactly_even(counts: Counter[tuple[int, ...]], n: int) -> bool:
    """Whether every permutation came, each equally often."""
    return set(counts) == set(permutations(range(n))) and len(set(counts.values())) == 1


TINY = [(1, 1), (2, 1), (2, 3), (3, 2), (3, 4), (4, 2), (4, 3), (4, 4), (5, 3), (5, 4), (6, 3)]
"""Cards and bits of a word whose sequences can all be tried."""


@pytest.mark.parametrize(("n", "bits"), TINY)
def test_every_order_comes_equally_often(n: int, bits: int) -> None:
    """As many words as steps: no word may be rejected, and each order comes as often as arithmetic says."""
    counts = counts_orders(shuffled, range(n), bits, n - 1)
    assert exactly_even(counts, n)
    assert set(counts.values()) == {prod((1 << bits) // left for left in range(2, n + 1))}


@pytest.mark.parametrize(("n", "bits", "spare"), [(3, 2, 4), (3, 3, 3), (4, 2, 4), (4, 3, 2), (5, 3, 2), (6, 3, 1)])
def test_every_order_comes_equally_often_with_words_to_reject(n: int, bits: int, spare: int) -> None:
    """Words to spare: sequences with rejected words come in, and each order still comes equally often."""
    counts = counts_orders(shuffled, range(n), bits, n - 1 + spare)
    assert exactly_even(counts, n)
    assert counts.total() > counts_orders(shuffled, range(n), bits, n - 1).total() << bits * spare


@pytest.mark.parametrize(("n", "bits"), [(3, 2), (3, 4), (4, 3), (4, 4)])
def test_the_naive_shuffle_is_found(n: int, bits: int) -> None:
    """The check can fail: swapping with any place gives every order, but not equally often."""
    counts = counts_orders(swap_with_any, range(n), bits, n)
    assert set(counts) == set(permutations(range(n)))
    assert not exactly_even(counts, n)


@pytest.mark.parametrize(("n", "bits"), [(3, 2), (3, 4), (4, 3), (5, 3), (6, 3)])
def test_the_shuffle_by_modulo_is_found(n: int, bits: int) -> None:
    """The check can fail: without rejection the orders are not equally often."""
    assert not exactly_even(counts_orders(swap_by_modulo, range(n), bits, n - 1), n)


def test_a_shuffle_that_reaches_too_little_is_found() -> None:
    """The check can fail: never leaving a card where it is gives only (n - 1)! orders (Sattolo)."""

    def never_stays(cards: Iterable[int], words: Iterator[int], bits: int) -> list[int]:
        order = list(cards)
        for last in range(len(order) - 1, 0, -1):
            other = below(last, words, bits)
            order[last], order[other] = order[other], order[last]
        return order

    counts = counts_orders(never_stays, range(4), 3, 3)
    assert len(counts) == factorial(3)
    assert not exactly_even(counts, 4)


class Counted:
    """A source that knows how many words were taken."""

    def __init__(self, words: Iterable[int]) -> None:
        self._words = iter(words)
        self.taken = 0

    def __iter__(self) -> Counted:
        return self

    def __next__(self) -> int:
        self.taken += 1
        return next(self._words)


def test_the_first_step_of_every_shuffle_up_to_256_cards() -> None:
    """The last place gets each of n cards exactly equally often over the 8-bit words; the rest are thrown away."""
    for n in range(2, 257):
        counts: Counter[int] = Counter()
        for word in range(256):
            source = Counted(chain([word], repeat(0)))
            order = shuffled(range(n), source, 8)
            if source.taken == n - 1:
                counts[order[-1]] += 1
            else:
                assert source.taken == n
        assert counts == dict.fromkeys(range(n), 256 // n)


def test_a_shuffle_takes_one_word_a_card_and_no_more() -> None:
    for n in range(8):
        source = Counted(repeat(0))
        shuffled(range(n), source, 3)
        assert source.taken == max(0, n - 1)


def test_words_that_run_out_give_no_order() -> None:
    """A source that ends in the middle never leaves the rest of the cards where they lay."""
    for length in range(5):
        with pytest.raises(SourceFailed):
            shuffled(range(6), iter([0] * length), 3)


# -- what dealt cards tell


@pytest.mark.parametrize("cut", range(6))
def test_dealt_cards_tell_only_what_is_left(cut: int) -> None:
    """With two decks of three cards: after any cards, each order of the rest is exactly as likely as any other."""
    batch = (0, 1, 2, 0, 1, 2)
    counts: Counter[tuple[int, ...]] = Counter()
    for order, times in counts_orders(shuffled, range(6), 3, 5).items():
        counts[tuple(batch[card] for card in after_cut(order, cut))] += times
    assert set(counts) == set(permutations(batch))
    for dealt in range(6):
        rests: dict[tuple[int, ...], set[int]] = {}
        for order, times in counts.items():
            rests.setdefault(order[:dealt], set()).add(times)
        assert all(len(times) == 1 for times in rests.values())
