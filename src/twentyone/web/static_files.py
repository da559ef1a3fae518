"""Scripts, styles and pictures of the pages: kept in memory, under an address that changes when one of them does.

A page asks for one file of scripts and one of styles: `tokens+app.css` is `tokens.css` and then `app.css`.
"""

from __future__ import annotations

from functools import lru_cache
from hashlib import sha256
from pathlib import Path

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from twentyone.table.layout_svg import STYLE
from twentyone.web.compression import packed, takes_gzip
from twentyone.web.joined_modules import joined, joined_styles

__all__ = ["address", "content", "static_file"]

KINDS = {".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}
FOLDER = Path(__file__).parent / "static"
FILES = {path.name: path.read_bytes() for path in sorted(FOLDER.iterdir()) if path.suffix in KINDS}
FILES["felt.css"] = STYLE.encode()
"""The style of a layout that stands in a page."""
STAMP = sha256(b"".join(FILES.values())).hexdigest()[:12]
"""Stands in every address, so that a browser never mixes scripts of two versions and asks for none twice."""


def address(*names: str, kind: str) -> str:
    """Where files of a kind are served, together."""
    return f"/static/{STAMP}/{'+'.join(names)}{kind}"


@lru_cache(maxsize=64)
def content(name: str) -> bytes | None:
    """What is served under a name: one file as it is, several styles one after the other, several scripts joined."""
    kind = Path(name).suffix
    parts = name.removesuffix(kind).split("+")
    if not all(f"{part}{kind}" in FILES for part in parts) or len(set(parts)) < len(parts):
        return None
    if len(parts) == 1:
        return FILES[name]
    texts = {file.removesuffix(kind): text.decode() for file, text in FILES.items() if file.endswith(kind)}
    return (joined(parts, texts) if kind == ".js" else joined_styles(texts[part] for part in parts)).encode()


async def static_file(request: Request) -> Response:
    """One file; a page of another version finds the file of its name, and may not keep it."""
    name, stamp = request.path_params["name"], request.path_params["stamp"]
    found = content(name)
    if found is None:
        raise HTTPException(404)
    kept = "public, max-age=31536000, immutable" if stamp == STAMP else "no-cache"
    headers = {"cache-control": kept, "vary": "accept-encoding"}
    if takes_gzip(request.headers):
        found, headers = packed(found), headers | {"content-encoding": "gzip"}
    return Response(found, media_type=KINDS[Path(name).suffix], headers=headers)
