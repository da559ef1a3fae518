"""A process that leads tables, is stopped, and tries to write when it goes on (`bench.prove_owners`).

    python -m bench.stopped_owner URL NAME TABLES [--no-fence]

It says `leads` when it does, waits for a line, tries one command at each table on its last version, and prints how many
of them were refused.
"""

from __future__ import annotations

import sys
import threading
from collections import Counter

from twentyone.ledger.leases import Leases
from twentyone.ledger.postgres import PostgresStore, open_postgres
from twentyone.ledger.rows import NewEvent, Superseded


def _write(store: PostgresStore, table: str) -> str:
    try:
        store.append(table, store.version(table), [NewEvent("told", {}, 0)], f"late {table}", "f")
    except Superseded:
        return "refused"
    return "stored"


def main(url: str, name: str, tables: int, fenced: bool) -> None:
    """Lead, wait, write."""
    if not fenced:
        PostgresStore._fenced = lambda _, item: item  # type: ignore[method-assign,assignment]
    store = open_postgres(url)
    leases = Leases(url, store, name, "")
    names = [f"stopped-{number}" for number in range(tables)]
    leases.renew()
    leases.enrol(names)
    assert len(leases.claim(names)) == tables
    for table in names:  # so that it knows the last event of each, and need not ask
        store.append(table, 0, [NewEvent("told", {}, 0)], f"first {table}", "f")
    over = threading.Event()

    def beat() -> None:
        while not over.wait(1.0):
            leases.renew()

    threading.Thread(target=beat, daemon=True).start()
    print("leads", flush=True)
    sys.stdin.readline()
    counts = Counter(_write(store, table) for table in names)
    print(counts["refused"], counts["stored"], flush=True)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]), "--no-fence" not in sys.argv)
