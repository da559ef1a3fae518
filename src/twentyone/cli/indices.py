"""`twentyone indices`: from which count on another decision is better, worked out exactly for a game and a count."""

from __future__ import annotations

import argparse
import json
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from twentyone.cli import DONE, REFUSED
from twentyone.cli.common import exact_number, say
from twentyone.cli.extras import needs
from twentyone.cli.odds import add_rules, read_rules
from twentyone.cli.simulate_counts import count_of
from twentyone.errors import Refused, TwentyoneError
from twentyone.rulebook import Rules

if TYPE_CHECKING:
    from twentyone.odds.indices import Index
    from twentyone.sim.counting import Count

__all__ = ["add_parser", "run"]

EXAMPLE = """examples:
  twentyone indices classic-blackjack
  twentyone indices classic-blackjack --count zen --left 1/2
  twentyone indices pa-spanish-21 --count hilo --json > mine.json

The JSON has `departures` as a count file has them: copy them there, or see `simulate --indices` for those that come
with the package."""

LEFT = Fraction(5, 8)
"""The share of the shoe that is left: the middle of a shoe that is dealt to its last quarter."""


def add_parser(commands: Any) -> None:
    """Describe the command."""
    parser = commands.add_parser(
        "indices",
        help="exact indices: from which count on another decision is better",
        description="Work out the indices of a count: the game is analysed exactly from the cards to be expected in\n"
        "the shoe at each count, and the counts are found at which another decision becomes the best.",
        epilog=EXAMPLE,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add_rules(parser)
    parser.add_argument("--count", default="hilo", metavar="SYSTEM", help="a published system, or a JSON file (hilo)")
    parser.add_argument("--left", default=str(LEFT), metavar="SHARE", help=f"share of the shoe that is left ({LEFT})")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.set_defaults(run=run)


@needs("odds")
def run(options: argparse.Namespace) -> int:
    """Work the indices out and print them."""
    from twentyone.cli.progress import progress

    try:
        rules, count = read_rules(options.rulebook, options.submission), count_of(options.count)
        with progress("analysing") as tell:
            body = body_of(rules, count, _left(options.left), tell)
    except TwentyoneError as refused:
        say(f"twentyone indices: {refused}")
        return REFUSED
    print(_written(body)) if options.json else _print(body)
    return DONE


def _left(text: str) -> Fraction:
    try:
        share = exact_number(text)
    except ValueError:
        raise Refused(f"{text[:40]!r} is not a share like 0.5 or 5/8", step="--left") from None
    if not Fraction(1, 5) <= share < 1:
        raise Refused(f"indices are worked out with a fifth of the shoe or more left, not {text}", step="--left")
    return share


def body_of(rules: Rules, count: Count, share: Fraction, tell: Any = lambda _: None) -> dict[str, Any]:
    """The indices as JSON."""
    from twentyone.odds.classes import Classes
    from twentyone.odds.counted_shoe import CountedShoe
    from twentyone.odds.indices import CountScale, departures, find_indices
    from twentyone.sim.setup import Setup

    setup = Setup.of(rules, mode="shoe", count=count)
    deck = len(setup.deck)
    left = int(share * setup.shoe_cards)
    shoe = CountedShoe(Classes.of(rules), count.tag, left, setup.start_count)
    scale = CountScale(0 if count.divisor == "none" else deck, count.scale, count.lowest, count.highest)
    found = find_indices(rules, shoe, scale, tell)
    return {
        "rulebook": rules.rulebook.id,
        "submission": {key: _plain(value) for key, value in rules.submission.values.items()},
        "count": count.name,
        "cards_left": left,
        "indices": [_told(index) for index in found],
        "departures": departures(rules, found),
    }


def _plain(value: Any) -> Any:
    return value if type(value) in (bool, int, str, type(None)) else str(value)


def _told(index: Index) -> dict[str, Any]:
    row = {"where": index.cell.where({}), "below": index.below, "above": index.above}
    return row | {"index": round(index.at, 3), "gain_per_point": round(index.slope, 5)}


def _written(body: dict[str, Any]) -> str:
    """JSON with a line for each index and departure."""
    parts = []
    for key, value in body.items():
        rows = ",\n    ".join(json.dumps(row, ensure_ascii=False) for row in value) if isinstance(value, list) else None
        parts.append(f'  "{key}": ' + (f"[\n    {rows}\n  ]" if rows else json.dumps(value, ensure_ascii=False)))
    return "{\n" + ",\n".join(parts) + "\n}"


def _print(body: dict[str, Any]) -> None:
    print(
        f"{body['rulebook']}, {body['count']}, {body['cards_left']} cards left: the count from which on the decision is"
    )
    for row in body["indices"]:
        print(f"  {_hand(row['where']):22} {row['below']:>9} -> {row['above']:9} {row['index']:+7.2f}")


def _hand(where: dict[str, Any]) -> str:
    if "phase" in where:
        return f"insurance, {where['up']}"
    hand = (
        f"{where['pair']}-{where['pair']}" if where["pair"] else f"{'soft ' if where['soft'] else ''}{where['total']}"
    )
    return f"{hand} against {where['up']}" + (f" ({where['hole']})" if "hole" in where else "")
