"""The table: everything before, between and after rounds. Commands in, cited events out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from twentyone.table.evolve import fold_table
    from twentyone.table.model import Command, TableEvent, TableState
    from twentyone.table.table import NextStep, Table

__all__ = ["Command", "NextStep", "Table", "TableEvent", "TableState", "fold_table"]


def __getattr__(name: str) -> Any:
    """The public names are imported when somebody asks for one: who draws a layout needs none of them."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from twentyone.table import evolve, model, table

    home = evolve if name == "fold_table" else table if name in ("NextStep", "Table") else model
    return getattr(home, name)
