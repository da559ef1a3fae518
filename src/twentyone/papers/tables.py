"""What the table shows: its layout as a picture, every inscription, area, sign and device with its paragraph."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import groupby

from twentyone.papers.model import Block, Grid, Heading, PaperPart, Picture, Words
from twentyone.papers.words import capital, paragraph, plain
from twentyone.rulebook import Rulebook, Rules
from twentyone.table.layout import Item, Layout, layout
from twentyone.table.layout_svg import draw_layout

__all__ = ["layout_part", "on_paper"]

PRINT = {
    "serif": "'Libertinus Serif'", "sans": "'Libertinus Serif'", "line": "#1d4437", "gold": "#6a4d0a",
    "felt-lit": "#ffffff", "felt": "#fafcfb", "felt-2": "#f0f5f2", "felt-edge-lit": "#d9d2c6", "felt-edge": "#cfc6b7",
    "felt-edge-2": "#c4b9a7", "device": "#e3e7e8", "card-back": "#b8c9da", "panel": "#ffffff", "ink": "#1c1c1c",
    "muted": "#3f4d46", "light-blue": "#1f63b5", "light-red": "#b3262b", "light-yellow": "#9a7400",
}  # fmt: skip
"""The colours and letters of a layout on white paper."""
DARK_LINES = ".tw-felt .device,.tw-felt .shine{stroke:#6b756f}.tw-felt .name,.tw-felt .number,.tw-felt .tag{opacity:1}"
_CUSTOM = re.compile(r"var\(--([\w-]+)\s*,\s*([^()]*)\)")
WINS = "Every win that nothing else is said of"
"""What a wager pays where a row names no hand."""
_ORDERED = ("inscription", "sign_or_inscription")
KINDS = {
    "approval": "Approval", "name": "Name", "box": "Boxes", "area": "Area", "dealer_area": "Dealer's area",
    "inscription": "Inscription", "sign_or_inscription": "Inscription or sign", "odds": "Odds", "sign": "Sign",
    "device": "Device",
}  # fmt: skip


def layout_part(rules: Rules) -> PaperPart:
    """The layout and the signs of the table."""
    return PaperPart("layout", "Layout and signs", tuple(_blocks(rules.rulebook, layout(rules))))


def on_paper(shown: Layout) -> str:
    """The picture of a layout for white paper: no custom property is left, and one family of letters."""
    drawn = _CUSTOM.sub(lambda found: PRINT.get(found[1], found[2]), draw_layout(shown))
    return drawn.replace("</style>", f"{DARK_LINES}</style>", 1)


def _blocks(book: Rulebook, shown: Layout) -> Iterator[Block]:
    yield Words(
        "Words in quotation marks are inscribed as they stand; all others say in our words what has to be there. The"
        " picture at the end is the layout as a player sees it: the dealer stands at the top, box 1 is at his left."
    )
    yield Heading("What the layout and the table show")
    yield Grid(("Kind", "What it is", "Paragraph"), tuple(_item(book, item) for item in shown.items), (3, 12, 0))
    yield Heading("What every wager pays")
    yield Words("On the layout where the text wants it there, or else on a sign at the table.")
    rows = [
        (group if index == 0 else "", row.hand if row.hand != group else WINS, row.pays, paragraph(book, row.cite))
        for group, rows in groupby(shown.odds, key=lambda row: row.group)
        for index, row in enumerate(rows)
    ]
    yield Grid(("Wager", "What wins", "Pays", "Paragraph"), tuple(rows), (5, 6, 5, 0))
    said = "; ".join(item.text for item in shown.inscriptions) or "none is ordered"
    yield Picture(on_paper(shown), f"The layout: {shown.boxes} boxes. Inscriptions: {said}.")


def _item(book: Rulebook, item: Item) -> tuple[str, ...]:
    text = f"“{item.text}”" if item.item in _ORDERED or item.range else capital(item.text)
    parts = [text]
    if item.light:
        parts.append(f"{item.light} light")
    if item.side:
        parts.append(f"at the dealer's {item.side}")
    if item.each == "box":
        parts.append("one for each box")
    words = ", ".join(parts) + (f"; or {item.alternative}" if item.alternative else "")
    return KINDS.get(item.item, plain(item.item)), words, paragraph(book, item.cite)
