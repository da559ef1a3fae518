"""The login page."""

from __future__ import annotations

from twentyone.service.people import Person
from twentyone.web.html import h
from twentyone.web.pages.shell import show

__all__ = ["show_login"]


def show_login(person: Person | None) -> None:
    """Show the login page; guests do not need it."""

    def field(label: str, name: str, kind: str, complete: str) -> str:
        given = h("input", class_="tw-field", name=name, type=kind, required=True, autocomplete=complete, maxlength=200)
        return h("label", label, given, class_="tw-label")

    form = h(
        "form",
        field("Name", "name", "text", "username"),
        field("Password", "password", "password", "current-password"),
        h("button", "Log in", class_="tw-button gold", type="submit"),
        h("p", "", class_="loss", role="alert", data_part="wrong"),
        class_="tw-panel tw-login",
        data_act="login",
    )
    note = h("p", "Players need no account: sit down at a table to play as a guest with play money.", class_="tw-note")
    show("Log in", "", person, h("main", h("h1", "Log in"), form, note, class_="tw-main", id="main"))
