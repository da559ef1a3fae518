"""`twentyone rounds`: the rounds of a ledger, all or filtered."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from twentyone.cli import DONE, FOUND_WRONG, UsageError
from twentyone.cli.common import print_json
from twentyone.cli.ledgers import (
    LEDGER,
    add_public_key,
    bar,
    events_of,
    open_ledger,
    or_refused,
    readers_key,
    unlike_signed,
)
from twentyone.money import Amount, dollars

if TYPE_CHECKING:
    from twentyone.ledger.round_rows import RoundRow

__all__ = ["add_parser", "run"]

EXAMPLE = """example:
  twentyone rounds t.db --irregularity any          every round with an irregularity
  twentyone rounds t.db --paragraph "635a.12(b)(4)" every round in which this paragraph was applied
  twentyone rounds t.db --player Ann --outcome surrender"""


def add_parser(commands: Any) -> None:
    """Describe the command."""
    parser = commands.add_parser(
        "rounds",
        help="list the rounds of a ledger",
        description="List the rounds of a ledger, table by table. A round is listed if it passes every filter.",
        epilog=EXAMPLE,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("ledger", help=LEDGER)
    parser.add_argument("--table", metavar="TABLE", help="at this table")
    parser.add_argument("--box", type=int, metavar="BOX", help="with a wager on this box")
    parser.add_argument("--player", metavar="PLAYER", help="with a wager of this player, in capitals or not")
    parser.add_argument("--outcome", metavar="OUTCOME", help="with a wager of this outcome: win, lose, push, void ...")
    parser.add_argument("--paragraph", metavar="PARAGRAPH", help="in which this paragraph was applied")
    parser.add_argument("--irregularity", metavar="NAME", help="with this irregularity (any: any irregularity)")
    parser.add_argument("--shift", default="all", metavar="SHIFT", help="begun in this shift, as `report` names them")
    parser.add_argument("--rebuild", action="store_true", help="first rebuild the list from the events")
    parser.add_argument("--json", action="store_true", help="print JSON")
    add_public_key(parser)
    parser.set_defaults(run=run)


@or_refused
def run(options: argparse.Namespace) -> int:
    """Print the rounds."""
    from twentyone.ledger.rounds import list_rounds
    from twentyone.ledger.store import table_streams
    from twentyone.ledger.timestamps import NotAPeriod, Period
    from twentyone.ledger.wanted import Wanted

    try:
        begun = Period.parse(options.shift)
    except NotAPeriod as wrong:
        raise UsageError(str(wrong)) from None
    asked = ("table", "box", "player", "outcome", "paragraph", "irregularity")
    wanted = Wanted(**{name: getattr(options, name) for name in asked}, begun=begun)
    with open_ledger(options.ledger, write=options.rebuild) as store:
        tables = table_streams(store)
        if wanted.table is not None and wanted.table not in tables:
            raise UsageError(f"there is no table {wanted.table!r} in this ledger; there are {', '.join(tables)}")
        faults = unlike_signed(options, store)
        with bar("rounds: events", events_of(store)) as show:
            rows = list(list_rounds(store, wanted, readers_key(options), options.rebuild, show))
    if options.json:
        print_json([row.to_json() for row in rows])
    else:
        _print(rows)
    return FOUND_WRONG if faults else DONE


def _print(rows: list[RoundRow]) -> None:
    from twentyone.ledger.timestamps import moment

    for row in rows:
        net = ", ".join(f"{player} {dollars(Amount.from_thousandths(amount))}" for player, amount in row.net.items())
        state = "void" if row.void else "" if row.over else "in progress"
        wrong = f"  [{', '.join(name.replace('_', ' ') for name in row.irregularities)}]" if row.irregularities else ""
        wagered = dollars(Amount.from_thousandths(row.wagered))
        print(f"{row.id:28} {moment(row.begun)}  wagered {wagered:>10}  {net}  {state}{wrong}".rstrip())
    print(f"{len(rows)} rounds" if len(rows) != 1 else "1 round")
