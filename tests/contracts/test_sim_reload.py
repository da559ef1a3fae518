"""A real shoe that runs out within a round: the rack is shuffled, its first card burned, and the round finished.

58 Pa. Code § 673a.13(f) and its sisters; the rack holds what was dealt before the round (§ 673a.7(u)).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
import pytest
from scipy.stats import chisquare  # type: ignore[import-untyped]
from tests.contracts.sim_driver import Dealt, answer, first_difference, sums

from twentyone.cards import RANKS, SUITS, Card
from twentyone.errors import Refused
from twentyone.round import Drawn, Happened, Offer, Over, Round, Wagers
from twentyone.rulebook import Rulebook
from twentyone.sim import stats
from twentyone.sim.cache import compiled_once
from twentyone.sim.compile import Compiled
from twentyone.sim.counts import count_named
from twentyone.sim.draw import SHOE
from twentyone.sim.engines import CpuEngine
from twentyone.sim.job import Job, run_batch
from twentyone.sim.kernels import new_shoe
from twentyone.sim.layout import Parameter
from twentyone.sim.packing import packed
from twentyone.sim.plain import play_round
from twentyone.sim.rng import key_of
from twentyone.sim.run import simulate
from twentyone.sim.setup import Setup
from twentyone.sim.steps import begin
from twentyone.sim.work import SHOE_ROOM, WORK_LENGTH, Work

BOOKS = ("classic-blackjack", "pa-double-back-jack")
"""The rulebooks with a game of one deck."""
BOXES = 5
SHOES = 3_000


@dataclass
class Reloaded:
    """A round in which the shoe ran out."""

    rack: list[int]
    """What lay in the discard rack when the round began."""
    shoe: list[int]
    """What the shoe still gave to the round."""
    burned: int
    drawn: list[int]
    """What the rack gave to it."""
    dealt: Dealt
    counted: int
    """The running count after it."""


def _one_deck(book: str, boxes: int = BOXES, count: str | None = None) -> Compiled:
    rules = Rulebook.load(book).under({"decks": 1})
    return compiled_once(Setup.of(rules, boxes, mode="shoe", count=count_named(count) if count else None))


def _reloads(compiled: Compiled, shoes: int = SHOES) -> Iterator[Reloaded]:
    """The rounds of so many shoes in which the shoe ran out."""
    (t, m), w, deck = packed(compiled.game), np.zeros(WORK_LENGTH, np.int64), np.zeros(SHOE_ROOM, np.int16)
    r, size = np.array([key_of(5), 0, key_of(5, 1), 0], np.uint64), compiled.setup.shoe_cards
    for shoe in range(shoes):
        new_shoe(t, w, deck, r, shoe)
        while w[Work.POSITION] <= t[Parameter.COVER]:
            begin(w, shoe)
            rack = deck[: w[Work.POSITION]].tolist()
            play_round(t, m, w, deck, r, SHOE)
            assert not w[Work.FAULT]
            if w[Work.POSITION] > size:
                begun, end = len(rack), int(w[Work.POSITION])
                given, drawn = deck[begun:size].tolist(), deck[size + 1 : end].tolist()
                dealt = _dealt(compiled, w, [*given, *drawn])
                yield Reloaded(rack, given, int(deck[size]), drawn, dealt, int(w[Work.RUNNING]))


def _dealt(compiled: Compiled, w: np.ndarray, cards: list[int]) -> Dealt:
    grain = int(compiled.grain)
    gain, prize, side = (int(w[place]) * grain for place in (Work.GAIN, Work.PRIZE, Work.SIDE))
    return Dealt(tuple(map(_card, cards)), gain, prize, side)


def _card(number: int) -> Card:
    return Card(RANKS[number // 4] + SUITS[number % 4])


def _rack_fault(found: Reloaded, whole: Counter[int]) -> str | None:
    """What is wrong with the cards of such a round; None where they are those of shoe and rack."""
    if Counter([found.burned, *found.drawn]) - Counter(found.rack):
        return "a card came from the rack that did not lie there"
    if Counter(found.rack) + Counter(found.shoe) != whole:
        return "rack and shoe are not the whole deck"
    return None


@pytest.mark.parametrize("book", BOOKS)
def test_what_the_round_still_needs_comes_from_the_rack(book: str) -> None:
    compiled = _one_deck(book)
    whole, found = Counter(compiled.game.cards.tolist()), list(_reloads(compiled))
    assert len(found) > 100
    assert [fault for one in found if (fault := _rack_fault(one, whole))] == []
    assert first_difference(compiled, 0, given=[one.dealt for one in found]) is None


def test_a_card_that_did_not_lie_in_the_rack_would_be_found() -> None:
    compiled = _one_deck("classic-blackjack")
    whole, found = Counter(compiled.game.cards.tolist()), next(_reloads(compiled))
    found.drawn[0] = found.shoe[0]
    assert _rack_fault(found, whole) == "a card came from the rack that did not lie there"


def _evenness(found: list[Reloaded], cards: list[int]) -> float:
    """How likely it is that cards from anywhere in their racks lie so, counted by tenths of a rack."""
    seen, expected = np.zeros(10), np.zeros(10)
    for one, card in zip(found, cards, strict=True):
        height = len(one.rack)
        seen[10 * one.rack.index(card) // height] += 1
        for place in range(height):
            expected[10 * place // height] += 1 / height
    return float(chisquare(seen, expected).pvalue)


@pytest.mark.parametrize("book", BOOKS)
def test_the_rack_is_shuffled(book: str) -> None:
    """The burned card and the first one drawn lay anywhere in the rack, with equal chances."""
    found = list(_reloads(_one_deck(book)))
    assert _evenness(found, [one.burned for one in found]) > 1e-4
    assert _evenness(found, [one.drawn[0] for one in found]) > 1e-4
    assert _evenness(found, [one.rack[0] for one in found]) < 1e-9, "a rack dealt unshuffled would not be found"


@pytest.mark.parametrize("book", BOOKS)
def test_the_round_of_law_goes_on_in_the_same_way(book: str) -> None:
    """The law's own round is told that the shoe ran out just where the simulator turned to the rack."""
    compiled = _one_deck(book)
    setup, found = compiled.setup, next(_reloads(compiled))
    wagers = [Wagers(number + 1, f"p{number + 1}", box.main, {}) for number, box in enumerate(setup.boxes)]
    round_, cards, told = Round.start(setup.rules, wagers), list(found.dealt.cards), False
    while not isinstance(need := round_.next, Over):
        if isinstance(need, Offer):
            round_ = answer(setup, round_, need)
        elif len(cards) == len(found.drawn) and not told:
            round_, told = round_.apply(Happened("insufficient_cards")), True
            assert round_.events[-1].cite == setup.rules.irregularities["insufficient_cards"].cite
        else:
            round_ = round_.apply(Drawn(cards.pop(0)))
    assert told
    assert sums(round_) == found.dealt.sums


def test_a_player_who_counts_begins_anew_with_what_lies_on_the_layout() -> None:
    compiled = _one_deck("classic-blackjack", count="hilo")
    tags = compiled.game.tags
    for one in _reloads(compiled, 300):
        cards = [*one.shoe, *one.drawn]
        assert one.counted == sum(int(tags[card]) for card in cards)


@pytest.mark.parametrize("book", BOOKS)
def test_the_state_table_leaves_such_rounds_to_the_round_function(book: str) -> None:
    compiled = _one_deck(book, boxes=1)
    fast, plain = (run_batch(Job.of(compiled, 3, path), 0, 1 << 18) for path in (True, False))
    assert fast == plain
    assert fast[stats.RELOADS] > 0
    assert fast[stats.FAULTS] == 0


def test_without_burning_the_first_card_of_the_rack_is_dealt() -> None:
    compiled = _one_deck("classic-blackjack")
    compiled.game.number[Parameter.RELOAD_BURN] = 0
    without, needed = [], []
    for one in _reloads(compiled):
        place = len(one.shoe)
        cards = one.dealt.cards
        without.append(one.dealt)
        needed.append(replace(one.dealt, cards=(*cards[:place], _card(one.burned), *cards[place:])))
    assert first_difference(compiled, 0, given=needed) is None
    assert first_difference(compiled, 0, given=without) is not None


def test_a_text_that_does_not_shuffle_the_rack_refuses_the_run() -> None:
    compiled = _one_deck("classic-blackjack")
    compiled.game.number[Parameter.RELOADS] = 0
    engine = CpuEngine(1)
    with pytest.raises(Refused, match=r"the cards ran out in \d+ rounds.*Classic § 9\(h\)"):
        simulate(compiled, engine, rounds=20_000)
    engine.close()
