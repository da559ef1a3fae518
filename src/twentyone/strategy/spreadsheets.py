"""Texts in cells of a spreadsheet: what somebody wrote is shown there, never calculated."""

from __future__ import annotations

__all__ = ["as_text", "text_of"]

CALCULATED = ("=", "+", "-", "@", "\t", "\r")
"""How a cell begins that a spreadsheet would calculate."""


def as_text(cell: str) -> str:
    """A cell that a spreadsheet shows as it is: one that it would calculate begins with an apostrophe.

    >>> as_text("=1+1"), as_text("Ann")
    ("'=1+1", 'Ann')
    """
    return f"'{cell}" if cell.startswith(CALCULATED) else cell


def text_of(cell: str) -> str:
    """What was written as such a cell.

    >>> text_of("'=1+1"), text_of("'s"), text_of("Ann")
    ('=1+1', "'s", 'Ann')
    """
    return cell[1:] if cell.startswith("'") and cell[1:].startswith(CALCULATED) else cell
