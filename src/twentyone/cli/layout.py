"""`twentyone layout`: what the layout and the signs of a table must show, as a list, as JSON, as a picture."""

from __future__ import annotations

import argparse
from typing import Any

from twentyone.cli import DONE, REFUSED
from twentyone.cli.common import add_at, load_rulebook, print_json, say
from twentyone.cli.running import note_game
from twentyone.cli.submissions import read_table
from twentyone.cli.writing import write_file
from twentyone.errors import Refused
from twentyone.rulebook import Rules
from twentyone.table.layout import Layout, layout
from twentyone.table.layout_svg import draw_layout

__all__ = ["add_parser", "run"]

EXAMPLE = """examples:
  twentyone layout pa-spanish-21
  twentyone layout md-spanish-21 --submission submission.toml --json
  twentyone layout pa-down-under-blackjack --svg layout.svg"""


def add_parser(commands: Any) -> None:
    """Describe the command."""
    parser = commands.add_parser(
        "layout",
        help="what a table must show: inscriptions, areas, signs",
        description="The inscriptions, areas, signs and odds that a rulebook requires, each with its paragraph.",
        epilog=EXAMPLE,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("rulebook", help="a rulebook's id")
    parser.add_argument("--submission", metavar="FILE", help="a TOML file with the operator's choices")
    add_at(parser)
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--svg", metavar="FILE", help="also draw the layout into a file (`-`: print only the picture)")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Print the layout, or the refusal of its submission."""
    try:
        shown = layout(_rules(options.rulebook, options.submission))
    except (Refused, ValueError) as refused:
        say(f"twentyone layout: {refused}")
        return REFUSED
    if options.svg == "-":
        print(draw_layout(shown), end="")
        return DONE
    if options.svg is not None:
        write_file(options.svg, draw_layout(shown).encode())
    _print(shown, options.json)
    return DONE


def _rules(name: str, submission: str | None) -> Rules:
    """The rules of a rulebook under a submission file; `ValueError` if it is not one, or is for another rulebook."""
    book = load_rulebook(name)
    if submission is None:
        return note_game(book.under())
    body = read_table(submission)
    meant = body.pop("rulebook", name)
    if meant != name:
        raise ValueError(f"{submission} is a submission under {meant}, not under {name}")
    return note_game(book.under(body))


def _print(shown: Layout, as_json: bool) -> None:
    if as_json:
        print_json(shown.as_json())
    else:
        print(shown.as_text())
