"""Canonical JSON: one value, one sequence of bytes. Sorted keys, UTF-8, whole numbers, nothing else.

>>> canonical({"b": [1, None, "é"], "a": True})
'{"a":true,"b":[1,null,"é"]}'
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from itertools import repeat
from typing import Any

from twentyone.ledger.rows import NotCanonical
from twentyone.money import Amount

__all__ = ["LARGEST", "canonical", "fingerprint"]

LARGEST = 2**63 - 1
"""The largest whole number, and its negative the smallest: what both databases can hold."""
DEEPEST = 64
"""How deeply lists and objects may be nested."""
_not_utf_8 = re.compile("[\ud800-\udfff]").search
_ENCODER = json.JSONEncoder(
    ensure_ascii=False, allow_nan=False, sort_keys=True, separators=(",", ":"), check_circular=False
)


def canonical(value: Any, where: str = "value") -> str:
    """The canonical JSON of a value; refuses a value that it cannot represent, and names its path."""
    return _ENCODER.encode(value if _is_plain(value, 0) else _plain(value, where, 0))


def fingerprint(value: Any) -> str:
    """SHA-256 of a value's canonical JSON, in hexadecimal digits."""
    return hashlib.sha256(canonical(value).encode()).hexdigest()


def _is_plain(value: Any, depth: int) -> bool:
    """Whether a value can be written unchanged: nearly every value can, and is then visited only once."""
    kind = type(value)
    if kind is str:
        return value.isascii() or _not_utf_8(value) is None
    if kind is int:
        return bool(-LARGEST <= value <= LARGEST)
    if kind is dict and depth < DEEPEST:
        for key, item in value.items():
            if type(key) is not str or not key.isascii() or not _is_plain(item, depth + 1):
                return False
        return True
    if (kind is list or kind is tuple) and depth < DEEPEST:
        return all(map(_is_plain, value, repeat(depth + 1)))
    return value is None or kind is bool


def _plain(value: Any, where: str, depth: int) -> Any:
    kind = type(value)
    if kind is str:
        return _text(value, where)
    if kind is int:
        return _whole(value, where)
    if value is None or kind is bool:
        return value
    if depth >= DEEPEST:
        raise NotCanonical(where, f"more than {DEEPEST} lists and objects inside one another")
    if isinstance(value, Mapping):
        return {_name(key, where): _plain(item, f"{where}.{key}", depth + 1) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item, f"{where}[{index}]", depth + 1) for index, item in enumerate(value)]
    return _odd(value, where)


def _odd(value: Any, where: str) -> Any:
    """Subclasses of the allowed types, written as those types, and money in thousandths; anything else is refused."""
    if isinstance(value, str):
        return _text(str.__str__(value), where)
    if isinstance(value, int | Amount):
        return _whole(int(value), where)
    raise NotCanonical(
        where, f"{type(value).__name__} is not text, a whole number, true, false, null, a list or an object"
    )


def _whole(value: int, where: str) -> int:
    if not -LARGEST <= value <= LARGEST:
        raise NotCanonical(where, "the whole number is larger than 2^63 - 1")
    return value


def _text(value: str, where: str) -> str:
    if not value.isascii():
        try:
            value.encode()
        except UnicodeEncodeError as fault:
            raise NotCanonical(where, f"the text is not UTF-8 at character {fault.start}") from None
    return value


def _name(key: Any, where: str) -> str:
    if not isinstance(key, str):
        raise NotCanonical(where, f"the key {key!r} is not text")
    return _text(key, where)
