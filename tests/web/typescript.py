"""Interfaces of TypeScript as far as `view.d.ts` uses them: read, and held against JSON."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

__all__ = ["Interfaces"]

INTERFACE = re.compile(r"^export interface (\w+)(?: extends (\w+))? \{\n(.*?)^\}", re.MULTILINE | re.DOTALL)
FIELD = re.compile(r"^  (\w+)(\??): (.+);$", re.MULTILINE)
PLAIN: dict[str, tuple[type, ...]] = {
    "string": (str,),
    "number": (int, float),
    "boolean": (bool,),
    "null": (type(None),),
}


class Interfaces:
    """The interfaces of one file."""

    def __init__(self, file: Path) -> None:
        self._fields: dict[str, dict[str, tuple[bool, str]]] = {}
        for name, above, body in INTERFACE.findall(file.read_text(encoding="utf-8")):
            own = {field: (optional == "", kind) for field, optional, kind in FIELD.findall(body)}
            self._fields[name] = {**self._fields.get(above, {}), **own}

    def faults(self, value: Any, kind: str, at: str = "") -> list[str]:
        """Where a value is not of a type; an object that is written out in place of a name is not looked into."""
        if kind in self._fields:
            return self._in_object(value, kind, at)
        if "{" in kind:
            return []
        if " | " in kind and not kind.endswith("]"):
            wrong = [self.faults(value, one, at) for one in kind.split(" | ")]
            return [] if [] in wrong else max(wrong, key=len)
        if kind.endswith("[]"):
            inner = kind[:-2].strip("()")
            return _not(value, list, at) or [
                f for n, v in enumerate(value) for f in self.faults(v, inner, f"{at}[{n}]")
            ]
        if kind.startswith("Record<string, "):
            inner = kind.removeprefix("Record<string, ")[:-1]
            return _not(value, dict, at) or [f for n, v in value.items() for f in self.faults(v, inner, f"{at}.{n}")]
        if kind in PLAIN:
            return [] if type(value) in PLAIN[kind] else [f"{at}: {value!r} is no {kind}"]
        return [] if repr(value) == kind else [f"{at}: {value!r} is not {kind}"]

    def _in_object(self, value: Any, kind: str, at: str) -> list[str]:
        if wrong := _not(value, dict, at):
            return wrong
        fields = self._fields[kind].items()
        absent = [f"{at}.{name} is not there" for name, (needed, _) in fields if needed and name not in value]
        there = [(name, of) for name, (_, of) in fields if name in value]
        return absent + [fault for name, of in there for fault in self.faults(value[name], of, f"{at}.{name}")]


def _not(value: Any, kind: type, at: str) -> list[str]:
    return [] if isinstance(value, kind) else [f"{at}: {value!r} is no {kind.__name__}"]
