"""`twentyone compare`: two games side by side."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from typing import Any

from twentyone.cli import DONE, REFUSED
from twentyone.cli.common import add_at, print_json, say
from twentyone.cli.extras import needs
from twentyone.cli.odds import figure_words, percent, read_rules
from twentyone.cli.progress import progress
from twentyone.errors import TwentyoneError

__all__ = ["add_parser", "run"]

EXAMPLE = """examples:
  twentyone compare pa-spanish-21 md-spanish-21
  twentyone compare classic-blackjack classic-blackjack --other-submission six-to-five.toml"""


def add_parser(commands: Any) -> None:
    """Describe the command."""
    parser = commands.add_parser(
        "compare",
        help="the odds of two games side by side",
        description="The odds of two games side by side, with the difference in each figure.",
        epilog=EXAMPLE,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("rulebook", metavar="RULEBOOK", help="the first game")
    parser.add_argument("other", metavar="RULEBOOK", help="the second game")
    parser.add_argument("--submission", metavar="FILE", help="a Rules Submission (TOML) for the first game")
    parser.add_argument("--other-submission", metavar="FILE", help="a Rules Submission (TOML) for the second game")
    add_at(parser)
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.set_defaults(run=run)


@needs("odds")
def run(options: argparse.Namespace) -> int:
    """Print both."""
    from twentyone.odds.report import FIGURES, odds_of, shown

    try:
        bodies = []
        named = ((options.rulebook, options.submission), (options.other, options.other_submission))
        for rules in [read_rules(book, submission) for book, submission in named]:
            with progress(f"odds of {rules.rulebook.id}") as share:
                bodies.append(odds_of(rules, progress=share)[0])
    except TwentyoneError as refused:
        say(f"twentyone compare: {refused}")
        return REFUSED
    one, two = bodies
    difference = {figure.name: two[figure.name] - one[figure.name] for figure in FIGURES}
    if options.json:
        print_json({"games": bodies, "difference": difference})
        return DONE
    print(f"  {'':32} {one['rulebook']:>24} {two['rulebook']:>24} {'difference':>14}")
    for figure in shown(max(bodies, key=lambda body: float(body["super_bonus_probability"]))):
        words = [figure_words(figure.form, body[figure.name]) for body in bodies]
        apart = figure_words(figure.form, difference[figure.name]) if figure.form != "chance" else ""
        print(f"  {figure.label:32} {words[0]:>24} {words[1]:>24} {apart:>14}")
    _print_sides(one["side_wagers"], two["side_wagers"])
    _print_choices(one["submission"], two["submission"])
    return DONE


def _print_sides(one: Mapping[str, Any], two: Mapping[str, Any]) -> None:
    for name in dict.fromkeys([*one, *two]):
        edges = [side.get(name, {}).get("edge") for side in (one, two)]
        words = [percent(edge) if edge is not None else "-" for edge in edges]
        apart = percent(edges[1] - edges[0]) if None not in edges else ""
        print(f"  {name.replace('_', ' ') + ' edge':32} {words[0]:>24} {words[1]:>24} {apart:>14}")


def _print_choices(one: Mapping[str, Any], two: Mapping[str, Any]) -> None:
    """Print the choices in which the two games differ."""
    for name in dict.fromkeys([*one, *two]):
        if name != "readings" and one.get(name, "-") != two.get(name, "-"):
            print(f"  {name:32} {_word(one, name):>24} {_word(two, name):>24}")


def _word(body: Mapping[str, Any], name: str) -> str:
    value = body.get(name, "-")
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "given" if isinstance(value, dict) else "none" if value is None else str(value)
