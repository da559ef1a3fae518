"""`twentyone play`: a table in the terminal, with the paragraph beside every payment and every refusal."""

from __future__ import annotations

import argparse
import io
import random
import sys
import time
from typing import TYPE_CHECKING, Any

from twentyone.cli import DONE, INTERRUPTED, REFUSED
from twentyone.cli.common import add_amend, add_at, load_rulebook, load_rulebooks, say
from twentyone.cli.output import undelivered
from twentyone.cli.person import AskedPerson, Leave, in_a_line, read_amount, read_line
from twentyone.cli.submissions import read_table
from twentyone.errors import NoSuchRulebook, TwentyoneError
from twentyone.money import Amount
from twentyone.round import Decision, Offer, Wagers
from twentyone.rulebook import Rulebook, rulebook_ids

if TYPE_CHECKING:
    from twentyone.cli.table_screen import Screen
    from twentyone.cli.terminal_table import TerminalTable

__all__ = ["add_parser", "run"]

EPILOG = """keys (each with Enter):
  h hit  s stand  d double  p split  r surrender  i insurance  e even money  c second chance
  x rescue  n no  1 2 which hand a wager stays on  ? the keys  l the last paragraph  q leave
  an amount may follow: `d 5` doubles for $5.00

The table is a real one, in memory only: its staff inspects and shuffles the cards, cuts them, burns the
first and shuffles again after the cover card, as the rulebook says; the order comes from the operating
system's random number generator. Wheels stop at every symbol with equal probability unless the submission has
wheel_weights; the hot spot is drawn at random; progressive meters grow as the submission says.

examples:
  twentyone play pa-spanish-21 --side match_the_dealer=5
  twentyone play s13-spanish-21 --players Ann,Bob,Cy --wager 25
  twentyone play pa-down-under-blackjack --auto --rounds 10"""

MOST_BOXES = 7


def add_parser(commands: Any) -> None:
    """Describe the command."""
    parser = commands.add_parser(
        "play",
        help="a table in the terminal",
        description="Play at a table in the terminal: legal decisions only, every payment with its paragraph.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add = parser.add_argument
    add(
        "rulebook",
        nargs="?",
        metavar="RULEBOOK",
        type=_rulebook,
        help="a rulebook's id; without it, choose from a menu",
    )
    add(
        "--boxes",
        metavar="N",
        type=_boxes,
        help="boxes in play, 1 to 7 (default: one per player), divided among the players",
    )
    add("--players", metavar="NAME,NAME", type=_players, default="You", help="who plays (You)")
    add("--wager", metavar="AMOUNT", type=_amount, default="10", help="the main wager of each box (10)")
    add("--side", metavar="KIND=AMOUNT", type=_side, action="append", default=[],
        help="a side wager on each box, as in match_the_dealer=5; may be repeated")  # fmt: skip
    add("--submission", metavar="FILE.toml", help="the operator's Rules Submission")
    add_at(parser)
    add_amend(parser)
    add("--rounds", metavar="N", type=_rounds, help="stop after this many rounds (with --auto: 1)")
    add("--auto", action="store_true", help="decide by a simple rule: hit below 17, never insure")
    add("--seed", metavar="S", help="shuffle from a seed, for demonstrations and tests only: the cards are predictable")
    add("--no-color", action="store_true", help="no colours")
    parser.set_defaults(run=run, parser=parser)


# -- arguments


def _rulebook(name: str) -> Rulebook:
    try:
        return Rulebook.load(name)
    except NoSuchRulebook as unknown:
        raise argparse.ArgumentTypeError(str(unknown)) from None


def _number(text: str, most: int | None = None) -> int:
    number = int(text) if text.isascii() and text.isdigit() and len(text) < 10 else 0
    if number < 1 or (most is not None and number > most):
        limit = f"to {most}" if most is not None else "on"
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from 1 {limit}")
    return number


def _boxes(text: str) -> int:
    return _number(text, MOST_BOXES)


def _rounds(text: str) -> int:
    return _number(text)


def _players(text: str) -> list[str]:
    names = [name.strip() for name in text.split(",")]
    if not all(name and name.isprintable() for name in names):
        raise argparse.ArgumentTypeError(f"{text!r} contains a player without a name")
    if len(set(names)) < len(names):
        raise argparse.ArgumentTypeError(f"{text!r} names a player twice")
    return names


def _amount(text: str) -> Amount:
    try:
        return read_amount(text)
    except ValueError as wrong:
        raise argparse.ArgumentTypeError(str(wrong)) from None


def _side(text: str) -> tuple[str, Amount]:
    kind, sign, amount = text.partition("=")
    if not (kind and sign) or kind == "main":
        raise argparse.ArgumentTypeError(f"{text!r} is not a side wager like match_the_dealer=5")
    return kind.strip().replace("-", "_"), _amount(amount)


def _read_submission(options: argparse.Namespace) -> tuple[Rulebook | None, dict[str, Any]]:
    """The rulebook named by the options or the submission, if any, and the operator's choices."""
    if options.submission is None:
        return options.rulebook, {}
    body = read_table(options.submission)
    name = body.pop("rulebook", None)
    if name is not None and name not in rulebook_ids():
        raise ValueError(f"{options.submission}: there is no rulebook {name!r}")
    if name is not None and options.rulebook is not None and name != options.rulebook.id:
        raise ValueError(f"{options.submission} is a submission for {name}, not for {options.rulebook.id}")
    return (options.rulebook if name is None else Rulebook.load(name)), body


# -- running


def run(options: argparse.Namespace) -> int:
    """Open a table and play until somebody leaves."""
    from twentyone.cli.table_screen import Screen
    from twentyone.table.health import SourceFailed

    _forgive_bytes()
    screen = Screen(options.no_color, clears=not options.auto)
    try:
        table = _open(options, screen)
    except (TwentyoneError, ValueError) as refused:
        say(f"twentyone play: {in_a_line(refused)}")
        return REFUSED
    except Leave:
        screen.say("No round was played.")
        return DONE
    except KeyboardInterrupt:
        return INTERRUPTED
    status = DONE
    try:
        _play(table, options, screen)
    except Leave:
        pass
    except KeyboardInterrupt:
        status = INTERRUPTED
    except SourceFailed as failed:
        say(f"twentyone play: {failed}")
        status = REFUSED
    screen.say(table.farewell())
    return status


def _forgive_bytes() -> None:
    """Replace bytes and symbols that the terminal cannot show, instead of failing."""
    for stream in (sys.stdin, sys.stdout):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")


def _open(options: argparse.Namespace, screen: Screen) -> TerminalTable:
    from twentyone.cli.terminal_table import TerminalTable, assign_boxes
    from twentyone.table.health import Source
    from twentyone.table.shoe import os_source

    book, submission = _read_submission(options)
    if book is None:
        if options.auto:
            options.parser.error("--auto shows no menu: name the RULEBOOK")
        book = _choose(screen)
    book = load_rulebook(book.id)
    entropy = os_source() if options.seed is None else Source(random.Random(options.seed).randbytes)
    boxes = options.boxes or len(options.players)
    rows = [Wagers(box, who, options.wager, dict(options.side)) for box, who in assign_boxes(boxes, options.players)]
    return TerminalTable(book.under(submission), rows, entropy, lambda: int(time.time()))


def _choose(screen: Screen) -> Rulebook:
    """Ask for a rulebook by number or id."""
    books = load_rulebooks()
    known = {str(number): book for number, book in enumerate(books, 1)} | {book.id: book for book in books}
    screen.menu(books)
    while (line := read_line()) not in known:
        if line == "q":
            raise Leave
        screen.refuse(f"{line!r} is not a number on the list: 1 to {len(books)}, or q to leave")
    return known[line]


def _play(table: TerminalTable, options: argparse.Namespace, screen: Screen) -> None:
    person = None if options.auto else AskedPerson(table, screen)
    rounds = options.rounds or (1 if options.auto else None)
    while True:
        if person is None:
            screen.procedure(table)
        round_ = table.deal(person.answer if person is not None else lambda: _answer_by_rule(table))
        if round_ is None:
            screen.say("Shoe and discard rack are empty: the round is abandoned, every wager is returned.")
        else:
            screen.show_round(round_, table.chips, table.foot)
            cite = screen.settled(round_)
            if person is not None:
                person.cite = cite
        if table.rounds == rounds or undelivered() is not None:
            return
        table.clear()
        if person is not None:
            screen.procedure(table)
            person.next_round()


def _answer_by_rule(table: TerminalTable) -> None:
    """Decline optional offers; otherwise hit or stand."""
    from twentyone.service.shift.players import plain_choice

    offer = table.round.next
    assert isinstance(offer, Offer)
    table.decide(Decision("decline") if offer.optional else plain_choice(table.round, offer.options).decision())
