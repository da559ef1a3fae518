"""The login page."""

from __future__ import annotations

import htpy as h
from fastapi.responses import Response

from twentyone.web.pages.shell import LookerHere, show

__all__ = ["name_form", "show_login"]


def name_form(says: str, *why: h.Node) -> h.Element:
    """A guest's name, without a seat at a table; the page is shown again under it."""
    given = h.input(".tw-field", name="name", required=True, maxlength=31, autocomplete="nickname", placeholder="Grace")
    return h.form(".tw-panel.tw-login", data_act="name")[
        h.p[why],
        h.label(".tw-label")["Your name", given],
        h.button(".tw-button", type="submit")[says],
        h.p(".loss", role="alert", data_part="wrong"),
    ]


async def show_login(looker: LookerHere) -> Response:
    """Show the login page; guests do not need it."""

    def field(label: str, name: str, kind: str, complete: str) -> h.Element:
        needed = name != "code"
        given = h.input(".tw-field", name=name, type=kind, required=needed, autocomplete=complete, maxlength=200)
        return h.label(".tw-label")[label, given]

    form = h.form(".tw-panel.tw-login", data_act="login")[
        field("Name", "name", "text", "username"),
        field("Password", "password", "password", "current-password"),
        field("Code of your authenticator, if you have set one up", "code", "text", "one-time-code"),
        h.button(".tw-button.gold", type="submit")["Log in"],
        h.p(".loss", role="alert", data_part="wrong"),
    ]
    guest = name_form("Go on as a guest", "Players and students need no account: play money and progress go by a name.")
    return show("Log in", "", looker, h.main("#main.tw-main")[h.h1["Log in"], form, guest])
