"""S10: whoever owns the database changes its schema: every command sees it, none hangs, none ends in a traceback."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from itertools import pairwise
from typing import Any

import pytest
from tests.contracts.test_start import GUARDS, files, owner, serve, url, urls, work
from tests.golden.postgres_schema import FILE, schema_text
from tests.postgres import Postgres

from twentyone.cli import main
from twentyone.ledger import checkpoints
from twentyone.ledger.keys import Keyring
from twentyone.ledger.rows import LedgerRefused
from twentyone.ledger.store import open_store
from twentyone.ledger.verify import verify

__all__ = ["url", "urls"]

COLUMNS = "gseq, stream, ver, ts, type, schema, body, prev, hash, idem, fingerprint"
ENDLESS = """CREATE VIEW events AS WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)
    SELECT i AS gseq, 's' || i AS stream, 1 AS ver, 0 AS ts, 'x' AS type, 10 AS schema, '{}' AS body, '' AS prev,
    '' AS hash, NULL AS idem, NULL AS fingerprint FROM n"""
UNREADABLE = {
    "an endless view": ["ALTER TABLE events RENAME TO away", ENDLESS],
    "a view in place": ["ALTER TABLE events RENAME TO away", f"CREATE VIEW events AS SELECT {COLUMNS} FROM away"],
    "a column of another type": [
        "ALTER TABLE events RENAME TO away",
        f"CREATE TABLE events AS SELECT {COLUMNS.replace('ver, ts', 'CAST(ver AS text) AS ver, ts')} FROM away",
    ],
    "a missing column": ["ALTER TABLE events RENAME COLUMN idem TO idle"],
    "a table that is gone": ["DROP TABLE coupons"],
}
CHANGED = {
    False: {
        "a missing UNIQUE": [
            "PRAGMA writable_schema = ON",
            "UPDATE sqlite_master SET sql = replace(sql, 'TEXT UNIQUE', 'TEXT') WHERE name = 'events'",
            "DELETE FROM sqlite_master WHERE name LIKE 'sqlite_autoindex_events%'",
            "PRAGMA writable_schema = RESET",
        ],
        "a foreign trigger on a purse": [
            "CREATE TRIGGER own AFTER UPDATE ON purses BEGIN UPDATE purses SET balance = balance + 1; END"
        ],
        "a foreign index": ["CREATE INDEX own ON events (ts)"],
    },
    True: {
        "a missing UNIQUE": ["ALTER TABLE events DROP CONSTRAINT events_idem_key"],
        "a missing check": ["ALTER TABLE purses DROP CONSTRAINT purses_balance_check"],
        "a rule": ["CREATE RULE own AS ON INSERT TO events DO ALSO DELETE FROM snapshots"],
        "no write-ahead log": ["ALTER TABLE events SET UNLOGGED"],
        "row security": ["ALTER TABLE events ENABLE ROW LEVEL SECURITY"],
        "a child": ["CREATE TABLE own () INHERITS (events)"],
        "a trigger that asks": [
            "DROP TRIGGER events_are_not_changed ON events",
            "CREATE TRIGGER events_are_not_changed BEFORE UPDATE OR DELETE ON events FOR EACH ROW "
            "WHEN (OLD.ts < 0) EXECUTE FUNCTION events_refuse()",
            "ALTER TABLE events ENABLE ALWAYS TRIGGER events_are_not_changed",
        ],
        "numbers that go back": ["ALTER SEQUENCE events_gseq INCREMENT BY -1"],
    },
}


def faults(url: str) -> list[str]:
    """What `verify` finds."""
    key, trail = files(url)
    with closing(open_store(url)) as store:
        return [str(fault) for fault in verify(store, Keyring.load(key), trail).faults]


@pytest.mark.parametrize("how", UNREADABLE)
def test_what_stands_in_place_of_a_table_is_refused_by_every_command(
    urls: Callable[[], str], how: str, capsys: pytest.CaptureFixture[str]
) -> None:
    url = urls()
    open_store(url, create=True).close()
    owner(url, *UNREADABLE[how])
    for command in (["verify", url], ["show", url, "--house"], ["rounds", url], ["backup", url, "copy.db"]):
        assert main(command) == 2, command
        told = capsys.readouterr()
        assert (told.out, "is not what the migrations make" in told.err) == ("", True), told
    assert work(url, 4) == 2


def test_a_missing_constraint_is_refused_by_start_and_verify(url: str) -> None:
    owner(url, *CHANGED["://" in url]["a missing UNIQUE"])
    with pytest.raises(LedgerRefused, match=r"its schema was changed|is not what the migrations make"):
        serve(url)
    assert work(url, 4) == 2
    assert main(["verify", url]) in (1, 2)


def test_every_change_of_the_schema_is_named(urls: Callable[[], str]) -> None:
    """Start and verify ask `schema_faults`: each change in a transaction of its own, which is undone."""
    url = urls()
    with closing(open_store(url, create=True)) as made:
        store: Any = made
        store._reading, run = store._writing, store._writing.rows
        assert store.schema_faults() == []
        for how, statements in CHANGED["://" in url].items():
            if how == "a missing UNIQUE":
                continue
            run("RESET ROLE" if "://" in url else "SELECT 1")
            run("BEGIN")
            for statement in statements:
                run(statement)
            assert store.schema_faults() != [], how
            run("ROLLBACK")
        assert store.schema_faults() == []


def _swap(url: str) -> None:
    """Two neighbours of different streams change places; each stream keeps its own order."""
    with closing(open_store(url)) as store:
        events = list(store.read_all())
    first, second = next((a, b) for a, b in pairwise(events) if a.stream != b.stream and a.schema == b.schema)
    before, after = GUARDS["://" in url]
    move = "UPDATE events SET gseq = {} WHERE gseq = {}"
    a, b = first.gseq, second.gseq
    owner(url, before, move.format(-1, a), move.format(a, b), move.format(b, -1), after)


def test_reordered_numbers_of_the_ledger(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The chain of a stream does not know its place among the others: the checkpoints do."""
    assert faults(url) == []
    _swap(url)
    assert any("are not in the order that checkpoint" in fault for fault in faults(url))
    monkeypatch.setattr(checkpoints, "order_faults", lambda *_: ())
    assert not any("order" in fault for fault in faults(url))  # the negative control


def test_the_schema_that_is_compared_is_that_of_the_migrations(postgres: Postgres) -> None:
    assert schema_text(postgres) == FILE.read_text(encoding="utf-8"), "a migration changed it: `make golden`"
