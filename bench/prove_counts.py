"""The long form of what is claimed of counting: published figures, indices made again, values by another method, ruin.

    python -m bench.prove_counts [--part indices|points|removals|values|ruin|pays]

Exit status: 0 proved, 1 something is away from what it should be.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache
from math import ceil, sqrt

import numpy as np

from bench import removals
from bench.insurance_points import differences, published, slips
from twentyone.cli.indices import LEFT, body_of
from twentyone.money import Amount
from twentyone.odds.classes import Classes
from twentyone.odds.core import Core
from twentyone.odds.counted_shoe import CountedShoe
from twentyone.odds.settlement_mass import SettlementMass
from twentyone.odds.spots import spots_of
from twentyone.odds.tables import Tables
from twentyone.rulebook import Rulebook, Rules
from twentyone.sim import stats
from twentyone.sim.bankroll import play_bankroll
from twentyone.sim.compile import Compiled, compile_setup
from twentyone.sim.counting import Count
from twentyone.sim.counts import FOLDER, count_named, indices_of, spread_of
from twentyone.sim.engines import engine_named
from twentyone.sim.run import simulate
from twentyone.sim.setup import Setup
from twentyone.sim.stats import Totals
from twentyone.sim.winnings import Winnings, trip_ruin

__all__ = ["main"]

GAME = "classic-blackjack"
PUBLISHED = {
    "insurance A": 3, "16 10": 0, "15 10": 4, "10-10 5": 5, "10-10 6": 4, "10 10": 4, "12 3": 2, "12 2": 3, "11 A": 1,
    "9 2": 1, "10 A": 4, "9 7": 3, "16 9": 5, "13 2": -1, "12 4": 0, "12 5": -2, "12 6": -1, "13 3": -2,
}  # fmt: skip
"""Don Schlesinger's eighteen for the high-low count (Blackjack Forum, September 1986)."""


@cache
def _rules() -> Rules:
    return Rulebook.load(GAME).under()


def _compiled(count: Count | None) -> Compiled:
    return compile_setup(Setup.of(_rules(), mode="shoe" if count else "fresh", count=count))


def _played(count: Count, rounds: int) -> tuple[Compiled, Totals]:
    compiled, engine = _compiled(count), engine_named("cpu", None, None)
    try:
        return compiled, simulate(compiled, engine, rounds=rounds, seed=3).totals
    finally:
        engine.close()


def prove_indices() -> bool:
    """The indices that come with the package are those that are worked out now; beside the published ones."""
    kept = json.loads((FOLDER / "indices" / f"{GAME}.hilo.json").read_text("utf-8"))
    made = body_of(_rules(), count_named("hilo"), LEFT)
    names = [_named(row["where"]) for row in made["indices"]]
    told = {name: row["index"] for name, row in zip(names, made["indices"], strict=True)}
    for name, index in PUBLISHED.items():
        whole = ceil(told[name] - 0.5)
        print(f"  {name:12} published {index:+d}   exact {told[name]:+.2f}   whole {whole:+d}")
    return bool(made["indices"] == kept["indices"] and made["departures"] == kept["departures"])


def _named(where: dict[str, object]) -> str:
    if "phase" in where:
        return f"insurance {where['up']}"
    hand = (
        f"{where['pair']}-{where['pair']}" if where["pair"] else f"{'soft ' if where['soft'] else ''}{where['total']}"
    )
    return f"{hand} {where['up']}"


# -- published figures


def prove_points() -> bool:
    """Insurance by running count and cards left is taken where it was published, but for the slips that are known."""
    good = True
    for table in published():
        told = [each for hand in table.points for each in differences(table, hand, 1 if table.decks < 4 else 10)]
        away = {each.row for each in told if each is not None}
        rows = sum(map(len, table.points.values()))
        print(f"  {table.count:5} {table.decks} decks: {len(told):6,} points, {rows} rows, {len(away)} of them differ")
        good &= away == slips(table)
    return good


def prove_removals() -> bool:
    """A round with one card gone is worth what was published, to ten digits of a per cent."""
    game, worst = removals.rules(), 0.0
    chart = removals.chart(game)
    for gone, told in removals.PUBLISHED.items():
        ours = removals.worth(game, chart, gone)
        worst = max(worst, abs(ours - told))
        print(f"  without {gone or 'none':5} published {told:+.10f} %   ours {ours:+.10f} %")
    return worst <= removals.ROUNDING


# -- standing and hitting by plain recursion


def _drawn(cards: tuple[float, ...], card: int) -> tuple[float, ...]:
    return (*cards[:card], cards[card] - 1, *cards[card + 1 :])


def _total(hand: Sequence[int]) -> int:
    low = sum(card + 1 for card in hand)
    return low + 10 if 0 in hand and low <= 11 else low


def _dealer(up: int, cards: tuple[float, ...]) -> dict[int, float]:
    """The dealer's total (22: over) to its chance; he stands on every 17."""
    found: dict[int, float] = {}

    def draw(hand: tuple[int, ...], left: tuple[float, ...], chance: float) -> None:
        if len(hand) > 1 and _total(hand) >= 17:
            total = min(_total(hand), 22)
            found[total] = found.get(total, 0.0) + chance
            return
        for card, count in enumerate(left):
            if count > 0:
                draw((*hand, card), _drawn(left, card), chance * count / sum(left))

    draw((up,), cards, 1.0)
    return found


def _values(hand: tuple[int, ...], up: int, cards: tuple[float, ...]) -> tuple[float, float]:
    """Standing, and hitting with the best play after it."""

    @cache
    def stand(held: tuple[int, ...]) -> float:
        left = cards
        for card in held[len(hand) :]:
            left = _drawn(left, card)
        mine = _total(held)
        chances = _dealer(up, left).items()
        return sum(chance * (total == 22 or mine > total) - chance * (22 > total > mine) for total, chance in chances)

    def hit(held: tuple[int, ...]) -> float:
        left, value = cards, 0.0
        for card in held[len(hand) :]:
            left = _drawn(left, card)
        for card, count in enumerate(left):
            after = (*held, card)
            over = _total(after) > 21
            best = -1.0 if over else stand(after) if _total(after) > 18 else max(stand(after), hit(after))
            value += count / sum(left) * best
        return value

    return stand(hand), hit(hand)


def prove_values() -> bool:
    """Values from a shoe with parts of cards, by the analysis and by recursion."""
    shoe = CountedShoe(Classes.of(_rules()), count_named("hilo").tag, 195, 0)
    worst = 0.0
    for running in (-7, 7):
        core = Core(Tables(_rules(), shoe=shoe.at(running)))
        core.split_all()
        spots = spots_of(core, SettlementMass(core))["first"]
        ups = [c.up for c, idle in zip(core.tables.conditions, core.tables.idle, strict=True) if not idle]
        for hand, up in (((9, 6), 8), ((9, 5), 8)):
            counts = [hand.count(card) for card in range(10)]
            row = next(i for i, each in enumerate(spots.counts.tolist()) if each == counts)
            left = tuple(shoe.at(running) - np.array(counts) - np.eye(10)[up])
            told = [float(spots.values[name][row, ups.index(str(up + 1))]) for name in ("stand", "hit")]
            by_hand = _values(hand, up, left)
            worst = max(worst, *(abs(one - two) for one, two in zip(told, by_hand, strict=True)))
    print(f"  values of standing and hitting differ by {worst:.1e} at most")
    return worst < 1e-9


# -- ruin, and what indices pay


def prove_ruin() -> bool:
    """Ruin within trips, simulated and by formula; a walk of whole rounds is coarse by half a deviation of one."""
    good = True
    for count in (None, spread_of(count_named("hilo"), "1:2,2:4,3:8,4:12")):
        compiled, bankroll, rounds, trips = _compiled(count), 1000 if count is None else 3000, 5000, 4000
        played = play_bankroll(compiled, bankroll=Amount(str(bankroll)), rounds=rounds, trips=trips, seed=11)
        totals, unit = played.totals, int(compiled.grain) / 1000
        mean, deviation = totals[stats.GAIN] / totals.rounds * unit, sqrt(totals[stats.GAIN_2] / totals.rounds) * unit
        risk, error = played.risk_of_ruin, sqrt(played.risk_of_ruin * (1 - played.risk_of_ruin) / trips)
        low, told, high = (trip_ruin(bankroll + off * deviation, mean, deviation, rounds) for off in (0.5, 0, -0.5))
        print(f"  bankroll {bankroll}: ruin {risk:.4f} ± {error:.4f} by trips, {told:.4f} by formula")
        good &= low - 4 * error <= risk <= high + 4 * error
    return good


def prove_pays() -> bool:
    """The indices gain: the same wagers win more with them than without."""
    count = spread_of(count_named("hilo"), "1:2,2:4,3:8,4:12")
    rates = []
    for each in (count, replace(indices_of(count, GAME), spread=count.spread)):
        compiled, totals = _played(each, 40_000_000)
        won = Winnings(totals, int(compiled.grain) / 1000)
        rates.append((100 * won.mean, 100 * won.standard_error))
        print(f"  {rates[-1][0]:+.2f} ± {rates[-1][1]:.2f} dollars per 100 rounds, SCORE {won.score or 0:.2f}")
    return rates[1][0] - rates[0][0] > 2 * sqrt(rates[0][1] ** 2 + rates[1][1] ** 2)


PARTS: dict[str, Callable[[], bool]] = {
    "indices": prove_indices,
    "points": prove_points,
    "removals": prove_removals,
    "values": prove_values,
    "ruin": prove_ruin,
    "pays": prove_pays,
}


def main(argv: list[str] | None = None) -> int:
    """Prove all parts, or one."""
    parser = argparse.ArgumentParser(prog="prove_counts", description=__doc__)
    parser.add_argument("--part", choices=PARTS)
    options = parser.parse_args(argv)
    status = 0
    for name in [options.part] if options.part else PARTS:
        print(f"{name}: {(PARTS[name].__doc__ or '').splitlines()[0]}")
        good = PARTS[name]()
        print("  proved" if good else "  NOT proved")
        status |= not good
    return status


if __name__ == "__main__":
    raise SystemExit(main())
