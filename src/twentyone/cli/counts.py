"""`twentyone counts`: the published counting systems, and how well each follows a game."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from twentyone.cards import Card
from twentyone.cli import DONE, REFUSED
from twentyone.cli.common import add_at, print_json, say
from twentyone.cli.extras import needs
from twentyone.errors import TwentyoneError

if TYPE_CHECKING:
    from twentyone.sim.counting import Count

__all__ = ["add_parser", "run"]

EXAMPLE = """examples:
  twentyone counts
  twentyone counts classic-blackjack
  twentyone counts pa-spanish-21 --json

With a game: BC and IC, the correlation of the tags with what each card gone is worth to the round, and to insurance."""

SHOWN = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "A")
"""Ranks in the order of the table."""


def add_parser(commands: Any) -> None:
    """Describe the command."""
    parser = commands.add_parser(
        "counts",
        help="the published counting systems, and how well each follows a game",
        description="The counting systems that come with the package: tags and source of each.",
        epilog=EXAMPLE,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("rulebook", nargs="?", help="a rulebook: also tell betting and insurance correlation in it")
    parser.add_argument("--submission", metavar="FILE", help="the operator's choices (JSON or TOML)")
    add_at(parser)
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.set_defaults(run=run)


@needs("odds")
def run(options: argparse.Namespace) -> int:
    """Print the systems."""
    from twentyone.sim.counts import COUNTS, count_named

    counts = [count_named(name) for name in COUNTS]
    try:
        follows = _follows(options, counts) if options.rulebook else {}
    except TwentyoneError as refused:
        say(f"twentyone counts: {refused}")
        return REFUSED
    rows = [_body(count) | follows.get(count.name, {}) for count in counts]
    if options.json:
        print_json({"rulebook": options.rulebook, "counts": rows})
    else:
        _print(rows)
    return DONE


def _follows(options: argparse.Namespace, counts: list[Count]) -> dict[str, dict[str, Any]]:
    from twentyone.cli.odds import read_rules
    from twentyone.cli.progress import progress
    from twentyone.odds.efficiency import betting_worth, correlation, insurance_worth

    rules = read_rules(options.rulebook, options.submission)
    with progress("the worth of each card") as tell:
        worth = betting_worth(rules, tell)
    insured = insurance_worth(rules) if "insure" in rules.decisions else None
    return {
        count.name: {
            "betting_correlation": correlation(worth, count.tag),
            "insurance_correlation": None if insured is None else correlation(insured, count.tag),
        }
        for count in counts
    }


def _body(count: Count) -> dict[str, Any]:
    side = count.side
    return {
        "name": count.name,
        "source": count.source,
        "tags": dict(count.tags),
        "scale": count.scale,
        "start": count.start,
        "divisor": count.divisor,
        "side": None
        if side is None
        else {"tags": dict(side.tags), "weight": str(side.weight), "uses": list(side.uses)},
    }


def _print(rows: list[dict[str, Any]]) -> None:
    from twentyone.sim.counts import count_named

    print(f"{'':12} {' '.join(f'{rank:>4}' for rank in SHOWN)}")
    for row in rows:
        count = count_named(row["name"])
        tags = [count.tag(Card(rank + suit)) / count.scale for rank in SHOWN for suit in ("H", "S")]
        told = [
            f"{one:g}" if one == two else f"{one:g}/{two:g}" for one, two in zip(tags[::2], tags[1::2], strict=True)
        ]
        print(f"{row['name']:12} {' '.join(f'{tag:>4}' for tag in told)}", end="")
        if "betting_correlation" in row:
            insured = row["insurance_correlation"]
            print(
                f"   BC {row['betting_correlation']:.3f}" + ("" if insured is None else f"   IC {insured:.3f}"), end=""
            )
        print(f"   {row['source']}")
