"""What every page shares: the head, the header with the navigation, the theme."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Annotated, NamedTuple
from urllib.parse import urlencode

import htpy as h
from fastapi import Depends, Request
from fastapi.responses import HTMLResponse, Response
from markupsafe import Markup

from twentyone.errors import TwentyoneError
from twentyone.ledger.timestamps import moment
from twentyone.money import ZERO, Amount, dollars
from twentyone.service.lobby import chips_at_tables
from twentyone.service.people import Person
from twentyone.service.service import Service
from twentyone.web.api.common import READERS, SESSION_COOKIE, Visitor, cookie_of, service_of
from twentyone.web.api.law_review import REVIEWERS
from twentyone.web.pages.preview import MANIFEST, preview
from twentyone.web.static_files import address

__all__ = ["Looker", "LookerHere", "chip", "desk_pages", "last_login", "looker", "show"]

PAGES = (("Tables", "/"), ("Rounds", "/rounds"), ("Law", "/law"), ("Desk", "/desk"))
WATCHES = (("Pit", "/pit"), ("Coupons", "/coupons"), ("Reports", "/report"))
"""The pages of those who look into the whole ledger."""
KEEPS = (("People", "/people"), ("Server", "/server"))
"""The pages of the administrator, who keeps accounts and server."""
DESK = (
    ("Learn", "/learn", "each game from its rulebook: what differs, what is paid, five rounds, the chart"),
    ("Trainer", "/trainer", "hands that you get wrong come back sooner; what each mistake costs; counting"),
    ("Drill", "/drill", "for dealers: what happens now, what do you pay, what do you say; by paragraph"),
    ("Odds", "/odds", "what a game costs, exactly; move a choice and see the edge move"),
    ("Strategy", "/strategy", "the best chart, what lies behind each cell, and what your own chart costs"),
    ("Simulate", "/simulate", "rounds by the million: mean, distribution, counting, bankrolls"),
    ("Board", "/board", "a round event by event: its value, luck and mistakes, and what if"),
    ("Compare", "/compare", "two laws paragraph by paragraph; a clause changed by hand, and its price"),
)
"""The pages of the desk, each with what it is for."""
WORDS = {
    "/law": "the rules of five games as a regulation has them: each paragraph with its clause, its code and its tests",
    **{where: words for _, where, words in DESK},
}
"""What public pages are for, by the beginning of their addresses."""
SUBMITS = (("Submission", "/submission", "the operator's choices as the text allows them, and the papers to hand in"),)
"""The page of those who look into the whole ledger, at the desk."""
REVIEWS = (("Review", "/review", "your own copy of a regulation beside ours, paragraph by paragraph, signed"),)
"""The page of those who review the law, at the desk."""
THEME_COOKIE, SYSTEM = "twentyone_theme", "system"
"""Where a browser keeps the chosen theme: the server writes it into the page, so that nothing flashes at load."""
THEMES = {
    "system": "M4 5h16v11H4z M9 20h6 M12 16v4",
    "light": "M12 8a4 4 0 1 0 0 8a4 4 0 1 0 0-8 M12 2v2 M12 20v2 M2 12h2 M20 12h2 M5 5l1.4 1.4 M17.6 17.6l1.4 1.4 "
    "M5 19l1.4-1.4 M17.6 6.4l1.4-1.4",
    "dark": "M20 14.5A8.5 8.5 0 0 1 9.5 4a8.5 8.5 0 1 0 10.5 10.5z",
}
"""Themes, each with its icon: a screen, a sun, a moon."""


LANDS = "/"
"""Where somebody is after his log-in."""


class Looker(NamedTuple):
    """Who looks at a page, the theme that this browser chose, and where a player's chips are."""

    person: Person | None
    theme: str = SYSTEM
    path: str = ""
    """The address of the page."""
    site: str = ""
    """The address of the server, as this browser calls it."""
    purse: Amount = ZERO
    """What a player has away from the tables."""
    at_tables: Mapping[str, Amount] = {}
    """What he has at each table where he is."""
    guest: bool = False
    """Whether he has no account: his name ends with his session."""
    ended: bool = False
    """Whether this browser still names a session, which is over."""
    last: str = ""
    """When somebody of the staff logged in before, on the page where a log-in leads."""

    @property
    def role(self) -> str:
        """The person's role; none of a visitor."""
        return self.person.role if self.person is not None else ""


async def looker(request: Request, person: Visitor) -> Looker:
    """Who looks at the page that is asked for."""
    chosen = request.cookies.get(THEME_COOKIE, "")
    site = str(request.base_url).rstrip("/")
    found = Looker(person, chosen if chosen in THEMES else SYSTEM, request.url.path, site)
    service = service_of(request)
    if person is None and SESSION_COOKIE in request.cookies:
        return found._replace(ended=True)
    if person is None or person.role != "player":
        lands = person is not None and found.path == LANDS
        return found._replace(last=last_login(service, request)) if lands else found
    await service.elsewhere.look(person.name)
    try:
        guest = not service.people.accounts.has(person.name)
        purse = service.people.purses.of(person.name)
        return found._replace(purse=purse, at_tables=chips_at_tables(service, person), guest=guest)
    except TwentyoneError:  # a page that says that the ledger failed has a header, too
        return found


def last_login(service: Service, request: Request, whence: bool = False) -> str:
    """When whoever asks logged in before, and from where: he would know if it was somebody else."""
    before = service.people.sessions.last_before(cookie_of(request, SESSION_COOKIE))
    if before is None:
        return "first log-in"
    at, address = before
    return f"last log-in {moment(at)} UTC" + (f" from {address or 'an unknown address'}" if whence else "")


LookerHere = Annotated[Looker, Depends(looker)]


def show(
    title: str,
    here: str,
    looker: Looker,
    main: h.Renderable | Markup,
    *,
    styles: Iterable[str] = (),
    scripts: Iterable[str] = (),
    about: str = "",
    status: int = 200,
) -> Response:
    """A page: the common head and header, then its own part."""
    page = h.html(lang="en", data_theme=looker.theme if looker.theme != SYSTEM else None)[
        h.head[
            h.meta(charset="utf-8"),
            h.meta(name="viewport", content="width=device-width, initial-scale=1"),
            h.title[f"{title} · twentyone"],
            preview(title, looker.site, looker.path, WORDS) if looker.person is None and status == 200 else None,
            h.link(rel="manifest", href=MANIFEST),
            h.link(rel="icon", href=address("favicon", kind=".svg")),
            h.link(rel="stylesheet", href=address("tokens", "app", *styles, kind=".css")),
            h.script(type="module", src=address("theme", "shell", *scripts, kind=".js")),
        ],
        h.body[
            h.a(".tw-skip", href="#main")["skip to the page"],
            _header(here, looker, about),
            _ended(looker) if looker.ended else None,
            _unsigned() if looker.role in READERS else None,
            main,
        ],
    ]
    return HTMLResponse(str(page), status, {"cache-control": "no-store"})


def _ended(looker: Looker) -> h.Element:
    """What somebody reads whose session is over: he looks on as a visitor, and comes back to this page."""
    back = f"/login?{urlencode({'to': looker.path})}"
    stays = h.button(".tw-link", type="button", data_act="logout")["go on as a visitor"]
    login = h.a(href=back)["Log in and come back to this page"]
    return h.p(".tw-alarm", role="status", data_part="ended")["Your session has ended. ", login, ", or ", stays, "."]


def _unsigned() -> h.Element:
    """Where staff is told what is wrong with the ledger; the script of the page asks and shows it."""
    return h.p(".tw-alarm", role="alert", hidden=True, data_part="unsigned")


def _header(here: str, looker: Looker, about: str) -> h.Element:
    person = looker.person
    role = looker.role
    pages = [*PAGES, *(WATCHES if role in READERS else ()), *(KEEPS if role == "administrator" else ())]
    desk = desk_pages(role)
    over = "Desk" if any(name == here for name, _, _ in desk) else here
    door = (
        h.button(".tw-link", type="button", data_act="logout", data_guest=looker.guest)["log out"]
        if person is not None
        else h.a(href="/login")["log in"]
    )
    return h.header(".tw-head")[
        h.a(".tw-brand", href="/")["twentyone"],
        h.nav(".tw-nav", aria_label="pages")[_links(pages, over)],
        h.span(".tw-about")[[h.span[part] for part in about.split(" · ")]] if about else None,
        h.span(".tw-me")[_who(looker), door, _themes(looker.theme)],
        h.nav(".tw-nav.tw-subnav", aria_label="the desk")[_links([page[:2] for page in desk], here)]
        if over == "Desk"
        else None,
    ]


def _links(pages: Iterable[tuple[str, str]], here: str) -> list[h.Element]:
    return [h.a(href=address, aria_current="page" if name == here else None)[name] for name, address in pages]


def desk_pages(role: str) -> list[tuple[str, str, str]]:
    """The pages of the desk for somebody of a role: name, address, what it is for."""
    return [*DESK, *(SUBMITS if role in READERS else ()), *(REVIEWS if role in REVIEWERS else ())]


def _who(looker: Looker) -> h.Fragment:
    """Who looks; of a player also where his chips are, with a way back to his seat."""
    person = looker.person
    if person is None:
        return h.fragment[h.span(data_part="purse")["visitor"], h.span(".tw-money", data_part="money")]
    if person.role != "player":
        own = h.a(href="/account", title="your password, your second factor")[f"{person.role} “{person.name}”"]
        return h.fragment[h.span(data_part="purse")[own]]
    held = [h.span[f"{dollars(looker.purse)} in your purse"]] if looker.purse or not looker.at_tables else []
    seats = [(f"/table/{name}", f"{dollars(amount)} at {name}") for name, amount in looker.at_tables.items() if amount]
    held += [h.a(href=address, title="return to your seat")[says] for address, says in seats if address != looker.path]
    own = h.a(href="/you", title="your rounds and your purse")[h.span(data_part="purse")[person.name]]
    return h.fragment[own, h.span(".tw-money", data_part="money")[held]]


def _themes(chosen: str) -> h.Element:
    """A switch that selects the light or dark theme or follows the system."""

    def choice(name: str, drawn: str) -> h.Element:
        picture = h.svg(viewBox="0 0 24 24", aria_hidden="true")[h.path(d=drawn)]
        label = "as the system" if name == "system" else name
        here = name == chosen
        given = h.input(type="radio", name="theme", value=name, aria_label=label, checked=here, autocomplete="off")
        return h.label(title=label)[given, picture]

    return h.span(".tw-theme", role="radiogroup", aria_label="theme")[[choice(*theme) for theme in THEMES.items()]]


def chip(rulebook: str, paragraph: str, says: str | None = None) -> h.Element:
    """A chip with a paragraph that links to its entry."""
    return h.a(".tw-chip", href=f"/law/{rulebook}#{paragraph}")[says or paragraph]
