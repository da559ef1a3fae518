"""Rows of a database as they should be: each column of its kind, each page further than the one before it.

A damaged file answers with anything: text where a number stood, the same rows again and again. Nobody above sees that.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from typing import Any

from twentyone.ledger.rows import LedgerFailed

__all__ = ["EVENT", "NUMBER", "TEXT", "TEXT_OR_NONE", "Paged"]

Kind = frozenset[type]
"""What a column may hold."""
NUMBER, TEXT, TEXT_OR_NONE = Kind({int}), Kind({str}), Kind({str, type(None)})
EVENT = (NUMBER, TEXT, NUMBER, NUMBER, TEXT, NUMBER, *(TEXT,) * 3, *(TEXT_OR_NONE,) * 2)
"""What the columns of an event hold, in the order of `StoredEvent`."""


class Paged(ABC):
    """What can be read page by page."""

    where: str

    @abstractmethod
    def _query(self, sql: str, parameters: Sequence[Any] = ()) -> list[Any]:
        """The rows of a query."""

    def _typed(self, sql: str, parameters: Sequence[Any], kinds: Sequence[Kind]) -> list[Any]:
        """The rows of a query, as they should be."""
        return self._checked(self._query(sql, parameters), kinds)

    def _checked(self, rows: list[Any], kinds: Sequence[Kind]) -> list[Any]:
        """Rows whose columns are of these kinds; refused where one is not."""
        columns = zip(*rows, strict=True)
        if not all(kind.issuperset(map(type, column)) for kind, column in zip(kinds, columns, strict=False)):
            raise self._damaged("a row holds what no row has")
        return rows

    def _pages(
        self,
        sql: str,
        values: Sequence[Any],
        rest: Sequence[Any],
        kinds: Sequence[Kind],
        *,
        place: int = 0,
        back: bool = False,
    ) -> Iterator[list[Any]]:
        """The pages of a query, forwards or `back`; refused where a page does not come further.

        The last of `values` says after which value, of the column at `place`, the first page begins; `rest` are the
        parameters that come behind it.
        """
        while rows := self._typed(sql, (*values, *rest), kinds):
            yield rows
            last, began = rows[-1][place], values[-1]
            if not (last < began if back else last > began):
                raise self._damaged("its order is damaged")
            values = (*values[:-1], last)

    def _damaged(self, what: str) -> LedgerFailed:
        return LedgerFailed(f"{self.where}: the ledger cannot be read ({what}); restore a backup")
