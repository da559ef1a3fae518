"""`twentyone strategy`: the best chart that a person can hold, and what it costs against the optimum."""

from __future__ import annotations

import argparse
import json
from typing import Any

from twentyone.cli import DONE, REFUSED
from twentyone.cli.common import say
from twentyone.cli.extras import needs
from twentyone.cli.odds import add_rules, percent, read_rules
from twentyone.cli.progress import progress
from twentyone.cli.running import run_block
from twentyone.cli.writing import write_file
from twentyone.errors import TwentyoneError
from twentyone.rulebook import Rules

__all__ = ["add_parser", "run"]

EXAMPLE = """examples:
  twentyone strategy pa-spanish-21
  twentyone strategy pa-spanish-21 --exceptions --json
  twentyone strategy pa-spanish-21 --csv mine.csv      (change a cell, then `twentyone value` it)
  twentyone strategy pa-down-under-blackjack --png chart.png --html chart.html"""


def add_parser(commands: Any) -> None:
    """Describe the command."""
    parser = commands.add_parser(
        "strategy",
        help="the best chart for a game",
        description="The best chart that a person can hold, found by optimisation, and its cost against the optimum.",
        epilog=EXAMPLE,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add_rules(parser)
    for form, words in (("json", "strategy/1"), ("csv", "CSV"), ("html", "an HTML page")):
        parser.add_argument(f"--{form}", nargs="?", const="-", metavar="FILE", help=f"as {words}, to FILE or printed")
    parser.add_argument("--png", nargs="?", const="", metavar="FILE", help="a picture, to FILE or RULEBOOK.png")
    parser.add_argument(
        "--exceptions",
        action="store_true",
        help="the hands on which the optimum departs from the chart (with --json too)",
    )
    parser.set_defaults(run=run)


@needs("desk")
def run(options: argparse.Namespace) -> int:
    """Print the chart, or write it."""
    from twentyone.odds.generate import chart_of

    try:
        rules = read_rules(options.rulebook, options.submission)
        with progress(f"chart for {rules.rulebook.title}") as share:
            chart = chart_of(rules, share)
        forms = _forms(options, rules, chart)
    except TwentyoneError as refused:
        say(f"twentyone strategy: {refused}")
        return REFUSED
    for name, content in forms:
        if name == "-":
            print(content.decode(), end="")
        else:
            write_file(name, content)
            say(f"written: {name}")
    return DONE


def _forms(options: argparse.Namespace, rules: Rules, chart: Any) -> list[tuple[str, bytes]]:
    """The forms of the chart to write, each with its file."""
    from twentyone.odds import render
    from twentyone.odds.par import chart_page
    from twentyone.strategy import to_csv, to_json

    forms: list[tuple[str, bytes]] = []
    if options.json is not None:
        body = _exceptions_body(rules, chart) if options.exceptions else json.loads(to_json(chart.strategy))
        forms.append((options.json, _json(body).encode()))
    if options.csv is not None:
        forms.append((options.csv, to_csv(chart.strategy).encode()))
    if options.html is not None:
        forms.append((options.html, chart_page(rules, chart).encode()))
    if options.png is not None:
        forms.append((options.png or f"{rules.rulebook.id}.png", render.as_png(chart.strategy, rules)))
    if not forms:
        head = (
            f"{chart.strategy.title}: house edge {percent(chart.house_edge)}, {percent(chart.cost)} above the optimum"
        )
        text = _exceptions(chart) if options.exceptions else render.as_text(chart.strategy, rules)
        forms.append(("-", f"{head}\n\n{text}\n".encode()))
    return forms


def _exceptions(chart: Any) -> str:
    """The hands on which the optimum departs from the chart, the most expensive first."""
    from twentyone.odds.render import departure_words

    lines = [f"  {'hand':44} {'up':4} {'the chart':14} {'best':14} gain per round"]
    for row in chart.departures:
        said, best = row["chart"].replace("_", " "), row["best"].replace("_", " ")
        lines.append(f"  {departure_words(row):44} {row['up']:4} {said:14} {best:14} {row['gain'] * 100:.5f} %")
    return "\n".join(lines)


def _exceptions_body(rules: Rules, chart: Any) -> dict[str, Any]:
    """The same as JSON, with what the chart is worth."""
    from twentyone.strategy import strategy_hash

    worth = {"house_edge": chart.house_edge, "cost": chart.cost}
    played = {"title": chart.strategy.title, "hash": strategy_hash(chart.strategy)}
    return {"rulebook": rules.rulebook.id, "strategy": played, **worth, "exceptions": list(chart.departures)}


def _json(body: dict[str, Any]) -> str:
    return json.dumps({**body, "run": run_block()}, indent=1, ensure_ascii=False) + "\n"
