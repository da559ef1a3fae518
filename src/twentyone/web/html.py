"""Markup as values: all markup is made here, and text is escaped when it is inserted.

>>> str(h("p", "a < b ", h("b", "bold"), class_="x"))
'<p class="x">a &lt; b <b>bold</b></p>'
"""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

__all__ = ["Markup", "chip", "h", "join", "raw"]

EMPTY = ("br", "img", "input", "meta", "hr", "link")


class Markup(str):
    """Text that is already markup."""

    __slots__ = ()


Child = str | Markup | int | None


def h(tag: str, *children: Child | Iterable[Child], **attributes: object) -> Markup:
    """An element; `class_` is `class`, `data_x` is `data-x`; an attribute that is none or false is omitted."""
    said = "".join(f" {_name(key)}{_value(value)}" for key, value in attributes.items() if value not in (None, False))
    inside = join(*children)
    return Markup(f"<{tag}{said}>" if tag in EMPTY else f"<{tag}{said}>{inside}</{tag}>")


def join(*children: Child | Iterable[Child]) -> Markup:
    """Concatenate children; plain text is escaped."""
    return Markup("".join(_child(child) for child in children))


def _child(child: Child | Iterable[Child]) -> str:
    if child is None:
        return ""
    if isinstance(child, Markup):
        return child
    if isinstance(child, str | int):
        return escape(str(child), quote=False)
    return "".join(_child(item) for item in child)


def _name(key: str) -> str:
    return key.rstrip("_").replace("_", "-")


def _value(value: object) -> str:
    return "" if value is True else f'="{escape(str(value))}"'


def raw(markup: str) -> Markup:
    """Markup of our own drawing."""
    return Markup(markup)


def chip(rulebook: str, paragraph: str, says: str | None = None) -> Markup:
    """A chip with a paragraph that links to its entry."""
    return h("a", says or paragraph, class_="tw-chip", href=f"/law/{rulebook}#{paragraph}")
