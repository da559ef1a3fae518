"""The table: everything before, between and after rounds. Commands in, cited events out."""

from twentyone.table.evolve import fold_table
from twentyone.table.model import Command, TableEvent, TableState
from twentyone.table.table import NextStep, Table

__all__ = ["Command", "NextStep", "Table", "TableEvent", "TableState", "fold_table"]
