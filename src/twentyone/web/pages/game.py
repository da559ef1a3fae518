"""How the game of a table is played, made from its own rules: what differs from Blackjack, what is paid, its cost."""

from __future__ import annotations

from typing import Any

import htpy as h
from fastapi.responses import Response

from twentyone.rulebook import Rulebook
from twentyone.service.lobby import game_shown
from twentyone.web.api.common import ServiceHere
from twentyone.web.pages.figures import chance, edge_words
from twentyone.web.pages.shell import LookerHere, chip, show

__all__ = ["show_game"]


async def show_game(name: str, service: ServiceHere, looker: LookerHere) -> Response:
    """The page of one table's game."""
    live = service.table(name)
    game, book = game_shown(service, live), live.runner.table.rules.rulebook
    title = f"How to play {game['title']}"
    main = h.main("#main.tw-main", data_page="game")[
        h.h1[title],
        h.p(".tw-note")[f"{game['source']}, as submitted for table {name}"],
        h.div(".tw-how")[_differences(book, game), _cost(book, game), _pays(book, game)],
        h.p[h.a(".tw-button", href=f"/table/{name}")["To the table"], " ", _law(book)],
    ]
    return show(title, "Tables", looker, main, styles=("game",))


def _law(book: Rulebook) -> h.Element:
    return h.a(".tw-button", href=f"/law/{book.id}")["The whole rulebook"]


def _chip(book: Rulebook, cite: str) -> h.Element:
    return chip(book.id, cite.removeprefix(book.prefix))


def _differences(book: Rulebook, game: dict[str, Any]) -> h.Element:
    told = [h.li[f"{fact['says']} ", _chip(book, fact["cite"])] for fact in game["differences"]]
    same = h.p["This is ordinary Blackjack: the other games are compared with it."]
    return h.section(".tw-panel")[h.h2["What differs from Blackjack"], h.ul[told] if told else same]


def _cost(book: Rulebook, game: dict[str, Any]) -> h.Element:
    """The house edge, and side wagers with theirs."""
    heads = h.tr[[h.th(scope="col")[name] for name in ("Side wager", "Wins", "House edge")]]
    rows = [
        h.tr[
            h.td[f"{side['title']} ", _chip(book, side["cite"]), h.div(".tw-note")[side["says"]]],
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


def _pays(book: Rulebook, game: dict[str, Any]) -> h.Element:
    rows = [h.tr[h.td[f"{row['says']} ", _chip(book, row["cite"])], h.td[row["pays"]]] for row in game["pays"]]
    heads = h.tr[h.th(scope="col")["Hand or wager"], h.th(scope="col")["Pays"]]
    return h.section(".tw-panel")[h.h2["What is paid"], h.table(".tw-table")[h.thead[heads], h.tbody[rows]]]
