"""`twentyone archive`: close a period and begin the next; list, check and remove the archives of closed periods."""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any

from twentyone.cli import DONE, FOUND_WRONG, UsageError
from twentyone.cli.common import print_json, printable, say
from twentyone.cli.ledgers import LEDGER, add_files, bar, checkpoints_path, events_of, key_path, open_ledger, or_refused

if TYPE_CHECKING:
    from twentyone.ledger.archives import Archive, Archives
    from twentyone.ledger.keys import Keyring
    from twentyone.ledger.public_keys import PublicKey
    from twentyone.ledger.retention import Judged

__all__ = ["add_parser", "run"]

EXAMPLE = """examples:
  twentyone archive close 2026.db --next 2027.db --by Fay --out archives
  twentyone verify 2027.db --before archives/2026-0001.db
  twentyone archive list archives
  twentyone archive check archives --public-key house.pub
  twentyone archive expire archives --keep 7y --by Fay --ledger 2027.db        says what would go
  twentyone archive expire archives --keep 7y --by Fay --ledger 2027.db --yes  removes it

close: the tables are closed and nobody serves the ledger. Killed at any moment, the same command goes on."""
FOLDER = "archives"


def add_parser(commands: Any) -> None:
    """Describe the command."""
    parser = commands.add_parser(
        "archive",
        help="close a period and begin the next; keep the archives of closed ones",
        description="Close the ledger of a period for ever, archive it, and begin the next with what it leaves: "
        "purses, open coupons, accounts, tables with their chips and meters. List, check and remove archives.",
        epilog=EXAMPLE,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "do", choices=tuple(DO), metavar="close|list|check|expire", help="what to do; expire removes old archives"
    )
    parser.add_argument("place", help=f"close: the ledger ({LEDGER}); else the folder of the archives")
    parser.add_argument("--next", dest="after", metavar="LEDGER", help="close: the new ledger, of either kind")
    parser.add_argument("--out", metavar="DIR", help=f"close: the folder of the archives (default: {FOLDER})")
    parser.add_argument("--by", type=printable, metavar="PERSON", help="close, expire: who does it")
    parser.add_argument("--next-checkpoints", metavar="FILE", help="close: those of the new ledger")
    parser.add_argument("--keep", metavar="TIME", help="expire: years (7y) or days (2557d) after the end of a period")
    parser.add_argument("--ledger", metavar="LEDGER", help="expire: the ledger in use, which records the removal")
    parser.add_argument("--yes", action="store_true", help="expire: remove them; without it, only say which")
    parser.add_argument("--public-key", metavar="FILE", help="check, expire: the house's public key")
    parser.add_argument("--json", action="store_true", help="print JSON")
    add_files(parser)
    parser.set_defaults(run=run)


@or_refused
def run(options: argparse.Namespace) -> int:
    """Do what was asked for."""
    needed = {"close": ("after", "by"), "expire": ("keep", "by")}.get(options.do, ())
    for name in needed:
        if not getattr(options, name):
            raise UsageError(f"archive {options.do} needs {'--next' if name == 'after' else f'--{name}'}")
    return DO[options.do](options)


# -- close


def _close(options: argparse.Namespace) -> int:
    from twentyone.ledger.start import Files
    from twentyone.service.period_end import PeriodEnd, PeriodPlan

    folder, files = Path(options.out or FOLDER), _files(options, options.place, options.checkpoints)
    after = _files(options, options.after, options.next_checkpoints)
    plan = PeriodPlan(options.place, Files(*files), options.after, Files(*after), folder, options.by)
    with open_ledger(options.place) as store:
        total = events_of(store)
    with bar("close: events", total) as show:
        done = PeriodEnd(plan, _now).work(_tell, show)
    if options.json:
        print_json(done)
        return DONE
    print(f"period {done['period']} is closed: {done['events']:,} events, archived in {done['archive']}")
    print(
        f"period {done['next']['number']} begins in {done['next']['name']}: tables {done['tables']}, "
        f"purses {done['purses']:,}, coupons {done['coupons']:,}"
    )
    return DONE


def _tell(step: str) -> None:
    """On a terminal, what was done so far: a long ledger takes a while."""
    import sys

    if sys.stderr.isatty():
        say(f"done: {step.replace('_', ' ')}")


def _files(options: argparse.Namespace, ledger: str, checkpoints: str | None) -> tuple[Path, Path]:
    """Key and checkpoints of a ledger: a key that is named is that of both."""
    named = argparse.Namespace(ledger=ledger, key=options.key, checkpoints=checkpoints)
    return key_path(named), checkpoints_path(named)


def _now() -> int:
    return int(time.time())


# -- the archives


def _archives(options: argparse.Namespace) -> Archives:
    from twentyone.ledger.archives import LIST, Archives

    folder = Path(options.place)
    if not (folder / LIST).is_file():
        raise UsageError(f"{folder}: there are no archives ({LIST}) in this folder")
    return Archives(folder)


def _public(options: argparse.Namespace) -> PublicKey | None:
    from twentyone.ledger.public_keys import PublicKey

    return PublicKey.load(options.public_key) if options.public_key else None


def _row(archive: Archive) -> dict[str, Any]:
    from twentyone.ledger.timestamps import moment

    line = archive.line
    told = {name: line[name] for name in ("number", "file", "identity", "events", "bytes", "sha256", "checkpoint")}
    gone = {"removed": moment(archive.removed["at"])} if archive.removed is not None else {}
    return {**told, "from": moment(line["from"]), "to": moment(line["to"]), "state": archive.stands, **gone}


def _list(options: argparse.Namespace) -> int:
    archives = _archives(options)
    rows = [_row(archive) for archive in archives.every]
    if options.json:
        print_json({"archives": rows, "faults": archives.faults})
    else:
        print(f"{'period':>6}  {'from':10}  {'to':10}  {'events':>12}  {'bytes':>14}  {'state':14}file")
        for row in rows:
            when = f"{row['from'][:10]}  {row['to'][:10]}"
            print(
                f"{row['number']:>6}  {when}  {row['events']:>12,}  {row['bytes']:>14,}  {row['state']:14}{row['file']}"
            )
    for what in archives.faults:
        say(f"twentyone archive: fault: {what}")
    return FOUND_WRONG if archives.faults else DONE


def _check(options: argparse.Namespace) -> int:
    from twentyone.ledger.archives import archive_faults

    archives, public = _archives(options), _public(options)
    faults = [*archives.faults, *(archives.signature_faults(public) if public is not None else ())]
    every = archives.every
    kept = [archive for archive in every if archive.removed is None]
    with bar("check: archives", len(kept)) as show:
        for count, archive in enumerate(kept, 1):
            faults += archive_faults(archive, public)
            show(count)
    said = [] if public is not None else ["the list was not held against the house's public key: name it"]
    if options.json:
        print_json({"ok": not faults, "checked": len(kept), "faults": faults, "unchecked": said})
    else:
        for what in faults:
            print(f"fault: {what}")
        for what in said:
            print(f"not checked: {what}")
        print(f"archives {len(kept)}: {'all well' if not faults else f'faults {len(faults)}'}")
    return FOUND_WRONG if faults else DONE


def _expire(options: argparse.Namespace) -> int:
    from twentyone.ledger.retention import judge, remove
    from twentyone.ledger.start import refuse_shared_database

    archives, public, now = _archives(options), _public(options), _now()
    keys = _signing_key(options)
    if options.ledger:
        refuse_shared_database(options.ledger)
    with (
        open_ledger(options.ledger, write=options.yes) if options.ledger else nullcontext() as current,
        archives.locked(),
    ):
        if archives.faults:
            raise UsageError(f"{archives.faults[0]}: nothing was removed")
        verdicts = judge(archives, options.keep, now, current, public)
        gone = [verdict for verdict in verdicts if not verdict.stays]
        left = [archive for archive in archives.every if archive.stands == "to be removed"]
        for archive in (*left, *(verdict.archive for verdict in gone)) if options.yes else ():
            remove(archives, archive, options.keep, options.by, now, keys, current)
    _say_expired(options, verdicts)
    return DONE


def _signing_key(options: argparse.Namespace) -> Keyring | None:
    """The key that signs what the list says of a removal; without it the line is only chained."""
    from twentyone.ledger.keys import Keyring, default_key_path

    if options.key:
        return Keyring.load(options.key)
    beside = default_key_path(options.ledger) if options.ledger else None
    return Keyring.load(beside) if beside is not None and beside.exists() else None


def _say_expired(options: argparse.Namespace, verdicts: list[Judged]) -> None:
    rows = [{**_row(verdict.archive), "stays": verdict.stays} for verdict in verdicts]
    if options.json:
        print_json({"removed" if options.yes else "would_go": [row for row in rows if not row["stays"]], "all": rows})
        return
    goes = "removed" if options.yes else "would go (--yes removes it)"
    for row in rows:
        said = f"stays, {row['stays']}" if row["stays"] else goes
        print(f"{row['number']:>6}  {row['file']}: {said}")
    if not any(not row["stays"] for row in rows):
        print("nothing is old enough to go")


DO: dict[str, Callable[[argparse.Namespace], int]] = {
    "close": _close,
    "list": _list,
    "check": _check,
    "expire": _expire,
}
