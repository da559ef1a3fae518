"""Rounds: search the ledger page by page, replay a round event by event on the same layout."""

from __future__ import annotations

from collections.abc import Iterable
from urllib.parse import urlencode

import htpy as h
from fastapi import Request
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import RedirectResponse, Response

from twentyone.ledger.newest_rounds import Page
from twentyone.ledger.round_rows import RoundRow
from twentyone.ledger.rounds import NoSuchRound
from twentyone.ledger.rows import LedgerRefused
from twentyone.ledger.timestamps import moment
from twentyone.ledger.wanted import ANY, OUTCOMES, WENT_WRONG
from twentyone.money import ZERO, Amount
from twentyone.rulebook import Rulebook
from twentyone.rulebook.wheels import paytables
from twentyone.service.lobby import table_names
from twentyone.service.own_rounds import check_readable
from twentyone.service.service import Service
from twentyone.web.api.common import READERS, ServiceHere
from twentyone.web.api.round_filters import Search, read_asked, trimmed
from twentyone.web.api.rounds import found_rounds
from twentyone.web.pages.figures import net_words
from twentyone.web.pages.shell import LookerHere, chip, show
from twentyone.web.pages.table import FELT_STYLES, stage
from twentyone.web.pages.trouble import missing

__all__ = ["show_round", "show_rounds"]

DIGITS = 12
"""More than the number of any round has."""
HEADS = ("Round", "When (UTC)", "Players", "Outcomes", "Irregularities")
NOT_YOURS = "Rounds are shown to those who played them. Sit down at a table first."


async def show_rounds(request: Request, service: ServiceHere, looker: LookerHere) -> Response:
    """The page to search rounds."""
    asked = await run_in_threadpool(read_asked, trimmed(request.query_params), service, looker.person)
    only = asked.wanted.of
    tables = table_names(service)
    found = _refused(asked.wrong) if asked.wrong else await run_in_threadpool(_found, service, asked)
    main = h.main("#main.tw-main")[
        h.h1["Rounds" if only is None else "Your rounds"],
        _form(asked, tables, only),
        _tools(tables) if looker.role in READERS else None,
        h.p(".tw-note")[NOT_YOURS, " ", h.a(href="/login")["Log in"]] if looker.person is None else None,
        found,
    ]
    status = 422 if asked.wrong else 200
    return show("Rounds", "Rounds", looker, main, styles=("rounds",), scripts=("rounds",), status=status)


# -- the search


def _form(asked: Search, tables: Iterable[str], only: str | None) -> h.Element:
    given = asked.given

    def text(label: str, name: str, **rest: str | int) -> h.Element:
        return h.label(".tw-label")[label, h.input(".tw-field", name=name, value=given.get(name, ""), **rest)]

    def choice(label: str, name: str, values: Iterable[str], every: str) -> h.Element:
        options = [h.option(value=each, selected=each == given.get(name))[each.replace("_", " ")] for each in values]
        return h.label(".tw-label")[label, h.select(".tw-field", name=name)[h.option(value="")[every], options]]

    return h.form(".tw-panel.tw-query", method="get", action="/rounds", role="search")[
        text("From (UTC)", "from", type="date"),
        text("To (UTC)", "to", type="date"),
        choice("Table", "table", tables, "every table"),
        text("Player", "player", placeholder="Ada", maxlength=40) if only is None else None,
        text("Box", "box", placeholder="3", inputmode="numeric", maxlength=2),
        choice("Outcome", "outcome", OUTCOMES, "any outcome"),
        choice("Irregularity", "irregularity", (ANY, *WENT_WRONG), "with or without"),
        text("Paragraph", "paragraph", placeholder="635a.10(d)", maxlength=60),
        h.button(".tw-button.gold", type="submit")["Search"],
    ]


def _tools(tables: Iterable[str]) -> h.Element:
    shoes = [h.a(href=f"/shoes/{name}")[name] for name in tables]
    return h.div(".tw-row.tw-tools")[
        h.button(".tw-button", type="button", data_act="verify")["Verify the ledger"],
        h.a(".tw-button", href="/report")["Shift report"],
        h.details[h.summary["Shoes of a table"], h.p(".tw-row")[shoes]] if shoes else None,
        h.span(role="status", data_part="verified"),
    ]


def _refused(wrong: Iterable[str]) -> h.Element:
    return h.div(".tw-alarm", role="alert", data_part="refused")[[h.p[each] for each in wrong]]


def _found(service: Service, asked: Search) -> h.Element:
    """The rounds that match, or why the list is not shown: it is not what the ledger's events lead to."""
    try:
        page = found_rounds(service, asked)
    except LedgerRefused as refused:
        return h.p(".tw-alarm", role="alert")[str(refused)]
    return h.section[_files(asked) if page.rounds else None, _table(page.rounds, page), _onward(asked, page)]


def _files(asked: Search) -> h.Element:
    links = [
        h.a(".tw-button", href=asked.address(f"/api/v1/rounds.{kind}"), download=f"rounds.{kind}")[kind.upper()]
        for kind in ("csv", "json")
    ]
    account = h.a(".tw-button", href=asked.address("/board/session"))["Account"]
    one = asked.wanted.of or asked.wanted.player
    return h.p(".tw-row.tw-tools")[h.span(".tw-note")["All of this search as a file:"], links, account if one else None]


def _table(rows: list[RoundRow], page: Page) -> h.Element:
    if not rows:
        says = "No round matches so far. " if page.next is not None else "No round matches. "
        return h.p(".tw-note", data_part="none")[says, h.a(href="/rounds")["Show all rounds"]]
    head = h.tr[[h.th(scope="col")[name] for name in HEADS]]
    return h.div(".tw-scroll")[h.table(".tw-table.tw-rounds")[h.thead[head], h.tbody[[_row(row) for row in rows]]]]


def _onward(asked: Search, page: Page) -> h.Element | None:
    """Where the list goes on, and how far back a long search has come."""
    if page.next is None and asked.before is None:
        return None
    reached = f"Searched back to {moment(page.reached)} UTC. " if page.reached is not None else ""
    older = h.a(".tw-button", rel="next", href=asked.address("/rounds", page.next))["Older rounds"]
    newest = h.a(".tw-button", href=asked.address("/rounds"))["Newest rounds"]
    return h.nav(".tw-row.tw-tools", aria_label="pages of rounds")[
        newest if asked.before is not None else None,
        older if page.next is not None else h.span(".tw-note")["These are the oldest."],
        h.span(".tw-note")[reached] if reached else None,
    ]


def _row(row: RoundRow) -> h.Element:
    nets = [_net(player, Amount.from_thousandths(net)) for player, net in row.net.items()]
    link = h.a(href=f"/rounds/{row.table}/{row.number}" if row.over else f"/table/{row.table}")[row.id]
    named = link if row.over else h.fragment[link, " ", h.span(".tw-kind")["in progress"]]
    wrong = ", ".join(name.replace("_", " ") for name in row.irregularities)
    cells = (named, moment(row.begun), nets, ", ".join(row.outcomes), wrong)
    return h.tr[[h.td(data_label=head)[cell] for head, cell in zip(HEADS, cells, strict=True)]]


def _net(player: str, net: Amount) -> h.Element:
    """The net result of a player in a round."""
    kind = "loss" if net < ZERO else "win" if net > ZERO else None
    return h.span(".tw-net")[f"{player} ", h.b(class_=kind)[net_words(net)]]


# -- the replay


def _rack(service: Service, row: RoundRow) -> h.Element:
    """The round's hands as they lie in the discard rack, in the order of the pick-up."""
    lying = [bundle for bundle in service.table(row.table).runner.table.state.rack if bundle.round == row.number]
    hands = [h.li[h.span[" ".join(card.symbol for card in hand)]] for bundle in lying for hand in bundle.hands]
    empty = h.p(".tw-note")[
        "The cards of this round are no longer in the discard rack: the shoe has been shuffled since."
    ]
    return h.details(".tw-agenda")[
        h.summary["Rebuilt from the discard rack"], h.ol(".tw-story", data_part="rack")[hands] if hands else empty
    ]


def _controls(row: RoundRow) -> h.Element:
    """The slider over the events, its buttons and the link to the script."""

    def button(says: str, act: str, label: str | None = None, kind: str = "tw-button") -> h.Element:
        return h.button(class_=kind, type="button", data_act=act, aria_label=label)[says]

    address, file = f"/api/v1/rounds/{row.table}/{row.number}/script", f"{row.table}-{row.number}.json"
    bar = h.div(".tw-bar")[
        button("◀", "back", "one event back"),
        h.input(".tw-slider", type="range", min=0, max=0, value=0, data_part="slider", aria_label="event"),
        button("▶", "on", "one event forward"),
        button("Play", "play", kind="tw-button gold"),
        h.a(".tw-button", href=address, download=file, data_act="script")["Round script"],
        h.a(".tw-button", href=f"/board/{row.table}/{row.number}")["Analyse"],
    ]
    return h.div(".tw-controls")[h.p(".tw-say", data_part="say", aria_live="polite"), bar]


def _story(row: RoundRow, rack: h.Element | None, turned: bool) -> h.Element:
    return h.aside(".tw-panel.tw-side", aria_label="what happened and why")[
        h.h2[f"Round {row.number}"],
        h.p(".tw-note")[
            f"table {row.table}, {moment(row.begun)} UTC · ",
            h.a(href=f"/shoes/{row.table}?before={row.last}")["the shoes up to then"],
        ],
        h.p(".tw-dealt", role="status", data_part="dealt")["Dealing it again …"],
        h.div(".tw-law", data_part="why"),
        h.ol(".tw-story.long", data_part="story"),
        h.section(data_part="wheels", data_turned=turned, hidden=True)[h.h2["Wheels"]],
        _cited(row),
        rack,
    ]


def _cited(row: RoundRow) -> h.Element:
    """Every paragraph that the round cites: to its entry, and to the other rounds that cite it."""
    book = Rulebook.load(row.rulebook)
    lines = [
        h.li[
            chip(row.rulebook, cite.removeprefix(book.prefix)),
            h.a(href=f"/rounds?{urlencode({'paragraph': cite})}", aria_label=f"rounds that cite {cite}")["rounds"],
        ]
        for cite in sorted(row.cites)
        if cite.removeprefix(book.prefix) in book.entries
    ]
    return h.details(".tw-agenda")[
        h.summary[f"Paragraphs applied: {len(lines)}"], h.ul(".tw-story", data_part="cited")[lines]
    ]


async def show_round(name: str, number: str, service: ServiceHere, looker: LookerHere) -> Response:
    """The page that replays one round."""
    try:
        row = await run_in_threadpool(service.rounds.find, f"{name}:{number[:DIGITS]}")
    except NoSuchRound:
        return missing(looker, f"There is no round {number[:DIGITS]} of a table “{name}”.", ("All rounds", "/rounds"))
    check_readable(service, looker.person, row)
    if not row.over:
        return RedirectResponse(f"/table/{row.table}", 303)
    rules = service.table(row.table).runner.table.rules
    rack = _rack(service, row) if looker.role in READERS else None
    main = h.main(
        "#main.tw-table-page",
        data_page="round",
        data_table=row.table,
        data_round=row.number,
        data_rulebook=row.rulebook,
    )[
        h.h1(".sr")[f"Round {row.id}"],
        h.section(".tw-play")[stage(rules), _controls(row)],
        _story(row, rack, bool(paytables(rules))),
    ]
    about = f"{rules.rulebook.title} · round {row.id}"
    styles, scripts = (*FELT_STYLES, "rounds"), ("replay",)
    return show(f"Round {row.id}", "Rounds", looker, main, styles=styles, scripts=scripts, about=about)
