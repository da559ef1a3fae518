"""`twentyone shift`: automatic players and staff run real tables, recorded in a real ledger."""

from __future__ import annotations

import argparse
import secrets
import sys
import time
from contextlib import closing
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from twentyone.cli import DONE, FOUND_WRONG, UsageError
from twentyone.cli.authenticate import add_authentic
from twentyone.cli.check import read_submission
from twentyone.cli.common import load_rulebook, print_json, printable, say, whole
from twentyone.cli.ledgers import (
    LEDGER,
    add_accept_unsigned,
    add_files,
    bar,
    checkpoints_path,
    events_of,
    files_of,
    or_refused,
)
from twentyone.cli.running import note_game
from twentyone.platforms import file_locks
from twentyone.rulebook import Rules

if TYPE_CHECKING:
    from twentyone.ledger.keys import Keyring
    from twentyone.ledger.store import Store
    from twentyone.service.authenticity import Authenticity
    from twentyone.service.shift.work import Shift, ShiftPlan

__all__ = ["add_parser", "run"]

EXAMPLE = """example:
  twentyone shift pa-spanish-21 --tables 2 --rounds 400 --irregularities 0.02 --ledger t.db --seed 7

Killed at any moment, the same command continues where the ledger ends. With --seed, everything that people do, the
clock and the shoes follow from the seed; such shoes are marked in the ledger as not for play. Exit status: 1 if the
report does not add up, or a fault of the software stopped the shift; what was dealt is kept then, too."""

RATE = "probability of an irregularity at each step: 0 to 0.5 (default 0)"
MOST_OFTEN = Fraction(1, 2)
"""Above this rate irregularities would follow each other without end."""
MOST_TABLES, MOST_ROUNDS = 500, 10**9
SIGN_EVERY = 5.0
"""Seconds between two signed checkpoints."""


def add_parser(commands: Any) -> None:
    """Describe the command."""
    parser = commands.add_parser(
        "shift",
        help="run tables with automatic players and staff into a ledger",
        description="Automatic players and staff run tables, recorded in a ledger, until the given number of rounds "
        "is dealt at all tables together, and close them; then the shift report is printed.",
        epilog=EXAMPLE,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("rulebook", help="the rulebook's id")
    parser.add_argument("--tables", type=whole(MOST_TABLES), default=1, metavar="N", help="how many tables (default 1)")
    parser.add_argument(
        "--rounds", type=whole(MOST_ROUNDS), required=True, metavar="N", help="rounds at all tables together"
    )
    parser.add_argument(
        "--ledger", required=True, metavar="F", help=f"the ledger, created if it does not exist: {LEDGER}"
    )
    parser.add_argument("--irregularities", type=_rate, default=Fraction(0), metavar="RATE", help=RATE)
    parser.add_argument(
        "--seed", type=printable, metavar="S", help="seed of people, clock and shoes; such shoes are not for play"
    )
    parser.add_argument("--at", metavar="DATE", help="with --seed: the day on which the shift begins (2026-01-01)")
    parser.add_argument("--submission", metavar="FILE", help="a Rules Submission (TOML) for this rulebook")
    parser.add_argument("--operator", default="", metavar="NAME", help="who runs the tables, for the report")
    parser.add_argument(
        "--tell", action="store_true", help="print on standard error which rounds are finished and stored"
    )
    parser.add_argument("--json", action="store_true", help="print the shift report as JSON")
    add_files(parser)
    add_accept_unsigned(parser)
    add_authentic(parser)
    parser.set_defaults(run=run)


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
    """Run the shift, then print the report."""
    from twentyone.cli.report import print_report
    from twentyone.ledger.report import shift_report
    from twentyone.ledger.timestamps import Period
    from twentyone.service.authenticity import Authenticity
    from twentyone.service.shift.work import Shift, ShiftBroken, ShiftPlan, table_names
    from twentyone.service.stops import Stops

    file_locks()
    plan = ShiftPlan(
        _rules(options), options.tables, options.rounds, options.irregularities, options.seed, _begins(options)
    )
    store, keys = _open(options, plan)
    with closing(store):
        software = Authenticity(store, lambda: plan.moment(_now), Stops())
        if store.upgraded:
            say(f"twentyone shift: {options.ledger}: {store.upgraded}")
        software.begin()
        shift = Shift(store, keys, plan, _now, secrets.token_hex(16))
        try:
            _work(options, store, keys, plan, shift, software)
        except ShiftBroken as fault:
            say(f"twentyone shift: {fault}")
            return FOUND_WRONG
        for name, why in shift.closed_by_law().items():
            say(f"twentyone shift: {name} is closed: {why}")
        with bar("report: events", events_of(store)) as show:
            report = shift_report(store, Period(), _now(), options.operator, table_names(plan), show)
    print_json(report.to_json()) if options.json else print_report(report)
    if software.failed:
        say(f"twentyone shift: no further round was dealt: {software.failed}")
    return DONE if report.reconciled and not software.failed else FOUND_WRONG


def _now() -> int:
    return int(time.time())


def _begins(options: argparse.Namespace) -> int:
    """When a seeded shift begins: at eight in the morning of the day that was named."""
    from twentyone.ledger.timestamps import SECONDS_PER_DAY, seconds_of
    from twentyone.rulebook.editions import day_of
    from twentyone.service.shift.work import BEGINS

    if options.at is None:
        return BEGINS
    if options.seed is None:
        raise UsageError("--at goes with --seed: without one, a shift runs by the clock on the wall")
    begins = seconds_of(day_of(options.at))
    assert begins is not None
    return begins + BEGINS % SECONDS_PER_DAY


def _rules(options: argparse.Namespace) -> Rules:
    """The rules of the shift; refused for a rulebook without the procedures of a table."""
    from twentyone.rulebook.clauses import Burn

    if options.submission is None:
        rules = note_game(load_rulebook(options.rulebook).under({}))
    else:
        try:
            rules = read_submission(options.submission)
        except ValueError as wrong:
            raise UsageError(str(wrong)) from None
        if rules.rulebook.id != options.rulebook:
            raise UsageError(
                f"{options.submission} is a submission for {rules.rulebook.id}, not for {options.rulebook}"
            )
    if not rules.all(Burn):
        raise UsageError(f"{options.rulebook} has no table procedures, so no shift can be run with it")
    return rules


def _open(options: argparse.Namespace, plan: ShiftPlan) -> tuple[Store, Keyring]:
    """The ledger as it was signed, or a new one."""
    from twentyone.ledger.start import open_to_play
    from twentyone.service.authenticity import admit_software
    from twentyone.service.shift.work import check_plan
    from twentyone.table.shoe import os_source

    def check(store: Store | None) -> None:
        admit_software(store, options.require_authentic)
        check_plan(store, plan, _now)

    files, new = files_of(options), not files_of(options).key.exists()
    opened = open_to_play(options.ledger, files, os_source(), plan.moment(_now), check)
    if new:
        say(f"a new ledger: its key is in {files.key}, its checkpoints are in {files.checkpoints}; keep both elsewhere")
    return opened


def _work(
    options: argparse.Namespace, store: Store, keys: Keyring, plan: ShiftPlan, shift: Shift, software: Authenticity
) -> None:
    """Run until every table is closed, with a signed checkpoint at intervals and one at the end."""
    from twentyone.ledger.checkpoints import write_checkpoint
    from twentyone.service.shift.work import ShiftBroken

    signed = time.monotonic()

    def sign() -> None:
        write_checkpoint(store, checkpoints_path(options), keys.signer, plan.moment(_now))

    def sign_now_and_then() -> None:
        """A file that cannot be written is told, and tried again with the next checkpoint."""
        nonlocal signed
        if time.monotonic() - signed > SIGN_EVERY:
            signed = time.monotonic()
            try:
                sign()
            except OSError as failed:
                say(f"twentyone shift: no checkpoint was signed ({failed}); it is tried again in {SIGN_EVERY:.0f} s")

    with bar(f"{plan.rules.rulebook.id}: rounds", plan.rounds, shift.dealt) as show:

        def after_turn(_: int) -> None:
            sign_now_and_then()
            show(shift.dealt)
            if software.look():
                shift.stop()
            for name in shift.over() if options.tell else ():
                print(f"stored {name}", file=sys.stderr, flush=True)

        try:
            shift.work(after_turn)
        except ShiftBroken:
            sign()
            raise
    sign()
