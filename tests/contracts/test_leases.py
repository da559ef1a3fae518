"""One owner a table: leases end by the database's clock, and nothing is stored under an epoch that is over."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from typing import TYPE_CHECKING, Any

import psycopg
import pytest
from tests.patience import until

from twentyone.ledger.leases import CLOCKS_DIFFER, REMOVED, Leases, preferred
from twentyone.ledger.postgres import PostgresStore, open_postgres
from twentyone.ledger.rows import Appended, Batch, NewEvent, Superseded
from twentyone.service.peer_client import Pass

if TYPE_CHECKING:
    from tests.postgres import Postgres

WRITES = 100


class Process:
    """A process with a store and leases of its own."""

    def __init__(self, url: str, name: str) -> None:
        self.store: PostgresStore = open_postgres(url, create=True)
        self.now = 1_000_000
        self.leases = Leases(url, self.store, name, f"http://{name}", b"key", lambda: self.now)
        self.leases.renew()

    def write(self, table: str, number: int) -> Any:
        """Try to store one event; what becomes of it."""
        version = self.store.version(table)
        try:
            return self.store.append(table, version, [NewEvent("told", {}, 0)], f"{self.leases.me} {number}", "f")
        except Superseded as refused:
            return refused

    def close(self) -> None:
        """Leave."""
        self.leases.leave()
        self.store.close()


class Pair:
    """Two processes on one ledger."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.one, self.two = Process(url, "one"), Process(url, "two")
        for process in (self.one, self.two):
            self._set_lease(process, "infinity")  # as if it renewed its lease in time, however slow the machine is

    def end_lease(self, process: Process) -> None:
        """As if a process had not renewed its lease in time."""
        self._set_lease(process, "-infinity")

    def _set_lease(self, process: Process, until: str) -> None:
        with psycopg.connect(self.url, autocommit=True) as line:
            line.execute("UPDATE processes SET until = %s WHERE id = %s", (until, process.leases.me))

    def take_over(self, tables: list[str]) -> None:
        """The second leads what the first led, as soon as the database lets it."""
        self.end_lease(self.one)
        until(lambda: self.two.leases.claim(tables), "taken over")
        assert set(self.two.leases.mine()) >= set(tables)


@pytest.fixture
def pair(postgres: Postgres) -> Iterator[Pair]:
    pair = Pair(postgres.new_schema())
    with closing(pair.one), closing(pair.two):
        yield pair


def test_one_process_leads_a_table(pair: Pair) -> None:
    """The other gets none of it, and stores nothing there; a table that nobody leads is open to both."""
    pair.one.leases.enrol(["a", "b"])
    assert pair.one.leases.claim(["a"]) == ["a"]
    assert pair.two.leases.claim(["a"]) == []
    assert isinstance(pair.one.write("a", 1), Appended)
    assert isinstance(pair.two.write("a", 2), Superseded)
    assert isinstance(pair.two.write("b", 3), Appended)
    leader = pair.two.leases.leader("a")
    assert leader is not None
    assert (leader.id, leader.address) == ("one", "http://one")
    pair.one.leases.pass_on("a", "two")
    assert isinstance(pair.one.write("a", 4), Superseded)
    assert pair.two.leases.claim(["a"]) == ["a"]
    assert isinstance(pair.two.write("a", 5), Appended)


def _late_writes(pair: Pair) -> Counter[str]:
    """What becomes of writes of a process whose tables another leads by now; all of them are on the right version."""
    tables = [f"table-{number}" for number in range(WRITES)]
    pair.one.leases.enrol(tables)
    assert len(pair.one.leases.claim(tables)) == WRITES
    first = [Batch(table, 0, [NewEvent("told", {}, 0)], f"first {table}", "f") for table in tables]
    assert {type(answer) for answer in pair.one.store.append_many(first)} == {Appended}
    pair.take_over(tables)
    pair.one.leases.renew()
    return Counter(type(pair.one.write(table, number)).__name__ for number, table in enumerate(tables))


def test_who_was_away_stores_nothing(pair: Pair) -> None:
    assert _late_writes(pair) == {"Superseded": WRITES}
    assert isinstance(pair.two.write("table-0", 1), Appended)


def test_without_the_fence_a_late_write_is_stored(pair: Pair, monkeypatch: pytest.MonkeyPatch) -> None:
    """The negative control."""
    monkeypatch.setattr(PostgresStore, "_fenced", lambda _, item: item)
    assert _late_writes(pair) == {"Appended": WRITES}


def test_who_was_stopped_within_a_transaction_holds_nobody_up(pair: Pair) -> None:
    """Its locks end with its lease: the table, the house's stream, and the lock of those who read all."""
    pair.one.leases.enrol(["a"])
    pair.one.leases.claim(["a"])
    pair.one.store._writing.rows("BEGIN")
    pair.one.store._lock_heads(["a"])
    pair.end_lease(pair.one)
    pair.two.leases.unblock("two")

    def taken() -> list[str]:
        pair.two.leases.unblock("one")
        return pair.two.leases.claim(["a"])

    until(taken, "taken over")
    assert isinstance(pair.two.write("a", 1), Appended)


def test_tables_spread_and_few_change_hands() -> None:
    tables = [f"table-{number}" for number in range(2000)]
    four = {table: preferred(table, ["a", "b", "c", "d"]) for table in tables}
    five = {table: preferred(table, ["a", "b", "c", "d", "e"]) for table in tables}
    assert all(400 < count < 600 for count in Counter(four.values()).values())
    moved = [table for table in tables if four[table] != five[table]]
    assert {five[table] for table in moved} == {"e"}
    assert len(moved) < 500


def test_only_a_process_of_the_ledger_passes_requests_on() -> None:
    """A mark is for one process, one request and one client: seen on the way, it is of use nowhere else."""
    path, whose = "/api/v1/tables/one", ("192.0.2.1", "https")
    own, two = Pass(b"key", "one"), Pass(b"key", "two")
    given = own.make("two", whose, "GET", path)
    assert two.read(given, "GET", "/api/v1/tables/two") is None
    assert two.read(given, "POST", path) is None
    assert Pass(b"key", "three").read(given, "GET", path) is None
    assert two.read(given.replace(b"192.0.2.1", b"192.0.2.2"), "GET", path) is None
    assert Pass(b"other", "two").read(given, "GET", path) is None
    assert two.read(b"192.0.2.1 https ", "GET", path) is None
    read = two.read(given, "GET", path)
    assert read is not None
    assert (read.client, read.scheme, read.fits(b""), read.fits(b"x")) == (*whose, True, False)
    assert two.read(given, "GET", path) is None, "it is taken once"


# -- addresses


def test_an_address_without_the_mark_of_the_key_is_not_believed(pair: Pair, caplog: pytest.LogCaptureFixture) -> None:
    """Altered, put in, copied from another row, or of a process that is long gone: nobody is sent there.

    The process that it names writes its own row anew; a row that stays is removed, and its tables are free.
    """
    one, two = pair.one.leases, pair.two.leases

    def stored(member: str) -> str:
        with psycopg.connect(pair.url, autocommit=True) as line:
            row = line.execute("SELECT address FROM processes WHERE id = %s", (member,)).fetchone()
            return str(row[0]) if row is not None else ""

    def write(member: str, address: str) -> None:
        with psycopg.connect(pair.url, autocommit=True) as line:
            line.execute(
                "INSERT INTO processes (id, address, until) VALUES (%s, %s, 'infinity') "
                "ON CONFLICT (id) DO UPDATE SET address = excluded.address",
                (member, address),
            )

    def known() -> dict[str, str]:
        return {member.id: member.address for member in two.renew()[0]}

    two.enrol(["a"])
    one.claim(["a"])
    right = stored("one")
    assert known() == {"one": "http://one", "two": "http://two"}
    for forged in ("http://evil", f"http://evil{right.removeprefix('http://one')}", stored("two")):
        write("one", forged)
        assert known() == {"two": "http://two"}, forged
        assert two.leader("a") is None
        assert [member.id for member in two.look()[0]] == []
        one.renew()
        assert known() == {"one": "http://one", "two": "http://two"}
    assert "process one has an address without this ledger's mark: nothing is sent there" in caplog.text
    write("evil", stored("one"))
    pair.one.leases.pass_on("a", "evil")
    assert "evil" not in known()
    assert (two.leader("a"), two.claim(["a"])) == (None, [])
    pair.one.now = pair.two.now = pair.two.now + REMOVED
    assert "evil" not in known()
    assert stored("evil") == ""
    assert two.claim(["a"]) == ["a"]
    write("one", right)
    pair.two.now += 2 * CLOCKS_DIFFER
    assert "one" not in known(), "a row of long ago"
