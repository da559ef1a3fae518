"""Learn: for each game a page made from its rulebook: what differs from Blackjack, pay table, rounds, chart, edge."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import htpy as h
from fastapi import Request
from fastapi.responses import Response

from twentyone.money import Amount
from twentyone.rulebook import Rules, loaded_rulebooks
from twentyone.rulebook.differences import in_one_line
from twentyone.service.games import game_of as facts_of
from twentyone.strategy import NoChart, default_strategy
from twentyone.web.api.common import ServiceHere
from twentyone.web.pages.asking import ChosenGame, ask_button, asking, game_of, waiting
from twentyone.web.pages.chart_cells import charts
from twentyone.web.pages.figures import net_words, share, source_below
from twentyone.web.pages.game import how, law_link
from twentyone.web.pages.odds_figures import data_table
from twentyone.web.pages.shell import LookerHere, show
from twentyone.web.rendering import rendering_of

__all__ = ["show_games", "show_learn"]

STYLES = ("game", "desk", "chart", "learn")


async def show_games(looker: LookerHere) -> Response:
    """Every game with what it is in a line."""
    games = [
        h.li(".tw-panel")[
            h.h2[h.a(href=f"/learn/{book.id}")[book.full_title]],
            h.p(".tw-note")[below] if (below := source_below(book.full_title, book.source)) else None,
            h.p[in_one_line(book.under())],
        ]
        for book in loaded_rulebooks()[0]
    ]
    main = h.main("#main.tw-main", data_page="learn")[h.h1["Learn a game"], h.ul(".tw-games")[games]]
    return show("Learn", "Learn", looker, main, styles=STYLES)


async def show_learn(request: Request, rulebook: str, service: ServiceHere, looker: LookerHere) -> Response:
    """The page of one game under its default submission."""
    game = game_of(rulebook)
    edge, rounds = service.edges.of(game.book.under()), asking(service, game.asks("lesson"))
    key = ("learn", game.book, edge, rounds is not None)
    main = await rendering_of(request).part(request, key, lambda: _page(game, edge, rounds))
    title = f"Learn {game.book.title}"
    return show(title, "Learn", looker, main, styles=STYLES, scripts=("desk",))


def _page(game: ChosenGame, edge: float | None, rounds: Mapping[str, Any] | None) -> h.Element:
    rules = game.book.under()
    return h.main("#main.tw-main.tw-desk", data_page="learn-game")[
        h.h1[game.book.full_title],
        _edge(edge, game),
        how({**facts_of(rules), "house_edge": edge}, game.book, "as its text stands where nothing else is submitted"),
        _rounds(rounds, game),
        _chart(rules),
        h.p(".tw-row")[
            h.a(".tw-button.gold", href=f"/trainer?game={game.book.id}")["Train it"],
            law_link(game.book),
            h.a(".tw-button", href="/learn")["All games"],
        ],
    ]


def _edge(edge: float | None, game: ChosenGame) -> h.Element:
    said = "is being worked out" if edge is None else share(edge)
    return h.p(".tw-edge")[
        "House edge ",
        h.b(data_figure="house_edge")[said],
        " ",
        h.a(".tw-button", href=f"/odds?game={game.book.id}")["All figures"],
    ]


def _rounds(body: Mapping[str, Any] | None, game: ChosenGame) -> h.Element:
    if body is None:
        return waiting(game.asks("lesson"), "Five rounds are being dealt and played best.")
    rows = [_round(number, row, game) for number, row in enumerate(body["rounds"], 1)]
    heads = ("Replay", "Your hands", "Dealer", "Best play", "Net")
    return h.section(".tw-panel", data_part="rounds")[
        h.h2["Five rounds to replay"],
        h.p(".tw-note")["Dealt by chance and played best; chosen because together they show most of the rules."],
        data_table(heads, rows, "Five rounds, the shortest first"),
    ]


def _round(number: int, row: Mapping[str, Any], game: ChosenGame) -> tuple[h.Node, ...]:
    question = game.asks("review", script=row["script"])
    hands = h.fragment[[h.div[" ".join(cards)] for cards in row["cards"]]]
    decided = ", ".join(action.replace("_", " ") for action in row["decisions"]) or "nothing to decide"
    button = ask_button(question, f"Replay round {number}", opens="/board?own=")
    return button, hands, " ".join(row["dealer"]) or "not shown", decided, net_words(Amount(row["net"]))


def _chart(rules: Rules) -> h.Element:
    address = f"/strategy?game={rules.rulebook.id}"
    try:
        return charts(default_strategy(rules), rules, address, {})
    except NoChart:
        return h.p[h.a(".tw-button", href=address)["The chart of this game"]]
