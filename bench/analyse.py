"""How many decisions a second are valued from depleted shoes, and how many a review of whole rounds takes."""

from __future__ import annotations

import random
import time
from collections import Counter

from bench.prove_analyse import by_chart, play
from twentyone.cards import Card
from twentyone.odds.cards_left import LeftShoes
from twentyone.odds.left_values import Held, Unseen, Waiting
from twentyone.review.rounds import Reviewer, full_shoe
from twentyone.rulebook import Rulebook, Rules, rulebook_ids
from twentyone.strategy import default_strategy

HANDS, ROUNDS, BAR = 150, 60, 100
"""Situations and rounds of a game, and the decisions a second of one core that a game must reach on average."""


def situations(rules: Rules, seed: int) -> float:
    """Decisions a second of processor time: up to half of the shoe gone, hand and up card at random."""
    shoes, chance = LeftShoes(rules), random.Random(seed)
    spent = 0.0
    for number in range(HANDS + 10):
        cards = [card for card, many in full_shoe(rules).items() for _ in range(many)]
        chance.shuffle(cards)
        up, one, two, *left = cards[: chance.randint(len(cards) // 2, len(cards))]
        began = time.process_time()
        _value(shoes, Counter(left), (one, two), up)
        spent += time.process_time() - began if number >= 10 else 0.0
    return HANDS / spent


def _value(shoes: LeftShoes, left: Counter[Card], cards: tuple[Card, ...], up: Card) -> None:
    rules = shoes.tables.rules
    unseen = Unseen(shoes, {card: left[card] for card in full_shoe(rules)}, (up,))
    facts = rules.hand(cards)
    if facts.blackjack:
        return
    for condition in shoes.conditions(up)[:1]:
        unseen.turn(Held(cards), condition)
        if rules.refusal("split", facts) is None:
            most = shoes.tables.most_hands(shoes.tables.classes.index(cards[0].rank))
            unseen.split(Waiting(cards, most, True), None, condition)


def reviews(rules: Rules) -> float:
    """Decisions a second of processor time in the review of whole rounds played by the chart."""
    reviewer, strategy = Reviewer(rules), default_strategy(rules)
    rounds = [play(rules, f"bench/{number}", by_chart(strategy)) for number in range(ROUNDS)]
    for round_ in rounds[:10]:
        reviewer.review(round_)
    began, decisions = time.process_time(), 0
    for round_ in rounds:
        decisions += sum(len(player.decisions) for player in reviewer.review(round_).players)
    return decisions / (time.process_time() - began)


def run() -> bool:
    """Print a row for each rulebook; false where the values alone miss their bar."""
    good = True
    for book in sorted(rulebook_ids()):
        rules = Rulebook.load(book).under({})
        rate, whole = situations(rules, 21), reviews(rules)
        good = good and rate >= BAR
        print(
            f"{'analyse, ' + book:42}{rate:>8.0f} decisions/s from depleted shoes (bar {BAR}), {whole:.0f} in reviews"
        )
    return good
