"""`make prove`: rounds of every rulebook reviewed: value of the deal plus luck less mistakes is the net.

    python -m bench.prove_analyse [--part RULEBOOK] [--rounds N] [--play chart|random|best]

Each round is dealt from a shuffled shoe by the round itself. Every review must add up within 1e-9 dollars; over all
rounds the mean luck must lie within four standard errors of zero; who plays the best must make no mistake; and the
mistakes of a chart must cost what `twentyone value` says, within four standard errors. Work is kept in `.prove/` block
by block. Exit status: 0 proved, 1 a fault, 75 the time is over (start again to go on), 130 stopped.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from math import sqrt
from pathlib import Path
from typing import Any

from rich.progress import track
from tests.contracts.strategy_player import asked

from bench.prove import fingerprint
from twentyone.money import Amount
from twentyone.odds.report import odds_of
from twentyone.review.choices import Choices
from twentyone.review.model import PlayerReview
from twentyone.review.positions import Position
from twentyone.review.rounds import Reviewer, full_shoe
from twentyone.round import Decision, Draw, Offer, Over, Round
from twentyone.rulebook import Rulebook, Rules, rulebook_ids
from twentyone.strategy import Strategy, default_strategy

__all__ = ["Summed", "main", "play"]

FOLDER = Path(__file__).parents[1] / ".prove"
SIZES = {"normal": 600, "full": 6_000}
BLOCK, MINUTES = 100, 15
BOUND, ERRORS = 1e-9, 4
LARGEST = 0.1
"""Wagers that one departure of a chart costs at most: rare mistakes vary by no more than their mean times this."""
WAGER, SIDE = Amount("10"), "5"
BOXES = {"chart": 1, "random": 3, "best": 2}
"""How many play: a chart costs what `value` says only where no other box shows cards."""
PROVED, FAULT, TIME_OVER, STOPPED = 0, 1, 75, 130

Policy = Callable[[Round, Offer], Decision]


# -- rounds


def play(rules: Rules, seed: str, policy: Policy, boxes: int = 1) -> Round:
    """One round from a shuffled shoe, every box a player of his own."""
    cards = [card for card, many in full_shoe(rules).items() for _ in range(many)]
    random.Random(seed).shuffle(cards)
    side = {"match_the_dealer": SIDE} if boxes > 1 and "match_the_dealer" in rules.wagers else {}
    wagers = [{"box": box, "player": f"P{box}", "main": str(WAGER), **side} for box in range(1, boxes + 1)]
    round_ = Round.start(rules, wagers)
    while not isinstance(need := round_.next, Over):
        if isinstance(need, Draw):
            round_ = round_.apply(cards.pop())
        else:
            assert isinstance(need, Offer)
            round_ = round_.apply(policy(round_, need))
    return round_


def at_random(seed: str) -> Policy:
    """Any decision that is allowed, doubles and insurance for less among them."""
    chance = random.Random(seed)

    def policy(round_: Round, need: Offer) -> Decision:
        option = chance.choice(need.options)
        if need.optional and chance.random() < 0.5:
            return Decision("decline", option.box, option.player)
        unit = round_.rules.submission["chip_unit"]
        less = Amount(unit * chance.randint(1, int(option.most // unit))) if option.most is not None else None
        return option.decision(less if chance.random() < 0.3 else None)

    return policy


def by_chart(strategy: Strategy) -> Policy:
    """The decisions of a chart."""

    def policy(round_: Round, _: Offer) -> Decision:
        situation, seat = asked(round_)
        if situation.phase == "insurance":
            situation = situation._replace(hole="")
        return Decision(strategy.decide(situation), seat.box, seat.player)

    return policy


def at_best(reviewer: Reviewer) -> Policy:
    """Whatever the review calls best."""

    def policy(round_: Round, need: Offer) -> Decision:
        option = need.options[0]
        position = Position(reviewer.shoes, full_shoe(reviewer.rules), round_.state.copy())
        values = Choices(position, option.player, option.box, option.hand or 1).of(need).values
        said = max(values, key=lambda name: values[name])
        mine = {row.action: row for row in need.options if (row.box, row.player) == (option.box, option.player)}
        return mine[said].decision() if said in mine else Decision("decline", option.box, option.player)

    return policy


# -- sums


@dataclass
class Summed:
    """What the reviews of a part came to, in wagers."""

    code: str
    rounds: int = 0
    decisions: int = 0
    wrong: int = 0
    worst: float = 0.0
    largest: float = 0.0
    seconds: float = 0.0
    sums: dict[str, list[float]] = field(default_factory=lambda: {"luck": [0.0, 0.0], "mistakes": [0.0, 0.0]})
    """Sum and sum of squares."""

    def add(self, players: tuple[PlayerReview, ...]) -> None:
        """Count a round; its players share the dealer's luck, so that their mean is one observation."""
        unit = int(WAGER) / int(Amount("1")) * len(players)
        costs = [decision.cost for player in players for decision in player.decisions]
        self.rounds += 1
        self.decisions += len(costs)
        self.wrong += sum(cost > BOUND for cost in costs)
        self.largest = max([self.largest, *costs])
        self.worst = max([self.worst, *(abs(player.gap) for player in players)])
        luck, mistakes = sum(player.total_luck for player in players), sum(player.mistakes for player in players)
        for name, value in (("luck", luck / unit), ("mistakes", mistakes / unit)):
            self.sums[name][0] += value
            self.sums[name][1] += value * value

    def mean(self, name: str) -> tuple[float, float]:
        """The mean, and its standard error."""
        total, squares = self.sums[name]
        mean = total / self.rounds
        return mean, sqrt(max(0.0, squares / self.rounds - mean * mean) / self.rounds)


def _part(book: str, how: str, rounds: int, boxes: int, minutes: float) -> int:
    file = FOLDER / f"analyse-{book}-{how}-{boxes}.json"
    done = _load(file)
    rules = Rulebook.load(book).under({})
    reviewer, strategy = Reviewer(rules), default_strategy(rules)
    start = time.monotonic()
    for block in track(range(done.rounds // BLOCK, -(-rounds // BLOCK)), f"{book} {how}"):
        if time.monotonic() - start > minutes * 60:
            print(f"prove analyse {book}: {done.rounds:,} of {rounds:,} rounds, time is over; start again to go on")
            return TIME_OVER
        _block(done, reviewer, strategy, how, block, boxes)
        FOLDER.mkdir(exist_ok=True)
        file.write_text(json.dumps(vars(done)), encoding="utf-8")
    return _judge(book, how, boxes, done, rules, strategy)


def _load(file: Path) -> Summed:
    code = fingerprint()
    try:
        kept = Summed(**json.loads(file.read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError):
        return Summed(code)
    return kept if kept.code == code else Summed(code)


def _block(done: Summed, reviewer: Reviewer, strategy: Strategy, how: str, block: int, boxes: int) -> None:
    for number in range(block * BLOCK, (block + 1) * BLOCK):
        seed = f"{reviewer.rules.rulebook.id}/{number}"
        round_ = play(reviewer.rules, seed, _policy(how, seed, reviewer, strategy), boxes)
        began = time.process_time()
        review = reviewer.review(round_, seed)
        done.seconds += time.process_time() - began
        for player in review.players:
            if abs(player.gap) > BOUND:
                raise AssertionError(f"{seed} {how} {player.player}: off by {player.gap!r}")
        done.add(review.players)


def _policy(how: str, seed: str, reviewer: Reviewer, strategy: Strategy) -> Policy:
    if how == "random":
        return at_random(seed)
    return by_chart(strategy) if how == "chart" else at_best(reviewer)


def _judge(book: str, how: str, boxes: int, done: Summed, rules: Rules, strategy: Strategy) -> int:
    luck, luck_error = done.mean("luck")
    cost, cost_error = done.mean("mistakes")
    faults = []
    if abs(luck) > ERRORS * luck_error:
        faults.append("mean luck is not zero")
    if how == "best" and done.wrong:
        faults.append("the best play has mistakes")
    said = ""
    if how == "chart" and boxes == 1:
        exact = _cost(rules, strategy)
        said = f", value says {exact:.7f}"
        if abs(cost - exact) > ERRORS * max(cost_error, sqrt(exact * max(LARGEST, done.largest) / done.rounds)):
            faults.append("mistakes are not what the chart costs")
    rate = done.decisions / done.seconds if done.seconds else 0.0
    print(
        f"prove analyse {book} {how} {boxes}: {done.rounds:,} rounds, {done.decisions:,} decisions, worst gap "
        f"{done.worst:.1e}, luck {luck:+.5f} ± {luck_error:.5f}, mistakes {cost:.7f} ± {cost_error:.7f}{said}, "
        f"{rate:.0f} decisions a second of processor time, {'; '.join(faults) or '0 faults'}",
        flush=True,
    )
    return FAULT if faults else PROVED


def _cost(rules: Rules, strategy: Strategy) -> float:
    body: dict[str, Any] = odds_of(rules, strategy, None)[0]
    best: dict[str, Any] = odds_of(rules)[0]
    return float(body["house_edge"] - best["house_edge"])


def main(arguments: Sequence[str] | None = None) -> int:
    """Prove the parts that were asked for."""
    parser = argparse.ArgumentParser(prog="python -m bench.prove_analyse")
    parser.add_argument("--part", choices=rulebook_ids(), help="one rulebook (absent: all)")
    parser.add_argument("--play", choices=("chart", "random", "best"), help="how the players play (absent: each way)")
    parser.add_argument(
        "--size",
        choices=tuple(SIZES),
        default="normal",
        help="rounds of a game and a way of playing: 600, or 6,000, more than 100,000 together",
    )
    parser.add_argument("--rounds", type=int, help="so many rounds instead")
    parser.add_argument("--minutes", type=float, default=MINUTES)
    options = parser.parse_args(arguments)
    books = (options.part,) if options.part else rulebook_ids()
    ways = (options.play,) if options.play else ("chart", "random", "best")
    worst = PROVED
    try:
        for book in books:
            for how in ways:
                status = _part(book, how, options.rounds or SIZES[options.size], BOXES[how], options.minutes)
                worst = FAULT if FAULT in (worst, status) else max(worst, status)
    except KeyboardInterrupt:
        return STOPPED
    return worst


if __name__ == "__main__":
    sys.exit(main())
