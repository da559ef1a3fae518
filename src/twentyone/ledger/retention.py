"""How long archives are kept: which of them may go, why the others stay, and the removal itself, which is recorded."""

from __future__ import annotations

import re
from typing import NamedTuple

from twentyone.errors import Refused
from twentyone.ledger.archives import REMOVED, Archive, Archives, archive_faults
from twentyone.ledger.canonical import fingerprint
from twentyone.ledger.keys import Keyring
from twentyone.ledger.periods import expired, identity_in
from twentyone.ledger.public_keys import PublicKey
from twentyone.ledger.rows import HOUSE
from twentyone.ledger.store import Store
from twentyone.ledger.timestamps import SECONDS_PER_DAY, moment, seconds_of

__all__ = ["Judged", "back_from", "judge", "remove"]

_KEEP = re.compile(r"([1-9]\d{0,3})([yd])", re.ASCII)


class Judged(NamedTuple):
    """An archive that is there, and whether it may go."""

    archive: Archive
    """The archive."""
    stays: str
    """Why it stays; empty: it may go."""


def back_from(at: int, keep: str) -> int:
    """The moment so many years (`7y`) or days (`90d`) before another.

    >>> moment(back_from(1772150400, "1y")), moment(back_from(951782400, "1y")), back_from(SECONDS_PER_DAY, "1d")
    ('2025-02-27 00:00:00', '1999-02-28 00:00:00', 0)
    """
    match = _KEEP.fullmatch(keep)
    if match is None:
        raise Refused(f"{keep[:20]!r} is no time to keep an archive: write years (7y) or days (2557d)")
    number = int(match[1])
    if match[2] == "d":
        return at - number * SECONDS_PER_DAY
    year, rest = moment(at).split("-", 1)
    earlier = f"{int(year) - number:04d}-"
    found = seconds_of(earlier + rest)
    return found if found is not None else seconds_of(earlier + rest.replace("02-29", "02-28")) or 0


def judge(archives: Archives, keep: str, at: int, current: Store | None, public: PublicKey | None) -> list[Judged]:
    """Every archive that is there, the oldest first, and why it stays."""
    since, there = back_from(at, keep), [archive for archive in archives.every if archive.stands == "kept"]
    present = {archive.identity for archive in there}
    present |= {identity_in(current)[0]} if current is not None else set()
    return [Judged(archive, _stays(archive, since, there, present, public)) for archive in there]


def _stays(archive: Archive, since: int, there: list[Archive], present: set[str], public: PublicKey | None) -> str:
    if archive is there[-1]:
        return "the newest period is never removed"
    if archive.line["to"] >= since:
        return f"it ended at {moment(archive.line['to'])} (UTC), not long enough ago"
    if archive.line["next"] not in present:
        return "the period after it is not here: put it here, or name its ledger"
    wrong = next(archive_faults(archive, public), "")
    return f"it is not what was archived ({wrong}): look at it first" if wrong else ""


def remove(
    archives: Archives, archive: Archive, keep: str, by: str, at: int, keyring: Keyring | None, current: Store | None
) -> None:
    """Remove an archive: recorded in the ledger in use and in the list before its file goes. May be done again."""
    if archive.removed is None:
        if current is not None:
            event, key = expired(archive.line, keep, by, at), f"{HOUSE} archive expired {archive.identity}"
            current.append(HOUSE, 0, [event], key, fingerprint([key]))
        said = {name: archive.line[name] for name in ("identity", "number", "file", "sha256", "events", "checkpoint")}
        archives.add({"did": REMOVED, **said, "keep": keep, "by": by, "at": at}, keyring)
    for file in reversed(archive.files):
        file.unlink(missing_ok=True)
