"""The JSON Schema of round scripts, ready to check a script."""

from __future__ import annotations

import json

import jsonschema_rs

from twentyone.script.schema import schema_text

__all__ = ["SCHEMA", "VALIDATOR"]

SCHEMA = json.loads(schema_text())
VALIDATOR = jsonschema_rs.Draft202012Validator(SCHEMA)
