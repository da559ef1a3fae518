"""`twentyone value`: what a strategy is worth, exactly."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from typing import Any

from twentyone.cli import DONE, REFUSED
from twentyone.cli.common import print_json, read_file, say
from twentyone.cli.extras import needs
from twentyone.cli.odds import add_rules, figure_words, percent, read_rules
from twentyone.cli.progress import progress
from twentyone.cli.running import note
from twentyone.errors import TwentyoneError
from twentyone.strategy import Strategy, read_strategy, strategy_hash

__all__ = ["add_parser", "run"]

EXAMPLE = """examples:
  twentyone strategy pa-spanish-21 --csv mine.csv
  twentyone value pa-spanish-21 --strategy mine.csv"""


def add_parser(commands: Any) -> None:
    """Describe the command."""
    parser = commands.add_parser(
        "value",
        help="what a strategy is worth, exactly",
        description="The exact house edge of a game played by a strategy, and its cost compared with the optimum.",
        epilog=EXAMPLE,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add_rules(parser)
    parser.add_argument("--strategy", metavar="FILE", required=True, help="a strategy: JSON strategy/1, or CSV")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.set_defaults(run=run)


@needs("odds")
def run(options: argparse.Namespace) -> int:
    """Print what the strategy is worth."""
    from twentyone.odds.edges import edge_of
    from twentyone.odds.report import odds_of

    try:
        rules = read_rules(options.rulebook, options.submission)
        strategy = read_strategy(read_file(options.strategy), rules)
        note(strategies=[{"title": strategy.title, "hash": strategy_hash(strategy), "from": options.strategy}])
        with progress("the optimum") as share:
            optimum = edge_of(rules, progress=share)
        with progress("the strategy") as share:
            body, _ = odds_of(rules, strategy, share)
    except TwentyoneError as refused:
        say(f"twentyone value: {refused}")
        return REFUSED
    cost = body["house_edge"] - optimum
    if options.json:
        print_json({**body, "strategy": strategy.title, "optimum": optimum, "cost": cost})
    else:
        _print(body, strategy, optimum, cost)
    return DONE


def _print(body: Mapping[str, Any], strategy: Strategy, optimum: float, cost: float) -> None:
    from twentyone.odds.report import shown

    print(f"{body['title']} ({body['source']}), played by {strategy.title or 'this strategy'}")
    print()
    for figure in shown(body):
        print(f"  {figure.label:30} {figure_words(figure.form, body[figure.name]):>16}  {figure.definition}")
    print()
    print(f"  {'Optimum':30} {percent(optimum):>16}  House edge of the best decision on every hand.")
    print(f"  {'Cost':30} {percent(cost):>16}  What this strategy loses compared with it.")
