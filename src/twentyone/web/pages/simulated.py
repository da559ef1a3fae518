"""What a simulation came to, as parts of a page: figures, the way of the mean, distribution, counting, bankrolls."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import htpy as h

from twentyone.web.pages.figures import share
from twentyone.web.pages.odds_figures import PICTURE, data_table
from twentyone.web.pictures import Axes, DrawnLine, bar, columns, lines, marks_between
from twentyone.web.running_mean import mean_picture

__all__ = ["rounds_part", "trips_part"]

Body = Mapping[str, Any]
FAN = {"0.5": "median", "0.25": "inner", "0.75": "inner"}
"""Quantile to the class of its line."""


_SAID = {
    "mean": ("Gain per initial wager", "What a round gains on average; a loss with a minus."),
    "standard_error": ("Standard error", "The mean lies within two of them of the truth, 19 times in 20."),
    "deviation": ("Standard deviation", "Of a round, in initial wagers."),
    "average_wager": ("Average wager", "All wagers of a round, in initial wagers."),
}
"""Figure to its label and what it is."""


def rounds_part(body: Body) -> h.Element:
    """A simulation of rounds."""
    return h.section(data_part="rounds")[
        h.section(".tw-panel")[
            h.h2[f"{body['rounds']:,} rounds, seed {body['seed']}"],
            h.p(".tw-note")[f"Played by {body['played_by']}; {_speed(body)}."],
            data_table(("Figure", "Value", "What it is"), _figures(body)),
        ],
        h.section(".tw-panel")[h.h2["The mean on its way"], _mean(body)],
        h.section(".tw-panel")[h.h2["Result of a round"], _distribution(body)],
        _counted(body) if "winnings" in body else None,
    ]


def _speed(body: Body) -> str:
    return f"{body['seconds']:,.1f} seconds, {body['rounds_per_second'] / 1e6:,.1f} million rounds per second"


def _figure(name: str, value: str) -> h.Element:
    return h.span(data_figure=name)[value]


def _figures(body: Body) -> list[tuple[h.Node, ...]]:
    error = body["standard_error"]
    told = {
        "mean": share(body["mean"]),
        "standard_error": "unknown" if error is None else share(error),
        "deviation": f"{body['variance'] ** 0.5:.5f}",
        "average_wager": f"{body['average_wager']:.5f}",
    }
    rows: list[tuple[h.Node, ...]] = [
        (_SAID[name][0], _figure(name, value), _SAID[name][1]) for name, value in told.items()
    ]
    if body.get("exact") is not None:
        away = body["standard_errors_from_exact"]
        far = "" if away is None else f"The simulation is {away:+.2f} standard errors away.".replace("-", "−")
        rows.append(("Exact", _figure("exact", share(body["exact"])), far))
    return rows


def _mean(body: Body) -> h.Fragment:
    path = body["path"]
    if not path:
        return h.fragment["nothing was played"]
    rows = [(f"{rounds:,}", share(mean), share(error)) for rounds, mean, error in path]
    return h.fragment[
        mean_picture(path, body.get("exact"), body["rounds"]),
        h.details("#mean-table")[
            h.summary["The same as a table"],
            data_table(("Rounds", "Mean", "Standard error"), rows, "The mean on its way", 2),
        ],
    ]


def _distribution(body: Body) -> h.Fragment:
    shares = sorted((_number(result), count / body["rounds"]) for result, count in body["histogram"].items())
    most = max((chance for _, chance in shares), default=1.0)
    rows = [(f"{result:+g}".replace("-", "−"), bar(chance / most), share(chance)) for result, chance in shares]
    return h.fragment[
        columns("Result of a round in initial wagers", shares, ("initial wagers won or lost", "share of rounds")),
        h.details("#results-table")[
            h.summary["The same as a table"],
            data_table(("Net result", PICTURE, "Share of rounds"), rows, "Net results", 1),
        ],
    ]


def _counted(body: Body) -> h.Element:
    """What counting is worth, and how the mean follows the count."""
    won = body["winnings"]
    score = "these wagers do not win" if won["score"] is None else f"{won['score']:.2f}"
    figures = [
        ("Win per 100 rounds", f"{won['per_100_rounds']:+,.2f} dollars".replace("-", "−")),
        ("Win per hour", f"{won['per_hour']:+,.2f} dollars at {won['rounds_per_hour']} rounds".replace("-", "−")),
        ("Deviation per round", f"{won['deviation_per_round']:,.2f} dollars"),
        ("SCORE", score),
    ]
    if won["n0"] is not None and won["score"] is not None:
        figures.append(("N0", f"{won['n0']:,.0f} rounds"))
    if "ramp" in won:
        figures.append(("Best wagers within the ramp", f"{won['ramp']['spread']} (SCORE {won['ramp']['score']:.2f})"))
    rows = [_by_count(row, body["rounds"]) for row in body["by_true_count"]]
    return h.section(".tw-panel", data_part="counted")[
        h.h2["Counting"],
        data_table(("Figure", "Value"), figures, "What counting is worth", 1),
        data_table(("True count", "Share of rounds", "Gain per initial wager"), rows, "By true count", 2),
    ]


def _by_count(row: Body, rounds: int) -> tuple[str, str, str]:
    mean = "no wager" if row["mean"] is None else share(row["mean"])
    return f"{row['true_count']:+d}".replace("-", "−"), share(row["rounds"] / rounds), mean


def trips_part(body: Body) -> h.Element:
    """What becomes of bankrolls."""
    fan, begun, rounds = body["fan"], _number(body["bankroll"]), body["trip_rounds"]
    values = [value for line in fan.values() for value in line] + [begun, 0.0]
    frame = Axes(0.0, rounds, min(values), max(values))
    drawn = [
        DrawnLine(
            FAN.get(share_, "outer"), f"{100 * _number(share_):g} % of trips at or below", _along(line, begun, rounds)
        )
        for share_, line in sorted(fan.items(), key=lambda pair: -_number(pair[0]))
    ]
    up = [(value, f"${value:,.0f}".replace("$-", "−$")) for value in marks_between(frame.low, frame.high)]
    across = [(value, f"{value:,.0f}") for value in marks_between(0, rounds)]
    rows = [
        (f"{100 * _number(share_):g} %", f"{amount:,.2f}".replace("-", "−"), str(body["longest_losing_streak"][share_]))
        for share_, amount in body["results"].items()
    ]
    return h.section(".tw-panel", data_part="trips")[
        h.h2[f"{body['trips']:,} trips of {rounds:,} rounds with ${body['bankroll']}"],
        h.p[
            "Risk of ruin ", h.b[_figure("risk_of_ruin", share(body["risk_of_ruin"]))],
            f" (standard error {share(body['risk_of_ruin_standard_error'])}); mean result "
            f"{body['mean_result']:+,.2f} dollars.".replace("-", "−"),
        ],
        lines("Bankrolls along the trips", frame, drawn, (across, up), ("rounds", "bankroll")),
        data_table(("Trips", "End at or below, dollars", "Longest losing streak"), rows, "How the trips end", 2),
    ]  # fmt: skip


def _number(key: str) -> float:
    """A number that is the key of a JSON table; a picture measures it, and nobody pays it."""
    value: float = json.loads(key)
    return value


def _along(line: list[float], begun: float, rounds: int) -> list[tuple[float, float]]:
    steps = [-(-index * rounds // len(line)) for index in range(len(line) + 1)]
    return list(zip(steps, [begun, *line], strict=True))
