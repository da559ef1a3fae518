"""The desk: what the commands know, for people who would rather look than read."""

from __future__ import annotations

import htpy as h
from fastapi.responses import Response

from twentyone.web.pages.shell import LookerHere, desk_pages, show

__all__ = ["show_desk"]


async def show_desk(looker: LookerHere) -> Response:
    """The pages of the desk that are open to whoever looks, each with what it is for."""
    cards = [
        h.a(".tw-panel.tw-card-link", href=address)[h.h2[name], h.p[f"{says[0].upper()}{says[1:]}."]]
        for name, address, says in desk_pages(looker.role)
    ]
    main = h.main("#main.tw-main")[h.h1["The desk"], h.div(".tw-cards")[cards]]
    return show("Desk", "Desk", looker, main, styles=("desk",))
