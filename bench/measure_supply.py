"""T23: every requirement pinned with its hash, what is installed is what is pinned, and no known advisory applies.

    python -m bench.measure_supply [--advisories FOLDER]

The folder holds advisories in the OSV form (YAML or JSON), such as a copy of PyPA's database; `ADVISORIES` names it
too. Without one only the canary is looked for: `jinja2==2.10` must be reported, and a requirement without a hash must
be. Exit status: 0 held, 1 a fault.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from packaging.requirements import Requirement
from packaging.version import InvalidVersion, Version

from bench.prove import FAULT, PROVED

__all__ = ["affected", "main", "pinned", "unhashed"]

ROOT = Path(__file__).parents[1]
REQUIREMENT = re.compile(r"^([A-Za-z0-9][\w.-]*)(?:\[[^\]]*\])?==([^\s;\\]+)")
CANARY = {
    "id": "CANARY",
    "affected": [
        {"package": {"name": "jinja2"}, "ranges": [{"events": [{"introduced": "0"}, {"fixed": "2.10.1"}]}]},
    ],
}
"""An advisory that must be reported for `jinja2==2.10`."""


def _blocks(text: str) -> Iterator[str]:
    """Each requirement with what belongs to it."""
    block = ""
    for line in text.splitlines():
        if line and not line.startswith((" ", "#")):
            if block:
                yield block
            block = line
        elif block:
            block += "\n" + line
    if block:
        yield block


def _requirement(block: str) -> Requirement | None:
    """What the first line asks for; none where it asks for nothing of one version."""
    found = Requirement(block.splitlines()[0].rstrip(" \\"))
    return found if REQUIREMENT.match(block) else None


def pinned(text: str) -> dict[str, str]:
    """Requirement to version, as far as they are for this machine."""
    found = [one for block in _blocks(text) if (one := _requirement(block)) is not None]
    here = [one for one in found if one.marker is None or one.marker.evaluate()]
    return {one.name.lower().replace("_", "-"): str(one.specifier)[2:] for one in here}


def unhashed(text: str) -> list[str]:
    """Requirements that are not pinned, or have no hash."""
    hashed = "--hash=sha256:"
    return [block.splitlines()[0] for block in _blocks(text) if not REQUIREMENT.match(block) or hashed not in block]


def other_installed(pins: Mapping[str, str]) -> Iterator[str]:
    """What is installed in another version than pinned; what is not installed here is not asked for."""
    for name, wanted in pins.items():
        try:
            found = version(name)
        except PackageNotFoundError:
            continue
        if found != wanted:
            yield f"{name} {found} is installed, {wanted} is pinned"


# -- advisories


def advisories(folder: Path) -> Iterator[dict[str, Any]]:
    """Everything that a folder holds."""
    yaml = import_module("yaml")
    for path in sorted(folder.rglob("*")):
        if path.suffix == ".json":
            yield json.loads(path.read_text(encoding="utf-8"))
        elif path.suffix in (".yaml", ".yml"):
            yield yaml.safe_load(path.read_text(encoding="utf-8"))


def affected(pins: Mapping[str, str], known: Iterator[dict[str, Any]]) -> list[str]:
    """Pins that an advisory is about."""
    found = []
    for advisory in known:
        for part in advisory.get("affected", ()):
            name = part.get("package", {}).get("name", "").lower().replace("_", "-")
            if name in pins and not advisory.get("withdrawn") and _applies(pins[name], part):
                found.append(f"{name}=={pins[name]}: {advisory['id']}")
    return found


def _applies(pin: str, part: Mapping[str, Any]) -> bool:
    if pin in part.get("versions", ()):
        return True
    return any(_between(pin, row.get("events", ())) for row in part.get("ranges", ()) if row.get("type") != "GIT")


def _between(pin: str, events: Sequence[Mapping[str, str]]) -> bool:
    try:
        here, inside = Version(pin), False
        for event in events:
            (kind, text), *_ = event.items()
            if kind == "introduced":
                inside = inside or here >= Version(text)
            elif kind in ("fixed", "last_affected"):
                inside = inside and not (here > Version(text) or (kind == "fixed" and here == Version(text)))
        return inside
    except InvalidVersion:
        return True  # a person has to look


def _control() -> bool:
    """Whether the canary and a requirement without a hash are found."""
    with tempfile.TemporaryDirectory() as name:
        (Path(name) / "canary.json").write_text(json.dumps(CANARY), encoding="utf-8")
        reported = affected(pinned("jinja2==2.10 \\\n    --hash=sha256:0\n"), advisories(Path(name)))
        spared = affected({"jinja2": "3.1.6"}, advisories(Path(name)))
    return len(reported) == 1 and not spared and unhashed("jinja2==2.10\n") == ["jinja2==2.10"]


def main(arguments: Sequence[str] | None = None) -> int:
    """Look at the requirements."""
    parser = argparse.ArgumentParser(prog="python -m bench.measure_supply", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--advisories", type=Path, default=os.environ.get("ADVISORIES") or None)
    folder = parser.parse_args(arguments).advisories
    texts = {path.name: path.read_text(encoding="utf-8") for path in sorted((ROOT / "requirements").glob("*.txt"))}
    pins = {name: pin for text in texts.values() for name, pin in pinned(text).items()}
    wrong = [f"{file}: {line}" for file, text in texts.items() for line in unhashed(text)] + list(other_installed(pins))
    about = affected(pins, advisories(Path(folder))) if folder else []
    told = f"{len(about)} advisories apply" if folder else "advisories not looked at: no folder was named"
    control = _control()
    print(*wrong, *about, sep="\n", end="\n" if wrong or about else "")
    seen = f"{len(pins)} requirements, {len(wrong)} without hash or installed otherwise, {told}"
    print(f"measure supply: {seen}; canary {'found' if control else 'NOT FOUND'}")
    return PROVED if pins and not wrong and not about and control else FAULT


if __name__ == "__main__":
    sys.exit(main())
