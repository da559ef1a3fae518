"""`twentyone perft`: counts every round of a small shoe, so that two engines can be compared."""

from __future__ import annotations

import argparse
from typing import Any

from twentyone.cli import DONE, REFUSED, UsageError
from twentyone.cli.common import print_json, say, whole
from twentyone.cli.odds import add_rules, read_rules
from twentyone.cli.progress import progress
from twentyone.errors import TwentyoneError
from twentyone.money import Amount, dollars

__all__ = ["add_parser", "run"]

MOST = 100_000_000

EXAMPLE = """examples:
  twentyone perft classic-blackjack --cards "8S 7H 8C KD 8D 3S 8H 2C 9D"
  twentyone perft classic-blackjack --cards "AS 8H 8C 3D KC" --any-order --json
  twentyone perft classic-blackjack --cards "8S 7H 9C KD 4D" --lines | sha256sum    the digest"""


def add_parser(commands: Any) -> None:
    """Describe the command."""
    parser = commands.add_parser(
        "perft",
        help="count every round of a small shoe, to compare engines",
        description="Play every round of the given cards with one player on box 1: whoever is asked takes each legal "
        "decision in turn, an added wager is as large as allowed. Tells how many rounds there are, what they win "
        "together, and a digest: the SHA-256 of a sorted line per round, its cards, decisions and net.",
        epilog=EXAMPLE,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add_rules(parser)
    parser.add_argument("--cards", required=True, metavar="CARDS", help="the shoe, as in '8S 7H 9C KD'")
    parser.add_argument("--any-order", action="store_true", help="every order in which these cards can come")
    parser.add_argument("--wager", default="10", metavar="DOLLARS", help="the main wager (10)")
    parser.add_argument("--most", type=whole(MOST), default=1_000_000, metavar="N", help="refuse more rounds (1000000)")
    parser.add_argument("--lines", action="store_true", help="print the line of every round instead")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Count the rounds, or print them."""
    from twentyone.script.perft import figures_of, perft_lines

    if options.lines and options.json:
        raise UsageError("give --lines or --json, not both")
    try:
        rules = read_rules(options.rulebook, options.submission)
        cards, wager = _cards(options.cards), _wager(options.wager)
        with progress("rounds") as tell_share:
            lines = perft_lines(rules, cards, wager, options.any_order, options.most, tell_share)
    except TwentyoneError as refused:
        say(f"twentyone perft: {refused}")
        return REFUSED
    found = figures_of(lines)
    if options.lines:
        print("".join(f"{line}\n" for line in lines.rounds), end="")
    elif options.json:
        print_json(found.body())
    else:
        print(f"rounds      {found.rounds}\nunfinished  {found.unfinished}   (a card was due and none left)")
        print(f"net         {dollars(found.net)}\ndigest      {found.digest}")
    return DONE


def _cards(text: str) -> Any:
    from twentyone.cards import parse_cards

    try:
        return parse_cards(text)
    except ValueError as wrong:
        raise TwentyoneError(f"--cards: {wrong}; cards are rank and suit, as in '8S 10H KD'") from None


def _wager(text: str) -> Amount:
    from twentyone.rulebook.submission import amount_or_none

    wager = amount_or_none(text)
    if wager is None or wager <= 0:
        raise TwentyoneError(f"--wager {text}: a wager is a positive amount in dollars")
    return wager
