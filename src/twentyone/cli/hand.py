"""`twentyone hand`: the value of every decision for the given cards."""

from __future__ import annotations

import argparse
from typing import Any

from twentyone.cards import RANKS, SUITS, Card, parse_cards
from twentyone.cli import DONE, REFUSED
from twentyone.cli.common import print_json, say
from twentyone.cli.extras import needs
from twentyone.cli.odds import add_rules, read_rules
from twentyone.errors import TwentyoneError
from twentyone.rulebook import Rules

__all__ = ["add_parser", "run"]

EXAMPLE = """examples:
  twentyone hand pa-spanish-21 "6S 7S" --up 5
  twentyone hand pa-down-under-blackjack "10S 6D" --up 9 --hole small
  twentyone hand pa-spanish-21 "KH 5D" --up 10 --doubled
  twentyone hand classic-blackjack "10S 6D" --up 10 --out "KS KH QD JC 10C"

Answers are kept, from a full shoe those of every hand against the same up card: they are looked up the next time."""


def add_parser(commands: Any) -> None:
    """Describe the command."""
    parser = commands.add_parser(
        "hand",
        help="the value of every decision for the given cards",
        description="The expected result of every decision for the given cards, in original wagers, "
        "from a full shoe or, with --out, from one that some cards have left.",
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
    parser.add_argument("--out", default="", metavar="CARDS", help="cards that have left the shoe beside these")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.set_defaults(run=run)


@needs("odds")
def run(options: argparse.Namespace) -> int:
    """Print the value of every decision."""
    try:
        rules = read_rules(options.rulebook, options.submission)
        cards = _cards(options.cards)
        up = _up(options.up, cards)
        _check_hole(rules, up, options.hole)
        out = _cards(options.out)
        values = _values(rules, options, cards, up, out)
    except TwentyoneError as refused:
        say(f"twentyone hand: {refused}")
        return REFUSED
    facts = rules.hand(cards, options.split, options.doubled)
    best = max(values, key=lambda name: values[name])
    if options.json:
        named = {"hand": [card.name for card in cards], "up": up.name, "hole": options.hole, "total": facts.points}
        named |= {"out": [card.name for card in out]} if out else {}
        print_json({"rulebook": rules.rulebook.id, **named, "soft": facts.soft, "decisions": values, "best": best})
        return DONE
    shown = " ".join(card.symbol for card in cards)
    hole = f", hole card {options.hole}" if options.hole else ""
    print(f"{shown} = {'soft ' if facts.soft else ''}{facts.points} against {up.symbol}{hole}")
    for name, value in sorted(values.items(), key=lambda row: -row[1]):
        mark = "best" if name == best else f"{value - values[best]:+.6f}"
        print(f"  {name.replace('_', ' '):14} {value:+.6f}  {mark}")
    return DONE


def _values(
    rules: Rules, options: argparse.Namespace, cards: tuple[Card, ...], up: Card, out: tuple[Card, ...]
) -> dict[str, float]:
    """The values, kept from an earlier answer or worked out."""
    from twentyone.odds.cache import kept, key_of
    from twentyone.odds.kept_hands import kept_hand

    if not (out or options.split):
        found = kept_hand(rules, cards, up, options.hole, options.doubled)
        if found is not None and _are_there(rules, (*cards, up)):
            return found

    def make() -> dict[str, float]:
        from twentyone.odds.hand_values import hand_values

        return hand_values(rules, cards, up, options.hole, split=options.split, doubled=options.doubled, out=out)

    question = [*(card.name for card in cards), up.name, options.hole, str(options.split), str(options.doubled)]
    return kept(key_of(rules, "hand", *question, *sorted(card.name for card in out)), make)[0]


def _are_there(rules: Rules, cards: tuple[Card, ...]) -> bool:
    """Whether the decks hold these cards; where they do not, asking by itself refuses it."""
    decks = int(rules.submission["decks"])
    return all(card.rank not in rules.cards.without and cards.count(card) <= decks for card in cards)


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
