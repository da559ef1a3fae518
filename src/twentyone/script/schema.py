"""The JSON Schema (2020-12) of round scripts, formats 1 and 2; it lies beside this module."""

from __future__ import annotations

from pathlib import Path

__all__ = ["schema_text"]


def schema_text() -> str:
    """The schema as JSON text."""
    return Path(__file__).with_name("round-script.schema.json").read_text(encoding="utf-8")
