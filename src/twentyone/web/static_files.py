"""Scripts, styles and pictures of the pages: kept in memory, under an address that changes when one of them does."""

from __future__ import annotations

import re
from hashlib import sha256
from pathlib import Path

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from twentyone.table.layout_svg import STYLE

__all__ = ["address", "needed", "static_file"]

KINDS = {".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}
FOLDER = Path(__file__).parent / "static"
FILES = {path.name: path.read_bytes() for path in sorted(FOLDER.iterdir()) if path.suffix in KINDS}
FILES["felt.css"] = STYLE.encode()
"""The style of a layout that stands in a page."""
STAMP = sha256(b"".join(FILES.values())).hexdigest()[:12]
"""Stands in every address, so that a browser never mixes scripts of two versions and asks for none twice."""
IMPORTED = re.compile(rb"^import (?:.+ from )?'\./(\w+\.js)';$", re.MULTILINE)


def address(name: str) -> str:
    """Where a file is served."""
    return f"/static/{STAMP}/{name}"


def needed(script: str) -> list[str]:
    """The modules that a script imports, and those that they import: a page asks for all of them at once."""
    found: list[str] = []
    waiting = [script]
    while waiting:
        for name in (each.decode() for each in IMPORTED.findall(FILES[waiting.pop()])):
            if name not in found:
                found.append(name)
                waiting.append(name)
    return found


async def static_file(request: Request) -> Response:
    """One file; a page of another version finds the file of its name, and may not keep it."""
    name, stamp = request.path_params["name"], request.path_params["stamp"]
    if name not in FILES:
        raise HTTPException(404)
    kept = "public, max-age=31536000, immutable" if stamp == STAMP else "no-cache"
    return Response(FILES[name], media_type=KINDS[Path(name).suffix], headers={"cache-control": kept})
