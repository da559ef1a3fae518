"""The papers as PDF, set by Typst: the content goes in as data, so that no word of it can be taken for a command.

Only the fonts that Typst brings are used, and neither the network nor a clock: the same content gives the same bytes.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from twentyone.extras import needed
from twentyone.papers.model import Block, Charts, Code, Grid, Heading, Paper, Picture, Words, runs

__all__ = ["to_pdf"]

FEW_ROWS, FEW_LETTERS = 14, 900
"""A table of no more rows and letters stays on one page."""
TEMPLATE = Path(__file__).with_name("papers.typ")
"""What the pages look like."""


def to_pdf(paper: Paper) -> bytes:
    """The papers as a PDF file."""
    typst = needed("typst", "papers as PDF", "twentyone[desk]")
    content = json.dumps(_paper(paper), ensure_ascii=False)
    made: bytes = typst.compile(
        TEMPLATE.read_bytes(), sys_inputs={"paper": content}, ignore_system_fonts=True, font_paths=[], format="pdf"
    )
    return made


def _paper(paper: Paper) -> dict[str, Any]:
    return {
        "title": paper.title,
        "kind": paper.kind,
        "source": paper.source,
        "cover": [[name, _text(value)] for name, value in paper.cover],
        "signed": list(paper.signed),
        "foot": paper.foot,
        "parts": [{"title": part.title, "blocks": [_block(block) for block in part.blocks]} for part in paper.parts],
    }


def _text(text: str) -> list[list[Any]]:
    return [[part, code] for part, code in runs(text)]


def _is_short(table: Grid) -> bool:
    """Whether a table is so short that no page should part it."""
    return len(table.rows) <= FEW_ROWS and sum(len(cell) for row in table.rows for cell in row) < FEW_LETTERS


def _block(block: Block) -> dict[str, Any]:
    kind = type(block).__name__.lower()
    if isinstance(block, Grid):
        rows = [[_text(cell) for cell in row] for row in block.rows]
        shown = {"head": list(block.head), "rows": rows, "widths": list(block.widths), "numbers": list(block.numbers)}
        return {"kind": kind, "whole": _is_short(block), **shown}
    if isinstance(block, Charts):
        return {"kind": kind, "grids": [vars(grid) for grid in block.grids]}
    if isinstance(block, Picture):
        return {"kind": kind, "svg": block.svg, "says": block.says}
    if isinstance(block, Code):
        return {"kind": kind, "text": block.text}
    assert isinstance(block, Heading | Words)
    return {"kind": kind, "text": _text(block.text)}
