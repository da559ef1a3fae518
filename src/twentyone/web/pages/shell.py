"""What every page shares: the head, the header with the navigation, the theme."""

from __future__ import annotations

from collections.abc import Iterable

from nicegui import ui

from twentyone import __version__
from twentyone.service.people import Person
from twentyone.web.api.common import READERS
from twentyone.web.html import Markup, h, join

__all__ = ["show"]

PAGES = (("Tables", "/"), ("Rounds", "/rounds"), ("Law", "/law"))
COUPONS = ("Coupons", "/coupons")
"""The page of those who look into the whole ledger."""
KEEPS = ("People", "/people")
"""The page of the administrator, who keeps the accounts."""
NEEDED = {
    "table": ("live", "dom", "ready", "layout", "cards", "draft", "console", "wheel"),
    "replay": ("live", "dom", "ready", "layout", "cards"),
}
"""The imports of a script: preloaded with the page instead of one after the other."""
THEMES = {
    "system": "M4 5h16v11H4z M9 20h6 M12 16v4",
    "light": "M12 8a4 4 0 1 0 0 8a4 4 0 1 0 0-8 M12 2v2 M12 20v2 M2 12h2 M20 12h2 M5 5l1.4 1.4 M17.6 17.6l1.4 1.4 "
    "M5 19l1.4-1.4 M17.6 6.4l1.4-1.4",
    "dark": "M20 14.5A8.5 8.5 0 0 1 9.5 4a8.5 8.5 0 1 0 10.5 10.5z",
}
"""Themes, each with its icon: a screen, a sun, a moon."""


def show(
    title: str,
    here: str,
    person: Person | None,
    main: Markup,
    *,
    styles: Iterable[str] = (),
    scripts: Iterable[str] = (),
    about: str = "",
) -> None:
    """Show a page: the common header, then its own part."""
    ui.page_title(f"{title} · twentyone")
    _only_main()
    ui.add_head_html(f'<script src="/static/theme.js?{__version__}"></script>')
    for name in ("tokens", "app", *styles):
        ui.add_head_html(f'<link rel="stylesheet" href="/static/{name}.css?{__version__}">')
    for name in dict.fromkeys(needed for script in scripts for needed in NEEDED.get(script, ())):
        ui.add_head_html(f'<link rel="modulepreload" href="/static/{name}.js">')
    body = join(h("a", "skip to the page", class_="tw-skip", href="#main"), _header(here, person, about), main)
    ui.html(body, sanitize=False, tag="div").classes("tw-body")
    for name in ("shell", *scripts):
        ui.add_body_html(f'<script type="module" src="/static/{name}.js?{__version__}"></script>')


def _only_main() -> None:
    """Turn the widget library's own `main` into a `div`: the page has one `main`, and it is ours."""
    around = ui.context.client.content.parent_slot
    if around is not None:
        around.parent.tag = "div"


def _header(here: str, person: Person | None, about: str) -> Markup:
    role = person.role if person is not None else ""
    pages = [*PAGES, *([COUPONS] if role in READERS else []), *([KEEPS] if role == "administrator" else [])]
    links = [h("a", name, href=address, aria_current="page" if name == here else None) for name, address in pages]
    who = h("span", f"{person.role} “{person.name}”" if person is not None else "visitor", data_part="purse")
    door = (
        h("button", "log out", class_="tw-link", type="button", data_act="logout")
        if person is not None
        else h("a", "log in", href="/login")
    )
    return h(
        "header",
        h("a", "twentyone", class_="tw-brand", href="/"),
        h("nav", links, class_="tw-nav", aria_label="pages"),
        h("span", [h("span", part) for part in about.split(" · ")], class_="tw-about") if about else None,
        h("span", who, door, _themes(), class_="tw-me"),
        class_="tw-head",
    )


def _themes() -> Markup:
    """A switch that selects the light or dark theme or follows the system; the browser remembers it."""

    def choice(name: str, drawn: str) -> Markup:
        picture = h("svg", h("path", d=drawn), viewBox="0 0 24 24", aria_hidden="true")
        label = "as the system" if name == "system" else name
        return h("label", h("input", type="radio", name="theme", value=name, aria_label=label), picture, title=label)

    return h(
        "span", [choice(*theme) for theme in THEMES.items()], class_="tw-theme", role="radiogroup", aria_label="theme"
    )
