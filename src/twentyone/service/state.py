"""The state of the server and of its ledger, for the administrator."""

from __future__ import annotations

import platform
import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Any

from twentyone import __version__
from twentyone.ledger.start import COMPARED
from twentyone.ledger.store import path_of, table_streams, without_secrets
from twentyone.table.limits import limits_of

if TYPE_CHECKING:
    from twentyone.service.service import Service

__all__ = ["server_state", "table_settings"]

NEW = "the ledger was new: it got its key and its first checkpoint"


def server_state(service: Service) -> dict[str, Any]:
    """What runs since when, what the ledger holds, how far it is signed; it reads the checkpoints: not for the loop."""
    store, path = service.store, path_of(service.ledger)
    streams = {name: store.version(name) for name in store.streams()}
    last, fault = service.signing.examine()
    file = Path(path) if path is not None else None
    return {
        "version": __version__,
        "package": service.authenticity.last.digest,
        "authentic": service.authenticity.last.words,
        "examined": service.authenticity.at,
        "stopped": list(service.stops.reasons.values()),
        "watched": service.watch.at,
        "watches": service.elsewhere.first,
        "python": platform.python_version(),
        "started": service.started,
        "now": service.now,
        "database": "SQLite" if file is not None else "PostgreSQL",
        "ledger": without_secrets(service.ledger),
        "bytes": _bytes(file) if file is not None else None,
        "disk_free": shutil.disk_usage(file.absolute().parent if file is not None else Path()).free,
        "streams": len(streams),
        "events": sum(streams.values()),
        "tables": len(table_streams(store)),
        "unloaded": dict(service.unloaded),
        "accepts_commands": not service.recovery.why,
        "outage": service.recovery.says,
        "checkpoint": {"number": last.number, "at": last.at, "events": last.events} if last is not None else None,
        "signature": fault or service.signing.failed,
        "start_checks": [NEW] if service.new else list(COMPARED),
    }


def _bytes(file: Path) -> int:
    """The file of the ledger, with its log."""
    parts = (file, file.with_name(f"{file.name}-wal"))
    return sum(part.stat().st_size for part in parts if part.exists())


def table_settings(service: Service) -> list[dict[str, Any]]:
    """Pace, clocks and bounds of every table."""
    live = [table for table in list(service.tables.values()) if not table.runner.stopped]
    return [
        {
            "table": table.name,
            "title": table.runner.table.rules.rulebook.title,
            "phase": table.runner.table.state.phase,
            **vars(service.settings(table.name)),
            "limits": {about: str(most) for about, most in limits_of(table.runner.table.state.limits).items()},
        }
        for table in live
    ]
