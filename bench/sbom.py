"""`make sbom`: the software bill of materials of what is pinned, as CycloneDX.

    python -m bench.sbom requirements/house.txt dist/twentyone.cdx.json

The same pins give the same bytes: no time and no random number goes in.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from uuid import UUID, uuid5

from cyclonedx.model import HashAlgorithm, HashType
from cyclonedx.model.bom import Bom
from cyclonedx.model.component import Component, ComponentType
from cyclonedx.output.json import JsonV1Dot6
from packageurl import PackageURL

from twentyone import __version__

__all__ = ["bill_of", "main"]

PIN = re.compile(r"^(?P<name>[A-Za-z0-9._-]+)(?:\[[^]]*\])?==(?P<version>[^ ;\\]+)", re.MULTILINE)
HASH = re.compile(r"--hash=sha256:([0-9a-f]{64})")
SPACE = UUID("5d1ab9a8-4a1b-5c5f-9b8f-1f6b0c0f6f21")
"""Names of bills are made from their pins in this space."""


def bill_of(pins: str) -> str:
    """The bill of a file of pins."""
    bom = Bom(serial_number=uuid5(SPACE, pins))
    bom.metadata.timestamp = None  # type: ignore[assignment]
    bom.metadata.component = _component("twentyone", __version__, ComponentType.APPLICATION)
    for component in _components(pins):
        bom.components.add(component)
    bom.register_dependency(bom.metadata.component, bom.components)
    return JsonV1Dot6(bom).output_as_string(indent=1)


def _components(pins: str) -> Iterator[Component]:
    found = list(PIN.finditer(pins))
    for pin, after in zip(found, [*found[1:], None], strict=True):
        text = pins[pin.end() : after.start() if after else len(pins)]
        component = _component(pin["name"], pin["version"], ComponentType.LIBRARY)
        component.hashes.update(HashType(alg=HashAlgorithm.SHA_256, content=digest) for digest in HASH.findall(text))
        yield component


def _component(name: str, version: str, kind: ComponentType) -> Component:
    purl = PackageURL("pypi", name=name, version=version)
    return Component(name=name, version=version, type=kind, purl=purl, bom_ref=str(purl))


def main(arguments: Sequence[str]) -> int:
    """Write the bill of a file."""
    pins, out = map(Path, arguments)
    out.parent.mkdir(exist_ok=True)
    out.write_text(bill_of(pins.read_text(encoding="utf-8")), encoding="utf-8")
    print(f"sbom: {len(PIN.findall(pins.read_text(encoding='utf-8')))} packages, {out}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
