"""A ledger in a file is served by exactly one process: the second is told so."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from pathlib import Path

from twentyone.ledger.private_files import make_private
from twentyone.ledger.rows import LedgerRefused
from twentyone.ledger.store import path_of
from twentyone.platforms import lock_file

__all__ = ["only_process"]


def only_process(ledger: str, address: str) -> AbstractContextManager[object]:
    """Held as long as a ledger is served from `address`; refused while another process serves its file.

    The system gives it back when the process ends, however it ends. PostgreSQL has leases instead: nothing is held.
    """
    path = path_of(ledger)
    if path is None:
        return nullcontext()
    place = f"{Path(path).resolve()}.serving"  # whatever link leads to it
    make_private(place)
    file = Path(place).open("r+", encoding="utf-8")  # noqa: SIM115 (it stays open for as long as the server runs)
    try:
        lock_file(file, wait=False)
    except BlockingIOError:
        by = file.read().strip() or "another process"
        file.close()
        raise LedgerRefused(
            f"{path} is served by {by} already, and a ledger in a file has exactly one process: use that server, or "
            "stop it first; for several processes keep the ledger in PostgreSQL"
        ) from None
    file.seek(0)
    file.truncate()
    file.write(address)
    file.flush()
    return file
