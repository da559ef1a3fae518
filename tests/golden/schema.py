"""The JSON Schema of round scripts: its definitions of steps follow from the types of the round's commands.

`make golden` writes it anew, in the package and in the documents; the rest of it is written by hand.
"""

from __future__ import annotations

import ast
import inspect
import json
from collections.abc import Iterator
from dataclasses import MISSING, fields
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, get_args, get_origin, get_type_hints

from twentyone.cards import Card
from twentyone.money import Amount
from twentyone.round import Decision, Happened
from twentyone.round.actions import ACTIONS
from twentyone.round.irregularities import IRREGULARITIES
from twentyone.round.steps import STEPS, Step
from twentyone.script.parse import ACTIONS as SAID
from twentyone.script.steps import said_type

__all__ = ["FILES", "schema_text"]

ROOT = Path(__file__).parents[2]
FILES = (ROOT / "src/twentyone/script/round-script.schema.json", ROOT / "docs/round-script.schema.json")
"""Where the schema stands; the first is the one that is written by hand."""

TYPES: dict[Any, dict[str, Any]] = {
    str: {"type": "string"},
    int: {"type": "integer"},
    bool: {"type": "boolean"},
    Card: {"$ref": "#/$defs/card"},
    Amount: {"$ref": "#/$defs/amount"},
}
WORDS = {(Decision, "action"): [*ACTIONS, "decline"], (Happened, "name"): [*IRREGULARITIES]}
"""Fields that hold one of some words."""


def schema_text() -> str:
    """The schema as it should stand in its files."""
    schema = json.loads(FILES[0].read_text(encoding="utf-8"))
    known = schema["$defs"]
    known["said"]["properties"]["action"]["enum"] = list(SAID)
    kinds = {f"step_{name}": _kind(name, kind) for name, kind in STEPS.items()}
    step = {
        "type": "object",
        "required": ["step"],
        "properties": {"step": {"enum": list(STEPS)}},
        "oneOf": [{"$ref": f"#/$defs/{name}"} for name in kinds],
    }
    own = {name: body for name, body in known.items() if not name.startswith("step_") or name == "step_by_step"}
    schema["$defs"] = {**own, "step": step, **kinds}
    return json.dumps(schema, indent=2, ensure_ascii=False) + "\n"


def _kind(name: str, kind: type[Step]) -> dict[str, Any]:
    hints, told = get_type_hints(kind), dict(_told(kind))
    own = {}
    for item in fields(kind):
        words, hint = WORDS.get((kind, item.name)), said_type(hints[item.name], item.default)
        form = _type(hint) if words is None else {"enum": sorted(words)}
        own[item.name] = {**form, "description": told[item.name]}
    return {
        "type": "object",
        "description": " ".join(str(kind.__doc__).split()),
        "additionalProperties": False,
        "required": ["step", *(item.name for item in fields(kind) if item.default is MISSING)],
        "properties": {"step": {"const": name}, **own},
    }


def _type(hint: Any) -> dict[str, Any]:
    if hint in TYPES:
        return TYPES[hint]
    kind, items = get_origin(hint), get_args(hint)
    if kind is UnionType and items[1:] == (NoneType,):
        return {"anyOf": [_type(items[0]), {"type": "null"}]}
    if kind is tuple and items[1:] == (...,):
        return {"type": "array", "items": _type(items[0])}
    raise TypeError(f"the schema has no form for {hint}")


def _told(kind: type[Step]) -> Iterator[tuple[str, str]]:
    """The fields of a class, each with the docstring under it."""
    body = ast.parse(inspect.getsource(kind)).body[0]
    assert isinstance(body, ast.ClassDef)
    for field, under in zip(body.body, body.body[1:], strict=False):
        if isinstance(field, ast.AnnAssign) and isinstance(under, ast.Expr) and isinstance(under.value, ast.Constant):
            yield ast.unparse(field.target), " ".join(str(under.value.value).split())


if __name__ == "__main__":
    text = schema_text()
    for path in FILES:
        path.write_text(text, encoding="utf-8")
