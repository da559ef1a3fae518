"""`twentyone shift`: automatic players and staff work real tables into a real ledger."""

from __future__ import annotations

import argparse
import secrets
import sys
import time
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from twentyone.cli import DONE, FOUND_WRONG, UsageError
from twentyone.cli.check import read_submission
from twentyone.cli.common import load_rulebook, print_json, say
from twentyone.cli.ledgers import LEDGER, add_files, bar, checkpoints_path, events_of, key_path, open_ledger, or_refused
from twentyone.rulebook import Rules

if TYPE_CHECKING:
    from twentyone.ledger.keys import Keyring
    from twentyone.ledger.store import Store
    from twentyone.service.shift.work import Shift, ShiftPlan

__all__ = ["add_parser", "run"]

EXAMPLE = """example:
  twentyone shift pa-spanish-21 --tables 2 --rounds 400 --irregularities 0.02 --ledger t.db --seed 7

Killed at any moment, the same command goes on where the ledger stands. With --seed everything that people do, the clock
and the shoes follow from the seed; such shoes are marked in the ledger as not for play."""

RATE = "how often something goes wrong, at each step: 0 to 0.5 (default 0)"
MOST_OFTEN = Fraction(1, 2)
"""Beyond this rate irregularities would keep each other from ending."""
MOST_TABLES, MOST_ROUNDS = 500, 10**9
SIGN_EVERY = 5.0
"""Seconds between two signed checkpoints."""


def add_parser(commands: Any) -> None:
    """Describe the command."""
    parser = commands.add_parser(
        "shift",
        help="let automatic people work tables into a ledger",
        description="Automatic players and staff work tables into a ledger until so many rounds are dealt, all tables "
        "together, and close them; then comes the shift report.",
        epilog=EXAMPLE,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("rulebook", help="the rulebook's id")
    parser.add_argument(
        "--tables", type=_whole(MOST_TABLES), default=1, metavar="N", help="how many tables (default 1)"
    )
    parser.add_argument(
        "--rounds", type=_whole(MOST_ROUNDS), required=True, metavar="N", help="rounds, all tables together"
    )
    parser.add_argument("--ledger", required=True, metavar="F", help=f"the ledger, made if it is not there: {LEDGER}")
    parser.add_argument("--irregularities", type=_rate, default=Fraction(0), metavar="RATE", help=RATE)
    parser.add_argument(
        "--seed", metavar="S", help="what people, clock and shoes follow from; such shoes are not for play"
    )
    parser.add_argument("--submission", metavar="FILE", help="a Rules Submission (TOML) of this rulebook")
    parser.add_argument("--operator", default="", metavar="NAME", help="who runs the tables, for the report")
    parser.add_argument("--tell", action="store_true", help="say on standard error which rounds are over and stored")
    parser.add_argument("--json", action="store_true", help="print the shift report as JSON")
    add_files(parser)
    parser.set_defaults(run=run)


def _whole(most: int) -> Any:
    def read(text: str) -> int:
        if not (text.isascii() and text.isdecimal() and 1 <= int(text[:20]) <= most):
            raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from 1 to {most}")
        return int(text)

    return read


def _rate(text: str) -> Fraction:
    try:
        rate = Fraction(text)
    except (ValueError, ZeroDivisionError):
        raise argparse.ArgumentTypeError(f"{text!r} is not a number") from None
    if not 0 <= rate <= MOST_OFTEN:
        raise argparse.ArgumentTypeError(f"{text} is not a rate from 0 to {MOST_OFTEN}")
    return rate


@or_refused
def run(options: argparse.Namespace) -> int:
    """Work the shift, then report."""
    from twentyone.cli.report import print_report
    from twentyone.ledger.report import shift_report
    from twentyone.ledger.timestamps import Period
    from twentyone.service.shift.work import Shift, ShiftPlan, table_names

    plan = ShiftPlan(_rules(options), options.tables, options.rounds, options.irregularities, options.seed)
    with open_ledger(options.ledger, create=True) as store:
        _check_files(options, store)
        keys = _keys(options, store)
        shift = Shift(store, keys, plan, _now, secrets.token_hex(16))
        _work(options, store, keys, plan, shift)
        with bar("report: events", events_of(store)) as show:
            report = shift_report(store, Period(), _now(), options.operator, table_names(plan), show)
    print_json(report.to_json()) if options.json else print_report(report)
    return DONE if report.reconciled else FOUND_WRONG


def _now() -> int:
    return int(time.time())


def _rules(options: argparse.Namespace) -> Rules:
    """The rules of the shift; a rulebook without a table's procedures has none."""
    from twentyone.rulebook.clauses import Burn

    if options.submission is None:
        rules = load_rulebook(options.rulebook).under({})
    else:
        try:
            rules = read_submission(options.submission)
        except ValueError as wrong:
            raise UsageError(str(wrong)) from None
        if rules.rulebook.id != options.rulebook:
            raise UsageError(f"{options.submission} is a submission of {rules.rulebook.id}, not of {options.rulebook}")
    if not rules.all(Burn):
        raise UsageError(f"{options.rulebook} has no procedures of a table, so no shift can be worked at it")
    return rules


def _check_files(options: argparse.Namespace, store: Store) -> None:
    """A new ledger has no checkpoints: those that lie there speak of another one."""
    from twentyone.ledger.rows import LedgerRefused

    path = checkpoints_path(options)
    if not store.streams() and path.exists() and path.stat().st_size:
        raise LedgerRefused(f"{path} holds the checkpoints of another ledger: move them away, or name other files")


def _keys(options: argparse.Namespace, store: Store) -> Keyring:
    """The keys of the ledger; new ones for a new ledger only."""
    from twentyone.ledger.keys import Keyring
    from twentyone.table.shoe import os_source

    path = key_path(options)
    if path.exists() or store.streams():
        return Keyring.load(path)
    signed = checkpoints_path(options)
    say(f"a new ledger: its key is in {path}, its checkpoints are in {signed}; keep both apart from it")
    return Keyring.create(path, os_source())


def _work(options: argparse.Namespace, store: Store, keys: Keyring, plan: ShiftPlan, shift: Shift) -> None:
    """Work until every table is closed, with a signed checkpoint now and then and one at the end."""
    from twentyone.ledger.checkpoints import write_checkpoint

    def sign() -> float:
        write_checkpoint(store, checkpoints_path(options), keys.signer, _now())
        return time.monotonic()

    signed = sign()
    with bar(f"{plan.rules.rulebook.id}: rounds", plan.rounds, shift.dealt) as show:

        def after_turn(_: int) -> None:
            nonlocal signed
            if time.monotonic() - signed > SIGN_EVERY:
                signed = sign()
            show(shift.dealt)
            for name in shift.over() if options.tell else ():
                print(f"stored {name}", file=sys.stderr, flush=True)

        shift.work(after_turn)
    sign()
