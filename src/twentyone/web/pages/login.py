"""The login page."""

from __future__ import annotations

import htpy as h
from fastapi.responses import Response

from twentyone.web.pages.shell import LookerHere, show

__all__ = ["show_login"]


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
    note = h.p(".tw-note")["Players need no account: sit down at a table to play as a guest with play money."]
    return show("Log in", "", looker, h.main("#main.tw-main")[h.h1["Log in"], form, note])
