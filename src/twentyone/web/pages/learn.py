"""Learn: a game made from its rulebook: what differs, what is paid, what it costs, five rounds, the chart."""

from __future__ import annotations

from typing import Annotated

import htpy as h
from fastapi import Query
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import Response

from twentyone.round import Round
from twentyone.round.events import DealBegun, StepBegun
from twentyone.round.words import in_words
from twentyone.rulebook import Rulebook, Rules
from twentyone.service.games import game_of as told_of
from twentyone.strategy import NoChart, default_strategy
from twentyone.training.examples import example_rounds
from twentyone.web.api.common import ServiceHere
from twentyone.web.pages.asking import game_field, game_of
from twentyone.web.pages.chart_cells import charts
from twentyone.web.pages.game import told_game
from twentyone.web.pages.shell import LookerHere, chip, show

__all__ = ["show_learn"]

FIRST = 4
"""Events of a round that are shown before the first step."""


async def show_learn(
    service: ServiceHere, looker: LookerHere, game: Annotated[str, Query(max_length=60)] = ""
) -> Response:
    """The page of a game under its default submission."""
    book = game_of(game).book
    rules = book.under()
    rounds = await run_in_threadpool(example_rounds, rules)
    told = {**told_of(rules), "house_edge": service.edges.of(rules)}
    main = h.main("#main.tw-main.tw-desk", data_page="learn")[
        h.h1[f"Learn {book.full_title}"],
        h.form(".tw-panel.tw-opening", action="/learn", data_desk=True, data_at_once=True)[
            h.div(".tw-choices")[game_field("game", book.id)], h.p(".loss", role="alert", data_part="wrong")
        ],
        told_game(told, book),
        h.section(".tw-panel")[
            h.h2["Five rounds"], [_round(book, number, round_) for number, round_ in enumerate(rounds, 1)]
        ],
        _chart(rules),
        h.p(".tw-row")[
            h.a(".tw-button.gold", href=f"/trainer?game={book.id}")["Train it"],
            h.a(".tw-button", href=f"/law/{book.id}")["The whole rulebook"],
        ],
    ]
    styles = ("desk", "chart", "game", "trainer")
    return show(f"Learn {book.full_title}", "Learn", looker, main, styles=styles, scripts=("desk", "trainer"))


def _round(book: Rulebook, number: int, round_: Round) -> h.Element:
    """A round, one event after the other."""
    events = [event for event in round_.events if not isinstance(event, StepBegun | DealBegun)]
    steps = [
        h.li(hidden=place >= FIRST)[in_words(event), " ", chip(book.id, event.cite.removeprefix(book.prefix))]
        for place, event in enumerate(events)
    ]
    return h.details(id=f"round-{number}", data_part="round", open=number == 1)[
        h.summary[f"Round {number}"],
        h.ol(aria_live="polite")[steps],
        h.button(".tw-button", type="button", data_act="step")["Next step"],
    ]


def _chart(rules: Rules) -> h.Element | None:
    try:
        return charts(default_strategy(rules), rules, f"/strategy?game={rules.rulebook.id}", {})
    except NoChart:
        return None
