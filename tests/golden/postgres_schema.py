"""The schema of a new ledger in PostgreSQL, as the package keeps it to compare others with; `make golden` writes it."""

from __future__ import annotations

import tempfile
from contextlib import closing
from pathlib import Path

from tests.postgres import Postgres

from twentyone.ledger.postgres import PostgresConnection, prepare
from twentyone.ledger.postgres_schema import described

__all__ = ["FILE", "schema_text"]

FILE = Path(__file__).parents[2] / "src/twentyone/ledger/migrations/postgres.txt"
"""Where it stands."""


def schema_text(postgres: Postgres) -> str:
    """What the migrations make of an empty database."""
    with closing(PostgresConnection(postgres.new_database())) as connection:
        prepare(connection, "", create=True)
        return "\n".join(sorted(described(connection.rows))) + "\n"


if __name__ == "__main__":
    with (
        tempfile.TemporaryDirectory(prefix="twentyone-postgres-") as name,
        closing(Postgres(Path(name) / "data")) as server,
    ):
        FILE.write_text(schema_text(server), encoding="utf-8")
