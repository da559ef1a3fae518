"""Accounts, second factors, names, settings and training go over into the next period; sessions and links do not."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

from twentyone.ledger.store import path_of
from twentyone.service.records import Records, open_records

__all__ = ["carry_people", "people_there", "waiting_approvals"]

TABLES = {
    "people_accounts": ("name", "role", "password"),
    "people_factors": ("name", "secret", "used", "since"),
    "people_codes": ("name", "code"),
    "people_names": ("name",),
    "people_since": ("name", "since"),
    "people_tries": ("name", "place", "failed", "until"),
    "people_devices": ("id", "name", "until"),
    "people_training": ("name", "subject", "item", "seen", "missed", "due", "card"),
    "people_settings": ("name", "value"),
}
"""What goes over. Who was logged in logs in again; copies of the ledger before are not copies of the next."""
LIFE = 24 * 60 * 60
EARLIER = "people_purses"


def people_there(ledger: str) -> bool:
    """Whether people are kept with a ledger; one that was never served has none."""
    path = path_of(ledger)
    if path is not None:
        return Path(f"{path}.people").is_file()
    import psycopg

    with psycopg.connect(ledger, connect_timeout=10) as line:
        there = [table for table in TABLES if line.execute("SELECT to_regclass(%s)", (table,)).fetchone() != (None,)]
        return any(line.execute(f"SELECT 1 FROM {table} LIMIT 1").fetchone() for table in there)


def waiting_approvals(ledger: str, at: int) -> list[str]:
    """What waits for a second person, and what an earlier version has left in the way."""
    if not people_there(ledger):
        return []
    with closing(open_records(ledger)) as records:
        asked = records.rows("SELECT what FROM people_approvals WHERE asked > ? ORDER BY asked", (at - LIFE,))
        left = records.holds(EARLIER) and records.rows(f"SELECT 1 FROM {EARLIER} LIMIT 1")
        purses = ["purses of an earlier version are kept beside it: serve it once with this version"] if left else []
        return [*(f"somebody waits for approval to {what}: approve or decline it" for (what,) in asked), *purses]


def carry_people(before: str, after: str) -> None:
    """Let the people of one ledger be those of the next; may be done again until that one is in use."""
    if not people_there(before):
        return
    with closing(open_records(before)) as source, closing(open_records(after)) as target:
        for table, columns in TABLES.items():
            _copy(source, target, table, columns)


def _copy(source: Records, target: Records, table: str, columns: tuple[str, ...]) -> None:
    names, marks = ", ".join(columns), ", ".join("?" * len(columns))
    target.run(f"DELETE FROM {table}")
    for row in source.rows(f"SELECT {names} FROM {table}"):
        target.run(f"INSERT INTO {table} ({names}) VALUES ({marks})", row)
