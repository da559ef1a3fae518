"""How the game of a table is played, made from its own rules: what differs from Blackjack, what is paid, its cost."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import htpy as h
from fastapi.responses import Response

from twentyone.rulebook import Rulebook
from twentyone.service.live import LiveTable
from twentyone.service.lobby import game_shown
from twentyone.service.service import Service
from twentyone.web.api.common import ServiceHere
from twentyone.web.pages.figures import chance, edge_words
from twentyone.web.pages.shell import LookerHere, show

__all__ = ["drawer", "how", "law_link", "show_game"]

Cited = Callable[[str], h.Element]
"""A chip for a paragraph."""


async def show_game(name: str, service: ServiceHere, looker: LookerHere) -> Response:
    """The page of one table's game."""
    live = service.table(name)
    book = live.runner.table.rules.rulebook
    doors = h.p[
        h.a(".tw-button.gold", href=f"/table/{name}")["To the table"],
        " ",
        h.a(".tw-button", href=f"/learn/{book.id}")["Chart and rounds to replay"],
        " ",
        law_link(book),
    ]
    main = h.main("#main.tw-main", data_page="game")[h.h1[_title(book)], how_to_play(service, live), doors]
    return show(_title(book), "Tables", looker, main, styles=("game",))


def drawer(service: Service, live: LiveTable) -> h.Element:
    """The same in a drawer that opens beside the table; its links leave the table where it is."""
    title = _title(live.runner.table.rules.rulebook)
    shut = h.button(".tw-button", type="button", data_part="shut")["Close"]
    told = how_to_play(service, live, new_tab=True)
    return h.div(".tw-drawer.tw-panel", role="dialog", aria_label=title, data_part="drawer", hidden=True)[
        shut, h.h2(".tw-game")[title], told
    ]


def how_to_play(service: Service, live: LiveTable, new_tab: bool = False) -> h.Fragment:
    """The game of a table: what differs from Blackjack, what it costs, what is paid."""
    game, book = game_shown(service, live), live.runner.table.rules.rulebook
    return how(game, book, f"as submitted for table {live.name}", new_tab)


def how(game: dict[str, Any], book: Rulebook, submitted: str, new_tab: bool = False) -> h.Fragment:
    """What differs from Blackjack, what it costs, what is paid."""

    def cited(cite: str) -> h.Element:
        paragraph = cite.removeprefix(book.prefix)
        own = {"target": "_blank"} if new_tab else {}
        return h.a(".tw-chip", href=f"/law/{book.id}#{paragraph}", **own)[paragraph]

    return h.fragment[
        h.p(".tw-note")[f"{game['source']}, {submitted}"],
        h.div(".tw-how")[_differences(game, cited), _cost(game, cited), _pays(game, cited)],
    ]


def _title(book: Rulebook) -> str:
    return f"How to play {book.full_title}"


def law_link(book: Rulebook) -> h.Element:
    """The way to the text."""
    return h.a(".tw-button", href=f"/law/{book.id}")["The whole rulebook"]


def _differences(game: dict[str, Any], cited: Cited) -> h.Element:
    told = [h.li[f"{fact['says']} ", cited(fact["cite"])] for fact in game["differences"]]
    same = h.p["This is ordinary Blackjack: the other games are compared with it."]
    return h.section(".tw-panel")[h.h2["What differs from Blackjack"], h.ul[told] if told else same]


def _cost(game: dict[str, Any], cited: Cited) -> h.Element:
    """The house edge, and side wagers with theirs."""
    heads = h.tr[[h.th(scope="col")[name] for name in ("Side wager", "Wins", "House edge")]]
    rows = [
        h.tr[
            h.td[f"{side['title']} ", cited(side["cite"]), h.div(".tw-note")[side["says"]]],
            h.td[chance(side["wins"])],
            h.td[edge_words(side["edge"])],
        ]
        for side in game["sides"]
    ]
    table = h.div(".tw-scroll")[h.table(".tw-table")[h.thead[heads], h.tbody[rows]]] if rows else None
    return h.section(".tw-panel")[
        h.h2["What it costs"],
        h.p[
            "House edge ",
            h.b(data_part="edge")[edge_words(game["house_edge"])],
            h.span(".tw-note")[f": {game['basis']}."],
        ],
        table,
    ]


def _pays(game: dict[str, Any], cited: Cited) -> h.Element:
    rows = [
        h.tr[h.td[f"{row['says'][:1].upper()}{row['says'][1:]} ", cited(row["cite"])], h.td[row["pays"]]]
        for row in game["pays"]
    ]
    heads = h.tr[h.th(scope="col")["Hand or wager"], h.th(scope="col")["Pays"]]
    return h.section(".tw-panel")[h.h2["What is paid"], h.table(".tw-table")[h.thead[heads], h.tbody[rows]]]
