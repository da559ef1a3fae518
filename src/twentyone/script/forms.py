"""What the values of a script are written as; what is written otherwise is refused under its key."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

from twentyone.cards import Card, card_named
from twentyone.errors import NotAScript
from twentyone.money import ALL_MONEY, Amount
from twentyone.round import Drawn

__all__ = [
    "amount", "boolean", "card", "check_keys", "fraction", "integer", "list_", "named_card", "object_", "parse_cards",
    "string",
]  # fmt: skip


def check_keys(path: str, body: Mapping[str, Any], needed: tuple[str, ...], allowed: tuple[str, ...]) -> None:
    """Refuse a missing or an unknown key."""
    for key in body:
        if key not in needed and key not in allowed:
            raise NotAScript(f"{path}.{key}" if path != "script" else key, "there is no such key")
    for key in needed:
        if key not in body:
            raise NotAScript(path, f"the key {key!r} is missing")


def amount(path: str, value: Any) -> Amount:
    """Money is a decimal string."""
    if not isinstance(value, str):
        raise NotAScript(path, f'{value!r} is not a decimal string like "7.50"')
    try:
        number = Amount(value)
    except ValueError as wrong:
        raise NotAScript(path, str(wrong)) from None
    if abs(number) >= ALL_MONEY:
        raise NotAScript(path, f"{value} is more money than there is")
    return number


def string(path: str, value: Any) -> str:
    """A text."""
    if not isinstance(value, str):
        raise NotAScript(path, f"{value!r} is not a text")
    if not value.isascii() and any("\ud800" <= sign <= "\udfff" for sign in value):
        raise NotAScript(path, "the text holds half a character")
    return value


def integer(path: str, value: Any) -> int:
    """A whole number."""
    if not isinstance(value, int) or isinstance(value, bool):
        raise NotAScript(path, f"{value!r} is not a whole number")
    return value


def list_(path: str, value: Any) -> list[Any]:
    """A list."""
    if not isinstance(value, list):
        raise NotAScript(path, "a list belongs here")
    return value


def object_(path: str, value: Any) -> Mapping[str, Any]:
    """An object."""
    if not isinstance(value, Mapping):
        raise NotAScript(path, "an object belongs here")
    return value


def boolean(path: str, value: Any) -> bool:
    """True or false."""
    if not isinstance(value, bool):
        raise NotAScript(path, f"{value!r} is not true or false")
    return value


def fraction(path: str, value: Any) -> Fraction:
    """Dollars that no chip can pay, as a fraction."""
    if not re.fullmatch(r"[0-9]{1,18}(/0*[1-9][0-9]{0,17})?", string(path, value), re.ASCII):
        raise NotAScript(path, f"{value!r} is not a fraction like '1/3'")
    return Fraction(value)


def card(path: str, value: Any) -> Card:
    """A card by its rank and suit."""
    try:
        return Card(string(path, value))
    except ValueError:
        raise NotAScript(path, f"there is no card {value!r}") from None


def named_card(path: str, value: Any) -> Card:
    """A card by its rank and suit, or one that nobody has seen."""
    try:
        return card_named(string(path, value))
    except ValueError:
        raise NotAScript(path, f"there is no card {value!r}") from None


def parse_cards(path: str, text: Any, read: Callable[[str, Any], Card] = card) -> tuple[Drawn, ...]:
    """Cards of a script; `^` marks one found face up."""
    drawn = []
    for index, name in enumerate(string(path, text).split()):
        drawn.append(Drawn(read(f"{path}[{index}]", name.removesuffix("^")), name.endswith("^")))
    return tuple(drawn)
