"""`twentyone hand`: the value of every decision for the given cards."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from twentyone.cards import RANKS, SUITS, Card, parse_cards
from twentyone.cli import DONE, REFUSED
from twentyone.cli.common import print_json, say
from twentyone.cli.extras import needs
from twentyone.cli.odds import add_rules, read_rules
from twentyone.errors import TwentyoneError
from twentyone.rulebook import Rules
from twentyone.rulebook.submission import amount_or_none
from twentyone.strategy import value_class
from twentyone.strategy.situation import ranks_of

if TYPE_CHECKING:
    from twentyone.odds.hand_values import SeenHand

__all__ = ["add_parser", "run"]

EXAMPLE = """examples:
  twentyone hand pa-spanish-21 "6S 7S" --up 5
  twentyone hand pa-down-under-blackjack "10S 6D" --up 9 --hole small
  twentyone hand pa-spanish-21 "KH 5D" --up 10 --doubled
  twentyone hand classic-blackjack "10S 6D" --up 10 --out "KS KH QD JC 10C"
  twentyone hand pa-spanish-21 "7S 7S" --up 7H --wager 5

Where the suit of the up card counts and none is named, the values are means over the suits that it may be of.
The super bonus depends on the amount of the wager: without --wager it is left out.

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
    parser.add_argument("--up", required=True, metavar="CARD", help="the up card: 5H, or 5 (of any suit)")
    parser.add_argument(
        "--hole", default="", metavar="KNOWN", help="what is known of the hole card: a range, or =10 if it is shown"
    )
    parser.add_argument("--split", action="store_true", help="the hand came out of a split")
    parser.add_argument("--doubled", action="store_true", help="the hand was doubled")
    parser.add_argument("--wager", metavar="DOLLARS", help="the original wager, for the super bonus (left out)")
    parser.add_argument("--out", default="", metavar="CARDS", help="cards that have left the shoe beside these")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.set_defaults(run=run)


@needs("odds")
def run(options: argparse.Namespace) -> int:
    """Print the value of every decision."""
    try:
        rules = read_rules(options.rulebook, options.submission)
        asked = _asked(rules, options)
        _check_hole(rules, asked.up, asked.hole)
        values = _values(rules, asked)
    except TwentyoneError as refused:
        say(f"twentyone hand: {refused}")
        return REFUSED
    if options.json:
        _print_json(rules, asked, values)
    else:
        _print(rules, asked, values)
    return DONE


def _asked(rules: Rules, options: argparse.Namespace) -> SeenHand:
    """The hand that the arguments name; a 10 without a suit is any card that counts ten, where there is no 10."""
    from twentyone.odds.hand_values import SeenHand

    any_suit, cards, wager = options.up in RANKS, _cards(options.cards), None
    rank = ranks_of(rules, options.up)[0] if options.up in rules.cards.without else options.up
    up_cards = (Card(rank + SUITS[0]),) if any_suit else _cards(options.up)
    if len(up_cards) != 1:
        raise TwentyoneError(f"--up {options.up!r}: the dealer has one up card")
    if options.wager is not None:
        wager = amount_or_none(options.wager)
        if wager is None or wager <= 0:
            raise TwentyoneError(f"--wager {options.wager}: a wager is a positive amount in dollars")
    out = _cards(options.out)
    return SeenHand(cards, up_cards[0], options.hole, options.split, options.doubled, out, any_suit, wager=wager)


def _print_json(rules: Rules, asked: SeenHand, values: dict[str, float]) -> None:
    facts = rules.hand(asked.cards, asked.split, asked.doubled)
    up = value_class(rules, asked.up) if asked.any_suit else asked.up.name
    named = {"hand": [card.name for card in asked.cards], "up": up, "hole": asked.hole, "total": facts.points}
    named |= {"out": [card.name for card in asked.out]} if asked.out else {}
    if bonus := rules.may_earn(asked.cards, asked.up, asked.split):
        counted = None if asked.wager is None else str(asked.wager)
        named |= {"super_bonus": {"wager": counted, "cite": bonus.cite}}
    best = max(values, key=lambda name: values[name])
    print_json({"rulebook": rules.rulebook.id, **named, "soft": facts.soft, "decisions": values, "best": best})


def _print(rules: Rules, asked: SeenHand, values: dict[str, float]) -> None:
    facts = rules.hand(asked.cards, asked.split, asked.doubled)
    best = max(values, key=lambda name: values[name])
    shown = " ".join(card.symbol for card in asked.cards)
    up = value_class(rules, asked.up) if asked.any_suit else asked.up.symbol
    hole = f", hole card {asked.hole}" if asked.hole else ""
    print(f"{shown} = {'soft ' if facts.soft else ''}{facts.points} against {up}{hole}")
    for name, value in sorted(values.items(), key=lambda row: -row[1]):
        mark = "best" if name == best else f"{value - values[best]:+.6f}"
        print(f"  {name.replace('_', ' '):14} {value:+.6f}  {mark}")
    if bonus := rules.may_earn(asked.cards, asked.up, asked.split):
        left_out = "is left out: --wager DOLLARS counts it"
        counted = left_out if asked.wager is None else f"of a wager of ${asked.wager} is counted"
        print(f"  The super bonus {counted} ({bonus.cite}).")


def _values(rules: Rules, asked: SeenHand) -> dict[str, float]:
    """The values, kept from an earlier answer or worked out."""
    from twentyone.odds.cache import kept, key_of
    from twentyone.odds.hand_values import left_shoes, values_of_hand
    from twentyone.odds.kept_hands import kept_hand

    if asked.wager is not None and rules.may_earn(asked.cards, asked.up, asked.split) is None:
        asked = asked._replace(wager=None)
    if not (asked.out or asked.split or asked.wager):
        seen = asked.cards if asked.any_suit else (*asked.cards, asked.up)
        held = asked.cards, asked.up, asked.hole, asked.doubled
        found = kept_hand(rules, *held, any_suit=asked.any_suit) if _are_there(rules, seen) else None
        if found is not None:
            return found

    question = [str(part) for part in asked._replace(out=tuple(sorted(asked.out, key=str)))]
    return kept(key_of(rules, "hand", *question), lambda: values_of_hand(left_shoes(rules), asked))[0]


def _are_there(rules: Rules, cards: tuple[Card, ...]) -> bool:
    """Whether the decks hold these cards; where they do not, asking by itself refuses it."""
    decks = int(rules.submission["decks"])
    return all(card.rank not in rules.cards.without and cards.count(card) <= decks for card in cards)


def _cards(text: str) -> tuple[Card, ...]:
    try:
        return parse_cards(text)
    except ValueError as wrong:
        raise TwentyoneError(str(wrong)) from None


def _check_hole(rules: Rules, up: Card, hole: str) -> None:
    from twentyone.strategy import hole_conditions, value_class

    known = hole_conditions(rules, value_class(rules, up))
    if hole not in known:
        names = " or ".join(name or "nothing" for name in known)
        raise TwentyoneError(f"--hole {hole!r}: against {up.name} a player of this game knows {names} of the hole card")
