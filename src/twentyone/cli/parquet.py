"""Tables as Parquet files: money as decimals, moments in UTC; written in parts, put together at the end."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import polars

__all__ = ["ParquetTable"]

Columns = Sequence[tuple[str, str, str]]

ROWS = 100_000
"""Rows of a part."""
DIGITS, PLACES, FINE_PLACES = 38, 3, 9
"""Digits of a decimal, and those of them after the point: of money, and of a share of money that a meter receives."""


def _types() -> dict[str, Any]:
    import polars as pl

    return {
        "text": pl.String,
        "whole": pl.Int64,
        "flag": pl.Boolean,
        "moment": pl.Datetime("ms", "UTC"),
        "money": pl.Decimal(DIGITS, PLACES),
        "fine money": pl.Decimal(DIGITS, FINE_PLACES),
        "wholes": pl.List(pl.Int64),
        "texts": pl.List(pl.String),
    }


def _fine(value: Fraction) -> Decimal:
    """Thousandths of a dollar, however small their parts, in dollars: rounded to a thousandth of a millionth."""
    return Decimal(round(value * 10 ** (FINE_PLACES - PLACES))).scaleb(-FINE_PLACES)


WRITTEN: Mapping[str, Callable[[Any], Any]] = {
    "money": lambda value: Decimal(int(value)).scaleb(-PLACES),
    "fine money": _fine,
    "moment": lambda value: datetime.fromtimestamp(value, UTC),
}
"""How values are written that Parquet has another form for: an amount in thousandths of a dollar, seconds UTC."""


class ParquetTable:
    """One table on its way into a file; the file is there once it is whole."""

    def __init__(self, path: Path, columns: Columns) -> None:
        self.path = path
        """The file."""
        self.count = 0
        """Rows so far."""
        types = _types()
        self._schema: Any = {name: types[kind] for name, kind, _ in columns}
        self._kinds = {name: kind for name, kind, _ in columns}
        self._forms = [WRITTEN.get(kind) for _, kind, _ in columns]
        self._rows: list[list[Any]] = []
        self._parts: list[Path] = []

    def add(self, row: list[Any]) -> None:
        """Add a row."""
        forms = zip(row, self._forms, strict=True)
        self._rows.append([value if form is None or value is None else form(value) for value, form in forms])
        self.count += 1
        if len(self._rows) >= ROWS:
            self._put_rows()

    def extend(self, columns: Mapping[str, Any]) -> None:
        """Add many rows, column by column: numbers, and money in thousandths of a dollar."""
        import polars as pl

        frame = pl.DataFrame(columns)
        money = [name for name, kind in self._kinds.items() if kind == "money"]
        dollars = pl.col(money).cast(pl.Decimal(DIGITS, PLACES)) * Decimal(1).scaleb(-PLACES)
        self._put(frame.with_columns(dollars).cast(self._schema))
        self.count += len(frame)

    def _put_rows(self) -> None:
        import polars as pl

        self._put(pl.DataFrame(self._rows, schema=self._schema, orient="row"))
        self._rows.clear()

    def _put(self, rows: polars.DataFrame) -> None:
        part = self.path.with_name(f"{self.path.name}.{len(self._parts)}.part")
        self._parts.append(part)
        rows.write_parquet(part)

    def close(self) -> None:
        """Put the parts together."""
        import polars as pl

        self._put_rows()
        whole = self.path.with_name(f"{self.path.name}.new")
        pl.scan_parquet(self._parts).sink_parquet(whole)
        whole.replace(self.path)
        self.discard()

    def discard(self) -> None:
        """Take away the parts."""
        for part in self._parts:
            part.unlink(missing_ok=True)
        self._parts.clear()
