"""The JSON Schema (2020-12) of round scripts, formats 1 and 2; it lies beside this module."""

from __future__ import annotations

from importlib.resources import files

__all__ = ["schema_text"]


def schema_text() -> str:
    """The schema as JSON text."""
    return files(__package__).joinpath("round-script.schema.json").read_text(encoding="utf-8")
