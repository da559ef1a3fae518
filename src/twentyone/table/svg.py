"""Elements of an SVG picture: a child, a group with what it shows, lines of text."""

from __future__ import annotations

from collections.abc import Sequence
from xml.etree import ElementTree

from twentyone.table.layout import Item, Payout

__all__ = ["HEIGHT", "MIDDLE", "WIDTH", "Element", "add", "grouped", "words"]

WIDTH, HEIGHT = 1440, 900
"""The picture, in its own units."""
MIDDLE = 720
"""Where its middle is, from the left."""

Element = ElementTree.Element


def add(parent: Element, tag: str, text: str = "", **attributes: object) -> Element:
    """A child element; `font_size` is written `font-size`, `class_` is `class`."""
    names = {name.rstrip("_").replace("_", "-"): _plain(value) for name, value in attributes.items()}
    child = ElementTree.SubElement(parent, tag, names)
    child.text = text or None
    return child


def _plain(value: object) -> str:
    return f"{value:.1f}".removesuffix(".0") if isinstance(value, float) else str(value)


def grouped(parent: Element, kind: str, shown: Item | Payout | None = None, **attributes: object) -> Element:
    """A group, with what it shows and the paragraph as its title."""
    group = add(parent, "g", "", class_=kind, **attributes)
    if shown is not None:
        group.set("data-cite", shown.cite)
        add(group, "title", f"{shown.text} ({shown.cite})")
    return group


def words(
    parent: Element, kind: str, lines: Sequence[str], at: tuple[float, float], step: float, anchor: str = "middle"
) -> None:
    """Lines of text around a point: the middle of the block is there."""
    x, y = at
    text = add(parent, "text", class_=kind, text_anchor=anchor)
    for index, line in enumerate(lines):
        add(text, "tspan", line, x=x, y=y + step * (index - (len(lines) - 1) / 2) + step * 0.32)
