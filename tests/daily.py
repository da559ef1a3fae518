"""What `make test` looks at of a long list; the rest of it is marked `prove`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest

from twentyone.rulebook import rulebook_ids

__all__ = ["daily", "daily_books"]


def daily(all_of_them: Iterable[Any], *today: Any) -> list[Any]:
    """All of them for a parametrisation, tuples for several arguments; `make test` takes those of `today`."""
    known = list(all_of_them)
    assert all(one in known for one in today), f"not all of {today} are in the list"
    return [one if one in today else _long(one) for one in known]


def _long(one: Any) -> Any:
    return pytest.param(*(one if type(one) is tuple else (one,)), marks=pytest.mark.prove)


def daily_books(*today: str) -> list[Any]:
    """All rulebooks; `make test` takes those of `today`."""
    return daily(rulebook_ids(), *today)
