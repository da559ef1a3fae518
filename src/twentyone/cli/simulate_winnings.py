"""What counting is worth, as `twentyone simulate` shows it."""

from __future__ import annotations

from typing import Any

from twentyone.cli.simulate_reduce import finite
from twentyone.sim import stats
from twentyone.sim.bankroll import Trips
from twentyone.sim.compile import Compiled
from twentyone.sim.stats import Totals
from twentyone.sim.winnings import Winnings, best_ramp, by_count, lifetime_ruin, trip_ruin

__all__ = ["print_winnings", "ruin_by_formula", "winnings_body"]

RISKS = (0.135, 0.05, 0.01)
"""Risks of ruin for which a bankroll is told; the first is that of Kelly's wagers."""


def winnings_body(compiled: Compiled, totals: Totals, per_hour: int, ramp: tuple[int, int] | None) -> dict[str, Any]:
    """Win rates, SCORE, bankrolls and wagers as JSON; money in dollars."""
    count = compiled.setup.count
    assert count is not None
    won = Winnings(totals, int(compiled.grain) / 1000)
    rows = by_count(totals, count.lowest)
    error = finite(won.standard_error)
    body: dict[str, Any] = {
        "per_round": won.mean,
        "per_round_standard_error": error,
        "per_100_rounds": 100 * won.mean,
        "per_100_rounds_standard_error": None if error is None else 100 * error,
        "rounds_per_hour": per_hour,
        "per_hour": per_hour * won.mean,
        "per_hour_standard_error": None if error is None else per_hour * error,
        "deviation_per_round": won.deviation,
        "deviation_per_round_by_shoe": won.deviation_by_shoe,
        "deviation_per_hour": won.deviation * per_hour**0.5,
        "rounds_with_a_wager": sum(row.rounds for row in rows),
        "desirability": won.desirability,
        "score": won.score,
        "score_standard_error": None if error is None else won.score_error,
        "n0": won.n0,
        "kelly_bankroll": won.kelly_bankroll,
        "bankroll_for_ruin": {str(risk): won.bankroll_for(risk) for risk in RISKS},
        "kelly_share_by_count": {str(row.count): row.kelly for row in rows},
    }
    if ramp is not None:
        best = best_ramp(rows, totals.rounds, *ramp)
        body["ramp"] = {"least": ramp[0], "most": ramp[1], "spread": best.spread, "score": best.score}
    return body


def print_winnings(body: dict[str, Any]) -> None:
    """The same for a person."""
    won = body.get("winnings")
    if won is None:
        return
    error = won["per_100_rounds_standard_error"]
    said = "" if error is None else f" ± {error:,.2f} (by shoes)"
    hour = f"{won['per_hour']:+,.2f} per hour of {won['rounds_per_hour']} rounds"
    print(f"  win per 100 rounds         {won['per_100_rounds']:+,.2f} dollars{said}; {hour}")
    print(f"  deviation per round        {won['deviation_per_round']:,.2f} dollars", end="")
    print(f" ({won['deviation_per_round_by_shoe']:,.2f} by shoes)")
    if won["score"] is None:
        print(f"  DI                         {won['desirability']:.2f}: these wagers do not win")
    else:
        error = "" if won["score_standard_error"] is None else f" ± {won['score_standard_error']:.2f}"
        print(f"  SCORE                      {won['score']:.2f}{error}   DI {won['desirability']:.2f}", end="")
        print(f"   N0 {won['n0']:,.0f} rounds")
        banks = [f"{100 * float(risk):g} %: {amount:,.0f}" for risk, amount in won["bankroll_for_ruin"].items()]
        print(f"  bankroll by risk of ruin   {', '.join(banks)} dollars (Kelly: {won['kelly_bankroll']:,.0f})")
    if "ramp" in won:
        ramp = won["ramp"]
        print(f"  best within {ramp['least']}-{ramp['most']:<14} --spread={ramp['spread']}   SCORE {ramp['score']:.2f}")


def ruin_by_formula(compiled: Compiled, trips: Trips) -> dict[str, float | None]:
    """The risk of ruin, on a trip and ever, from mean and deviation of the rounds that were played, side wagers too."""
    totals, unit = trips.totals, int(compiled.grain) / 1000
    unknown: dict[str, float | None] = {"risk_of_ruin_by_formula": None, "lifetime_risk_of_ruin": None}
    if totals.rounds < 2:
        return unknown
    whole = totals[stats.GAIN] + totals[stats.PRIZE] + totals[stats.SIDE]
    squares = totals[stats.GAIN_2] + 2 * totals[stats.GAIN_PRIZE] + totals[stats.PRIZE_2]
    squares += 2 * totals[stats.TOTAL_SIDE] + totals[stats.SIDE_2]
    mean = whole / totals.rounds
    variance = squares / totals.rounds - mean**2
    if variance <= 0:
        return unknown
    walk = (int(trips.bankroll) / 1000, mean * unit, variance**0.5 * unit)
    return {"risk_of_ruin_by_formula": trip_ruin(*walk, trips.rounds), "lifetime_risk_of_ruin": lifetime_ruin(*walk)}
