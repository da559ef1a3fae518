"""The periods that were closed, as the list in the folder of the archives has them; nothing is written."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from twentyone.ledger.archives import Archive, Archives
from twentyone.ledger.timestamps import moment

__all__ = ["ARCHIVES", "ClosedPeriod", "closed_periods"]

ARCHIVES = "archives"
"""The folder where `archive close` puts them, unless another is named."""


@dataclass(frozen=True)
class ClosedPeriod:
    """A period that was closed, and its archive."""

    number: int
    """The number of the period."""
    ledger: str
    """The ledger that was closed."""
    begun: int
    """When its first event was stored, in seconds UTC."""
    closed: int
    """When it was closed."""
    by: str
    """Who closed it; empty where an earlier version did not list him."""
    events: int
    """How many events it has."""
    sha256: str
    """The hash of its file."""
    file: str
    """Where it is kept."""
    state: str
    """Whether it is kept, missing, or was removed, when, by whom and under which retention."""


def closed_periods(folder: Path) -> tuple[list[ClosedPeriod], list[str]]:
    """The closed periods, the oldest first, and what is wrong with their list."""
    archives = Archives(folder)
    return [_period(archive) for archive in archives.every], archives.faults


def _period(archive: Archive) -> ClosedPeriod:
    line = archive.line
    return ClosedPeriod(
        int(line["number"]),
        str(line["name"]),
        int(line["from"]),
        int(line["to"]),
        str(line.get("by", "")),
        int(line["events"]),
        str(line["sha256"]),
        str(archive.path),
        _state(archive),
    )


def _state(archive: Archive) -> str:
    gone = archive.removed
    if gone is None:
        return archive.stands
    return f"removed {moment(int(gone['at']))} UTC by {gone.get('by', '')}, kept for {gone.get('keep', '')}"
