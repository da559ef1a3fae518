"""The round: rounds a second beside hands a second of PokerKit, and how soon a replay is there."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

from bench.peer import hold_em_hand
from twentyone.cards import parse_cards
from twentyone.round import Decision, Draw, Drawn, Offer, Over, Round
from twentyone.rulebook import Rulebook, Rules, rulebook_ids

CARDS = tuple(Drawn(card) for card in parse_cards("8S 7H 5C KD 4D 6S 9H 2C 3D"))
SECONDS = 2.0
SCRIPT = Path(__file__).parents[1] / "tests/law/pa-spanish-21/635a.12/a-winning-wager-pays-even-money.json"


def deal_round(rules: Rules) -> Round:
    """One box, fixed decisions: hit on two cards, then stand; every offer beside the turn declined."""
    round_ = Round.start(rules, [{"box": 1, "player": "p1", "main": "10"}])
    cards = iter(CARDS)
    while not isinstance(need := round_.next, Over):
        if isinstance(need, Draw):
            round_ = round_.apply(next(cards))
        else:
            assert isinstance(need, Offer)
            round_ = round_.apply(Decision(decision(round_, need)))
    return round_


def decision(round_: Round, need: Offer) -> str:
    """What is said to an offer."""
    if need.optional:
        return "decline"
    return "hit" if len(round_.state.hands[1][0].cards) == 2 else "stand"


def per_second(job: Callable[[], object]) -> float:
    """How often a job is done in a second, after warming up."""
    for _ in range(50):
        job()
    done, start = 0, time.perf_counter()
    while (spent := time.perf_counter() - start) < SECONDS:
        job()
        done += 1
    return done / spent


def start_up() -> tuple[float, float]:
    """Seconds of `python -c pass` and of `twentyone replay` of one round: the best of seven."""
    bare = [sys.executable, "-c", "pass"]
    replay = [sys.executable, "-m", "twentyone", "replay", str(SCRIPT), "--json"]
    return _best(bare), _best(replay)


def _best(command: list[str]) -> float:
    times = []
    for _ in range(7):
        start = time.perf_counter()
        subprocess.run(command, check=True, capture_output=True)
        times.append(time.perf_counter() - start)
    return min(times)


def run() -> bool:
    """Print the figures of the round; false where one misses its bar."""
    peer = per_second(hold_em_hand)
    print(f"{'PokerKit, hold em checked down':42}{peer:>12,.0f} hands/s")
    worst = min(_row(name, peer) for name in rulebook_ids())
    bare, replay = start_up()
    bar = 5 * bare + 0.150
    print(f"{'python -c pass':42}{bare * 1000:>12.0f} ms")
    print(f"{'twentyone replay of one round':42}{replay * 1000:>12.0f} ms (bar {bar * 1000:.0f} ms)")
    return worst >= 10 and replay <= bar


def _row(name: str, peer: float) -> float:
    rules = Rulebook.load(name).under()
    rate = per_second(lambda: deal_round(rules))
    print(f"{'round, ' + name:42}{rate:>12,.0f} rounds/s {rate / peer:>6.1f}x PokerKit")
    return rate / peer
