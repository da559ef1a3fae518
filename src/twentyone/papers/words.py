"""How the papers write values: choices, shares, paragraphs, names."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from twentyone.money import Amount, dollars
from twentyone.rulebook import Rulebook

__all__ = ["capital", "number", "once", "paragraph", "percent", "plain", "signed", "value_words"]


def capital(text: str) -> str:
    """A text that begins with a capital."""
    return text[:1].upper() + text[1:]


def plain(name: str) -> str:
    """A name as words."""
    return name.replace("_", " ").replace("-", " ")


def paragraph(book: Rulebook, cite: str) -> str:
    """A citation without what all citations of a book begin with; the title page says it."""
    return cite.removeprefix(book.prefix)


def signed(text: str) -> str:
    """A figure with a minus sign in place of a hyphen."""
    return text.replace("-", "−", 1) if text.startswith("-") else text


def percent(value: float) -> str:
    """A share as per cent."""
    return signed(f"{value * 100:.4f}\u00a0%")


def once(chance: float) -> str:
    """How many rounds or wagers it takes on average; a frequent event needs a decimal to differ from a sure one.

    >>> once(0.8463), once(1 / 668_382), once(0)
    ('1.2', '668,382', 'never')
    """
    if not chance:
        return "never"
    return f"{1 / chance:,.0f}" if chance < 0.1 else f"{1 / chance:.1f}"


def number(value: float) -> str:
    """A figure without a unit."""
    return f"{value:.5f}"


def value_words(value: Any, kind: str = "") -> str:
    """A choice as a person reads it.

    >>> value_words(True), value_words(None), value_words("0.50", "amount"), value_words(["A", "B"])
    ('yes', 'not set', '$0.50', 'A and B')
    """
    if value is None:
        return "not set"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Mapping):
        return "as in the file"
    if kind == "amount":
        return dollars(Amount(str(value)))
    return " and ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)
