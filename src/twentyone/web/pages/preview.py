"""What a page says of itself: to search engines, to a chat in which its link is pasted, to a phone that installs it."""

from __future__ import annotations

from collections.abc import Mapping

import htpy as h
from fastapi.responses import JSONResponse, Response

from twentyone.web.static_files import address

__all__ = ["MANIFEST", "preview", "show_manifest"]

MANIFEST = "/manifest.webmanifest"
NAME = "twentyone"
ABOUT = (
    "Blackjack and Spanish 21 exactly by the law: play with play money, every payment with its paragraph and its odds."
)
"""The whole site in a sentence."""
THEME = "#0a1410"


def preview(title: str, site: str, path: str, words: Mapping[str, str]) -> list[h.Node]:
    """The tags of a public page; `words`: what pages are for, by the beginning of their addresses."""
    begins = max((each for each in words if path == each or path.startswith(f"{each}/")), key=len, default="")
    about, here = words.get(begins, ABOUT), f"{site}{path}"
    told = {"title": title, "description": about, "type": "website", "site_name": NAME, "url": here}
    return [
        h.meta(name="description", content=about),
        h.link(rel="canonical", href=here),
        *(h.meta(property=f"og:{key}", content=value) for key, value in told.items()),
    ]


async def show_manifest() -> Response:
    """How a phone shows the site that it installed."""
    icon = {"src": address("favicon", kind=".svg"), "sizes": "any", "type": "image/svg+xml"}
    colors = {"background_color": THEME, "theme_color": THEME}
    said = {"name": NAME, "short_name": NAME, "description": ABOUT, "start_url": "/", "display": "standalone"}
    return JSONResponse(said | colors | {"icons": [icon]}, media_type="application/manifest+json")
