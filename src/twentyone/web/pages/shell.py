"""What every page shares: the head, the header with the navigation, the look."""

from __future__ import annotations

from collections.abc import Iterable

from nicegui import ui

from twentyone import __version__
from twentyone.service.people import Person
from twentyone.web.html import Markup, h, join

__all__ = ["show"]

PAGES = (("Tables", "/"), ("Rounds", "/rounds"), ("Law", "/law"))


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
    """Put a page together: our header, then its own part."""
    ui.page_title(f"{title} · twentyone")
    _only_main()
    for name in ("tokens", "app", *styles):
        ui.add_head_html(f'<link rel="stylesheet" href="/static/{name}.css?{__version__}">')
    body = join(h("a", "skip to the page", class_="tw-skip", href="#main"), _header(here, person, about), main)
    ui.html(body, sanitize=False, tag="div").classes("tw-body")
    for name in ("shell", *scripts):
        ui.add_body_html(f'<script type="module" src="/static/{name}.js?{__version__}"></script>')


def _only_main() -> None:
    """The widget library's own page element is no landmark: the page has one `main`, and it is ours."""
    around = ui.context.client.content.parent_slot
    if around is not None:
        around.parent.tag = "div"


def _header(here: str, person: Person | None, about: str) -> Markup:
    links = [h("a", name, href=address, aria_current="page" if name == here else None) for name, address in PAGES]
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
        h("span", about, class_="tw-about") if about else None,
        h("span", who, door, class_="tw-me"),
        class_="tw-head",
    )
