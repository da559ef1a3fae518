"""`twentyone sweep`: the odds of many games at once, every combination of some choices."""

from __future__ import annotations

import argparse
import csv
import io
from typing import TYPE_CHECKING, Any

from twentyone.cli import DONE, REFUSED
from twentyone.cli.common import print_json, say
from twentyone.cli.extras import needs
from twentyone.cli.odds import add_rules, figure_words, read_rules
from twentyone.cli.progress import progress
from twentyone.cli.writing import write_file
from twentyone.errors import TwentyoneError

if TYPE_CHECKING:
    from twentyone.odds.sweep import SweptGame

__all__ = ["add_parser", "run"]

EXAMPLE = """examples:
  twentyone sweep classic-blackjack --vary decks=1,2,4,6,8 --vary dealer_hits_soft_17
  twentyone sweep pa-spanish-21 --vary decks --deviation --csv spanish.csv
  twentyone sweep md-spanish-21 --vary both-bust --json

Each game is kept on disk as it is worked out: after an interruption, the same command goes on."""


def add_parser(commands: Any) -> None:
    """Describe the command."""
    parser = commands.add_parser(
        "sweep",
        help="the odds of every combination of some choices",
        description="The odds of many games: every combination of the values that some of the operator's choices and"
        " of the readings are given, all else as submitted.",
        epilog=EXAMPLE,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add_rules(parser)
    parser.add_argument(
        "--vary", action="append", required=True, metavar="KEY[=A,B,...]",
        help="a choice or reading and its values, all that it may have without them; may be repeated",
    )  # fmt: skip
    parser.add_argument(
        "--deviation", action="store_true", help="also standard deviation and volatility index, which take longer"
    )
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--csv", nargs="?", const="-", metavar="FILE", help="as CSV, to FILE or printed")
    parser.set_defaults(run=run)


@needs("odds")
def run(options: argparse.Namespace) -> int:
    """Work all games out; print or write them."""
    from twentyone.odds.sweep import read_values, sweep

    try:
        rules = read_rules(options.rulebook, options.submission)
        vary = dict(read_values(rules, text) for text in options.vary)
        with progress(f"{rules.rulebook.title}, {' x '.join(vary)}") as tell_share:
            games = list(sweep(rules, vary, options.deviation, tell_share))
    except TwentyoneError as refused:
        say(f"twentyone sweep: {refused}")
        return REFUSED
    if options.csv not in (None, "-"):
        write_file(options.csv, _csv(games).encode())
        say(f"written: {options.csv}")
    if options.json:
        print_json({"rulebook": rules.rulebook.id, "vary": list(vary), "games": [game.body() for game in games]})
    elif options.csv == "-":
        print(_csv(games), end="")
    elif options.csv is None:
        _print(rules.rulebook.title, games)
    return DONE


def _columns(games: list[SweptGame]) -> tuple[list[str], list[str]]:
    """The choices and the figures of a table."""
    figures = next((list(game.figures) for game in games if game.figures), [])
    return list(games[0].choices), figures


def _csv(games: list[SweptGame]) -> str:
    choices, figures = _columns(games)
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow([*choices, *figures, "refused"])
    for game in games:
        told = [repr(game.figures[name]) if name in game.figures else "" for name in figures]
        writer.writerow([*(game.choices[name] for name in choices), *told, game.refused])
    return text.getvalue()


PERCENT = ("house_edge", "house_edge_with_super_bonus", "return_to_player", "element_of_risk")
"""Figures that are shares."""


def _print(title: str, games: list[SweptGame]) -> None:
    choices, figures = _columns(games)
    figures = [name for name in figures if "super_bonus" not in name or _bonus(games)]
    wide = {name: max(len(name), *(len(game.choices[name]) for game in games)) for name in choices}
    print(title)
    head = [name.replace("_", " ") for name in figures]
    print("  " + "  ".join([*(f"{name:{wide[name]}}" for name in choices), *(f"{name:>18}" for name in head)]))
    for game in games:
        told = [figure_words("percent" if name in PERCENT else "number", game.figures.get(name, 0)) for name in figures]
        row = [f"{word:>18}" for word in told] if game.figures else [f"refused: {game.refused}"]
        print("  " + "  ".join([*(f"{game.choices[name]:{wide[name]}}" for name in choices), *row]))


def _bonus(games: list[SweptGame]) -> bool:
    """Whether a super bonus makes a difference in one of them."""
    edges = [game.figures for game in games if game.figures]
    return any(row["house_edge"] != row["house_edge_with_super_bonus"] for row in edges)
