"""What is opened as a ledger and what is refused, with a sentence that says what to do."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import psycopg
import pytest
from tests.contracts.store_places import Place
from tests.postgres import Postgres

from twentyone.ledger import migrations, sqlite
from twentyone.ledger import postgres as postgres_store
from twentyone.ledger.migrations import migrations_of
from twentyone.ledger.rows import LedgerFailed, LedgerRefused, NewEvent, NoSuchLedger
from twentyone.ledger.sql import SqlStore
from twentyone.ledger.sqlite import SqliteStore, prepare
from twentyone.ledger.store import open_store, path_of, read_store

EVENTS = [NewEvent("command", {"do": "deal"}, 1)]

RECORDED = {
    # pragma: allowlist nextline secret
    "postgres/0001_ledger.sql": "6fb5f77701ec54fa3fb7e36e762fb72f63b08da72970a361df367bb3279e8e9d",
    # pragma: allowlist nextline secret
    "postgres/0002_calls.sql": "4ccf96e34afed47ede0b2ea2f9f7ee508714a604f44df6d1376af996ef002ced",
    # pragma: allowlist nextline secret
    "postgres/0003_house.sql": "3f9a25b6e2313749686a52cf584797e5a5618af33448df24ad10bfee028e38ab",
    # pragma: allowlist nextline secret
    "postgres/0004_coupons.sql": "a71d0ac3b535a4c552925c46d2b432a2641af10a7381c1554616a93aa3db12bd",
    # pragma: allowlist nextline secret
    "postgres/0005_seals.sql": "587c07ef723ad4ab9e465eb6532f1c79614f1a99a52a89e3f7004822d4ac6f19",
    # pragma: allowlist nextline secret
    "postgres/0006_leases.sql": "0f8d07cfdeabdd245f64d6067e402f0c738fc47d5ec7185a3704a571563c338b",
    # pragma: allowlist nextline secret
    "sqlite/0001_ledger.sql": "063d94d7f391945701cd1255fe978d6a2eda1b62bdcb36231a66bd2b60ee051b",
    # pragma: allowlist nextline secret
    "sqlite/0002_house.sql": "b6cc60a0d6c775faf74bcfc7a69168f45d7ddc03f2becef4b72d94f96999e693",
    # pragma: allowlist nextline secret
    "sqlite/0003_coupons.sql": "6599f8e73774e73c1b6d1066515277d050538ddee151fed00ead7dbb46b97418",
    # pragma: allowlist nextline secret
    "sqlite/0004_seals.sql": "587c07ef723ad4ab9e465eb6532f1c79614f1a99a52a89e3f7004822d4ac6f19",
}
"""Migrations that ledgers have been made with are never edited: a change of the schema is a new file."""


def test_migrations_are_never_edited() -> None:
    found = {f"{name}/{step.name}": step.sha256 for name in ("sqlite", "postgres") for step in migrations_of(name)}
    assert found == RECORDED


@pytest.mark.parametrize(
    ("url", "path"),
    [("a.db", "a.db"), ("/x/a.db", "/x/a.db"), ("sqlite:///a%20b.db", "a b.db"), ("sqlite:////x/a.db", "/x/a.db")],
)
def test_a_ledger_is_a_path_or_an_address(url: str, path: str) -> None:
    assert path_of(url) == path
    assert path_of("postgresql://user@host/games") is None


@pytest.mark.parametrize("url", ["mysql://host/x", "sqlite://a.db", "sqlite:///", "http://x/y"])
def test_other_addresses_are_refused(url: str) -> None:
    with pytest.raises(LedgerRefused, match="a ledger is a path, sqlite:///path or postgresql://"):
        open_store(url)


def test_no_such_file(tmp_path: Path) -> None:
    with pytest.raises(NoSuchLedger, match="no such ledger"):
        open_store(str(tmp_path / "none.db"))
    assert list(tmp_path.iterdir()) == []
    with pytest.raises(NoSuchLedger, match="there is no folder"):
        open_store(str(tmp_path / "no" / "none.db"), create=True)
    with pytest.raises(LedgerRefused, match="is a folder"):
        open_store(str(tmp_path))


@pytest.mark.parametrize("content", [b"", b"{}", b"SQLite format 3\x00", b"\x00" * 5_000, b"word " * 4_000])
def test_a_file_that_is_no_database_is_refused_and_left_as_it_is(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "foreign.db"
    path.write_bytes(content)
    with pytest.raises(LedgerRefused, match="restore a backup"):
        open_store(str(path))
    assert path.read_bytes() == content


def test_another_programs_database_is_refused_and_left_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "foreign.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE events (x)")
    before = path.read_bytes()
    for create in (False, True):
        with pytest.raises(LedgerRefused, match="not a ledger: name another file"):
            open_store(str(path), create=create)
    assert path.read_bytes() == before


@pytest.mark.parametrize("part", [0.1, 0.5, 0.95])
def test_a_truncated_file_is_refused(tmp_path: Path, part: float) -> None:
    path = tmp_path / "cut.db"
    with closing(open_store(str(path), create=True)) as store:
        store.append("t", 0, EVENTS * 200, "k", "f")
    whole = path.read_bytes()
    path.write_bytes(whole[: round(len(whole) * part)])
    with pytest.raises(LedgerRefused, match="damaged, cut off or not a ledger"):
        open_store(str(path))


def test_a_newer_schema_is_refused(place: Place) -> None:
    store = place.open()
    assert isinstance(store, SqlStore)
    connection = store._writing
    if not isinstance(store, SqliteStore):
        connection.rows("RESET ROLE")
    known = len(migrations_of("sqlite" if isinstance(store, SqliteStore) else "postgres"))
    connection.rows(f"INSERT INTO migrations VALUES ({known + 1}, 'later.sql', 'x')")
    with pytest.raises(
        LedgerRefused,
        match=f"has schema {known + 1}, this software knows schemas up to {known}: open it with the newer",
    ):
        place.open()


def test_a_schema_made_by_another_text_is_refused(place: Place) -> None:
    store = place.open()
    assert isinstance(store, SqlStore)
    if not isinstance(store, SqliteStore):
        store._writing.rows("RESET ROLE")
    store._writing.rows("UPDATE migrations SET sha256 = 'x'")
    with pytest.raises(LedgerRefused, match=r"another text of 0001_ledger\.sql"):
        place.open()


def test_an_older_schema_is_brought_up_to_date(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = str(tmp_path / "old.db")
    with closing(open_store(path, create=True)) as store:
        store.append("t", 0, EVENTS, "k", "f")
    later = migrations.Migration(
        len(migrations_of("sqlite")) + 1,
        "0009_later.sql",
        "CREATE TABLE later (x TEXT) STRICT;\nCREATE INDEX l ON later (x);\n",
    )
    monkeypatch.setattr(sqlite, "migrations_of", lambda dialect: [*migrations_of(dialect), later])
    before = Path(path).read_bytes()
    with pytest.raises(LedgerRefused, match=f"has schema {later.number - 1}, this software writes .* brings it up"):
        open_store(path)
    with closing(read_store(path)) as store:
        assert (store.version("t"), store.where, store.upgraded) == (1, path, "")
    assert (Path(path).read_bytes(), [file.name for file in tmp_path.iterdir()]) == (before, ["old.db"])
    with closing(open_store(path, upgrade=True)) as store:
        assert store.version("t") == 1
        assert f"its schema was {later.number - 1} and is now {later.number}" in store.upgraded
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("SELECT number, sha256 FROM migrations").fetchall()[-1] == (
            later.number,
            later.sha256,
        )


def test_an_older_database_is_neither_read_nor_changed_by_who_only_reads(
    postgres: Postgres, monkeypatch: pytest.MonkeyPatch
) -> None:
    """PostgreSQL has no copy that could be brought up to date: the version that made the ledger reads it."""
    url = postgres.new_database()
    with closing(open_store(url, create=True)) as store:
        store.append("t", 0, EVENTS, "k", "f")
    with closing(read_store(url)) as store:
        assert (store.version("t"), store.settled(), store.read_only) == (1, 1, True)
        with pytest.raises(LedgerFailed, match="read-only transaction"):
            store.append("t", 1, EVENTS, "k2", "f2")
    known = migrations_of("postgres")
    later = migrations.Migration(len(known) + 1, "0009_later.sql", "CREATE TABLE later (x TEXT);\n")
    monkeypatch.setattr(postgres_store, "migrations_of", lambda _: [*known, later])
    for opened in (read_store, open_store):
        with pytest.raises(LedgerRefused, match="brings it up to date"):
            opened(url)
    store = open_store(url, upgrade=True)
    assert f"its schema was {len(known)} and is now {later.number}" in store.upgraded
    store.close()


@pytest.mark.parametrize(("pragma", "answer"), [("PRAGMA synchronous", [(1,)]), ("PRAGMA journal_mode", [("delete",)])])
def test_a_file_that_cannot_be_synchronised_is_refused(
    tmp_path: Path, pragma: str, answer: list[tuple[object]]
) -> None:
    class Careless(sqlite.SqliteConnection):
        def rows(self, sql: str, parameters: object = ()) -> list[object]:
            return list(answer) if sql == pragma else super().rows(sql, parameters)  # type: ignore[arg-type]

    with (
        closing(Careless(str(tmp_path / "careless.db"))) as connection,
        pytest.raises(LedgerRefused, match="not WAL and FULL: a power cut would lose"),
    ):
        prepare(connection, "careless.db", new=True)


# -- PostgreSQL


def test_no_such_database(postgres: Postgres) -> None:
    for create in (False, True):
        with pytest.raises(NoSuchLedger, match="there is no such database; make it with createdb"):
            open_store(postgres.url("nothing"), create=create)


def test_a_database_without_a_ledger(postgres: Postgres) -> None:
    with pytest.raises(NoSuchLedger, match="holds no ledger"):
        open_store(postgres.new_schema())


def test_another_programs_tables_are_refused(postgres: Postgres) -> None:
    url = postgres.new_schema()
    with psycopg.connect(url) as connection:
        connection.execute("CREATE TABLE events (x INTEGER)")
    with pytest.raises(LedgerRefused, match="not a ledger's: name another database"):
        open_store(url, create=True)


def test_no_server_there() -> None:
    """It may be there in a moment: nothing is said of the ledger."""
    with pytest.raises(LedgerFailed, match="is the server running") as failed:
        open_store("postgresql://user:canary@127.0.0.1:1/games")  # pragma: allowlist secret
    assert "canary" not in str(failed.value)
    assert failed.value.passing == "the database does not answer"


def test_an_address_that_is_none_is_refused() -> None:
    with pytest.raises(LedgerRefused, match="not one of PostgreSQL"):
        open_store("postgresql://host/x?no=such")


@pytest.mark.parametrize("sql", ["UPDATE events SET ts = 1", "DELETE FROM events", "TRUNCATE events"])
def test_the_application_may_only_add_and_read(postgres: Postgres, sql: str) -> None:
    """The grants refuse the application, the triggers whoever owns the table."""
    with closing(open_store(postgres.new_schema(), create=True)) as store:
        assert isinstance(store, SqlStore)
        store.append("t", 0, EVENTS, "k", "f")
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            store._reading.rows(sql)
        store._reading.rows("RESET ROLE")
        with pytest.raises(psycopg.errors.RaiseException, match="never changed or removed"):
            store._reading.rows(sql)
        store._reading.rows("SET session_replication_role = replica")
        with pytest.raises(psycopg.errors.RaiseException, match="never changed or removed"):
            store._reading.rows(sql)


def test_a_server_that_does_not_synchronise_is_refused(postgres: Postgres) -> None:
    url = postgres.new_schema()
    with psycopg.connect(postgres.url(), autocommit=True) as connection:
        connection.execute("ALTER SYSTEM SET full_page_writes = off")
        connection.execute("SELECT pg_reload_conf()")
    try:
        with pytest.raises(LedgerRefused, match="full_page_writes off: a power cut would lose"):
            open_store(url, create=True)
    finally:
        with psycopg.connect(postgres.url(), autocommit=True) as connection:
            connection.execute("ALTER SYSTEM RESET full_page_writes")
            connection.execute("SELECT pg_reload_conf()")


def test_reading_everything_waits_for_numbers_that_are_taken(postgres: Postgres) -> None:
    """An event that commits late has a small number; whoever reads past it would never see it."""
    url = postgres.new_schema()
    with closing(open_store(url, create=True)) as slow, closing(open_store(url)) as quick:
        assert isinstance(slow, SqlStore)
        slow._writing.rows("BEGIN")
        slow._lock_heads(["slow"])
        number = next(slow._numbers(1))
        assert quick.append("quick", 0, EVENTS, "k", "f").events[0].gseq > number
        quick._reading.rows("SET lock_timeout = '200ms'")  # type: ignore[attr-defined]
        with pytest.raises(Exception, match="lock timeout"):
            list(quick.read_all())
        slow._writing.rows("ROLLBACK")
        assert len(list(quick.read_all())) == 1
