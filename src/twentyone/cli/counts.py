"""`twentyone counts`: the published counting systems, and how well each follows a game."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from twentyone.cards import SUITS, Card
from twentyone.cli import DONE, REFUSED
from twentyone.cli.common import add_at, print_json, say
from twentyone.cli.extras import needs
from twentyone.errors import TwentyoneError

if TYPE_CHECKING:
    from twentyone.odds.efficiency import Worth
    from twentyone.sim.counting import Count

__all__ = ["add_parser", "run"]

EXAMPLE = """examples:
  twentyone counts
  twentyone counts classic-blackjack
  twentyone counts pa-spanish-21 --json

With a game: BC and IC, the correlation of the tags with what each card gone is worth to the round, and to insurance;
a system that counts cards aside has a second figure where it uses them."""

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
            "betting_correlation_with_side": _with_side(worth, count, "wagers"),
            "insurance_correlation": None if insured is None else correlation(insured, count.tag),
            "insurance_correlation_with_side": None if insured is None else _with_side(insured, count, "insurance"),
        }
        for count in counts
    }


def _with_side(worth: Worth, count: Count, use: str) -> float | None:
    """The correlation of the corrected tags, where the system uses its side count for that."""
    from twentyone.odds.efficiency import correlation

    if count.side is None or use not in count.side.uses:
        return None
    deck = tuple(Card(rank + suit) for rank in worth for suit in SUITS)
    return correlation(worth, lambda card: count.corrected_tag(card, deck))


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
        print(_followed(row) + f"   {row['source']}")


def _followed(row: Mapping[str, Any]) -> str:
    """How well a system follows a game: by its tags alone, and with its side count where that is used."""
    if "betting_correlation" not in row:
        return ""
    told = []
    for name, key in (("BC", "betting_correlation"), ("IC", "insurance_correlation")):
        if row[key] is not None:
            side = row[f"{key}_with_side"]
            told.append(f"{name} {row[key]:.3f}" + ("" if side is None else f", with the side count {side:.3f}"))
    return "   " + "   ".join(told)
