"""Odds: what a game is worth under a submission, every choice a control; two games or submissions side by side."""

from __future__ import annotations

from typing import Annotated

import htpy as h
from fastapi import Query
from fastapi.responses import Response

from twentyone.odds.edges import known_edge
from twentyone.service.service import Service
from twentyone.web.api.common import ServiceHere
from twentyone.web.pages.asking import LONGEST, ChosenGame, ask_button, asking, game_field, game_of, refusal, waiting
from twentyone.web.pages.choices import choices_of
from twentyone.web.pages.figures import points, share
from twentyone.web.pages.odds_figures import answer, side_by_side
from twentyone.web.pages.prices import prices_table
from twentyone.web.pages.shell import LookerHere, show

__all__ = ["Written", "show_odds"]

AT_ONCE = ("decks", "dealer_hits_soft_17", "max_split_hands", "surrender", "double_on", "blackjack_pays")
"""The keys that are always shown."""
Written = Annotated[str, Query(max_length=LONGEST)]
"""A submission in an address, as JSON."""


async def show_odds(
    service: ServiceHere,
    looker: LookerHere,
    game: Annotated[str, Query(max_length=60)] = "",
    submission: Written = "",
    beside: Annotated[str, Query(max_length=60)] = "",
    beside_submission: Written = "",
) -> Response:
    """The page of one game's odds, or of two."""
    one = game_of(game, submission)
    two = game_of(beside, beside_submission) if beside else None
    games = [one] if two is None else [one, two]
    main = h.main("#main.tw-main.tw-desk", data_page="odds")[
        h.h1["Odds"],
        h.p(".tw-note")[
            "What a game costs, exactly, from its rulebook. Move a choice and the figures are worked out anew; the"
            " address of the page is what you chose, to keep or to share."
        ],
        _form(one, two),
        [refusal(each.refused, each.book) for each in games if each.refused is not None],
        _worked_out(service, games) if all(each.refused is None for each in games) else None,
    ]
    return show("Odds", "Odds", looker, main, styles=("desk",), scripts=("desk",))


def _form(one: ChosenGame, two: ChosenGame | None) -> h.Element:
    second = two.book.id if two is not None else ""
    return h.form(".tw-panel.tw-opening", action="/odds", data_desk=True, data_at_once=True)[
        h.div(".tw-choices")[
            game_field("game", one.book.id),
            game_field("beside", second, "nothing", "Side by side with"),
        ],
        choices_of(one.book, one.given, AT_ONCE),
        choices_of(two.book, two.given, AT_ONCE, name="beside_submission") if two is not None else None,
        h.p(".loss", role="alert", data_part="wrong"),
    ]


def _worked_out(service: Service, games: list[ChosenGame]) -> h.Fragment:
    """The figures where they are known; else where they are asked for."""
    questions = [each.asks("odds") for each in games]
    bodies = [asking(service, question) for question in questions]
    parts = [
        [_edge(each, None), waiting(question, f"The odds of {each.book.title} are being worked out.")]
        for each, question, body in zip(games, questions, bodies, strict=True)
        if body is None
    ]
    if parts:
        return h.fragment[[_together(*part) for part in parts]]
    known = [body for body in bodies if body is not None]
    if len(known) > 1:
        return h.fragment[side_by_side(*known)]
    return h.fragment[_edge(games[0], known[0]["house_edge"]), answer(known[0]), _more(service, games[0])]


def _together(edge: h.Element, work: h.Element) -> h.Element:
    return h.div(data_part="soon")[edge, work]


def _edge(game: ChosenGame, edge: float | None) -> h.Element:
    """The house edge in large figures, and its difference from that of the game as its text leaves it."""
    usual = known_edge(game.book.under())
    told = h.b(data_part="edge")[share(edge) if edge is not None else "…"]
    apart = None
    if game.given and usual is not None:
        moved = points(edge - usual) if edge is not None else "…"
        apart = h.span[" ", h.span(data_part="moved")[moved], f" against {share(usual)} by default"]
    return h.p(".tw-edge")[h.span["House edge of ", game.book.full_title, ": "], told, apart]


def _more(service: Service, game: ChosenGame) -> h.Element:
    """What takes longer: the price of every rule; and the PAR sheet."""
    question = game.asks("prices")
    prices = asking(service, question)
    shown = prices_table(game.book, prices) if prices is not None else None
    return h.section[
        h.div(".tw-row.tw-tools")[
            ask_button(game.asks("par"), "PAR sheet", file=True),
            ask_button(question, "Price every choice and rule") if shown is None else None,
        ],
        shown,
    ]
