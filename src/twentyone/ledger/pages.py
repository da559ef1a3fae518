"""Rows of a database a page at a time: each page begins where the one before it ended, and comes further."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from typing import Any

from twentyone.ledger.rows import LedgerFailed

__all__ = ["Paged"]


class Paged(ABC):
    """What can be read page by page."""

    where: str

    @abstractmethod
    def _query(self, sql: str, parameters: Sequence[Any] = ()) -> list[Any]:
        """The rows of a query."""

    def _pages(
        self, sql: str, values: Sequence[Any], rest: Sequence[Any], *, place: int = 0, back: bool = False
    ) -> Iterator[list[Any]]:
        """The pages of a query, forwards or `back`.

        The last of `values` says after which value, of the column at `place`, the first page begins; `rest` are the
        parameters that come behind it. Refused where a page does not come further: in a damaged file the rows after a
        number may be those before it, again and again.
        """
        while rows := self._query(sql, (*values, *rest)):
            yield rows
            last, began = rows[-1][place], values[-1]
            if not isinstance(last, type(began)) or not (last < began if back else last > began):
                raise LedgerFailed(f"{self.where}: the ledger cannot be read (its order is damaged); restore a backup")
            values = (*values[:-1], last)
