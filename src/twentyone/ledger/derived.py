"""The rows that follow from the house's stream, in the database: read and written with its events."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import groupby
from typing import Any

from twentyone.ledger.chain import Fault
from twentyone.ledger.house import HOUSE, TABLES, HouseRows
from twentyone.ledger.house_rows import DerivedTable, Place, Row
from twentyone.ledger.pages import TEXT, Paged
from twentyone.ledger.rows import StoredEvent

__all__ = ["Derived", "money_faults"]

PAGE = 1_000


class Derived(Paged):
    """The derived rows of a store."""

    _writing: Any
    _sql: Any

    def find_derived(self, table: str, key: str) -> Row | None:
        """One row of a derived table, without its key."""
        rows = self._query(f"{_select(TABLES[table])} WHERE {TABLES[table].key} = ?", (key,))
        return tuple(rows[0][1:]) if rows else None

    def read_derived(self, table: str, after: str = "") -> Iterator[tuple[str, Row]]:
        """The rows of a derived table after a key, by key."""
        shape = TABLES[table]
        sql = f"{_select(shape)} WHERE {shape.key} > ? ORDER BY {shape.key} LIMIT ?"
        for rows in self._pages(sql, (after,), (PAGE,), (TEXT,)):
            yield from ((row[0], tuple(row[1:])) for row in rows)

    def find_many_derived(self, places: Iterable[Place]) -> dict[Place, Row]:
        """The rows at places, each a derived table and a key; none where there is none."""
        return self._rows_at(places, self._query)

    def _load_derived(self, places: Iterable[Place]) -> dict[Place, Row]:
        """The rows at places, inside the transaction that may change them."""
        return self._rows_at(places, self._writing.rows)

    def _rows_at(self, places: Iterable[Place], run: Callable[..., list[Any]]) -> dict[Place, Row]:
        held: dict[Place, Row] = {}
        for table, keys in groupby(sorted(places), key=lambda place: place[0]):
            shape, wanted = TABLES[table], self._writing.array([key for _, key in keys])
            for row in run(f"{_select(shape)} WHERE {shape.key} {self._sql.among}", (wanted,)):
                held[table, row[0]] = tuple(row[1:])
        return held

    def _save_derived(self, rows: Mapping[Place, Row]) -> None:
        """Write rows inside the transaction."""
        for table, items in groupby(sorted(rows.items(), key=lambda item: item[0]), key=lambda item: item[0][0]):
            self._writing.write_many(_upsert(TABLES[table]), [(key, *row) for (_, key), row in items])


def _select(shape: DerivedTable) -> str:
    return f"SELECT {', '.join((shape.key, *shape.columns))} FROM {shape.name}"


def _upsert(shape: DerivedTable) -> str:
    names, marks = ", ".join((shape.key, *shape.columns)), ", ".join("?" * (1 + len(shape.columns)))
    changes = ", ".join(f"{name} = excluded.{name}" for name in shape.columns)
    return f"INSERT INTO {shape.name} ({names}) VALUES ({marks}) ON CONFLICT ({shape.key}) DO UPDATE SET {changes}"


def money_faults(rows: HouseRows, events: Iterable[StoredEvent]) -> Iterator[Fault]:
    """Follow the house's stream among stored events: what its own rows do not allow."""
    for event in events:
        if event.stream == HOUSE:
            refused = rows.carry_out([(event.ts, event.type, event.schema, event.body)])
            if refused is not None:
                yield Fault(event.stream, event.ver, str(refused))
