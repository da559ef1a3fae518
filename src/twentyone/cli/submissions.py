"""Rules Submissions as files: TOML, or JSON as the commands print it."""

from __future__ import annotations

import json
from typing import Any

from twentyone.cli.common import read_file
from twentyone.rulebook.toml import read_toml

__all__ = ["read_table"]


def read_table(name: str) -> dict[str, Any]:
    """The table that a submission file holds, still with its key `rulebook`; `ValueError` if it is not one."""
    content = read_file(name)
    form = "JSON" if content.lstrip().startswith(b"{") else "TOML"
    try:
        text = content.decode("utf-8-sig")
        table: dict[str, Any] = json.loads(text) if form == "JSON" else read_toml(text)
    except RecursionError:
        raise ValueError(f"{name} is not {form}: tables lie too deep in each other") from None
    except ValueError as wrong:
        raise ValueError(f"{name} is not {form}: {wrong}") from None
    return table
