"""TOML, as rulebooks and submissions are written in it: read, or refused in words, whatever stands there."""

from __future__ import annotations

import tomllib
from typing import Any

__all__ = ["read_toml"]


def read_toml(text: str) -> dict[str, Any]:
    """The table that a text describes; `ValueError` with the reason where it describes none.

    >>> read_toml('wager = "5"')
    {'wager': '5'}
    >>> read_toml("wager = " + "5" * 5_000)
    Traceback (most recent call last):
    ValueError: a number has too many digits
    """
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        raise
    except RecursionError:
        raise ValueError("tables lie too deep in each other") from None
    except ValueError:
        raise ValueError("a number has too many digits") from None
