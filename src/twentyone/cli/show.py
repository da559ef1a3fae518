"""`twentyone show`: one round of a ledger, every event with its paragraph; or the money of the house."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from twentyone.cli import DONE, FOUND_WRONG, UsageError
from twentyone.cli.common import print_json, say
from twentyone.cli.ledgers import LEDGER, add_public_key, bar, open_ledger, or_refused, readers_key, unlike_signed
from twentyone.money import ZERO, Amount, dollars

if TYPE_CHECKING:
    from twentyone.ledger.store import Store
    from twentyone.ledger.transcript import Transcript

__all__ = ["add_parser", "run"]


def add_parser(commands: Any) -> None:
    """Describe the command."""
    parser = commands.add_parser(
        "show",
        help="show one round of a ledger, or the money that is not at a table",
        description="A round as recorded in the ledger: time, person, event, and the paragraph of every event.",
        epilog="examples:\n  twentyone show t.db pa-spanish-21-1:17\n  twentyone show t.db --house",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("ledger", help=LEDGER)
    parser.add_argument("round", nargs="?", help="TABLE:NUMBER, as `twentyone rounds` lists it")
    parser.add_argument("--house", action="store_true", help="list the events of the house instead, and every purse")
    parser.add_argument("--commands", action="store_true", help="also show the commands")
    parser.add_argument("--json", action="store_true", help="print JSON")
    add_public_key(parser)
    parser.set_defaults(run=run)


@or_refused
def run(options: argparse.Namespace) -> int:
    """Print the transcript."""
    from twentyone.ledger.rounds import NoSuchRound, find_round
    from twentyone.ledger.transcript import transcript

    if options.house == (options.round is not None):
        raise UsageError("name one round (TABLE:NUMBER, as `twentyone rounds` lists it), or --house")
    with open_ledger(options.ledger) as store:
        faults = unlike_signed(options, store)
        if options.house:
            well = _show_house(store, options.json)
            return DONE if well and not faults else FOUND_WRONG
        try:
            row = find_round(store, options.round, readers_key(options))
        except NoSuchRound as unknown:
            raise UsageError(str(unknown)) from None
        with bar("show: events", row.last) as show:
            story = transcript(store, row, show)
    if options.json:
        print_json(story.to_json())
    else:
        _print(story, options.commands)
    return FOUND_WRONG if faults else DONE


def _show_house(store: Store, as_json: bool) -> bool:
    """Print the house's stream; whether its events agree with each other."""
    from twentyone.ledger.house_words import house_story
    from twentyone.ledger.timestamps import moment

    story = house_story(store)
    for what in story.wrong:
        say(f"twentyone show: fault: {what}; `twentyone verify` examines the whole ledger")
    if as_json:
        print_json(story.to_json())
        return not story.wrong
    for line in story.lines:
        print(f"{line.version:>7}  {moment(line.ts)}  {line.words}")
    for name, amount in story.purses.items():
        print(f"purse of {name}: {dollars(amount)}")
    if not story.lines:
        print("no money of this ledger is away from its tables")
    return not story.wrong


def _print(story: Transcript, commands: bool) -> None:
    from twentyone.ledger.timestamps import moment

    row = story.row
    state = "VOID" if row.void else "over" if row.over else "in progress, its wagers are held"
    print(f"REPLAY of round {row.id} ({row.rulebook}), {moment(row.begun)} UTC: {state}")
    if not story.for_play:
        print("its shoe came from a test source of entropy: not for play")
    if story.wheel is not None:
        print(f"its wheels were committed to as {story.wheel.commitment}")
    if story.wheel is not None and story.wheel.seed:
        print(f"their seed, published after it: {story.wheel.seed}")
    print()
    for line in story.lines:
        if commands or not line.aside:
            print(f"{moment(line.ts)[11:]}  {line.cite:44} {line.by:8} {line.words}".rstrip())
    print()
    for player, net in row.net.items():
        before, after = ((held or {}).get(player, ZERO) for held in (story.before, story.after))
        wagers = dollars(Amount.from_thousandths(net))
        print(f"{player}: {dollars(before)} in chips before, {dollars(after)} after; wagers {wagers}")
    if row.irregularities:
        print(f"irregularities: {', '.join(name.replace('_', ' ') for name in row.irregularities)}")
