"""`make bench`: every figure beside a yardstick from the same run."""

from __future__ import annotations

import platform
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import twentyone
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


def main() -> int:
    """Print the figures; status 1 where one misses its bar."""
    print(f"twentyone {twentyone.__version__}, Python {platform.python_version()}, {platform.machine()}")
    peer = per_second(hold_em_hand)
    print(f"{'PokerKit, hold em checked down':42}{peer:>10,.0f} hands/s")
    worst = min(_row(name, peer) for name in rulebook_ids())
    bare, replay = start_up()
    bar = 5 * bare + 0.150
    print(f"{'python -c pass':42}{bare * 1000:>10.0f} ms")
    print(f"{'twentyone replay of one round':42}{replay * 1000:>10.0f} ms   (bar {bar * 1000:.0f} ms)")
    ratio, shuffles, steps = _table()
    good = worst >= 10 and replay <= bar and ratio >= 0.5 and shuffles >= 10_000 and steps < 50
    verdict = "good" if good else "MISSED"
    print(f"bench: slowest rulebook {worst:.1f}x PokerKit (bar 10x), replay {replay / bar:.2f} of its bar, ", end="")
    print(f"table {ratio:.2f}x the round (bar 0.5x): {verdict}")
    return 0 if good else 1


def _table() -> tuple[float, float, float]:
    from bench.table import figures

    ratio, shuffles, steps = figures()
    print(f"{'round through the table':42}{ratio:>10.2f} of the pure round (bar 0.50)")
    print(f"{'shuffles of six decks':42}{shuffles:>10,.0f} /s (bar 10,000)")
    print(f"{'next_steps':42}{steps:>10.1f} microseconds (bar 50)")
    return ratio, shuffles, steps


def _row(name: str, peer: float) -> float:
    rules = Rulebook.load(name).under()
    rate = per_second(lambda: deal_round(rules))
    print(f"{'round, ' + name:42}{rate:>10,.0f} rounds/s {rate / peer:>6.1f}x PokerKit")
    return rate / peer


if __name__ == "__main__":
    sys.exit(main())
