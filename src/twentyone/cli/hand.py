"""`twentyone hand`: the value of every decision for the given cards."""

from __future__ import annotations

import argparse
from typing import Any

from twentyone.cards import RANKS, SUITS, Card, parse_cards
from twentyone.cli import DONE, REFUSED
from twentyone.cli.common import print_json, say
from twentyone.cli.extras import needs
from twentyone.cli.odds import add_rules, read_rules
from twentyone.cli.progress import progress
from twentyone.errors import TwentyoneError
from twentyone.rulebook import Rules

__all__ = ["add_parser", "run"]

EXAMPLE = """examples:
  twentyone hand pa-spanish-21 "6S 7S" --up 5
  twentyone hand pa-down-under-blackjack "10S 6D" --up 9 --hole small
  twentyone hand pa-spanish-21 "KH 5D" --up 10 --doubled"""


def add_parser(commands: Any) -> None:
    """Describe the command."""
    parser = commands.add_parser(
        "hand",
        help="the value of every decision for the given cards",
        description="The expected result of every decision for the given cards, in original wagers, from a full shoe.",
        epilog=EXAMPLE,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add_rules(parser)
    parser.add_argument("cards", metavar="CARDS", help='the hand, as in "6S 7S"')
    parser.add_argument(
        "--up", required=True, metavar="CARD", help="the up card: 5H, or 5 (clubs, or the next free suit)"
    )
    parser.add_argument(
        "--hole", default="", metavar="KNOWN", help="what is known of the hole card: a range, or =10 if it is shown"
    )
    parser.add_argument("--split", action="store_true", help="the hand came out of a split")
    parser.add_argument("--doubled", action="store_true", help="the hand was doubled")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.set_defaults(run=run)


@needs("odds")
def run(options: argparse.Namespace) -> int:
    """Print the value of every decision."""
    from twentyone.odds.analysis import analyse

    try:
        rules = read_rules(options.rulebook, options.submission)
        cards = _cards(options.cards)
        up = _up(options.up, cards)
        _check_hole(rules, up, options.hole)
        with progress("analysing") as share:
            analysis = analyse(rules, progress=share)
        values = analysis.decisions(cards, up, options.hole, options.split, options.doubled)
    except TwentyoneError as refused:
        say(f"twentyone hand: {refused}")
        return REFUSED
    facts = rules.hand(cards, options.split, options.doubled)
    best = max(values, key=lambda name: values[name])
    if options.json:
        named = {"hand": [card.name for card in cards], "up": up.name, "hole": options.hole, "total": facts.points}
        print_json({"rulebook": rules.rulebook.id, **named, "soft": facts.soft, "decisions": values, "best": best})
        return DONE
    shown = " ".join(card.symbol for card in cards)
    hole = f", hole card {options.hole}" if options.hole else ""
    print(f"{shown} = {'soft ' if facts.soft else ''}{facts.points} against {up.symbol}{hole}")
    for name, value in sorted(values.items(), key=lambda row: -row[1]):
        mark = "best" if name == best else f"{value - values[best]:+.6f}"
        print(f"  {name.replace('_', ' '):14} {value:+.6f}  {mark}")
    return DONE


def _cards(text: str) -> tuple[Card, ...]:
    try:
        return parse_cards(text)
    except ValueError as wrong:
        raise TwentyoneError(str(wrong)) from None


def _up(text: str, cards: tuple[Card, ...]) -> Card:
    """The up card; a bare rank takes the first suit, starting at clubs, in which the hand does not hold that rank."""
    if text in RANKS:
        left = [suit for suit in reversed(SUITS) if Card(text + suit) not in cards]
        return Card(text + (left or SUITS)[0])
    up_cards = _cards(text)
    if len(up_cards) != 1:
        raise TwentyoneError(f"--up {text!r}: the dealer has one up card")
    return up_cards[0]


def _check_hole(rules: Rules, up: Card, hole: str) -> None:
    from twentyone.strategy import hole_conditions, value_class

    known = hole_conditions(rules, value_class(rules, up))
    if hole not in known:
        names = " or ".join(name or "nothing" for name in known)
        raise TwentyoneError(f"--hole {hole!r}: against {up.name} a player of this game knows {names} of the hole card")
